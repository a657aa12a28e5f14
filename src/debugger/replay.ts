/** @file What really happens on the walk that led to a predicted position: the same actions and edits on a real run. */
import { NpdbError } from '../common/errors.ts';
import { diffOutcome } from '../state/index.ts';
import type { Outcome } from '../state/types.ts';
import type { Debugger, Difference, Position } from './types.ts';

/** Steps from the first position to this one. */
export function walkTo(debug: Debugger, position: Position): Position[] {
  const walk = [position];
  while (walk[0]!.from !== undefined) walk.unshift(debug.position(walk[0]!.from));
  return walk;
}

/** Replays the walk on a fresh recorded engine that stands at the same entry. */
export async function replay(
  debug: Debugger,
  position: Position,
  recorded: Debugger,
): Promise<{ real: Outcome; differences: readonly Difference[] }> {
  const walk = walkTo(debug, position);
  if (walk[0]!.origin !== 'given') {
    throw new NpdbError(
      'E_NO_WALK',
      'This position was not reached from the entry by steps.',
      'Compare a position before the jump.',
    );
  }
  for (const step of walk.slice(1)) {
    if (step.edit) await recorded.set(step.edit, step.edit.up);
    else if (step.action) await recorded.act(step.action);
  }
  const real = recorded.current.outcome;
  return { real, differences: diffOutcome(position.outcome, real) };
}
