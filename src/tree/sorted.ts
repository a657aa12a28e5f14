/** @file Binary search in ascending numbers. */

/** How many of them are at most `value`: the place of the first one after it. O(log n). */
export function countUpTo(sorted: ArrayLike<number>, value: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]! > value) high = middle;
    else low = middle + 1;
  }
  return low;
}
