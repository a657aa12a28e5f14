/** @file Lazy builtins (`map`, `zip`, `filter`, `enumerate`) and the reductions that read them. */
import type { Caller } from './builtins.ts';
import { asElement, type Item, type Iter, int, truthOf, tuple } from './items.ts';
import { each, iterate } from './iterate.ts';
import { binary } from './operators.ts';
import { PythonError, type Run, typeError, Unknown } from './run.ts';

/** An iterator whose order is known as long as its sources' are. */
function lazy(kind: string, sources: readonly Iter[], generate: () => Generator<Item>): Iter {
  const iter: Iter = {
    type: 'iterator',
    kind,
    source: generate(),
    ordered: sources.every((source) => source.ordered),
  };
  return iter;
}

export function mapped(run: Run, of: Item, items: readonly Item[], call: Caller): Iter {
  const sources = items.map((item) => iterate(run, item));
  return lazy('map', sources, function* () {
    for (const args of together(sources)) yield call(of, args);
  });
}

export function zipped(run: Run, items: readonly Item[]): Iter {
  const sources = items.map((item) => iterate(run, item));
  // Beside another one, an unordered source makes pairs that cannot be known.
  if (sources.length > 1 && sources.some((source) => !source.ordered))
    throw new Unknown('the order of a set is not known');
  return lazy('zip', sources, function* () {
    for (const args of together(sources)) {
      run.tick();
      yield tuple(args.map(asElement));
    }
  });
}

export function filter(run: Run, test: Item, items: Item, call: Caller): Iter {
  const source = iterate(run, items);
  return lazy('filter', [source], function* () {
    for (const item of each(source))
      if (truthOf(test.type === 'none' ? item : call(test, [item]))) yield item;
  });
}

export function pairs(run: Run, items: Item, start: bigint): Iter {
  const source = iterate(run, items);
  if (!source.ordered) throw new Unknown('the order of a set is not known');
  return lazy('enumerate', [source], function* () {
    let i = start;
    for (const item of each(source)) {
      yield tuple([int(i), asElement(item)]);
      i += 1n;
    }
  });
}

function* together(sources: readonly Iter[]): Generator<Item[]> {
  if (sources.length === 0) return;
  for (;;) {
    const args: Item[] = [];
    for (const source of sources) {
      const next = source.source.next();
      if (next.done === true) return;
      args.push(next.value);
    }
    yield args;
  }
}

/** Whether all items have the truth `wanted`; stops at the first that has not. */
export function all(run: Run, items: Item, wanted: boolean): boolean {
  const source = iterate(run, items);
  let result = true;
  try {
    for (const item of each(source)) {
      run.tick();
      if (truthOf(item) !== wanted) result = false;
      // In an unknown order any item might be reached, and fail.
      if (!result && source.ordered) return false;
    }
  } catch (error) {
    if (error instanceof PythonError && !source.ordered) throw new Unknown('the order of a set is not known');
    throw error;
  }
  return result;
}

/** `sum(items, start)` */
export function total(run: Run, items: Item, start: Item): Item {
  if (start.type === 'str') throw typeError("sum() can't sum strings [use ''.join(seq) instead]");
  const source = iterate(run, items);
  let sum: Item = start;
  // Python 3.12 and later compensate the rounding of floats: known only where that makes no difference.
  let lost = 0;
  let floats = false;
  for (const item of each(source)) {
    const before = sum;
    sum = binary(run, '+', sum, item);
    if (sum.type !== 'float') continue;
    floats = true;
    const [a, b] = [
      Number((before as { value: number | bigint }).value),
      Number((item as { value: number | bigint }).value),
    ];
    lost += Math.abs(a) >= Math.abs(b) ? a - sum.value + b : b - sum.value + a;
  }
  if (floats && sum.type === 'float' && Number.isFinite(sum.value)) {
    if (sum.value + lost !== sum.value)
      throw new Unknown('the last digit of this sum differs between Python versions');
    if (!source.ordered && lost !== 0) throw new Unknown('the order of a set is not known');
  }
  if (!source.ordered && !/^(int|float)$/.test(sum.type))
    throw new Unknown('the order of a set is not known');
  return sum;
}
