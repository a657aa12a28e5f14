/** @file `==`, `<`, `in`, `is` and their kin. */
import { equalResolved } from '../compare.ts';
import { keyOf } from '../keys.ts';
import { compareText } from '../order.ts';
import type { Value } from '../types.ts';
import { numeric } from './arithmetic.ts';
import {
  hidden,
  type Item,
  inner,
  isBuiltin,
  isRange,
  rangeLength,
  rangeParts,
  typeName,
  whole,
} from './items.ts';
import { each, entriesOf, hashKey, iterate } from './iterate.ts';
import { type Run, typeError, Unknown } from './run.ts';

export function compare(run: Run, op: string, a: Item, b: Item): boolean {
  run.tick();
  switch (op) {
    case '==':
      return equal(a, b);
    case '!=':
      return !equal(a, b);
    case 'is':
      return identical(a, b);
    case 'is not':
      return !identical(a, b);
    case 'in':
      return contains(run, b, a);
    case 'not in':
      return !contains(run, b, a);
    default:
      return ordered(run, op, a, b);
  }
}

export function equal(a: Item, b: Item): boolean {
  if (a.type === 'function' || b.type === 'function' || a.type === 'iterator' || b.type === 'iterator') {
    if (a === b) return true;
    throw new Unknown('functions and iterators are compared by identity');
  }
  const truth = equalResolved(a, b);
  if (truth === 'unknown') throw unsure(a, b);
  return truth;
}

function unsure(a: Value, b: Value): Unknown {
  const culprit = [a, b].find((value) => !isBuiltin(value));
  return culprit
    ? hidden(culprit)
    : new Unknown('a part of the values is not shown or has its own code for ==');
}

/** `is`, or else `==`: how containers look for an item. */
function sameItem(a: Item, b: Item): boolean {
  return a === b || equal(a, b);
}

const SINGLETONS = /^(none|ellipsis|notimplemented|bool)$/;

function identical(a: Item, b: Item): boolean {
  if (a === b) return true;
  if (a.type === 'cut' || a.type === 'alias') throw hidden(a);
  if (b.type === 'cut' || b.type === 'alias') throw hidden(b);
  if (SINGLETONS.test(a.type) || SINGLETONS.test(b.type))
    return a.type === b.type && (a.type !== 'bool' || (b.type === 'bool' && a.value === b.value));
  if (
    a.type === 'opaque' &&
    b.type === 'opaque' &&
    a.text.startsWith('class ') &&
    b.text.startsWith('class ')
  ) {
    const [x, y] = [keyOf(a), keyOf(b)];
    if (a.text !== b.text) return false;
    if (typeof x === 'object' && typeof y === 'object') return true;
  }
  if (isBuiltin(a) && isBuiltin(b) && typeName(a) !== typeName(b)) return false;
  throw new Unknown('whether they are one object is not known');
}

export function contains(run: Run, container: Item, item: Item): boolean {
  if (container.type === 'str') {
    if (item.type !== 'str') {
      if (!isBuiltin(item)) throw hidden(item);
      throw typeError(`'in <string>' requires string as left operand, not ${typeName(item)}`);
    }
    if (container.value.includes(whole(item).value)) return true;
    whole(container);
    return false;
  }
  if (container.type === 'call' && !isRange(container)) {
    const wrapped = inner(container);
    if (wrapped === undefined) throw hidden(container);
    return contains(run, wrapped, item);
  }
  if (isRange(container) && item.type === 'int') return inRange(container, item.value);
  if (container.type === 'set' || container.type === 'dict') {
    const keys = container.type === 'set' ? container.items : container.entries.map(([key]) => key);
    return hasKey(run, keys, item, container.cut, container.type === 'set');
  }
  if (container.type === 'bytes') throw new Unknown('a search in bytes is not evaluated here');
  const iterable = /^(list|tuple|call|iterator)$/.test(container.type) || !isBuiltin(container);
  if (!iterable) throw typeError(`argument of type '${typeName(container)}' is not iterable`);
  return search(run, container, item);
}

/** One item that cannot be told apart is no hindrance if another one matches. */
function search(run: Run, container: Item, item: Item): boolean {
  let doubt: Unknown | undefined;
  for (const candidate of each(iterate(run, container))) {
    try {
      if (sameItem(candidate, item)) return true;
    } catch (error) {
      if (!(error instanceof Unknown)) throw error;
      doubt = error;
    }
  }
  if (doubt) throw doubt;
  return false;
}

function hasKey(
  run: Run,
  keys: readonly Value[],
  item: Item,
  cut: number | undefined,
  inSet: boolean,
): boolean {
  if (item.type === 'function' || item.type === 'iterator') throw new Unknown('it looks for a function');
  run.tick(keys.length);
  // A set looked for in a set is taken for a frozen one; in a dict it is an error.
  if (item.type === 'set' && inSet) throw new Unknown('a set in a set is not looked for here');
  const wanted = hashKey(item);
  let doubt: boolean = cut !== undefined;
  for (const key of keys) {
    const found = keyOf(key);
    if (typeof found !== 'object') doubt = true;
    else if (found.key === wanted) return true;
  }
  if (doubt) throw new Unknown('a key is not shown, or has its own code for ==');
  return false;
}

function inRange(range: Extract<Value, { type: 'call' }>, value: bigint): boolean {
  const [start, , step] = rangeParts(range) ?? [0n, 0n, 1n];
  const offset = value - start;
  return offset % step === 0n && offset / step >= 0n && offset / step < BigInt(rangeLength(range));
}

function ordered(run: Run, op: string, a: Item, b: Item): boolean {
  const [x, y] = [numeric(a), numeric(b)];
  if (x !== undefined && y !== undefined) return decide(op, x < y ? -1 : x > y ? 1 : x >= y ? 0 : Number.NaN);
  if (!isBuiltin(a)) throw hidden(a);
  if (!isBuiltin(b)) throw hidden(b);
  if (a.type === 'str' && b.type === 'str') return decide(op, compareText(whole(a).value, whole(b).value));
  if (a.type === 'bytes' && b.type === 'bytes')
    return decide(op, compareText(whole(a).value.join('\n'), whole(b).value.join('\n')));
  if ((a.type === 'list' && b.type === 'list') || (a.type === 'tuple' && b.type === 'tuple'))
    return lexical(run, op, a, b);
  const [s, t] = [setOf(a), setOf(b)];
  if (s && t) return decide(op, subsetOrder(s, t));
  if ((asCall(a) || asCall(b)) && asCall(a) === asCall(b)) throw hidden(a);
  throw typeError(`'${op}' not supported between instances of '${typeName(a)}' and '${typeName(b)}'`);
}

function asCall(item: Item): string | undefined {
  return item.type === 'call' ? item.name : undefined;
}

interface Sequence {
  readonly items: readonly Value[];
  readonly cut?: number | undefined;
}

function lexical(run: Run, op: string, a: Sequence, b: Sequence): boolean {
  for (const [i, item] of a.items.entries()) {
    const other = b.items[i];
    if (other === undefined) break;
    run.tick();
    if (!sameItem(item, other)) return ordered(run, op, item, other);
  }
  if (a.cut !== undefined || b.cut !== undefined) throw new Unknown('a part of the value is not shown');
  return decide(op, a.items.length - b.items.length);
}

function setOf(item: Item): ReadonlySet<string> | undefined {
  const set = item.type === 'call' && item.name === 'frozenset' ? inner(item) : item;
  return set?.type === 'set' ? new Set(whole(set).items.map(hashKey)) : undefined;
}

/** -1, 0, 1: subset, equal, superset; NaN: neither. */
function subsetOrder(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const common = [...a].filter((key) => b.has(key)).length;
  if (common === a.size && common === b.size) return 0;
  return common === a.size ? -1 : common === b.size ? 1 : Number.NaN;
}

/** NaN makes every comparison false. */
function decide(op: string, order: number): boolean {
  return op === '<' ? order < 0 : op === '<=' ? order <= 0 : op === '>' ? order > 0 : order >= 0;
}

/** Entries by key; Unknown where a key cannot be told apart. */
export function findEntry(run: Run, mapping: Item, key: Item): Value | undefined {
  if (key.type === 'function' || key.type === 'iterator') throw new Unknown('it looks for a function');
  const shown = mapping.type === 'dict' ? mapping.entries : entriesOf(mapping);
  if (shown === undefined) throw hidden(mapping);
  run.tick(shown.length);
  const wanted = hashKey(key);
  let doubt = mapping.type === 'dict' && mapping.cut !== undefined;
  for (const [name, value] of shown) {
    const found = keyOf(name);
    if (typeof found !== 'object') doubt = true;
    else if (found.key === wanted) return value;
  }
  if (doubt) throw new Unknown('a key is not shown, or has its own code for ==');
  return undefined;
}
