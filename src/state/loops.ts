/** @file Loop counts: how often each active loop's header has been reached, from lines and syntax alone. */
import type { Program } from '../source/types.ts';
import type { LoopCount } from './types.ts';

/**
 * The active loops after a `line` event at `to`. A loop is active while the frame's line is within its header
 * and body (not its `else`); its header counts 1 when the loop is entered, one more at each return to it.
 * `from` is the frame's line before.
 */
export function countLoops(
  program: Program | undefined,
  scope: number,
  loops: readonly LoopCount[],
  from: number,
  to: number,
): readonly LoopCount[] {
  if (!program || scope < 0) return loops;
  const end = (line: number) => program.unit(scope, line)?.loopEnd ?? 0;
  const within = loops.filter((loop) => loop.line <= to && to <= end(loop.line));
  const active = within[within.length - 1];
  if (end(to) === 0) return within.length === loops.length ? loops : within;
  if (active?.line !== to) return [...within, { line: to, count: 1 }];
  const stayed = from >= to && from <= end(to);
  return [...within.slice(0, -1), { line: to, count: stayed ? active.count + 1 : 1 }];
}
