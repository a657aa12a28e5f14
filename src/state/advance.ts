/**
 * @file The fold: a state and the next event give the next state. Knows no runtime and no model; an event
 * from a trace and one that a model predicted are treated alike. Pure: states share what did not change.
 */
import { NpdbError } from '../common/errors.ts';
import type { Program } from '../source/types.ts';
import type { TraceEvent } from '../trace/types.ts';
import { countLoops, withItems } from './loops.ts';
import { stillPending } from './pending.ts';
import type { Beyond, Frame, Lane, Locals, State } from './types.ts';
import { Vault } from './vault.ts';

export interface FoldContext {
  /** By file index. A file without a program is folded without scopes and loop counts. */
  readonly programs: readonly (Program | undefined)[];
}

/** Values kept of one line's calls: `sum(g())` may make millions, and each state has its own list. */
const RETURNED = 100;
const NOTHING: Beyond = { frames: 0, suspended: Vault.empty<Frame>(), lanes: new Map() };
const NO_NAMES: Locals = new Map();

/** The current frame. */
export function topOf(state: State): Frame {
  return state.stack[state.stack.length - 1]!;
}

/** The number the next new frame of a walk should get. */
export function nextFrame(state: State): number {
  if (state.beyond) return state.beyond.frames;
  return 1 + state.stack.reduce((most, frame) => Math.max(most, frame.id), -1);
}

/**
 * The state after `event`. `state` is null before the first event. A frame that has ended is on the stack at
 * its own `return`, `yield` or last `exception`, and gone at the next event of its thread; its value then
 * counts among what the caller's line was given (`Frame.returned`; a yielded value like a returned one).
 *
 * Throws `E_TRACE` where the event belongs to a frame that was never called.
 */
export function advance(state: State | null, event: TraceEvent, context: FoldContext): State {
  const opens = event.e === 'call' || event.e === 'resume';
  const owner = opens ? event.p : event.f;
  let { frames, suspended, lanes } = known(state);
  const lane = laneOf(state, lanes, owner);
  if (!lane && !opens) throw unknownFrame(event);
  const waiting = () => (event.e === 'resume' ? suspended.get(event.f) : undefined);
  const thread = lane?.stack[0]?.thread ?? event.t ?? waiting()?.thread ?? 0;
  const shown = state?.stack[0]?.thread;

  // What this thread showed: the lane itself, or, where a new root begins, whatever was there before.
  const past = lane ?? (shown === thread ? state : lanes.get(thread));
  const height = lane ? 1 + lane.stack.findLastIndex((frame) => frame.id === owner) : 0;
  if (past) suspended = putAway(past, height, suspended);
  // Looked up after that: a generator can be resumed right after its `yield`.
  const asleep = waiting();
  if (state && shown !== undefined && shown !== thread) {
    const others = new Map(lanes).set(shown, laneFrom(state));
    others.delete(thread);
    lanes = others;
  }

  const below = lane ? settle(lane, height) : [];
  const before = opens ? null : below[height - 1]!;
  const frame =
    event.e === 'call'
      ? opened(event, thread, context)
      : changed(before ?? asleep ?? unseen(event, thread), event, thread);
  const raised = lane?.kind === 'exception' && lane.stack.length === height;
  const top = moved(frame, event, raised, context);
  frames = Math.max(frames, event.f + 1);
  if (asleep) suspended = suspended.with(event.f, undefined);
  return {
    kind: event.e,
    stack: before ? [...below.slice(0, -1), top] : [...below, top],
    ...(event.v !== undefined && { value: event.v }),
    ...(event.o !== undefined && { out: event.o }),
    ...(event.err !== undefined && { err: event.err }),
    beyond: { frames, suspended, lanes },
  };
}

// --- threads ---

function known(state: State | null): Beyond {
  if (!state) return NOTHING;
  return state.beyond ?? { ...NOTHING, frames: nextFrame(state) };
}

function laneFrom(state: State): Lane {
  const { kind, stack, value } = state;
  return value === undefined ? { kind, stack } : { kind, stack, value };
}

/** The thread whose stack holds the frame; null for a root. */
function laneOf(state: State | null, lanes: Beyond['lanes'], owner: number | undefined): Lane | null {
  if (!state || owner === undefined) return null;
  const holds = (lane: Lane) => lane.stack.findLastIndex((frame) => frame.id === owner) >= 0;
  if (holds(state)) return state;
  for (const lane of lanes.values()) if (holds(lane)) return lane;
  return null;
}

// --- stacks ---

/** Frames that were left by `yield` can be resumed: keep them. */
function putAway(lane: Lane, height: number, suspended: Vault<Frame>): Vault<Frame> {
  const top = lane.stack.length - 1;
  return lane.kind === 'yield' && top >= height
    ? suspended.with(lane.stack[top]!.id, lane.stack[top])
    : suspended;
}

/** The lowest `height` frames, the last one told what the frame above it gave. */
function settle(lane: Lane, height: number): readonly Frame[] {
  const { stack, kind, value } = lane;
  if (height === stack.length) return stack;
  const gave = (kind === 'return' || kind === 'yield') && height === stack.length - 1;
  const kept = stack.slice(0, height);
  const caller = kept[height - 1];
  if (gave && value !== undefined && caller) {
    kept[height - 1] = { ...caller, returned: [...caller.returned.slice(1 - RETURNED), value] };
  }
  return kept;
}

function unknownFrame(event: TraceEvent): NpdbError {
  return new NpdbError(
    'E_TRACE',
    `The trace has a \`${event.e}\` event on line ${event.l} of frame ${event.f}, which was never called.`,
    'The trace is broken: record it again.',
    3,
  );
}

// --- frames ---

function opened(event: TraceEvent, thread: number, context: FoldContext): Frame {
  const file = event.s ?? 0;
  const fn = event.fn ?? '<unknown>';
  return {
    id: event.f,
    file,
    scope: context.programs[file]?.scopeFor(fn, event.l) ?? -1,
    fn,
    ...(event.k && { kind: event.k }),
    thread,
    line: event.l,
    locals: event.set ? new Map(Object.entries(event.set)) : NO_NAMES,
    known: true,
    returned: [],
    loops: [],
    globals: event.g ? new Map(Object.entries(event.g)) : NO_NAMES,
    aliases: event.a ?? [],
  };
}

/** A generator resumed that was suspended before the walk began: its locals are not known. */
function unseen(event: TraceEvent, thread: number): Frame {
  const call: TraceEvent = { e: 'call', f: event.f, l: event.l, k: 'generator' };
  return { ...opened(call, thread, { programs: [] }), known: false };
}

function changed(frame: Frame, event: TraceEvent, thread: number): Frame {
  const moved = frame.thread !== thread;
  if (!event.set && !event.del && !event.g && !event.a && !moved) return frame;
  return {
    ...frame,
    thread,
    locals: changedNames(frame.locals, event.set, event.del),
    globals: changedNames(frame.globals, event.g),
    aliases: event.a ?? frame.aliases,
  };
}

function changedNames(names: Locals, set?: TraceEvent['set'], del?: TraceEvent['del']): Locals {
  if (!set && !del) return names;
  const copy = new Map(names);
  for (const name of del ?? []) copy.delete(name);
  for (const name in set) copy.set(name, set[name]!);
  return copy;
}

/** The frame at the event's line: what belongs to the line that was left is dropped. */
function moved(frame: Frame, event: TraceEvent, raised: boolean, context: FoldContext): Frame {
  if (event.e === 'exception') {
    return { ...frame, line: event.l, ...(event.v !== undefined && { pending: event.v }) };
  }
  if (event.e !== 'line') return frame.line === event.l ? frame : { ...frame, line: event.l };
  const program = context.programs[frame.file];
  const { pending, ...rest } = frame;
  const kept = pending !== undefined && stillPending(program, frame.scope, frame.line, event.l, raised);
  return {
    ...rest,
    line: event.l,
    returned: frame.returned.length === 0 ? frame.returned : [],
    loops: withItems(countLoops(program, frame.scope, frame.loops, frame.line, event.l), frame.line, event.w),
    ...(kept && { pending }),
  };
}
