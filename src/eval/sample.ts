/**
 * @file Which states are judged: for each action, places of recorded runs drawn at random, one program after the
 * other, so that long runs do not outweigh short ones. Seeded; knows no model.
 */
import type { Random } from '../common/random.ts';
import type { Recording } from '../debugger/recording.ts';
import type { Situation } from '../language/types.ts';
import { rootedAt, sameOutcome } from '../state/index.ts';
import type { Action, ActionType, Outcome, State } from '../state/types.ts';
import { KINDS } from '../tree/index.ts';
import type { Place } from '../tree/types.ts';

export const ACTIONS: readonly ActionType[] = [
  'step_into',
  'step_over',
  'step_return',
  'breakpoint',
  'continue',
  'inv_step_into',
  'inv_step_over',
  'inv_step_call',
];

export interface Sample {
  readonly id: string;
  readonly situation: Situation;
  readonly truth: Outcome;
  /** The current frame's locals, or the value, are not what they were. */
  readonly changed: boolean;
  /** Share of the run's states that a jump skips, 0..1. */
  readonly skipped: number;
  /** Events of the run, from the call on. */
  readonly length: number;
}

/** Tries for one sample before the recording is given up for this action. */
const TRIES = 12;

/** One sample of an action from a recording; null where none was found. */
export function sampleFrom(recording: Recording, type: ActionType, random: Random): Sample | null {
  const { tree, programs } = recording;
  const count = tree.end - tree.first;
  // Inverse jumps are asked as the paper asks them: from the end of a call, of which only the value is known.
  const returns = type === 'inv_step_call' ? returnsOf(recording) : null;
  for (let i = 0; i < TRIES; i += 1) {
    const at = returns
      ? returns[Math.floor(random.next() * returns.length)]
      : tree.first + Math.floor(random.next() * count);
    if (at === undefined) return null;
    const place: Place = { at, call: false };
    const action = actionAt(recording, place, type, random);
    const move = tree.move(place, action);
    const outcome = recording.outcome(move);
    if (outcome === null) continue;
    const state = recording.state(place);
    const asked = type === 'inv_step_call' ? valueAlone(state) : state;
    const truth = type === 'inv_step_call' ? rooted(outcome, state.stack.length - 1) : outcome;
    const to = move.type === 'place' ? move.place.at : tree.end;
    return {
      id: `${recording.id}@${place.at}`,
      situation: { programs, state: asked, action },
      truth,
      changed: changedFrom(asked, truth),
      skipped: Math.abs(to - place.at) / count,
      length: count,
    };
  }
  return null;
}

// --- internal ---

/** Breakpoint lines: half from lines visited later, half any executable line of the program (paper, section 3). */
function actionAt(recording: Recording, place: Place, type: ActionType, random: Random): Action {
  if (type !== 'breakpoint') return { type };
  const { tree, programs } = recording;
  if (random.chance(0.5) && place.at + 1 < tree.end) {
    const later = random.int(place.at + 1, tree.end - 1);
    if (tree.file[later] === 0) return { type, line: tree.line[later]! };
  }
  const program = programs[0]!;
  const lines = program.scopes.flatMap((s) => (s.kind === 'function' ? program.linesOf(s.id) : []));
  return { type, line: lines[Math.floor(random.next() * lines.length)] ?? 1 };
}

function returnsOf({ tree }: Recording): number[] {
  const kind = KINDS.indexOf('return');
  const found: number[] = [];
  for (let at = tree.first; at < tree.end; at += 1) if (tree.kind[at] === kind) found.push(at);
  return found;
}

/** Only the frame that returns, and of it nothing but the value: a caller's line and locals would show the inputs. */
function valueAlone(state: State): State {
  const top = state.stack.at(-1)!;
  const unknown = { ...top, locals: new Map(), known: false, returned: [], loops: [], aliases: [] };
  return { ...state, stack: [unknown] };
}

function rooted(outcome: Outcome, depth: number): Outcome {
  return outcome.type === 'state' ? { type: 'state', state: rootedAt(outcome.state, depth) } : outcome;
}

/** Whether copying the state's values would be wrong. */
function changedFrom(state: State, truth: Outcome): boolean {
  if (truth.type !== 'state') return false;
  const after = truth.state.stack.at(-1)!;
  if (truth.state.value !== undefined && truth.state.value !== 'None') return true;
  const old = state.stack.find((f) => f.id === after.id);
  if (!old?.known) return after.locals.size > 0;
  const copied: Outcome = {
    type: 'state',
    state: { ...truth.state, stack: [...truth.state.stack.slice(0, -1), { ...after, locals: old.locals }] },
  };
  return !sameOutcome(copied, truth);
}
