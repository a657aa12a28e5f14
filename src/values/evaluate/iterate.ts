/** @file Reading an object item by item, lazily, and building containers from what was read. */
import { keyOf } from '../keys.ts';
import { sortElements } from '../order.ts';
import type { Value } from '../types.ts';
import {
  asElement,
  characters,
  hidden,
  type Item,
  type Iter,
  inner,
  int,
  isBuiltin,
  isRange,
  rangeLength,
  rangeParts,
  str,
  typeName,
  whole,
} from './items.ts';
import { type Run, typeError, Unknown } from './run.ts';

/** The object's iterator, as `iter(x)`. */
export function iterate(run: Run, item: Item): Iter {
  const iter = (source: Iterable<Item>, ordered = true): Iter => ({
    type: 'iterator',
    kind: 'iterator',
    source: source[Symbol.iterator](),
    ordered,
  });
  switch (item.type) {
    case 'iterator':
      return item;
    case 'list':
    case 'tuple':
      return iter(charged(run, item));
    case 'set':
      return iter(charged(run, item), item.items.length + (item.cut ?? 0) < 2);
    case 'dict':
      return iter(charged(run, { ...item, items: item.entries.map(([key]) => key) }));
    case 'str':
      return iter(charged(run, { ...item, items: characters(item.value).map(str) }));
    case 'bytes':
      return iter(charged(run, { ...item, items: [...item.value].map(int) }));
    case 'call': {
      if (isRange(item)) return iter(rangeItems(run, item));
      const container = inner(item);
      if (container === undefined) throw hidden(item);
      return iterate(run, container);
    }
    default:
      if (!isBuiltin(item) || (item.type === 'opaque' && item.text.startsWith('class '))) throw hidden(item);
      throw typeError(`'${typeName(item)}' object is not iterable`);
  }
}

function* charged(
  run: Run,
  value: { readonly items: readonly Value[]; readonly cut?: number | undefined },
): Generator<Item> {
  for (const item of value.items) {
    run.tick();
    yield item;
  }
  if (value.cut !== undefined) throw new Unknown('a part of the value is not shown');
}

function* rangeItems(run: Run, value: Extract<Value, { type: 'call' }>): Generator<Item> {
  const [start, , step] = rangeParts(value) ?? [0n, 0n, 1n];
  const length = rangeLength(value);
  for (let i = 0; i < length; i += 1) {
    run.tick();
    yield int(start + BigInt(i) * step);
  }
}

/** The rest of an iterator, item by item. */
export function* each(iter: Iter): Generator<Item> {
  for (;;) {
    const next = iter.source.next();
    if (next.done === true) return;
    yield next.value;
  }
}

/** All items, in their order; Unknown where the order is not known. */
export function toArray(run: Run, item: Item): Value[] {
  const iter = iterate(run, item);
  const items = Array.from(each(iter), asElement);
  if (!iter.ordered && items.length > 1) throw new Unknown('the order of a set is not known');
  return items;
}

/** All items, whatever the order. */
export function toBag(run: Run, item: Item): { readonly items: Value[]; readonly ordered: boolean } {
  const iter = iterate(run, item);
  const items = Array.from(each(iter), asElement);
  return { items, ordered: iter.ordered || items.length < 2 };
}

/** The key of a dict or set element; TypeError for an unhashable one. */
export function hashKey(value: Value): string {
  const key = keyOf(value);
  if (typeof key === 'object') return key.key;
  if (key === 'unhashable') throw typeError(`unhashable type: '${typeName(unhashable(value))}'`);
  if (value.type === 'float') throw new Unknown('whether two nan are one object is not known');
  throw value.type === 'tuple' || value.type === 'call'
    ? new Unknown('its hash is not known')
    : hidden(whole(value));
}

/** The part that cannot be hashed: a tuple's first. */
function unhashable(value: Value): Value {
  if (value.type !== 'tuple') return value;
  return unhashable(value.items.find((item) => keyOf(item) === 'unhashable') ?? value);
}

export function makeSet(items: readonly Value[]): Extract<Value, { type: 'set' }> {
  const found = new Map<string, Value>();
  for (const item of items) {
    const key = hashKey(item);
    if (!found.has(key)) found.set(key, item);
  }
  return { type: 'set', items: sortElements([...found.values()]) };
}

export function makeFrozen(set: Value): Value {
  return {
    type: 'call',
    name: 'frozenset',
    args: set.type === 'set' && set.items.length === 0 ? [] : [set],
    fields: [],
  };
}

/** Of equal keys the first, with the last value. */
export function makeDict(entries: readonly (readonly [Value, Value])[]): Extract<Value, { type: 'dict' }> {
  const found = new Map<string, readonly [Value, Value]>();
  for (const [key, value] of entries) {
    const hash = hashKey(key);
    found.set(hash, [found.get(hash)?.[0] ?? key, value]);
  }
  return { type: 'dict', entries: [...found.values()] };
}

/** The entries of a mapping; undefined if it is none. */
export function entriesOf(item: Item): readonly (readonly [Value, Value])[] | undefined {
  if (item.type === 'dict') return whole(item).entries;
  if (item.type !== 'call' || !/^(defaultdict|OrderedDict|Counter)$/.test(item.name)) return undefined;
  const dict = inner(item);
  return dict?.type === 'dict' ? whole(dict).entries : undefined;
}
