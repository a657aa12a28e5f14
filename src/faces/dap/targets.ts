/**
 * @file Where one can go: functions a line may step into, and the states of a line. `goto` is travel: to a state of
 * the recording, to a state seen before, to the state a model predicts for that line; and, with a model, the
 * debugger's usual meaning: go on from another line with the variables as they are.
 */
import type { DebugProtocol } from '@vscode/debugprotocol';
import { z } from 'zod';
import { NpdbError } from '../../common/errors.ts';
import type { Stop } from '../../debugger/control.ts';
import { stateOf } from '../../debugger/control.ts';
import type { Debugger } from '../../debugger/types.ts';
import type { State } from '../../state/types.ts';
import type { Adapter } from './adapter.ts';
import { start } from './motion.ts';
import { sourceSchema } from './schemas.ts';
import { originOf } from './show.ts';
import type { Handlers } from './types.ts';

type Target =
  | { readonly type: 'moment'; readonly at: number }
  | { readonly type: 'position'; readonly id: number }
  | { readonly type: 'predict' | 'jump'; readonly line: number }
  | { readonly type: 'scope'; readonly scope: number };

/** Targets by id, per session; a target's id is its own for the whole session. */
const known = new WeakMap<Adapter, Target[]>();
const MAX_MOMENTS = 500;

const gotoTargetsArguments = z.looseObject({ source: sourceSchema, line: z.number().int() });
const gotoArguments = z.looseObject({ targetId: z.number().int() });
const frameArguments = z.looseObject({ frameId: z.number().int() });

export const targets: Handlers = {
  gotoTargets(adapter, given) {
    const { source, line } = gotoTargetsArguments.parse(given);
    const debug = adapter.still();
    const { file, program } = adapter.programs.programOf(source);
    const unit = program.unitAt(adapter.fromClientLine(line));
    if (!unit) return { body: { targets: [] } };
    const found: DebugProtocol.GotoTarget[] = [];
    const add = (label: string, target: Target) =>
      found.push({ id: idOf(adapter, target), label, line: adapter.line(unit.line) });
    const moments = debug.moments?.(unit.line, file) ?? [];
    for (const [i, m] of moments.slice(0, MAX_MOMENTS).entries()) {
      add(`line ${unit.line}, visit ${i + 1} of ${moments.length}, in ${m.fn} (state ${m.at})`, {
        type: 'moment',
        at: m.at,
      });
    }
    if (moments.length === 0) {
      for (const { id, text } of seen(debug, file, unit.line)) add(text, { type: 'position', id });
    }
    if (debug.engine !== 'recorded' && debug.current.outcome.type === 'state') {
      add(`predict on to line ${unit.line}`, { type: 'predict', line: unit.line });
    }
    const top = stateOf(debug.current.outcome)?.stack.at(-1);
    if (debug.engine === 'neural' && top?.file === file && program.linesOf(top.scope).includes(unit.line)) {
      add(`go on from line ${unit.line}, variables as they are`, { type: 'jump', line: unit.line });
    }
    return { body: { targets: found } };
  },

  goto(adapter, given) {
    const target = targetOf(adapter, gotoArguments.parse(given).targetId);
    if (target.type === 'scope') throw noTarget();
    return start(adapter, {
      title: 'Go to',
      reason: 'goto',
      move: async (debug, signal) => travel(debug, target, signal),
    });
  },

  stepInTargets(adapter, given) {
    const ref = adapter.references.frame(frameArguments.parse(given).frameId);
    const frame = adapter.frameOf(ref);
    const program = adapter.programs.all[frame.file];
    if (!program || ref.up > 0) return { body: { targets: [] } };
    const scopes = program.callTargets(frame.scope, frame.line);
    return {
      body: {
        targets: scopes.map((scope) => {
          const { qualname, line } = program.scopes[scope]!;
          return { id: idOf(adapter, { type: 'scope', scope }), label: `${qualname} (line ${line})` };
        }),
      },
    };
  },

  restartFrame(adapter, given) {
    const ref = adapter.references.frame(frameArguments.parse(given).frameId);
    if (!adapter.isCurrent(ref)) {
      throw new NpdbError('E_NO_FRAME_START', 'Only frames of the current stack can be restarted.', '');
    }
    const frame = adapter.frameOf(ref);
    return start(adapter, {
      title: 'Restart frame',
      reason: 'restart',
      move: (debug, signal) => frameStart(debug, frame.id, signal),
    });
  },
};

/** The scope a step-in target names. Throws `E_TARGET`. */
export function targetScope(adapter: Adapter, id: number): number {
  const target = targetOf(adapter, id);
  if (target.type === 'scope') return target.scope;
  throw noTarget();
}

export const targetDepth = (state: State | null): number => state?.stack.length ?? 0;

/** On to the next state on a line: "run to here". */
export const runToLine = async (debug: Debugger, line: number, signal: AbortSignal): Promise<Stop> => {
  const position = await debug.act({ type: 'breakpoint', line }, signal);
  return { position, reason: position.outcome.type === 'state' ? 'step' : 'end' };
};

// --- internal ---

function idOf(adapter: Adapter, target: Target): number {
  const all = known.get(adapter) ?? [];
  known.set(adapter, all);
  const key = JSON.stringify(target);
  const at = all.findIndex((t) => JSON.stringify(t) === key);
  return at < 0 ? all.push(target) : at + 1;
}

function targetOf(adapter: Adapter, id: number): Target {
  const found = known.get(adapter)?.[id - 1];
  if (found) return found;
  throw noTarget();
}

const noTarget = () =>
  new NpdbError('E_TARGET', 'There is no such target.', 'Ask for the targets of the line again.');

/** Positions of this session that stand on a line, the latest first. */
function seen(debug: Debugger, file: number, line: number): { readonly id: number; readonly text: string }[] {
  const found: { id: number; text: string }[] = [];
  for (let id = 0; id <= lastId(debug); id += 1) {
    const position = debug.position(id);
    const state = stateOf(position.outcome);
    const top = state?.stack.at(-1);
    if (state?.kind !== 'line' || top?.line !== line || top.file !== file) continue;
    found.unshift({
      id,
      text: `line ${line}, position ${id}${originOf(position) ? ` (${originOf(position)})` : ''}`,
    });
  }
  return found.slice(0, MAX_MOMENTS);
}

/** The interface keeps no count: positions are numbered without gaps. */
export function lastId(debug: Debugger): number {
  let low = debug.current.id;
  let high = low + 1;
  const exists = (id: number): boolean => {
    try {
      debug.position(id);
      return true;
    } catch (error) {
      if (error instanceof NpdbError && error.code === 'E_POSITION') return false;
      throw error;
    }
  };
  while (exists(high)) high *= 2;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (exists(middle)) low = middle;
    else high = middle;
  }
  return low;
}

async function travel(
  debug: Debugger,
  target: Exclude<Target, { type: 'scope' }>,
  signal: AbortSignal,
): Promise<Stop> {
  switch (target.type) {
    case 'moment': {
      if (!debug.travel) throw noTarget();
      return { position: debug.travel(target.at), reason: 'step' };
    }
    case 'position':
      return { position: debug.goto(target.id), reason: 'step' };
    case 'predict':
      return runToLine(debug, target.line, signal);
    case 'jump': {
      const state = stateOf(debug.current.outcome);
      const frame = state?.stack.at(-1);
      if (!state || !frame) throw new NpdbError('E_JUMP', 'The program has ended here.', 'Step back first.');
      const { value: _, ...rest } = state;
      const loops = frame.loops.filter((l) => l.line === target.line);
      const top = { ...frame, line: target.line, returned: [], loops };
      const position = debug.place(
        { ...rest, kind: 'line', stack: [...state.stack.slice(0, -1), top] },
        'edited',
      );
      return { position, reason: 'step' };
    }
  }
}

/** The `call` state of a frame: on the walk that led here if it was met, otherwise back through the calls. */
async function frameStart(debug: Debugger, frame: number, signal: AbortSignal): Promise<Stop> {
  const isStart = (state: State | null) => state?.kind === 'call' && state.stack.at(-1)!.id === frame;
  for (let at: number | undefined = debug.current.id; at !== undefined; at = debug.position(at).from) {
    if (isStart(stateOf(debug.position(at).outcome))) return { position: debug.goto(at), reason: 'step' };
  }
  const begin = debug.current.id;
  const depth = stateOf(debug.current.outcome)?.stack.length ?? 0;
  for (let i = 0; i <= depth; i += 1) {
    const position = await debug.act({ type: 'inv_step_call' }, signal);
    if (isStart(stateOf(position.outcome))) return { position, reason: 'step' };
    if (position.outcome.type !== 'state') break;
    await debug.act({ type: 'inv_step_into' }, signal);
  }
  debug.goto(begin);
  throw new NpdbError('E_NO_FRAME_START', 'The start of this frame was not found.', 'Step back instead.');
}
