/**
 * @file Walks over a recorded call: the state at a place, where an action leads, and whole sampled trajectories. Backward walks
 * begin where the entry call ended, half of them knowing nothing but the value (paper, section 2).
 */

import type { Random } from '../common/random.ts';
import type { Step, Trajectory } from '../language/types.ts';
import { rootedAt } from '../state/index.ts';
import type { Frame, Operation, Outcome, State } from '../state/types.ts';
import { KINDS } from '../tree/index.ts';
import type { Move, Place } from '../tree/types.ts';
import { actionOf, drawType, type Policy } from './policy.ts';
import type { Entry, Recorded } from './types.ts';

const ENDS: ReadonlySet<string> = new Set(['return', 'exception']);
/** After these the caller goes on. */
const LEAVES: ReadonlySet<string> = new Set(['return', 'yield']);

/** The state at a place of a walk that began at `entry`. */
export function stateAt(recorded: Recorded, entry: Entry, place: Place): State {
  const state = rootedAt(recorded.states.at(place.at), entry.depth);
  return place.call ? { ...state, kind: 'line_call' } : state;
}

/** Null where the trace was cut and nobody knows. */
export function outcomeOf(recorded: Recorded, entry: Entry, move: Move): Outcome | null {
  if (move.type === 'place') return { type: 'state', state: stateAt(recorded, entry, move.place) };
  if (move.type === 'entry') return { type: 'entry' };
  return move.exit === 'unknown' ? null : { type: 'exit', exit: move.exit };
}

/** The outcome of a step with the operations that led to it, where the trace has them. */
export function withWork(
  recorded: Recorded,
  entry: Entry,
  from: number,
  to: number,
  outcome: Outcome,
): Outcome {
  if (outcome.type !== 'state') return outcome;
  const work = workBetween(recorded, entry, from, to);
  return work.length > 0 ? { ...outcome, work } : outcome;
}

/** What the frame that goes on after the event `from` worked out until the event `to`; not what its callees did. */
function workBetween({ trace }: Recorded, { tree }: Entry, from: number, to: number): Operation[] {
  const goesOn = (at: number) => tree.depth[at]! - (LEAVES.has(KINDS[tree.kind[at]!]!) ? 1 : 0);
  const depth = goesOn(from);
  const work: Operation[] = [];
  for (let at = from; at < to; at++) {
    if (goesOn(at) !== depth) continue;
    for (const [label, value, inside] of trace.events[at + 1]?.w ?? []) {
      work.push({ label, value, ...(inside && { inside: true }) });
    }
  }
  return work;
}

/** The same state with nothing known of the current frame but its value. */
export function withoutLocals(state: State): State {
  const top = state.stack[state.stack.length - 1]!;
  const { pending: _, ...rest } = top;
  const unknown: Frame = { ...rest, locals: new Map(), known: false, returned: [], loops: [], aliases: [] };
  return { ...state, stack: [...state.stack.slice(0, -1), unknown] };
}

/** Where the entry call ended; -1 if the record stops before. */
export function endOf(entry: Entry): number {
  const { tree } = entry;
  const last = tree.end - 1;
  const ended = ENDS.has(KINDS[tree.kind[last]!]!) && tree.depth[last] === entry.depth;
  return ended && tree.exit !== 'unknown' ? last : -1;
}

/** A sampled walk of at most `maxSteps` actions; null where it has none (the trace was cut at once). */
export function sampleTrajectory(
  recorded: Recorded,
  entry: Entry,
  policy: Policy,
  random: Random,
  maxSteps = 64,
): Trajectory | null {
  const inverse = policy.direction === 'inverse';
  const last = endOf(entry);
  if (inverse && last < 0) return null;
  let place: Place = { at: inverse ? last : entry.at, call: false };
  let state = stateAt(recorded, entry, place);
  if (inverse && random.chance(0.5)) state = withoutLocals(state);
  const steps: Step[] = [];
  for (;;) {
    if (steps.length >= maxSteps) break;
    const action = actionOf(drawType(policy, random), recorded, entry, place.at, random);
    const move = entry.tree.move(place, action);
    const outcome = outcomeOf(recorded, entry, move);
    if (!outcome) break;
    steps.push({ state, action });
    if (outcome.type !== 'state' || move.type !== 'place')
      return { programs: recorded.programs, steps, end: outcome };
    state = outcome.state;
    place = move.place;
  }
  return steps.length ? { programs: recorded.programs, steps, end: { type: 'state', state } } : null;
}
