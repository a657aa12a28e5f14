/**
 * @file Motions that take several actions: what pdb's commands mean (bdb's stopping rules), told once for all
 * faces and engines. Each returns the position it stopped at and why.
 */
import type { Outcome, State } from '../state/types.ts';
import type { Breakpoint, Breakpoints } from './breakpoints.ts';
import type { Debugger, Position } from './types.ts';

export interface Stop {
  readonly position: Position;
  readonly reason: 'step' | 'breakpoint' | 'end';
  readonly breakpoint?: Breakpoint;
  /** A condition that could not be decided: the stop is made, as pdb does, and says why. */
  readonly note?: string;
}

/** Moves before a motion gives up: a model can walk in circles. */
const MAX_MOVES = 20_000;

export function stateOf(outcome: Outcome): State | null {
  return outcome.type === 'state' ? outcome.state : null;
}

/** pdb `continue`: to the next breakpoint that holds, else to the end. */
export async function continueTo(debug: Debugger, points: Breakpoints, signal?: AbortSignal): Promise<Stop> {
  const enabled = points.enabled;
  const [only] = enabled;
  // A single plain breakpoint, or none, is one of the paper's actions: the model may answer it directly.
  if (!only) return ended(await debug.act({ type: 'continue' }, signal));
  if (enabled.length === 1 && only.condition === null && only.ignore === 0) {
    // The action stops at any state on the line; pdb's breakpoints only where the line is about to run.
    for (let moves = 0; moves < MAX_MOVES; moves += 1) {
      const position = await debug.act({ type: 'breakpoint', line: only.line }, signal);
      const kind = stateOf(position.outcome)?.kind;
      if (kind === undefined) return ended(position);
      if (kind === 'line') return hit(position, only, points);
    }
  }
  return walk(debug, points, 'step_into', signal);
}

/** gdb `reverse-continue`: back to the last breakpoint that holds, else to the entry. */
export async function reverseContinue(
  debug: Debugger,
  points: Breakpoints,
  signal?: AbortSignal,
): Promise<Stop> {
  return walk(debug, points, 'inv_step_into', signal);
}

async function walk(
  debug: Debugger,
  points: Breakpoints,
  type: 'step_into' | 'inv_step_into',
  signal?: AbortSignal,
): Promise<Stop> {
  for (let moves = 0; moves < MAX_MOVES; moves += 1) {
    const position = await debug.act({ type }, signal);
    const state = stateOf(position.outcome);
    if (!state) return ended(position);
    if (state.kind !== 'line') continue;
    const top = state.stack.at(-1)!;
    if (top.file !== 0) continue;
    for (const point of points.enabled) {
      if (point.line !== top.line) continue;
      const verdict = await holds(debug, point);
      if (verdict.stop)
        return { ...hit(position, point, points), ...(verdict.note ? { note: verdict.note } : {}) };
    }
  }
  return { position: debug.current, reason: 'step', note: `gave up after ${MAX_MOVES} moves` };
}

/** pdb `until`: the first line of this frame greater than `line` (default: the current one), or its end. */
export async function until(debug: Debugger, line?: number, signal?: AbortSignal): Promise<Stop> {
  const start = stateOf(debug.current.outcome);
  const frame = start?.stack.at(-1);
  const beyond = line === undefined ? (frame?.line ?? 0) + 1 : line;
  for (let moves = 0; moves < MAX_MOVES; moves += 1) {
    const position = await debug.act({ type: 'step_over' }, signal);
    const state = stateOf(position.outcome);
    if (!state) return ended(position);
    const top = state.stack.at(-1)!;
    const left = !frame || top.id !== frame.id;
    if (left || top.line >= beyond || state.kind === 'return') return { position, reason: 'step' };
  }
  return { position: debug.current, reason: 'step', note: `gave up after ${MAX_MOVES} moves` };
}

function ended(position: Position): Stop {
  return { position, reason: stateOf(position.outcome) ? 'step' : 'end' };
}

function hit(position: Position, point: Breakpoint, points: Breakpoints): Stop {
  point.hits += 1;
  if (point.temporary) points.remove(point.number);
  return { position, reason: 'breakpoint', breakpoint: point };
}

/** bdb's rule: a condition that fails stops; an ignore count only counts hits whose condition holds. */
async function holds(debug: Debugger, point: Breakpoint): Promise<{ stop: boolean; note?: string }> {
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
    point.hits += 1;
    return { stop: false };
  }
  return { stop: true };
}
