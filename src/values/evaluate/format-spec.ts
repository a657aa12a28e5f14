/** @file The format mini-language (`format(x, '>10.2f')`) and `%` formatting, for numbers and text. */

import { formatFloat } from '../number.ts';
import { numeric, toFloat } from './arithmetic.ts';
import { findEntry } from './comparison.ts';
import { fixed, scientific, significant } from './decimal.ts';
import { asValue, hidden, type Item, isBuiltin, str, typeName, whole } from './items.ts';
import { type Run, typeError, Unknown, valueError } from './run.ts';
import { displayText, valueText } from './text.ts';

interface Spec {
  readonly fill: string;
  readonly align: string;
  readonly sign: string;
  readonly alternate: boolean;
  readonly width: number;
  readonly group: string;
  readonly precision: number | undefined;
  readonly type: string;
}

const SPEC = /^(?:(.)?([<>=^]))?([-+ ])?(#)?(0)?(\d*)([,_])?(?:\.(\d+))?([a-zA-Z%])?$/su;
const MAX_WIDTH = 10_000;

/** `format(item, spec)` */
export function formatItem(item: Item, spec: string): string {
  if (spec === '') return displayText(item);
  if (!isBuiltin(item)) throw hidden(item);
  const value = numeric(item);
  if (item.type !== 'str' && value === undefined) {
    const name = typeName(item);
    if (/^(list|tuple|dict|set|NoneType)$/.test(name))
      throw typeError(`unsupported format string passed to ${name}.__format__`);
    throw new Unknown('this format is not evaluated here');
  }
  const parsed = parse(spec);
  if (item.type === 'str') return formatText(whole(item).value, parsed);
  if (item.type === 'bool' && parsed.type === '') {
    // A boolean with a width but no type is formatted as an integer.
    return formatNumber(BigInt(item.value), parsed, 'bool');
  }
  return formatNumber(value ?? 0n, parsed, typeName(item));
}

function parse(spec: string): Spec {
  const found = SPEC.exec(spec);
  if (found === null) throw new Unknown('this format is not evaluated here');
  const [, fill, align, sign = '', hash, zero, width = '', group = '', precision, type = ''] = found;
  if (Number(width) > MAX_WIDTH || Number(precision ?? 0) > 300) throw new Unknown('the format is too wide');
  return {
    fill: fill ?? (zero && align === undefined ? '0' : ' '),
    align: align ?? (zero ? '=' : ''),
    sign,
    alternate: hash !== undefined,
    width: Number(width),
    group,
    precision: precision === undefined ? undefined : Number(precision),
    type,
  };
}

function formatText(text: string, spec: Spec): string {
  if (spec.type !== '' && spec.type !== 's')
    throw valueError(`Unknown format code '${spec.type}' for object of type 'str'`);
  if (spec.sign !== '' || spec.alternate || spec.group !== '' || spec.align === '=')
    throw new Unknown('this format is not evaluated here');
  const characters = Array.from(text);
  return pad(
    spec.precision === undefined ? text : characters.slice(0, spec.precision).join(''),
    '',
    spec,
    '<',
  );
}

function formatNumber(value: bigint | number, spec: Spec, type: string): string {
  if (typeof value === 'bigint' && /^[dxXobn]?$/.test(spec.type)) {
    if (spec.precision !== undefined) throw valueError('Precision not allowed in integer format specifier');
    if (spec.type === 'n') throw new Unknown('this format is not evaluated here');
    return padNumber(integerDigits(value < 0n ? -value : value, spec), value < 0n, spec);
  }
  if (!/^[eEfFgG%]?$/.test(spec.type) || (typeof value === 'bigint' && spec.type === ''))
    throw valueError(`Unknown format code '${spec.type}' for object of type '${type}'`);
  const number = toFloat(value);
  if (spec.alternate) throw new Unknown('this format is not evaluated here');
  return padNumber(floatDigits(Math.abs(number), spec), number < 0 || Object.is(number, -0), spec);
}

function integerDigits(size: bigint, spec: Spec): string {
  const [base, prefix] =
    spec.type === 'x' || spec.type === 'X'
      ? [16, '0x']
      : spec.type === 'o'
        ? [8, '0o']
        : spec.type === 'b'
          ? [2, '0b']
          : [10, ''];
  const digits = grouped(size.toString(base), spec.group, base === 10 ? 3 : 4);
  const text = (spec.alternate ? prefix : '') + digits;
  return spec.type === 'X' ? text.toUpperCase() : text;
}

function floatDigits(size: number, spec: Spec): string {
  const upper = /[EFG]/.test(spec.type);
  const percent = spec.type === '%';
  const value = percent ? size * 100 : size;
  let text: string;
  if (!Number.isFinite(value)) text = Number.isNaN(value) ? 'nan' : 'inf';
  else if (spec.type === '')
    text = spec.precision === undefined ? formatFloat(value) : general(value, spec.precision, true);
  else if (/[fF%]/.test(spec.type)) text = fixed(value, spec.precision ?? 6);
  else if (/[eE]/.test(spec.type)) text = scientific(value, spec.precision ?? 6);
  else text = general(value, spec.precision ?? 6, false);
  const [, whole = '', rest = ''] = /^(\d*)(.*)$/s.exec(text) ?? [];
  const shown = grouped(whole, spec.group, 3) + rest + (percent ? '%' : '');
  return upper ? shown.toUpperCase() : shown;
}

/** `g`; `point`: as without a type, at least one digit after the point and an exponent one digit sooner. */
function general(value: number, precision: number, point: boolean): string {
  const count = Math.max(precision, 1);
  const { digits, exponent } = significant(value, count);
  const trimmed = digits.replace(/0+$/, '');
  if (exponent < -4 || exponent >= count - (point ? 1 : 0)) {
    if (value === 0 && !point) return '0';
    if (value !== 0 || !point) {
      const rest = trimmed.slice(1);
      return `${digits[0]}${rest === '' ? '' : `.${rest}`}e${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`;
    }
  }
  const text = fixed(value, Math.max(count - 1 - exponent, 0))
    .replace(/(\.\d*?)0+$/, '$1')
    .replace(/\.$/, '');
  return point && !text.includes('.') ? `${text}.0` : text;
}

function grouped(digits: string, separator: string, size: number): string {
  if (separator === '') return digits;
  return digits.replace(new RegExp(`(?<=.)(?=(.{${size}})+$)`, 'g'), separator);
}

function padNumber(digits: string, negative: boolean, spec: Spec): string {
  const sign = negative ? '-' : spec.sign === '-' ? '' : spec.sign;
  if (spec.group !== '' && spec.align === '=' && spec.fill === '0' && spec.width > digits.length)
    throw new Unknown('this format is not evaluated here');
  return pad(digits, sign, spec, '>');
}

function pad(text: string, sign: string, spec: Spec, usual: string): string {
  const missing = spec.width - Array.from(sign + text).length;
  if (missing <= 0) return sign + text;
  const align = spec.align === '' ? usual : spec.align;
  if (align === '=') {
    const prefix = spec.alternate ? (/^0[xob]/i.exec(text)?.[0] ?? '') : '';
    return sign + prefix + spec.fill.repeat(missing) + text.slice(prefix.length);
  }
  const left = align === '<' ? 0 : align === '>' ? missing : Math.floor(missing / 2);
  return spec.fill.repeat(left) + sign + text + spec.fill.repeat(missing - left);
}

const PERCENT = /%(?:\(([^)]*)\))?([-+ #0]*)(\*|\d+)?(?:\.(\*|\d+))?[hlL]?(.)/gsu;

/** `template % argument` */
export function percentFormat(run: Run, template: string, argument: Item): Item {
  const positional = argument.type === 'tuple' ? whole(argument).items : [argument];
  // What has an index might be a mapping: then it need not be used up.
  const mapping = /^(list|dict|bytes|call)$/.test(argument.type) ? argument : undefined;
  if (argument.type === 'call' && !/^(range|deque|defaultdict|OrderedDict|Counter)$/.test(argument.name))
    displayText(argument);
  let used = 0;
  let named = false;
  if (/%$/.test(template.replaceAll('%%', ''))) throw valueError('incomplete format');
  const next = (): Item => {
    const item = positional[used];
    used += 1;
    if (item === undefined) throw typeError('not enough arguments for format string');
    return item;
  };
  const text = template.replace(
    PERCENT,
    (
      whole_,
      key: string | undefined,
      flags: string,
      width: string | undefined,
      precision: string | undefined,
      type: string,
    ) => {
      run.tick();
      if (type === '%') {
        if (whole_ !== '%%') throw new Unknown('this format is not evaluated here');
        return '%';
      }
      if (width === '*' || precision === '*' || flags.includes('#'))
        throw new Unknown('this format is not evaluated here');
      let item: Item;
      if (key !== undefined) {
        if (mapping === undefined) throw typeError('format requires a mapping');
        const found = findEntry(run, mapping, str(key));
        if (found === undefined) throw new Unknown('the key is missing');
        item = found;
        named = true;
      } else item = next();
      return percentItem(item, flags, width ?? '', precision, type);
    },
  );
  if (
    used < positional.length &&
    !named &&
    (!mapping || /^(frozenset|deque|dict_\w+)$/.test(mapping.type === 'call' ? mapping.name : ''))
  )
    throw typeError('not all arguments converted during string formatting');
  return str(text);
}

function percentItem(
  item: Item,
  flags: string,
  width: string,
  precision: string | undefined,
  type: string,
): string {
  const left = flags.includes('-');
  const sign = flags.includes('+') ? '+' : flags.includes(' ') ? ' ' : '';
  const zero = flags.includes('0') && !left;
  const points = precision === undefined ? '' : `.${precision}`;
  if (type === 's' || type === 'r') {
    const text = type === 's' ? displayText(item) : valueText(asValue(item));
    return formatItem(str(text), `${left ? '<' : '>'}${width}${points}`);
  }
  const value = numeric(item);
  if (!/[dixXofFeEgGcu]/.test(type)) throw new Unknown('this format is not evaluated here');
  if (value === undefined || type === 'c' || type === 'u') {
    if (!isBuiltin(item) || type === 'c' || type === 'u')
      throw new Unknown('this format is not evaluated here');
    if (/[di]/.test(type))
      throw typeError(`%${type} format: a real number is required, not ${typeName(item)}`);
    if (/[xXo]/.test(type)) throw typeError(`%${type} format: an integer is required, not ${typeName(item)}`);
    throw typeError(`must be real number, not ${typeName(item)}`);
  }
  const integral = /[dixXo]/.test(type);
  if (integral && precision !== undefined) throw new Unknown('this format is not evaluated here');
  if (integral && typeof value === 'number') {
    if (/[xXo]/.test(type)) throw typeError(`%${type} format: an integer is required, not float`);
    if (!Number.isFinite(value)) throw new Unknown('this format is not evaluated here');
  }
  const number = integral
    ? { type: 'int' as const, value: BigInt(typeof value === 'number' ? Math.trunc(value) : value) }
    : item;
  const align = left ? '<' : zero ? '' : '>';
  return formatItem(number, `${align}${sign}${zero ? '0' : ''}${width}${points}${type === 'i' ? 'd' : type}`);
}
