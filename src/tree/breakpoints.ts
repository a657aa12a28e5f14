/** @file All states by file and line, sorted: where a breakpoint is hit next is a binary search, and mostly not even that. */
import { NONE } from './arrays.ts';
import { countUpTo } from './sorted.ts';

export class LineIndex {
  /** States of one line after the other, ascending; 4 bytes a state. */
  readonly #states: Int32Array;
  /** By file and line: the states of it, and which of them was found last. */
  readonly #lines = new Map<number, { readonly states: Int32Array; found: number }>();

  constructor(file: Uint16Array, line: Int32Array) {
    const counts = new Map<number, number>();
    for (let i = 0; i < line.length; ) {
      // Runs of states on one line are counted at once.
      const key = keyOf(file[i]!, line[i]!);
      const from = i;
      do i++;
      while (i < line.length && line[i] === line[from] && file[i] === file[from]);
      counts.set(key, (counts.get(key) ?? 0) + i - from);
    }
    this.#states = new Int32Array(line.length);
    const ends = new Map<number, number>();
    let begin = 0;
    for (const [key, count] of counts) {
      ends.set(key, begin);
      this.#lines.set(key, { states: this.#states.subarray(begin, begin + count), found: -1 });
      begin += count;
    }
    for (let i = 0; i < line.length; i++) {
      const key = keyOf(file[i]!, line[i]!);
      const at = ends.get(key)!;
      this.#states[at] = i;
      ends.set(key, at + 1);
    }
  }

  /** The first state after `at` on the line; `NONE` if there is none. O(log n), O(1) from the one found last. */
  after(file: number, line: number, at: number): number {
    const own = this.#lines.get(keyOf(file, line));
    if (!own) return NONE;
    const { states, found } = own;
    own.found = states[found] === at ? found + 1 : countUpTo(states, at);
    return states[own.found] ?? NONE;
  }
}

const keyOf = (file: number, line: number): number => line * 65_536 + file;
