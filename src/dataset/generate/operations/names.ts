/** @file Names of the loop variables inside an operation, by what they run over. */
import type { Random } from '../../../common/random.ts';
import type { Ty } from '../values.ts';

const ITEMS: Readonly<Partial<Record<Ty, readonly string[]>>> = {
  str: ['c', 'ch', 'char', 'x', 'i', 'letter'],
  strs: ['w', 'word', 'x', 's', 'item', 'i', 'name'],
  sets: ['w', 'word', 'x', 'item'],
  ints: ['x', 'n', 'v', 'num', 'i', 'e', 'item'],
  dsi: ['k', 'key', 'x', 'name'],
  dss: ['k', 'key', 'x'],
  dii: ['k', 'key', 'x'],
  grid: ['row', 'r', 'x', 'line'],
  pairs: ['p', 'x', 'pair', 't'],
};
const OTHERS = ['x', 'i', 'n', 'k', 'v'];
const SECOND: Readonly<Partial<Record<Ty, readonly string[]>>> = {
  dsi: ['v', 'value', 'val', 'y'],
  dss: ['v', 'value', 'val'],
  dii: ['v', 'value', 'y'],
  pairs: ['v', 'y', 'value', 'n'],
  grid: ['x', 'v', 'item', 'cell'],
};
const SECONDS = ['i', 'j', 'y', 'idx', 'b'];

/** Two names that are not taken, for `$x` and `$y`. */
export function loopNames(r: Random, over: Ty, taken: ReadonlySet<string>): readonly [string, string] {
  const free = (names: readonly string[], not?: string) => {
    const left = names.filter((name) => !taken.has(name) && name !== not);
    return left.length ? left[Math.floor(left.length * r.next() ** 2)]! : null;
  };
  const first = free(ITEMS[over] ?? OTHERS) ?? free(OTHERS) ?? '_x';
  const second = free(SECOND[over] ?? SECONDS, first) ?? free(SECONDS, first) ?? '_y';
  return [first, second];
}
