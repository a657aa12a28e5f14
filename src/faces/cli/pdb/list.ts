/** @file `list` and `longlist`, in pdb's layout (Lib/pdb.py: `_print_lines`). */
import type { Breakpoint } from '../../../debugger/breakpoints.ts';
import type { Program } from '../../../source/types.ts';

/** Lines `first` to `last` (from 1, both included, cut to the file). */
export function listing(
  program: Program,
  first: number,
  last: number,
  current: number,
  /** Of this file. */
  breakpoints: readonly Breakpoint[],
): string[] {
  const marked = new Set(breakpoints.map((b) => b.line));
  const lines: string[] = [];
  for (let n = Math.max(1, first); n <= Math.min(last, program.lines.length); n += 1) {
    let head = String(n).padStart(3);
    if (head.length < 4) head += ' ';
    head += marked.has(n) ? 'B' : ' ';
    if (n === current) head += '->';
    lines.push(`${head}\t${(program.lines[n - 1] ?? '').trimEnd()}`);
  }
  return lines;
}
