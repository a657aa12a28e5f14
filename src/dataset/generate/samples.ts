/**
 * @file Values that generated programs are called with: short, and related to one another and to the constants of the program, so
 * that what a program looks for is often there. Lengths follow real calls (`frequencies.ts`).
 */
import type { Random } from '../../common/random.ts';
import { FREQUENCIES } from './frequencies.ts';
import { charValue, floatText, intItems, intValue, quote, stringValue, type Ty, word } from './values.ts';

/** A float keeps its text; a tuple is told from a list, a dict is a map. */
export class Float {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}
export class Tuple {
  readonly items: readonly Value[];
  constructor(items: readonly Value[]) {
    this.items = items;
  }
}
export type Value =
  | number
  | string
  | boolean
  | null
  | Float
  | Tuple
  | readonly Value[]
  | ReadonlyMap<Value, Value>
  | ReadonlySet<Value>;

/** The literal, as `repr` writes it. */
export function show(value: Value): string {
  if (value === null) return 'None';
  if (typeof value === 'string') return quote(value);
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value === 'number') return String(value);
  if (value instanceof Float) return value.text;
  if (value instanceof Tuple)
    return value.items.length === 1 ? `(${show(value.items[0]!)},)` : `(${value.items.map(show).join(', ')})`;
  if (value instanceof Map) return `{${[...value].map(([k, v]) => `${show(k)}: ${show(v)}`).join(', ')}}`;
  if (value instanceof Set) return value.size ? `{${[...value].map(show).join(', ')}}` : 'set()';
  return `[${(value as readonly Value[]).map(show).join(', ')}]`;
}

/** What the arguments of a call and the constants of the program have in common. */
export interface Hints {
  readonly texts: readonly string[];
  readonly numbers: readonly number[];
}

export const NO_HINTS: Hints = { texts: [], numbers: [] };

const LITERALS = /'((?:[^'\\\n]|\\.){1,8})'|\b(\d{1,3})\b/g;

/** The short constants of a source text. */
export function hintsOf(code: string): Hints {
  const texts = new Set<string>();
  const numbers = new Set<number>();
  for (const [, text, number] of code.matchAll(LITERALS)) {
    if (text !== undefined && !text.includes('\\') && !/[{}%]/.test(text)) texts.add(text);
    if (number !== undefined) numbers.add(Number(number));
  }
  return { texts: [...texts], numbers: [...numbers] };
}

/** Sizes as real calls have them, cut at `most`. */
const sizes = (
  table: Readonly<Record<string, number>>,
  most: number,
): readonly (readonly [number, number])[] =>
  Object.entries(table).flatMap(([size, n]) => (Number(size) <= most ? [[n, Number(size)] as const] : []));
const LIST_SIZES = sizes(FREQUENCIES.sizes.list, 6);
const DICT_SIZES = sizes(FREQUENCIES.sizes.dict, 4);
/** Strings are a little longer than in real calls, which have many single letters. */
const STRING_SIZES = sizes(FREQUENCIES.sizes.str, 12).map(
  ([n, size]) => [size === 1 ? n / 3 : n, size] as const,
);

const size = (r: Random): number => (r.chance(0.03) ? 0 : r.weighted(LIST_SIZES));

const upTo = (count: number, make: () => Value): Value[] => Array.from({ length: count }, make);

/** A string of at most some 12 characters, with what the program looks for in it half of the time. */
function text(r: Random, hints: Hints): string {
  const wanted = r.weighted(STRING_SIZES);
  let value = stringValue(r);
  if (value.length > Math.max(4, wanted) && !r.chance(0.05)) value = value.slice(0, wanted);
  if (!hints.texts.length || !r.chance(0.55)) return value;
  for (
    let n = r.weighted([
      [5, 1],
      [3, 2],
      [1, 3],
    ]);
    n > 0;
    n--
  ) {
    const hint = r.pick(hints.texts);
    const at = r.weighted([
      [2, 0],
      [2, value.length],
      [4, r.int(0, value.length)],
    ]);
    if (value.length + hint.length <= 16) value = value.slice(0, at) + hint + value.slice(at);
  }
  return value;
}

const integer = (r: Random, hints: Hints): number =>
  hints.numbers.length && r.chance(0.3)
    ? r.pick(hints.numbers) +
      r.weighted([
        [6, 0],
        [1, 1],
        [1, -1],
      ])
    : intValue(r);

function integers(r: Random, count: number, hints: Hints): number[] {
  const items = intItems(r, count);
  if (!hints.numbers.length || !r.chance(0.4)) return items;
  return items.map((item) => (r.chance(0.3) ? r.pick(hints.numbers) : item));
}

const words = (r: Random, hints: Hints): string =>
  hints.texts.length && r.chance(0.25)
    ? r.pick(hints.texts)
    : r.chance(0.7)
      ? word(r)
      : r.chance(0.5)
        ? charValue(r)
        : text(r, hints);

/** A value of a type. */
export function sample(r: Random, type: Ty, hints: Hints = NO_HINTS): Value {
  const key = () => (r.chance(0.4) ? word(r).slice(0, 1) : words(r, hints));
  switch (type) {
    case 'int':
      return integer(r, hints);
    case 'optional':
      return r.chance(0.3) ? null : integer(r, hints);
    case 'bool':
      return r.chance(0.5);
    case 'float':
      return new Float(floatText(r));
    case 'ch':
      return hints.texts.length && r.chance(0.3) ? r.pick(hints.texts).slice(0, 1) : charValue(r);
    case 'str':
      return text(r, hints);
    case 'ints':
      return integers(r, size(r), hints);
    case 'strs': {
      const items = upTo(size(r), () => words(r, hints));
      // Repeats are what counting and deduplicating are about.
      return items.length > 2 && r.chance(0.35)
        ? items.map((item) => (r.chance(0.4) ? items[0]! : item))
        : items;
    }
    case 'tup':
      return new Tuple(integers(r, Math.max(1, size(r)), hints));
    case 'dsi':
      return new Map(upTo(r.weighted(DICT_SIZES), key).map((k) => [k, integer(r, hints)] as const));
    case 'dii':
      return new Map(integers(r, r.weighted(DICT_SIZES), hints).map((k) => [k, integer(r, hints)] as const));
    case 'dss':
      return new Map(upTo(r.weighted(DICT_SIZES), key).map((k) => [k, words(r, hints)] as const));
    case 'seti':
      return new Set(integers(r, size(r), hints).sort((a, b) => a - b));
    case 'sets':
      return new Set((upTo(Math.min(4, size(r)), () => words(r, hints)) as string[]).sort());
    case 'grid': {
      const columns = r.int(1, 4);
      return upTo(r.int(1, 3), () => integers(r, columns, hints));
    }
    case 'pairs':
      return upTo(Math.min(4, size(r)), () => new Tuple([words(r, hints), integer(r, hints)]));
  }
}

/** A literal of the type, as Python source. */
export const literal = (r: Random, type: Ty): string => show(sample(r, type));

/** Chance of a call with one argument of a wrong type. */
export const WRONG = 0.03;

/** A value of another type than this one, of those that people confuse with it. */
export const otherType = (r: Random, value: Value): Value =>
  r.pick<Value>([
    null,
    typeof value === 'number' ? word(r) : r.int(0, 9),
    typeof value === 'string' ? [value] : word(r),
  ]);

/** Arguments of one call: later ones are often a part, an item, a key or a position of earlier ones. */
export function sampleArguments(r: Random, types: readonly Ty[], hints: Hints, related = 0.5): Value[] {
  const out: Value[] = [];
  for (const type of types) {
    const before = out.length ? r.pick(out) : null;
    const part = before !== null && r.chance(related) ? partOf(r, before, type) : undefined;
    out.push(part ?? sample(r, type, hints));
  }
  if (out.length && r.chance(WRONG)) {
    const at = r.int(0, out.length - 1);
    out[at] = otherType(r, out[at]!);
  }
  return out;
}

/** A value of the type that is found in another; undefined where there is none. */
export function partOf(r: Random, whole: Value, type: Ty): Value | undefined {
  const items = itemsOf(whole);
  if (type === 'str' || type === 'ch') {
    const most =
      type === 'ch'
        ? 1
        : r.weighted([
            [5, 1],
            [3, 2],
            [1, 3],
          ]);
    if (typeof whole === 'string' && whole) {
      const at = r.int(0, whole.length - 1);
      return whole.slice(at, at + most);
    }
    const texts = items.filter((item) => typeof item === 'string');
    return texts.length ? r.pick(texts) : undefined;
  }
  if (type === 'int') {
    const length = typeof whole === 'string' ? whole.length : items.length;
    const numbers = items.filter((item) => typeof item === 'number');
    if (numbers.length && r.chance(0.6)) return r.pick(numbers);
    return length ? r.int(r.chance(0.2) ? -length : 0, length - 1) : undefined;
  }
  if ((type === 'ints' || type === 'strs') && Array.isArray(whole) && whole.length) {
    const wanted = type === 'ints' ? 'number' : 'string';
    if (typeof whole[0] === wanted) return r.sample(whole as readonly Value[], r.int(1, whole.length));
  }
  return undefined;
}

/** Another value of the same type that shares something with the first: some items, a beginning, now and then all. */
export function alike(r: Random, whole: Value, type: Ty, hints: Hints): Value {
  const other = sample(r, type, hints);
  if (r.chance(0.12)) return whole;
  if (typeof whole === 'string' && typeof other === 'string')
    return r.chance(0.5) ? whole.slice(0, r.int(0, whole.length)) + other.slice(0, 4) : other;
  const mix = (a: readonly Value[], b: readonly Value[]): Value[] => [
    ...a.filter(() => r.chance(0.5)),
    ...b.filter(() => r.chance(0.6)),
  ];
  if (whole instanceof Set && other instanceof Set) {
    const items = [...new Set(mix([...whole], [...other]))];
    return new Set(items.sort((a, b) => (a! < b! ? -1 : 1)));
  }
  if (whole instanceof Map && other instanceof Map)
    return new Map(
      [...other].map(([k, v]) => [whole.size && r.chance(0.5) ? r.pick([...whole.keys()]) : k, v]),
    );
  if (Array.isArray(whole) && Array.isArray(other)) return mix(whole, other);
  return other;
}

const itemsOf = (value: Value): readonly Value[] => {
  if (value instanceof Tuple) return value.items;
  if (value instanceof Map) return [...value.keys()];
  if (value instanceof Set) return [...value];
  return Array.isArray(value) ? (value as readonly Value[]) : [];
};
