/** @file All states by file and line, sorted: where a breakpoint is hit next is a binary search. */
import { NONE } from './arrays.ts';
import { countUpTo } from './sorted.ts';

export class LineIndex {
  /** Positions by `file`, then `line`. */
  readonly #positions = new Map<number, Map<number, number[]>>();

  constructor(file: Uint16Array, line: Int32Array) {
    for (let i = 0; i < line.length; i++) {
      let lines = this.#positions.get(file[i]!);
      if (!lines) this.#positions.set(file[i]!, (lines = new Map()));
      const positions = lines.get(line[i]!);
      if (positions) positions.push(i);
      else lines.set(line[i]!, [i]);
    }
  }

  /** The first state after `at` on the line; `NONE` if there is none. O(log n). */
  after(file: number, line: number, at: number): number {
    const positions = this.#positions.get(file)?.get(line);
    return positions?.[countUpTo(positions, at)] ?? NONE;
  }
}
