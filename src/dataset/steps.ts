/**
 * @file Independent steps for Markov codecs: a state drawn anywhere in a recorded call, an action, and where it leads.
 */

import type { Random } from '../common/random.ts';
import type { Situation } from '../language/types.ts';
import type { Outcome, State } from '../state/types.ts';
import type { Place } from '../tree/types.ts';
import { neverEnds } from './endless.ts';
import { drawPlace, eventful } from './places.ts';
import { actionOf, drawType, type Policy } from './policy.ts';
import { endOf, outcomeOf, stateAt, withoutLocals, withWork } from './trajectory.ts';
import type { Entry, Recorded } from './types.ts';

export interface DrawnStep {
  readonly situation: Situation;
  readonly outcome: Outcome;
}

/** Shares of the entries a step is drawn from. */
const LEVELS = [
  [0.78, 'main'],
  [0.1, 'call'],
  [0.12, 'inner'],
] as const;
/** Share of forward steps shown without loop counts and returned values, as they are after a jump. */
const BLURRED = 0.08;
/** Shares of backward actions that are asked from the end of the call, with nothing known but its value. */
const UNKNOWN = { inv_step_call: 0.6, inv_step_into: 0.12, inv_step_over: 0.12 } as const;
/** One step; null where the recording has none of the kind drawn. */
export function drawStep(recorded: Recorded, policy: Policy, random: Random): DrawnStep | null {
  const type = drawType(policy, random);
  const backward = type.startsWith('inv_');
  const unknown = backward && random.chance(UNKNOWN[type as keyof typeof UNKNOWN]);
  const entry = drawEntry(recorded, random, unknown);
  if (!entry) return null;
  if (unknown) {
    const at = endOf(entry);
    return at < 0 ? null : made(recorded, entry, { at, call: false }, type, random, withoutLocals);
  }
  const jump =
    type === 'step_return' || type === 'breakpoint' || type === 'continue' || type === 'inv_step_call';
  const place = drawPlace(recorded, entry, backward, jump ? 1 : policy.trivial, random);
  return made(recorded, entry, place, type, random, !backward && random.chance(BLURRED) ? blurred : same);
}

/** How many of a recording's steps are eventful: what there is to learn from it. */
export function eventfulSteps({ trace, entries }: Recorded): number {
  const tree = entries.find((entry) => entry.level === 'call')?.tree;
  let count = 0;
  if (tree) for (let at = tree.first + 1; at < tree.end; at++) if (eventful(trace.events[at])) count++;
  return count;
}

/** What a step does, for the counts: `change` of a local, plain `move`, `raise`, `return`, `call`, `exit-error`, ... */
export function effectOf({ situation, outcome }: DrawnStep): string {
  if (outcome.type === 'entry') return 'entry';
  if (outcome.type === 'exit') return `exit-${outcome.exit}`;
  const { kind, stack } = outcome.state;
  if (kind === 'exception') return 'raise';
  if (kind === 'return' || kind === 'call') return kind;
  const top = stack[stack.length - 1]!;
  const before = situation.state.stack.find(({ id }) => id === top.id)?.locals;
  const same =
    before?.size === top.locals.size && [...top.locals].every(([name, value]) => before.get(name) === value);
  return same ? 'move' : 'change';
}

// --- internal ---

function made(
  recorded: Recorded,
  entry: Entry,
  place: Place,
  type: ReturnType<typeof drawType>,
  random: Random,
  seen: (state: State) => State,
): DrawnStep | null {
  const action = actionOf(type, recorded, entry, place.at, random);
  const move = entry.tree.move(place, action);
  let outcome: Outcome | null =
    outcomeOf(recorded, entry, move) ??
    (neverEnds(recorded, place, action) ? { type: 'exit', exit: 'never' } : null);
  if (!outcome) return null;
  // Only a single step has work that leads to it.
  if (move.type === 'place' && (type === 'step_into' || type === 'step_over')) {
    outcome = withWork(recorded, entry, place.at, move.place.at, outcome);
  }
  const state = seen(stateAt(recorded, entry, place));
  return { situation: { programs: recorded.programs, state, action }, outcome };
}

/** `inside`: a function's, not the line `<call>`, which has no locals. */
function drawEntry({ entries }: Recorded, random: Random, inside: boolean): Entry | null {
  if (!entries.length) return null;
  const level = random.weighted(LEVELS);
  const fits = entries.filter((entry) => entry.level === (inside && level === 'call' ? 'main' : level));
  const from = fits.length ? fits : inside ? entries.filter((entry) => entry.level !== 'call') : entries;
  if (!from.length) return null;
  // The longer calls hold most of what there is to learn.
  return random.weighted(from.map((entry) => [Math.min(40, entry.tree.size), entry] as const));
}

const same = (state: State): State => state;

const blurred = (state: State): State => ({
  ...state,
  stack: state.stack.map(({ pending: _, ...frame }) => ({ ...frame, loops: [], returned: [] })),
});
