/**
 * @file What the evaluator works on: values, and the things that have no text of their own (functions,
 * lazy iterators). With them the questions asked of every object: its type's name, its truth, its length.
 */
import { wrapped } from '../compare.ts';
import { formatFloat } from '../number.ts';
import type { Value } from '../types.ts';
import { Unknown } from './run.ts';

export interface Func {
  readonly type: 'function';
  readonly kind: 'function' | 'builtin_function_or_method';
  call(args: readonly Item[], keywords: ReadonlyMap<string, Item>): Item;
}

/** Read once, lazily. `ordered` turns false when a set of two or more was read: only its order is unknown. */
export interface Iter {
  readonly type: 'iterator';
  /** `map`, `generator`. */
  readonly kind: string;
  readonly source: Iterator<Item>;
  ordered: boolean;
}

export type Item = Value | Func | Iter;
export type Call = Extract<Value, { type: 'call' }>;
export type RangeCall = Call & { readonly name: 'range' };

export const NONE: Value = { type: 'none' };
export const TRUE: Value = { type: 'bool', value: true };
export const FALSE: Value = { type: 'bool', value: false };

export const bool = (value: boolean): Value => (value ? TRUE : FALSE);
export const int = (value: bigint | number): Value => ({ type: 'int', value: BigInt(value) });
export const float = (value: number): Value => ({ type: 'float', value, text: formatFloat(value) });
export const str = (value: string): Value => ({ type: 'str', value });
export const list = (items: readonly Value[]): Value => ({ type: 'list', items });
export const tuple = (items: readonly Value[]): Value => ({ type: 'tuple', items });

/** Only values can be kept in a container or shown. */
export function asValue(item: Item): Value {
  if (item.type === 'function') throw new Unknown('it makes a function');
  if (item.type === 'iterator') {
    if (item.kind === 'iterator') throw new Unknown('it makes an iterator');
    return { type: 'opaque', text: item.kind === 'generator' ? 'generator <genexpr>' : item.kind };
  }
  return item;
}

/** What an element of a new container is: an iterator in there could not be read later. */
export function asElement(item: Item): Value {
  if (item.type === 'iterator') throw new Unknown('it keeps an iterator');
  return asValue(item);
}

/** Why nothing can be said about this value; to be thrown. */
export function hidden(item: Item): Unknown {
  if (item.type === 'cut' || item.type === 'alias') return new Unknown('a part of the value is not shown');
  if (item.type === 'call') return new Unknown(`${item.name} may have its own code for this`);
  if (item.type === 'opaque') return new Unknown(`<${item.text}> is only known by name`);
  return new Unknown('this is not evaluated here');
}

/** Whether the type's behaviour is the language's own. */
export function isBuiltin(item: Item): boolean {
  if (item.type === 'cut' || item.type === 'alias' || item.type === 'utc') return false;
  if (item.type === 'opaque')
    return /^(class|function|module|bound method|built-in function) ?/.test(item.text);
  return item.type !== 'call' || inner(item) !== undefined || isRange(item) || isView(item);
}

/** The builtin container a call stands for: `deque([1])`, `frozenset({1})`, `dict_keys([1])`. */
export function inner(value: Call): Value | undefined {
  const only = value.args[0];
  if (isView(value)) return only?.type === 'list' ? only : undefined;
  return wrapped(value);
}

export function isView(value: Call): boolean {
  return /^dict_(keys|values|items)$/.test(value.name) && value.args.length === 1;
}

export function isRange(value: Item): value is RangeCall {
  return (
    value.type === 'call' &&
    value.name === 'range' &&
    value.fields.length === 0 &&
    rangeParts(value) !== undefined
  );
}

/** Start, stop, step of a `range(...)` text. */
export function rangeParts(value: Call): readonly [bigint, bigint, bigint] | undefined {
  const numbers = value.args.map((arg) => (arg.type === 'int' ? arg.value : undefined));
  const [start, stop, step = 1n] = numbers;
  return start === undefined || stop === undefined || step === 0n ? undefined : [start, stop, step];
}

export function rangeLength(value: Call): number {
  const [start, stop, step] = rangeParts(value) ?? [0n, 0n, 1n];
  const span = step > 0n ? stop - start : start - stop;
  const size = step > 0n ? step : -step;
  return span <= 0n ? 0 : Number((span + size - 1n) / size);
}

const TYPE_NAMES: Readonly<Record<string, string>> = {
  none: 'NoneType',
  ellipsis: 'ellipsis',
  utc: 'timezone',
  notimplemented: 'NotImplementedType',
  function: 'function',
};

const LIBRARY_NAMES = /^(deque|defaultdict|OrderedDict)$/;

/** The type's name as messages have it; throws Unknown where the text does not tell. */
export function typeName(item: Item): string {
  switch (item.type) {
    case 'cut':
    case 'alias':
      throw hidden(item);
    case 'call':
      if (LIBRARY_NAMES.test(item.name)) return `collections.${item.name}`;
      return item.name.split('.').at(-1) as string;
    case 'iterator':
      return item.kind;
    case 'function':
      return item.kind;
    case 'opaque': {
      const kinds: [RegExp, string][] = [
        [/^class '/, 'type'],
        [/^function /, 'function'],
        [/^module '/, 'module'],
        [/^bound method /, 'method'],
        [/^built-in function /, 'builtin_function_or_method'],
        [/^int \d+ digits$/, 'int'],
      ];
      const found = kinds.find(([pattern]) => pattern.test(item.text));
      if (found) return found[1];
      if (/^\w+$/.test(item.text)) return item.text;
      throw hidden(item);
    }
    default:
      return TYPE_NAMES[item.type] ?? item.type;
  }
}

/** Python's characters: code points. */
export function characters(text: string): string[] {
  return Array.from(text);
}

/** Items in all, shown or not; undefined where the object has no length. */
export function lengthOf(item: Item): number | undefined {
  switch (item.type) {
    case 'str':
      return characters(item.value).length + (item.cut ?? 0);
    case 'bytes':
      return item.value.length + (item.cut ?? 0);
    case 'list':
    case 'tuple':
    case 'set':
      return item.items.length + (item.cut ?? 0);
    case 'dict':
      return item.entries.length + (item.cut ?? 0);
    case 'call': {
      if (isRange(item)) return rangeLength(item);
      const container = inner(item);
      if (container === undefined) throw hidden(item);
      return lengthOf(container);
    }
    case 'cut':
    case 'alias':
      throw hidden(item);
    case 'opaque':
      if (!isBuiltin(item)) throw hidden(item);
      return undefined;
    default:
      return undefined;
  }
}

export function truthOf(item: Item): boolean {
  switch (item.type) {
    case 'none':
      return false;
    case 'bool':
      return item.value;
    case 'int':
      return item.value !== 0n;
    case 'float':
      return item.value !== 0;
    case 'complex':
      return !/^-?0j$|^\(-?0[+-]0j\)$/.test(item.text);
    case 'opaque':
      if (!isBuiltin(item) && !/^int \d+ digits$/.test(item.text)) throw hidden(item);
      return true;
    case 'ellipsis':
    case 'utc':
    case 'function':
    case 'iterator':
      return true;
    case 'notimplemented':
      throw new Unknown('the truth of NotImplemented differs between versions');
    default:
      return lengthOf(item) !== 0;
  }
}

/** Throws Unknown if the value is shown only in part. */
export function whole<T extends Value>(value: T): T {
  if ('cut' in value && value.cut !== undefined) throw new Unknown('a part of the value is not shown');
  return value;
}

/** The integer a value is as an index or count; undefined if it is none. */
export function asIndex(item: Item): bigint | undefined {
  if (item.type === 'int') return item.value;
  return item.type === 'bool' ? BigInt(item.value) : undefined;
}
