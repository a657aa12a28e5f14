import type { Value } from '../types.ts';
import { findEntry } from './comparison.ts';
import {
  asIndex,
  asValue,
  characters,
  hidden,
  type Item,
  inner,
  int,
  isBuiltin,
  isRange,
  isView,
  lengthOf,
  rangeParts,
  typeName,
} from './items.ts';
import { PythonError, type Run, typeError, Unknown, valueError } from './run.ts';
import { valueText } from './text.ts';

/** Bounds of a slice, null where left out. */
export interface Slice {
  readonly from: Item | null;
  readonly to: Item | null;
  readonly step: Item | null;
}

type Sequence = Extract<Value, { type: 'list' | 'tuple' | 'str' | 'bytes' }>;

const INDEX_TYPES: Readonly<Record<string, string>> = {
  list: 'list indices must be integers or slices, not ',
  tuple: 'tuple indices must be integers or slices, not ',
  bytes: 'byte indices must be integers or slices, not ',
};

export function subscript(run: Run, of: Item, index: Item): Item {
  run.tick();
  if (isSequence(of)) {
    const at = asIndex(index);
    if (at !== undefined) return itemAt(of, at);
    if (!isBuiltin(index)) throw hidden(index);
    const name = typeName(index);
    throw typeError(
      of.type === 'str' ? `string indices must be integers, not '${name}'` : INDEX_TYPES[of.type] + name,
    );
  }
  if (of.type === 'dict' || (of.type === 'call' && inner(of)?.type === 'dict')) return lookup(run, of, index);
  if (isRange(of)) {
    const at = asIndex(index);
    const [start, , step] = rangeParts(of) ?? [0n, 0n, 1n];
    if (at === undefined) throw hidden(index);
    return int(start + position(at, lengthOf(of) ?? 0, 'range object index out of range') * step);
  }
  if (of.type === 'call' && of.name === 'deque' && asIndex(index) !== undefined) {
    const items = inner(of);
    if (items?.type === 'list') return itemAt(items, asIndex(index) ?? 0n, 'deque index out of range');
  }
  throw notSubscriptable(of);
}

function notSubscriptable(of: Item): Error {
  if (!isBuiltin(of) || (of.type === 'opaque' && of.text.startsWith('class '))) return hidden(of);
  if (of.type === 'call' && of.name === 'deque') return new Unknown('an index of a deque that is no integer');
  if (of.type === 'call' && isView(of)) return typeError(`'${of.name}' object is not subscriptable`);
  return typeError(`'${typeName(of)}' object is not subscriptable`);
}

function lookup(run: Run, of: Item, index: Item): Value {
  const found = findEntry(run, of, index);
  if (found !== undefined) return found;
  if (of.type === 'call' && of.name === 'defaultdict') throw new Unknown('the missing key would be added');
  if (of.type === 'call' && of.name === 'Counter') return int(0);
  throw new PythonError('KeyError', valueText(asValue(index)));
}

function isSequence(item: Item): item is Sequence {
  return item.type === 'list' || item.type === 'tuple' || item.type === 'str' || item.type === 'bytes';
}

function itemAt(
  of: Sequence,
  at: bigint,
  message = `${of.type === 'str' ? 'string' : of.type === 'bytes' ? '' : of.type} index out of range`.trim(),
): Value {
  const index = Number(position(at, lengthOf(of) ?? 0, message));
  const found = shownItems(of)[index];
  if (found === undefined) throw new Unknown('that part of the value is not shown');
  return found;
}

function position(at: bigint, length: number, message: string): bigint {
  if (at >= 2n ** 63n || at < -(2n ** 63n))
    throw new PythonError('IndexError', "cannot fit 'int' into an index-sized integer");
  const index = at < 0n ? at + BigInt(length) : at;
  if (index < 0n || index >= BigInt(length)) throw new PythonError('IndexError', message);
  return index;
}

function shownItems(of: Sequence): readonly Value[] {
  if (of.type === 'str') return characters(of.value).map((value) => ({ type: 'str', value }));
  return of.type === 'bytes' ? [...of.value].map(int) : of.items;
}

export function slice(run: Run, of: Item, bounds: Slice): Item {
  const target = of.type === 'call' && isRange(of) ? of : of;
  if (!isSequence(target)) {
    if (target.type === 'call' && isRange(target)) return sliceRange(target, bounds);
    if (target.type === 'dict' || target.type === 'call')
      throw new Unknown('a slice of this is not evaluated here');
    throw notSubscriptable(target);
  }
  const shown = shownItems(target);
  const taken = indices(bounds, lengthOf(target) ?? 0).map((i) => shown[i]);
  run.tick(taken.length);
  if (!taken.every((item) => item !== undefined)) throw new Unknown('that part of the value is not shown');
  if (target.type === 'str')
    return { type: 'str', value: taken.map((item) => (item.type === 'str' ? item.value : '')).join('') };
  if (target.type === 'bytes')
    return {
      type: 'bytes',
      value: Uint8Array.from(taken, (item) => (item.type === 'int' ? Number(item.value) : 0)),
    };
  return { type: target.type, items: taken };
}

function sliceRange(of: Extract<Value, { type: 'call' }>, bounds: Slice): Value {
  const [start, , step] = rangeParts(of) ?? [0n, 0n, 1n];
  const { from, to, by } = resolveBounds(bounds, lengthOf(of) ?? 0);
  const args = [start + BigInt(from) * step, start + BigInt(to) * step, step * BigInt(by)].map(int);
  return { type: 'call', name: 'range', args: by === 1 && step === 1n ? args.slice(0, 2) : args, fields: [] };
}

function indices(bounds: Slice, length: number): number[] {
  const { from, to, by } = resolveBounds(bounds, length);
  const found: number[] = [];
  for (let i = from; by > 0 ? i < to : i > to; i += by) found.push(i);
  return found;
}

/** `slice(...).indices(length)`. */
function resolveBounds(bounds: Slice, length: number): { from: number; to: number; by: number } {
  const by = bound(bounds.step) ?? 1;
  if (by === 0) throw valueError('slice step cannot be zero');
  const [low, high] = by > 0 ? [0, length] : [-1, length - 1];
  const clamp = (value: number | undefined, missing: number): number => {
    if (value === undefined) return missing;
    const index = value < 0 ? value + length : value;
    return Math.min(Math.max(index, low), high);
  };
  return {
    from: clamp(bound(bounds.from), by > 0 ? low : high),
    to: clamp(bound(bounds.to), by > 0 ? high : low),
    by,
  };
}

function bound(item: Item | null): number | undefined {
  if (item === null || item.type === 'none') return undefined;
  const index = asIndex(item);
  if (index !== undefined) return Number(index);
  if (!isBuiltin(item)) throw hidden(item);
  throw typeError('slice indices must be integers or None or have an __index__ method');
}
