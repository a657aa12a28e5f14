/** @file Stable sorting by Python's `<`. */
import { compare } from './comparison.ts';
import type { Item } from './items.ts';
import { PythonError, type Run, Unknown } from './run.ts';

export interface Keyed<T> {
  readonly key: Item;
  readonly item: T;
}

/** As `sorted(..., reverse=...)`: equal keys keep their order. */
export function sorted<T>(run: Run, entries: readonly Keyed<T>[], reverse: boolean): T[] {
  const order = reverse ? [...entries].reverse() : [...entries];
  if (order.some(({ key }) => hasNan(key)))
    throw new Unknown('the place of a nan depends on how Python sorts');
  const less = (a: Keyed<T>, b: Keyed<T>): boolean => compare(run, '<', a.key, b.key);
  firstRun(order, less);
  try {
    order.sort((a, b) => (less(a, b) ? -1 : less(b, a) ? 1 : 0));
  } catch (error) {
    // Which pair is compared first, and so the message, depends on how Python sorts.
    if (error instanceof PythonError) throw new Unknown(`it fails with ${error.kind}`);
    throw error;
  }
  const items = order.map(({ item }) => item);
  return reverse ? items.reverse() : items;
}

/** CPython begins by comparing neighbours for as long as they rise, or fall: errors there have a known message. */
function firstRun<T>(order: readonly Keyed<T>[], less: (a: Keyed<T>, b: Keyed<T>) => boolean): void {
  let falling: boolean | undefined;
  for (let i = 1; i < order.length; i += 1) {
    const falls = less(order[i] as Keyed<T>, order[i - 1] as Keyed<T>);
    falling ??= falls;
    if (falls !== falling) return;
  }
}

function hasNan(key: Item): boolean {
  if (key.type === 'float') return Number.isNaN(key.value);
  return (key.type === 'tuple' || key.type === 'list') && key.items.some(hasNan);
}
