/** @file Loop counts: how often each active loop's header has been reached, from lines and syntax alone. */
import type { Program } from '../source/types.ts';
import type { TraceOperation } from '../trace/types.ts';
import type { LoopCount } from './types.ts';

/** The label of the operation that says what a `for` loops over. */
const ITEMS = 'iter:';

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
  return [...within.slice(0, -1), stayed ? { ...active, count: active.count + 1 } : { line: to, count: 1 }];
}

/** The loops, where the one whose header the frame leaves has just worked out what it loops over. */
export function withItems(
  loops: readonly LoopCount[],
  header: number,
  work: readonly TraceOperation[] = [],
): readonly LoopCount[] {
  const over = work.find(([label]) => label === ITEMS)?.[1];
  if (over === undefined) return loops;
  return loops.map((loop) => (loop.line === header ? { ...loop, over } : loop));
}
