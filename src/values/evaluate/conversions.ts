/** @file Calls of builtin types: `int('12')`, `list('ab')`, `dict(a=1)`. */
import type { Value } from '../types.ts';
import { type Arguments, bind, countArgument } from './arguments.ts';
import { numeric, toFloat } from './arithmetic.ts';
import {
  asElement,
  bool,
  float,
  hidden,
  type Item,
  int,
  isBuiltin,
  list,
  str,
  truthOf,
  tuple,
  typeName,
  whole,
} from './items.ts';
import { each, entriesOf, iterate, makeDict, makeFrozen, makeSet, toArray, toBag } from './iterate.ts';
import { PythonError, type Run, typeError, Unknown, valueError } from './run.ts';
import { displayText, valueText } from './text.ts';

/** Throws Unknown where the type's call is not evaluated here. */
export function convert(run: Run, type: string, args: Arguments): Item {
  switch (type) {
    case 'bool':
      return bool(args.args.length > 0 && truthOf(bind(args, 'x')[0] as Item));
    case 'str':
      return args.args.length === 0 && args.keywords.size === 0
        ? str('')
        : str(displayText(bind(args, 'object')[0] as Item));
    case 'int':
      return toInt(args);
    case 'float':
      return args.args.length === 0 ? float(0) : toFloatItem(bind(args, 'x')[0] as Item);
    case 'list':
      return list(args.args.length === 0 ? [] : toArray(run, bind(args, 'iterable')[0] as Item));
    case 'tuple': {
      const [items] = args.args.length === 0 ? [] : bind(args, 'iterable');
      return items?.type === 'tuple' ? items : tuple(items === undefined ? [] : toArray(run, items));
    }
    case 'set':
      return args.args.length === 0
        ? makeSet([])
        : makeSet(toBag(run, bind(args, 'iterable')[0] as Item).items);
    case 'frozenset':
      return makeFrozen(
        args.args.length === 0 ? makeSet([]) : makeSet(toBag(run, bind(args, 'iterable')[0] as Item).items),
      );
    case 'dict':
      return toDict(run, args);
    case 'range':
      return toRange(args);
    default:
      throw new Unknown(`${type} is not evaluated here`);
  }
}

function toInt(args: Arguments): Item {
  if (args.args.length === 0 && args.keywords.size === 0) return int(0);
  const [x, base] = bind(args, 'x', 'base?') as [Item, Item?];
  const radix = countArgument(base);
  if (x.type === 'str') return int(parseInteger(whole(x).value, radix ?? 10));
  if (radix !== undefined) throw new Unknown('the call has other arguments');
  const value = numeric(x);
  if (typeof value === 'bigint') return int(value);
  if (value !== undefined) {
    if (Number.isNaN(value)) throw valueError('cannot convert float NaN to integer');
    if (!Number.isFinite(value))
      throw new PythonError('OverflowError', 'cannot convert float infinity to integer');
    return int(BigInt(Math.trunc(value)));
  }
  if (!isBuiltin(x) || x.type === 'bytes') throw hidden(x);
  throw typeError(
    `int() argument must be a string, a bytes-like object or a real number, not '${typeName(x)}'`,
  );
}

function parseInteger(text: string, base: number): bigint {
  if (base !== 10 && base !== 2 && base !== 8 && base !== 16)
    throw new Unknown('this base is not evaluated here');
  const trimmed = text.trim();
  if (/[^\x00-\x7f]/.test(trimmed)) throw new Unknown('digits beyond ASCII are left to Python');
  const prefix = base === 10 ? '' : base === 2 ? '(?:0b_?)?' : base === 8 ? '(?:0o_?)?' : '(?:0x_?)?';
  const digit = base === 10 ? '[0-9]' : base === 2 ? '[01]' : base === 8 ? '[0-7]' : '[0-9a-f]';
  const found = new RegExp(`^([+-]?)${prefix}(${digit}(?:_?${digit})*)$`, 'i').exec(trimmed);
  if (found === null)
    throw valueError(`invalid literal for int() with base ${base}: ${valueText(str(text))}`);
  const digits = (found[2] as string).replaceAll('_', '');
  if (digits.length > 4000) throw new Unknown('the integer is too large');
  const size = BigInt(base === 10 ? digits : (base === 2 ? '0b' : base === 8 ? '0o' : '0x') + digits);
  return found[1] === '-' ? -size : size;
}

function toFloatItem(x: Item): Item {
  const value = numeric(x);
  if (value !== undefined) return float(toFloat(value));
  if (x.type !== 'str') {
    if (!isBuiltin(x) || x.type === 'bytes') throw hidden(x);
    throw typeError(`float() argument must be a string or a real number, not '${typeName(x)}'`);
  }
  const text = whole(x).value;
  const trimmed = text.trim();
  if (/[^\x00-\x7f]/.test(trimmed)) throw new Unknown('digits beyond ASCII are left to Python');
  const special = /^([+-]?)(?:(nan)|inf(?:inity)?)$/i.exec(trimmed);
  if (special) return float(special[2] ? Number.NaN : special[1] === '-' ? -Infinity : Infinity);
  if (!/^[+-]?(\d(_?\d)*\.?(\d(_?\d)*)?|\.\d(_?\d)*)(e[+-]?\d(_?\d)*)?$/i.test(trimmed))
    throw valueError(`could not convert string to float: ${valueText(str(text))}`);
  return float(Number(trimmed.replaceAll('_', '')));
}

function toDict(run: Run, { args, keywords }: Arguments): Value {
  const [first, ...more] = args;
  if (more.length > 0) throw new Unknown('the call has too many arguments');
  const named = [...keywords].map(([name, item]) => [str(name), asElement(item)] as const);
  const given = first === undefined ? [] : (entriesOf(first) ?? pairsOf(run, first));
  return makeDict([...given, ...named]);
}

function pairsOf(run: Run, of: Item): (readonly [Value, Value])[] {
  const source = iterate(run, of);
  const pairs = Array.from(each(source), (item, i) => {
    if (item.type !== 'tuple' && item.type !== 'list' && item.type !== 'str') {
      if (!isBuiltin(item)) throw hidden(item);
      throw new Unknown('the items are no pairs');
    }
    const [key, value, ...rest] = toArray(run, item);
    const length = (key === undefined ? 0 : value === undefined ? 1 : 2) + rest.length;
    if (key === undefined || value === undefined || rest.length > 0)
      throw valueError(`dictionary update sequence element #${i} has length ${length}; 2 is required`);
    return [key, value] as const;
  });
  if (!source.ordered && pairs.length > 1) throw new Unknown('the order of a set is not known');
  return pairs;
}

function toRange({ args, keywords }: Arguments): Value {
  const numbers = args.map((arg) => {
    if (arg.type !== 'int' && arg.type !== 'bool') {
      if (!isBuiltin(arg)) throw hidden(arg);
      throw typeError(`'${typeName(arg)}' object cannot be interpreted as an integer`);
    }
    return arg.type === 'int' ? arg.value : BigInt(arg.value);
  });
  if (keywords.size > 0 || numbers.length === 0 || numbers.length > 3)
    throw new Unknown('the call has other arguments');
  const [start, stop, step] =
    numbers.length === 1
      ? [0n, numbers[0] as bigint, 1n]
      : [numbers[0] as bigint, numbers[1] as bigint, numbers[2] ?? 1n];
  if (step === 0n) throw valueError('range() arg 3 must not be zero');
  return {
    type: 'call',
    name: 'range',
    args: [start, stop, ...(step === 1n ? [] : [step])].map((value) => int(value)),
    fields: [],
  };
}
