/**
 * @file Lays a read answer upon the state it follows. One step is turned into an event and folded with
 * `advance`, so that loop counts, pending exceptions and returned values come out as in a recorded run; after
 * anything longer they are not known and left out.
 */
import { NpdbError } from '../../common/errors.ts';
import { advance, nextFrame, topOf } from '../../state/advance.ts';
import type { Frame, Locals, Outcome, State } from '../../state/types.ts';
import { Vault } from '../../state/vault.ts';
import type { FrameKind, TraceEvent } from '../../trace/types.ts';
import type { Situation } from '../types.ts';
import type { Change, FrameChange, NameChange, StateChange } from './change.ts';
import type { Where } from './where.ts';

export function applyChange(situation: Situation, change: Change): Outcome {
  if (change.type !== 'state') return change;
  const { stack } = situation.state;
  if (change.ups > stack.length) throw malformed('takes more frames from the stack than there are');
  if (!change.where && change.pushed.length > 0) throw malformed('puts frames between two that are there');
  if (!change.where && change.ups === stack.length) {
    throw malformed('leaves no frame on the stack');
  }
  const { type } = situation.action;
  const step = type === 'step_into' || type === 'step_over';
  const state = (step && folded(situation, change)) || replaced(situation, change);
  return { type: 'state', state, ...(change.work && { work: change.work }) };
}

// --- one step, folded ---

/** Null where the change is none that one event makes. */
function folded(situation: Situation, change: StateChange): State | null {
  const { programs, state } = situation;
  const event = eventOf(situation, change);
  if (!event) return null;
  const next = advance(state, event, { programs });
  const old = topOf(state);
  const top = topOf(next);
  // What an event cannot say: which of a line's lambdas it is, that a frame's locals have become known, that a
  // module-level name is gone.
  const unknown = !change.where && !(state.stack[next.stack.length - 1] ?? old).known;
  const { set, aliases = [], unknown: still } = change.change;
  const fixed: Frame = {
    ...top,
    scope: change.where?.scope ?? top.scope,
    ...(unknown && { locals: set, known: !still, aliases }),
    globals: without(top.globals, change.globals.del),
  };
  return { ...next, stack: [...next.stack.slice(0, -1), fixed] };
}

function eventOf({ programs, state, action }: Situation, change: StateChange): TraceEvent | null {
  if (change.same || change.pushed.length > 0 || change.kind === 'line_call') return null;
  const parent = state.stack[state.stack.length - change.ups - 1];
  const { set, del, aliases, unknown } = change.change;
  const shared = {
    e: change.kind,
    l: change.line,
    ...(set.size > 0 && { set: Object.fromEntries(set) }),
    ...(del.length > 0 && { del }),
    ...(change.globals.set.size > 0 && { g: Object.fromEntries(change.globals.set) }),
    ...(aliases && { a: aliases }),
    ...(change.value !== undefined && { v: change.value }),
    ...(change.out !== undefined && { o: change.out }),
    ...(change.err !== undefined && { err: change.err }),
    ...(change.work && { w: change.work.map(({ label, value }) => [label, value] as const) }),
  };
  if (change.where) {
    if (unknown) return null;
    const thread = topOf(state).thread;
    const place = { ...(parent && { p: parent.id }), ...(thread > 0 && { t: thread }) };
    if (change.kind === 'resume') {
      const asleep = suspendedAt(state, change);
      if (!asleep) return null;
      // Written in full, while the fold remembers what the frame had.
      const gone = [...asleep.locals.keys()].filter((name) => !set.has(name));
      return {
        ...shared,
        ...place,
        e: 'resume',
        f: asleep.id,
        a: aliases ?? [],
        ...(gone.length > 0 && { del: gone }),
      };
    }
    if (change.kind !== 'call') return null;
    const { fn, kind, file } = described(programs, change.where);
    return {
      ...shared,
      ...place,
      e: 'call',
      f: nextFrame(state),
      ...(file > 0 && { s: file }),
      fn,
      ...(kind && { k: kind }),
    };
  }
  if (!parent || change.kind === 'call') return null;
  if (change.kind !== 'resume') return { ...shared, e: change.kind, f: parent.id };
  // Resumed by the line that has just been given a value: the frame is still shown.
  if (change.ups > 0 || state.kind !== 'yield' || action.type !== 'step_into') return null;
  const resumer = state.stack[state.stack.length - 2];
  return { ...shared, e: 'resume', f: parent.id, ...(resumer && { p: resumer.id }) };
}

// --- anything else, laid upon the stack as it is ---

function replaced({ programs, state }: Situation, change: StateChange): State {
  const kept = state.stack.slice(0, state.stack.length - change.ups);
  const stack = [...kept];
  if (change.same && stack.length > 0) {
    stack.push(changed(stack.pop()!, change.same.change, change.same.line));
  }
  let id = nextFrame(state);
  for (const { where, change: inner, line } of change.pushed) {
    stack.push(changed(opened(programs, where, id++, state), inner, line));
  }
  if (change.where) {
    const asleep = change.kind === 'resume' ? suspendedAt(state, change) : undefined;
    stack.push(opened(programs, change.where, asleep?.id ?? id++, state));
  }
  const top = changed(stack.pop()!, change.change, change.line);
  stack.push({ ...top, globals: names(top.globals, change.globals) });
  return {
    kind: change.kind,
    stack,
    ...(change.value !== undefined && { value: change.value }),
    ...(change.out !== undefined && { out: change.out }),
    ...(change.err !== undefined && { err: change.err }),
    beyond: { frames: id, suspended: Vault.empty<Frame>(), lanes: new Map() },
  };
}

function changed(frame: Frame, change: FrameChange, line: number): Frame {
  const { pending: _, ...rest } = frame;
  const past = frame.known ? frame.locals : new Map<string, string>();
  return {
    ...rest,
    line,
    locals: names(past, change),
    known: !change.unknown,
    returned: [],
    loops: [],
    aliases: change.aliases ?? (frame.known ? frame.aliases : []),
  };
}

function opened(programs: Situation['programs'], where: Where, id: number, state: State): Frame {
  const { fn, kind } = described(programs, where);
  return {
    ...where,
    id,
    fn,
    ...(kind && { kind }),
    thread: topOf(state).thread,
    line: 1,
    locals: new Map(),
    known: true,
    returned: [],
    loops: [],
    globals: new Map(),
    aliases: [],
  };
}

/** Of the generators that wait at the place where one is resumed: one with the same locals, else the last begun. */
function suspendedAt(state: State, { where, line, change }: StateChange): Frame | undefined {
  const { frames = 0, suspended } = state.beyond ?? {};
  let found: Frame | undefined;
  for (let id = frames - 1; suspended && id >= 0; id--) {
    const frame = suspended.get(id);
    if (frame?.file !== where?.file || frame?.scope !== where?.scope || frame?.line !== line) continue;
    found ??= frame;
    if (
      frame.locals.size === change.set.size &&
      [...frame.locals].every(([k, v]) => change.set.get(k) === v)
    ) {
      return frame;
    }
  }
  return found;
}

function names(past: Locals, change: NameChange): Locals {
  if (change.set.size === 0 && change.del.length === 0) return past;
  const copy = new Map(without(past, change.del));
  for (const [name, value] of change.set) copy.set(name, value);
  return copy;
}

function without(past: Locals, del: readonly string[]): Locals {
  return del.length > 0 ? new Map([...past].filter(([name]) => !del.includes(name))) : past;
}

/** What a trace's `call` event says of a frame, from syntax. */
function described(
  programs: Situation['programs'],
  { file, scope: id }: Where,
): Where & { fn: string; kind?: FrameKind } {
  const scope = programs[file]?.scopes[id];
  if (!scope) throw malformed('names a scope that the program does not have');
  const where = { file, scope: id };
  if (scope.kind === 'module')
    return file > 0 ? { ...where, fn: '<call>' } : { ...where, fn: '<module>', kind: 'module' };
  const fn = scope.qualname;
  if (scope.kind !== 'function') return { ...where, fn, kind: scope.kind };
  const kind = scope.async
    ? scope.generator
      ? 'asyncgen'
      : 'coroutine'
    : scope.generator
      ? 'generator'
      : undefined;
  return { ...where, fn, ...(kind && { kind }) };
}

function malformed(what: string): NpdbError {
  return new NpdbError(
    'E_MALFORMED',
    `The answer ${what}.`,
    'Decode under the language mask, or try again with another seed.',
    1,
  );
}
