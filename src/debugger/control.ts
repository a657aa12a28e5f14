/**
 * @file Motions that take several actions: what pdb's commands mean (bdb's stopping rules), told once for all
 * faces and engines. Each returns the position it stopped at and why.
 */
import { breathe } from '../common/breathe.ts';
import { NpdbError } from '../common/errors.ts';
import type { Action, Outcome, State } from '../state/types.ts';
import { type Breakpoint, Breakpoints } from './breakpoints.ts';
import type { Debugger, Position } from './types.ts';

export interface Stop {
  readonly position: Position;
  readonly reason: 'step' | 'breakpoint' | 'end';
  readonly breakpoint?: Breakpoint;
  /** A condition that could not be decided: the stop is made, as pdb does, and says why. */
  readonly note?: string;
}

/** What can stop a motion on its way, where pdb's breakpoints are not enough: a face's own rules (`stops.ts`). */
export interface Stops {
  /** False: nothing can; a motion is then one action, which a model may answer directly. */
  readonly active: boolean;
  /** Asked of each state on the way; the stop may be made at another position than the one just reached. */
  at(debug: Debugger, position: Position, state: State): Promise<Stop | null>;
}

type Points = Breakpoints | Stops;

const plainPoints = (points: Points): readonly Breakpoint[] =>
  points instanceof Breakpoints ? points.enabled : [];
const canStop = (points: Points): boolean =>
  points instanceof Breakpoints ? points.enabled.length > 0 : points.active;

/** Moves before a motion gives up: a model can walk in circles. A recording ends by itself. */
const MAX_MOVES = 1_000;
const GAVE_UP = `gave up after ${MAX_MOVES} predicted states; go on, or give a breakpoint that is nearer`;
const mostMoves = (debug: Debugger): number => (debug.engine === 'recorded' ? Infinity : MAX_MOVES);
/** After so many moves other work has its turn: an interruption must get through. */
const BREATH = 1_000;

export function stateOf(outcome: Outcome): State | null {
  return outcome.type === 'state' ? outcome.state : null;
}

/** pdb `continue`: to the next breakpoint that holds, else to the end. */
export async function continueTo(debug: Debugger, points: Points, signal?: AbortSignal): Promise<Stop> {
  const enabled = plainPoints(points);
  const [only] = enabled;
  // A single plain breakpoint, or none, is one of the paper's actions: the model may answer it directly.
  if (!canStop(points)) return ended(await debug.act({ type: 'continue' }, signal));
  if (only && enabled.length === 1 && only.condition === null && only.ignore === 0) {
    // The action stops at any state on the line; pdb's breakpoints only where the line is about to run.
    for (let moves = 0; moves < mostMoves(debug); moves += 1) {
      const position = await debug.act(breakpointAt(only), signal);
      const kind = stateOf(position.outcome)?.kind;
      if (kind === undefined) return ended(position);
      if (kind === 'line') {
        only.hits += 1;
        return hit(position, only, points);
      }
    }
  }
  return walk(debug, points, 'step_into', never, signal);
}

/**
 * pdb `next` and `return`. A breakpoint met on the way stops them, so where one is enabled the way is walked state
 * by state; else it is one action, which a model may answer directly.
 */
export async function stepTo(
  debug: Debugger,
  type: 'step_over' | 'step_return',
  points: Points,
  signal?: AbortSignal,
): Promise<Stop> {
  const start = stateOf(debug.current.outcome);
  const depth = start?.stack.length ?? 0;
  if (!canStop(points) || !start) {
    let position = await debug.act({ type }, signal);
    // From the end of a frame `return` leads to its caller, past what else the caller's line calls. From its `call` it
    // leads to its own end, whatever number a predicted frame has.
    const leaving = type === 'step_return' && start?.kind !== 'call';
    for (let moves = 0; start && leaving && moves < mostMoves(debug); moves += 1) {
      const state = stateOf(position.outcome);
      const beside = state && state.stack.length >= depth && !isSame(state, start);
      if (!beside) break;
      position = await debug.act({ type: 'step_over' }, signal);
    }
    return ended(position);
  }
  if (type === 'step_over') {
    return walk(debug, points, 'step_into', (state) => state.stack.length <= depth, signal);
  }
  if (start.kind === 'return') {
    return walk(debug, points, 'step_into', (state) => state.stack.length < depth, signal);
  }
  return walkFrame(debug, points, start, never, signal);
}

/** Whether both are states of one frame. */
const isSame = (one: State, other: State): boolean => one.stack.at(-1)!.id === other.stack.at(-1)!.id;

/**
 * Walks to the first state of this frame that `arrives`, or to the frame's end: its `return`, or the exception after
 * which it is gone, which is known one state later.
 */
async function walkFrame(
  debug: Debugger,
  points: Points,
  start: State,
  arrives: (state: State) => boolean,
  signal?: AbortSignal,
): Promise<Stop> {
  const begin = debug.current.id;
  let raised = start.kind === 'exception' ? begin : null;
  const gone = (state: State) => state.stack.length < start.stack.length;
  const stop = await walk(
    debug,
    points,
    'step_into',
    (state) => {
      if (raised !== null && gone(state)) return true;
      if (!isSame(state, start)) return false;
      raised = state.kind === 'exception' ? debug.current.id : null;
      return state.kind === 'return' || arrives(state);
    },
    signal,
  );
  const state = stateOf(stop.position.outcome);
  if (stop.reason === 'breakpoint' || raised === null || raised === begin || (state && !gone(state)))
    return stop;
  return { position: debug.goto(raised), reason: 'step' };
}

const breakpointAt = ({ file, line }: Breakpoint): Action => ({
  type: 'breakpoint',
  line,
  ...(file === 0 ? {} : { file }),
});

const never = () => false;

/** gdb `reverse-continue`: back to the last breakpoint that holds, else to the entry. */
export async function reverseContinue(debug: Debugger, points: Points, signal?: AbortSignal): Promise<Stop> {
  return walk(debug, points, 'inv_step_into', never, signal);
}

/** Moves state by state until a breakpoint holds, `done` says so, or the walk ends. */
async function walk(
  debug: Debugger,
  points: Points,
  type: 'step_into' | 'inv_step_into',
  done: (state: State) => boolean,
  signal?: AbortSignal,
): Promise<Stop> {
  for (let moves = 1; moves <= mostMoves(debug); moves += 1) {
    if (moves % BREATH === 0) await breathe();
    signal?.throwIfAborted();
    const position = await debug.act({ type }, signal);
    const state = stateOf(position.outcome);
    if (!state) return ended(position);
    // Asked of every state: it may keep count. Where the motion ends anyway bdb asks no breakpoint, and counts no hit.
    const arrived = done(state);
    if (arrived && points instanceof Breakpoints) return { position, reason: 'step' };
    const stop = await stopAt(debug, points, position, state);
    if (stop) return stop;
    if (arrived) return { position, reason: 'step' };
  }
  return { position: debug.current, reason: 'step', note: GAVE_UP };
}

/** The stop at the first breakpoint on this state that holds. */
async function stopAt(
  debug: Debugger,
  points: Points,
  position: Position,
  state: State,
): Promise<Stop | null> {
  if (!(points instanceof Breakpoints)) return points.at(debug, position, state);
  const top = state.stack.at(-1)!;
  if (state.kind !== 'line') return null;
  for (const point of points.enabled) {
    if (point.line !== top.line || point.file !== top.file) continue;
    const verdict = await holds(debug, point);
    if (!verdict.stop) continue;
    // bdb keeps a temporary breakpoint whose condition fails, as a hint to the user.
    if (verdict.note) return { position, reason: 'breakpoint', breakpoint: point, note: verdict.note };
    return hit(position, point, points);
  }
  return null;
}

/**
 * pdb `until`: the first line of this frame greater than the current one, or not smaller than `line`; or its end, which
 * is its `return` or the exception that unwinds it. It runs past a generator's yields.
 * Throws `E_ARGUMENT` for a line that is not ahead.
 */
export async function until(
  debug: Debugger,
  points: Points,
  line?: number,
  signal?: AbortSignal,
): Promise<Stop> {
  const start = stateOf(debug.current.outcome);
  const frame = start?.stack.at(-1);
  if (line !== undefined && frame && line <= frame.line) {
    throw new NpdbError('E_ARGUMENT', '"until" line number is smaller than current line number', '');
  }
  if (!start || !frame || start.kind === 'return' || start.kind === 'yield')
    return stepTo(debug, 'step_over', points, signal);
  const beyond = line === undefined ? frame.line + 1 : line;
  const arrives = ({ kind, stack }: State) =>
    (kind === 'line' || kind === 'exception') && stack.at(-1)!.line >= beyond;
  if (canStop(points)) return walkFrame(debug, points, start, arrives, signal);
  const begin = debug.current.id;
  let last: State = start;
  let at = begin;
  for (let moves = 0; moves < mostMoves(debug); moves += 1) {
    const stop =
      last.kind === 'yield'
        ? await walk(debug, points, 'step_into', (state) => isSame(state, start), signal)
        : ended(await debug.act({ type: 'step_over' }, signal));
    const state = stateOf(stop.position.outcome);
    if (stop.note) return stop;
    if (!state || !isSame(state, start)) {
      // An exception that ended the frame is known as such only now.
      return last.kind === 'exception' && at !== begin ? { position: debug.goto(at), reason: 'step' } : stop;
    }
    if (state.kind === 'return' || arrives(state)) return stop;
    [last, at] = [state, stop.position.id];
  }
  return { position: debug.current, reason: 'step', note: GAVE_UP };
}

function ended(position: Position): Stop {
  return { position, reason: stateOf(position.outcome) ? 'step' : 'end' };
}

function hit(position: Position, point: Breakpoint, points: Points): Stop {
  if (point.temporary && points instanceof Breakpoints) points.remove(point.number);
  return { position, reason: 'breakpoint', breakpoint: point };
}

/** bdb's rule: every hit counts; a condition that fails stops; what is passed over are hits whose condition holds. */
async function holds(debug: Debugger, point: Breakpoint): Promise<{ stop: boolean; note?: string }> {
  point.hits += 1;
  if (point.condition !== null) {
    const result = await debug.evaluate(`bool(${point.condition})`);
    if (result.type !== 'value') {
      const why = result.type === 'error' ? result.error : result.why;
      return { stop: true, note: `condition of breakpoint ${point.number} not decided: ${why}` };
    }
    if (result.value !== 'True') return { stop: false };
  }
  if (point.ignore > 0) {
    point.ignore -= 1;
    return { stop: false };
  }
  return { stop: true };
}
