/** @file Methods of str. What depends on Unicode tables beyond ASCII is left to Python. */
import type { Value } from '../types.ts';
import { type Arguments, bind, countArgument, textArgument } from './arguments.ts';
import { asValue, bool, characters, type Item, int, list, str, tuple, typeName, whole } from './items.ts';
import { each, iterate } from './iterate.ts';
import { type Run, typeError, Unknown, valueError } from './run.ts';
import { formatMethod } from './template.ts';

type Method = (text: string, args: Arguments, run: Run) => Item;

/** Python's white space. */
const SPACE = '\\t\\n\\v\\f\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000';
const MAX_CHARACTERS = 100_000;

/** Undefined where str has no such method here. */
export function stringMethod(name: string): Method | undefined {
  return Object.hasOwn(METHODS, name) ? METHODS[name] : undefined;
}

const METHODS: Readonly<Record<string, Method>> = {
  upper: (s) => str(ascii(s).toUpperCase()),
  lower: (s) => str(ascii(s).toLowerCase()),
  casefold: (s) => str(ascii(s).toLowerCase()),
  capitalize: (s) => str(ascii(s).charAt(0).toUpperCase() + s.slice(1).toLowerCase()),
  title: (s) =>
    str(ascii(s).replace(/[A-Za-z]+/g, (word) => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase())),
  swapcase: (s) => str(ascii(s).replace(/[A-Za-z]/g, (c) => (c < 'a' ? c.toLowerCase() : c.toUpperCase()))),
  strip: (s, args) => str(strip(s, args, true, true)),
  lstrip: (s, args) => str(strip(s, args, true, false)),
  rstrip: (s, args) => str(strip(s, args, false, true)),
  split: (s, args) => split(s, args, false),
  rsplit: (s, args) => split(s, args, true),
  splitlines: (s, args) => {
    const [keep] = bind(args, 'keepends?');
    if (keep !== undefined) throw new Unknown('keepends is not evaluated here');
    const lines = s.split(/\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]/);
    if (lines.at(-1) === '') lines.pop();
    return list(lines.map(str));
  },
  join: (s, args, run) => {
    const [items] = bind(args, 'iterable');
    const source = iterate(run, items as Item);
    const found = Array.from(each(source), (item, i) => {
      if (item.type === 'str') return whole(item).value;
      throw typeError(`sequence item ${i}: expected str instance, ${typeName(asValue(item))} found`);
    });
    if (!source.ordered && found.length > 1) throw new Unknown('the order of a set is not known');
    return str(limit(found.join(s)));
  },
  startswith: (s, args) => affix(s, args, 'startswith'),
  endswith: (s, args) => affix(s, args, 'endswith'),
  replace: (s, args) => {
    const [old, fresh, count] = bind(args, 'old', 'new', 'count?');
    return str(
      limit(replace(s, textArgument(old) ?? '', textArgument(fresh) ?? '', countArgument(count) ?? -1)),
    );
  },
  find: (s, args) => int(find(s, args, false)),
  rfind: (s, args) => int(find(s, args, true)),
  index: (s, args) => found(find(s, args, false)),
  rindex: (s, args) => found(find(s, args, true)),
  count: (s, args) => {
    const { text, wanted } = region(s, args);
    if (text === null) return int(0);
    return int(wanted === '' ? characters(text).length + 1 : text.split(wanted).length - 1);
  },
  isdigit: (s) => bool(/^[0-9]+$/.test(ascii(s))),
  isdecimal: (s) => bool(/^[0-9]+$/.test(ascii(s))),
  isnumeric: (s) => bool(/^[0-9]+$/.test(ascii(s))),
  isalpha: (s) => bool(/^[A-Za-z]+$/.test(ascii(s))),
  isalnum: (s) => bool(/^[A-Za-z0-9]+$/.test(ascii(s))),
  isspace: (s) => bool(new RegExp(`^[${SPACE}]+$`).test(s)),
  isupper: (s) => bool(/[A-Z]/.test(ascii(s)) && !/[a-z]/.test(s)),
  islower: (s) => bool(/[a-z]/.test(ascii(s)) && !/[A-Z]/.test(s)),
  istitle: (s) => bool(/[A-Za-z]/.test(ascii(s)) && !/[A-Za-z][A-Z]|(?<![A-Za-z])[a-z]/.test(s)),
  isascii: (s) => bool(/^[\x00-\x7f]*$/.test(s)),
  isidentifier: (s) => bool(/^[A-Za-z_][A-Za-z0-9_]*$/.test(ascii(s))),
  isprintable: (s) => bool(/^[\x20-\x7e]*$/.test(ascii(s))),
  zfill: (s, args) => {
    const width = countArgument(bind(args, 'width')[0]) ?? 0;
    const sign = /^[+-]/.exec(s)?.[0] ?? '';
    return str(sign + '0'.repeat(missing(s, width)) + s.slice(sign.length));
  },
  ljust: (s, args) => justify(s, args, () => 0),
  rjust: (s, args) => justify(s, args, (space) => space),
  // CPython puts the odd space left only if the width is odd.
  center: (s, args) => justify(s, args, (space, width) => Math.floor(space / 2) + (space & width & 1)),
  partition: (s, args) => partition(s, args, false),
  rpartition: (s, args) => partition(s, args, true),
  removeprefix: (s, args) => {
    const prefix = textArgument(bind(args, 'prefix')[0]) ?? '';
    return str(s.startsWith(prefix) ? s.slice(prefix.length) : s);
  },
  removesuffix: (s, args) => {
    const suffix = textArgument(bind(args, 'suffix')[0]) ?? '';
    return str(suffix !== '' && s.endsWith(suffix) ? s.slice(0, -suffix.length) : s);
  },
  encode: (s, args) => {
    bind(args);
    if (/\p{Cs}/u.test(s)) throw new Unknown('lone surrogates cannot be encoded');
    return { type: 'bytes', value: new TextEncoder().encode(s) };
  },
  format: (s, args, run) => str(limit(formatMethod(run, s, args))),
};

function ascii(text: string): string {
  if (/[^\x00-\x7f]/.test(text)) throw new Unknown('letters beyond ASCII are left to Python');
  return text;
}

function limit(text: string): string {
  if (text.length > MAX_CHARACTERS) throw new Unknown('the result is too long');
  return text;
}

function found(at: number): Value {
  if (at < 0) throw valueError('substring not found');
  return int(at);
}

function strip(text: string, args: Arguments, left: boolean, right: boolean): string {
  const [chars] = bind(args, 'chars?');
  const set = new Set(chars === undefined ? [] : characters(textArgument(chars) ?? ''));
  const space = new RegExp(`[${SPACE}]`);
  const goes = (c: string | undefined): boolean =>
    c !== undefined && (chars === undefined ? space.test(c) : set.has(c));
  const all = characters(text);
  let [from, to] = [0, all.length];
  while (left && from < to && goes(all[from])) from += 1;
  while (right && to > from && goes(all[to - 1])) to -= 1;
  return all.slice(from, to).join('');
}

function split(text: string, args: Arguments, fromRight: boolean): Value {
  const [separator, count] = bind(args, 'sep?', 'maxsplit?');
  const most = countArgument(count) ?? -1;
  const at = textArgument(separator);
  if (at === '') throw valueError('empty separator');
  if (at === undefined) {
    if (most >= 0) throw new Unknown('maxsplit without a separator is not evaluated here');
    return list(
      text
        .split(new RegExp(`[${SPACE}]+`))
        .filter((part) => part !== '')
        .map(str),
    );
  }
  const parts = text.split(at);
  if (most < 0 || parts.length <= most + 1) return list(parts.map(str));
  const joined = fromRight
    ? [parts.slice(0, parts.length - most).join(at), ...parts.slice(parts.length - most)]
    : [...parts.slice(0, most), parts.slice(most).join(at)];
  return list(joined.map(str));
}

function affix(text: string, args: Arguments, name: 'startswith' | 'endswith'): Item {
  const [affixes] = bind(args, 'prefix');
  if (affixes?.type !== 'str' && affixes?.type !== 'tuple') {
    throw typeError(`${name} first arg must be str or a tuple of str, not ${typeName(affixes as Item)}`);
  }
  const all = affixes.type === 'str' ? [affixes] : whole(affixes).items;
  return bool(
    all.some((item) =>
      name === 'startswith'
        ? text.startsWith(textArgument(item) ?? '')
        : text.endsWith(textArgument(item) ?? ''),
    ),
  );
}

function replace(text: string, old: string, fresh: string, count: number): string {
  if (old === '') {
    const places = characters(text);
    const most = count < 0 ? places.length + 1 : count;
    return places.map((c, i) => (i < most ? fresh : '') + c).join('') + (places.length < most ? fresh : '');
  }
  const parts = text.split(old);
  if (count < 0 || parts.length <= count + 1) return parts.join(fresh);
  return parts.slice(0, count + 1).join(fresh) + old + parts.slice(count + 1).join(old);
}

/** The searched part of the text (null: beyond it), where it begins, and what is looked for. */
function region(text: string, args: Arguments): { text: string | null; from: number; wanted: string } {
  const [sub, start, end] = bind(args, 'sub', 'start?', 'end?');
  const all = characters(text);
  const clamp = (value: number): number => Math.max(value < 0 ? value + all.length : value, 0);
  const from = clamp(countArgument(start) ?? 0);
  const to = Math.min(clamp(countArgument(end) ?? all.length), all.length);
  return { text: from > to ? null : all.slice(from, to).join(''), from, wanted: textArgument(sub) ?? '' };
}

function find(text: string, args: Arguments, last: boolean): number {
  const { text: part, from, wanted } = region(text, args);
  const at = part === null ? -1 : last ? part.lastIndexOf(wanted) : part.indexOf(wanted);
  return at < 0 ? -1 : from + characters((part ?? '').slice(0, at)).length;
}

function missing(text: string, width: number): number {
  if (width > MAX_CHARACTERS) throw new Unknown('the result is too long');
  return Math.max(0, width - characters(text).length);
}

function justify(text: string, args: Arguments, left: (space: number, width: number) => number): Item {
  const [width, fill] = bind(args, 'width', 'fillchar?');
  const character = textArgument(fill) ?? ' ';
  if (characters(character).length !== 1)
    throw typeError('The fill character must be exactly one character long');
  const size = countArgument(width) ?? 0;
  const space = missing(text, size);
  const before = space === 0 ? 0 : left(space, size);
  return str(character.repeat(before) + text + character.repeat(space - before));
}

function partition(text: string, args: Arguments, last: boolean): Item {
  const separator = textArgument(bind(args, 'sep')[0]) ?? '';
  if (separator === '') throw valueError('empty separator');
  const at = last ? text.lastIndexOf(separator) : text.indexOf(separator);
  const parts =
    at < 0
      ? last
        ? ['', '', text]
        : [text, '', '']
      : [text.slice(0, at), separator, text.slice(at + separator.length)];
  return tuple(parts.map(str));
}
