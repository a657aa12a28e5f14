/** @file Are two values the same: by text, and as Python's `==` would say, where text can tell. */
import { resolve } from './graph.ts';
import { type Key, keyOf } from './keys.ts';
import { complexValue } from './number.ts';
import { parseValue } from './parse.ts';
import type { Value } from './types.ts';

export type Truth = boolean | 'unknown';

/**
 * `same`: equal text. `equal`: other text, equal in Python (`1` and `1.0`). `unknown`: user code would decide,
 * or a part that is not shown. Throws `E_VALUE` for a text that is no value.
 */
export function compareValues(a: string, b: string): 'same' | 'equal' | 'different' | 'unknown' {
  if (a === b) return 'same';
  const equal = pythonEqual(parseValue(a), parseValue(b));
  return equal === 'unknown' ? 'unknown' : equal ? 'equal' : 'different';
}

/** `a == b` in Python. Two texts never tell whether a nan is the same object: nan is never equal. */
export function pythonEqual(a: Value, b: Value): Truth {
  return equalIn(resolve(a), resolve(b), { left: 100_000, depth: 0, identity: false });
}

/**
 * The same for values without labels (`resolve`), possibly cyclic, where one JavaScript object is one Python
 * object: equal as an item without being asked.
 */
export function equalResolved(a: Value, b: Value): Truth {
  return equalIn(a, b, { left: 100_000, depth: 0, identity: true });
}

interface Budget {
  left: number;
  depth: number;
  readonly identity: boolean;
}

/** Deeper than any text nests: only cycles get there. */
const MAX_DEPTH = 500;

function equalIn(a: Value, b: Value, budget: Budget): Truth {
  budget.left -= 1;
  if (budget.left < 0 || budget.depth > MAX_DEPTH) return 'unknown';
  if (budget.identity && budget.depth > 0) {
    if (a === b) return true;
    if (isNan(a) && isNan(b)) return 'unknown';
  }
  budget.depth += 1;
  const equal = equalParts(a, b, budget);
  budget.depth -= 1;
  return equal;
}

function equalParts(a: Value, b: Value, budget: Budget): Truth {
  if (a.type === 'cut' || b.type === 'cut' || a.type === 'alias' || b.type === 'alias') return 'unknown';
  const numbers = equalNumbers(a, b);
  if (numbers !== undefined) return numbers;
  if (a.type === 'opaque' || b.type === 'opaque') {
    const [x, y] = [keyOf(a), keyOf(b)];
    return typeof x === 'object' && typeof y === 'object' ? x.key === y.key : 'unknown';
  }
  if (a.type === 'call' || b.type === 'call') return equalCalls(a, b, budget);
  if (a.type !== b.type) return false;
  switch (a.type) {
    case 'str':
      return b.type === 'str' ? equalCut(a.value, a.cut, b.value, b.cut) : false;
    case 'bytes':
      return b.type === 'bytes' ? equalCut(latin(a.value), a.cut, latin(b.value), b.cut) : false;
    case 'list':
    case 'tuple':
      return b.type === a.type ? equalItems(a, b, budget) : false;
    case 'set':
      return b.type === 'set' ? equalSets(a, b) : false;
    case 'dict':
      return b.type === 'dict' ? equalDicts(a, b, budget) : false;
    default:
      return true;
  }
}

/** Undefined if one of them is no number. */
function equalNumbers(a: Value, b: Value): Truth | undefined {
  const [x, y] = [numberParts(a), numberParts(b)];
  if (x === undefined || y === undefined) return undefined;
  // biome-ignore lint/suspicious/noDoubleEquals: a bigint equals a number only loosely, and exactly.
  return x.real == y.real && x.imag === y.imag;
}

function isNan(value: Value): boolean {
  return value.type === 'float' && Number.isNaN(value.value);
}

function numberParts(value: Value): { real: number | bigint; imag: number } | undefined {
  if (value.type === 'bool') return { real: value.value ? 1n : 0n, imag: 0 };
  if (value.type === 'int' || value.type === 'float') return { real: value.value, imag: 0 };
  if (value.type !== 'complex') return undefined;
  const { real, imag } = complexValue(value.text);
  return { real, imag: imag + 0 };
}

function equalCut(a: string, aCut: number | undefined, b: string, bCut: number | undefined): Truth {
  const [x, y] = [Array.from(a), Array.from(b)];
  if (x.length + (aCut ?? 0) !== y.length + (bCut ?? 0)) return false;
  const shown = Math.min(x.length, y.length);
  if (x.slice(0, shown).join('') !== y.slice(0, shown).join('')) return false;
  return aCut === undefined && bCut === undefined ? true : 'unknown';
}

interface Items {
  readonly items: readonly Value[];
  readonly cut?: number;
}

function equalItems(a: Items, b: Items, budget: Budget): Truth {
  if (a.items.length + (a.cut ?? 0) !== b.items.length + (b.cut ?? 0)) return false;
  let all: Truth = a.cut === undefined && b.cut === undefined ? true : 'unknown';
  for (const [i, item] of a.items.entries()) {
    const other = b.items[i];
    const equal = other === undefined ? 'unknown' : equalIn(item, other, budget);
    if (equal === false) return false;
    if (equal === 'unknown') all = 'unknown';
  }
  return all;
}

function equalSets(a: Items, b: Items): Truth {
  if (a.items.length + (a.cut ?? 0) !== b.items.length + (b.cut ?? 0)) return false;
  const [x, y] = [a.items.map(keyOf), b.items.map(keyOf)];
  if (a.cut !== undefined || b.cut !== undefined || !allKnown(x) || !allKnown(y)) return 'unknown';
  const keys = new Set(x.map(({ key }) => key));
  return y.every(({ key }) => keys.has(key));
}

type Dict = Extract<Value, { type: 'dict' }>;

function equalDicts(a: Dict, b: Dict, budget: Budget): Truth {
  if (a.entries.length + (a.cut ?? 0) !== b.entries.length + (b.cut ?? 0)) return false;
  if (a.cut !== undefined || b.cut !== undefined) return 'unknown';
  const [x, y] = [a.entries.map(([key]) => keyOf(key)), b.entries.map(([key]) => keyOf(key))];
  if (!allKnown(x) || !allKnown(y)) return 'unknown';
  const values = new Map(b.entries.map(([, item], i) => [y[i]?.key, item]));
  let all: Truth = true;
  for (const [i, [, item]] of a.entries.entries()) {
    const other = values.get(x[i]?.key);
    const equal = other === undefined ? false : equalIn(item, other, budget);
    if (equal === false) return false;
    if (equal === 'unknown') all = 'unknown';
  }
  return all;
}

type Known = Exclude<Key, string>;

function allKnown(keys: Key[]): keys is Known[] {
  return keys.every((key) => typeof key === 'object');
}

type Call = Extract<Value, { type: 'call' }>;

/** Types whose texts differ exactly if their values do. */
const BY_TEXT = /^(datetime\.date|datetime\.timedelta|Fraction|UUID|bytearray|range|slice)$/;
const MAPPINGS = /^(dict|defaultdict|OrderedDict|Counter)$/;

function equalCalls(a: Value, b: Value, budget: Budget): Truth {
  const [x, y] = [plain(a), plain(b)];
  const [name, other] = [nameOf(a), nameOf(b)];
  if (MAPPINGS.test(name) && MAPPINGS.test(other)) {
    if (x?.type !== 'dict' || y?.type !== 'dict') return 'unknown';
    const equal = equalDicts(x, y, budget);
    // Two counters: missing is zero. Two ordered dicts: order counts.
    if (equal === false) return name === 'Counter' && other === 'Counter' ? 'unknown' : false;
    if (name !== 'OrderedDict' || other !== 'OrderedDict' || equal === 'unknown') return equal;
    return equalItems(
      { items: x.entries.map(([key]) => key) },
      { items: y.entries.map(([key]) => key) },
      budget,
    );
  }
  if (/^(frozen)?set$/.test(name) && /^(frozen)?set$/.test(other))
    return x?.type === 'set' && y?.type === 'set' ? equalSets(x, y) : 'unknown';
  if (name === 'deque' && other === 'deque')
    return x?.type === 'list' && y?.type === 'list' ? equalItems(x, y, budget) : 'unknown';
  if (BY_TEXT.test(name) && name === other && a.type === 'call' && b.type === 'call' && name !== 'range') {
    return equalItems({ items: a.args }, { items: b.args }, budget) === true &&
      a.fields.length + b.fields.length === 0
      ? true
      : 'unknown';
  }
  return BUILTIN.test(name) && BUILTIN.test(other) && name !== other ? false : 'unknown';
}

/** Kinds that are never equal to one another. */
const BUILTIN = /^(none|ellipsis|str|list|tuple|dict|set|frozenset|deque|range|bool|int|float)$/;

function nameOf(value: Value): string {
  return value.type === 'call' ? value.name : value.type;
}

/** The builtin container that a call wraps. */
function plain(value: Value): Value | undefined {
  if (value.type !== 'call') return value;
  return wrapped(value);
}

/** The container in `deque([...])`, `frozenset({...})`, `Counter({...})`, `defaultdict(f, {...})`. */
export function wrapped(value: Call): Value | undefined {
  const last = value.args.at(-1);
  switch (value.name) {
    case 'frozenset':
      return value.args.length === 0
        ? { type: 'set', items: [] }
        : value.args.length === 1
          ? last
          : undefined;
    case 'deque':
      return value.args.length === 1 && last?.type === 'list' ? last : undefined;
    case 'Counter':
    case 'OrderedDict':
      if (value.args.length === 0 && value.fields.length === 0) return { type: 'dict', entries: [] };
      return value.args.length === 1 && last?.type === 'dict' ? last : undefined;
    case 'defaultdict':
      return value.args.length === 2 && last?.type === 'dict' ? last : undefined;
    default:
      return undefined;
  }
}

function latin(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
}
