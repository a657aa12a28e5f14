/**
 * @file Motions: answered at once, told by a `stopped` (or `terminated`) event when they end, whatever happens. What
 * the words mean is `src/debugger/control.ts`'s; a stop is made at lines and ends of functions, as editors expect,
 * and at every state with `granularity: "instruction"`.
 */
import { NpdbError } from '../../common/errors.ts';
import { continueTo, reverseContinue, type Stop, stateOf, stepTo } from '../../debugger/control.ts';
import type { Debugger } from '../../debugger/types.ts';
import type { ActionType, State, StateKind } from '../../state/types.ts';
import type { Adapter } from './adapter.ts';
import { arrived, failed } from './arrive.ts';
import { progress } from './progress.ts';
import { motionArguments } from './schemas.ts';
import { targetDepth, targetScope } from './targets.ts';
import type { Answer, Handlers } from './types.ts';

export type Move = (debug: Debugger, signal: AbortSignal) => Promise<Stop>;

interface Motion {
  readonly title: string;
  /** `stopped.reason`, where no breakpoint gives one. */
  readonly reason: string;
  readonly backwards?: boolean;
  readonly move: Move;
}

/** Reserves the program and starts once the response is sent. Throws `E_RUNNING`, `E_NOT_LAUNCHED`. */
export function start(adapter: Adapter, motion: Motion, body: object = {}): Answer {
  adapter.still();
  const controller = new AbortController();
  adapter.motion = controller;
  return {
    body,
    after: () => void run(adapter, motion, controller).catch((error) => failed(adapter, error, false)),
  };
}

export const motions: Handlers = {
  continue: (adapter) =>
    start(
      adapter,
      { title: 'Continue', reason: 'step', move: (debug, signal) => onwards(adapter, debug, signal) },
      { allThreadsContinued: true },
    ),

  next(adapter, given) {
    const { granularity } = motionArguments.parse(given);
    const move: Move = async (debug, signal) =>
      settle(adapter, await stepTo(debug, 'step_over', adapter.rules, signal), granularity, signal);
    return start(adapter, { title: 'Step over', reason: 'step', move });
  },

  stepIn(adapter, given) {
    const { granularity, targetId } = motionArguments.parse(given) as {
      granularity?: Granularity;
      targetId?: unknown;
    };
    const target = typeof targetId === 'number' ? targetScope(adapter, targetId) : null;
    const move: Move = async (debug, signal) => {
      if (target !== null) return into(adapter, debug, target, signal);
      return settle(
        adapter,
        await once(adapter, debug, 'step_into', signal),
        granularity,
        signal,
        'step_into',
      );
    };
    return start(adapter, { title: 'Step into', reason: 'step', move });
  },

  stepOut(adapter, given) {
    const { granularity } = motionArguments.parse(given);
    const move: Move = async (debug, signal) =>
      settle(adapter, await stepTo(debug, 'step_return', adapter.rules, signal), granularity, signal);
    return start(adapter, { title: 'Step out', reason: 'step', move });
  },

  stepBack: (adapter, given) => back(adapter, given, 'inv_step_over', 'Step back over'),
  'npdb/reverseStepIn': (adapter, given) => back(adapter, given, 'inv_step_into', 'Step back into'),
  'npdb/reverseStepOut': (adapter, given) => back(adapter, given, 'inv_step_call', 'Step back out'),

  reverseContinue: (adapter) =>
    start(adapter, {
      title: 'Reverse continue',
      reason: 'step',
      backwards: true,
      move: async (debug, signal) => {
        const { rules } = adapter;
        // Nothing can stop it: the entry is where it ends.
        if (rules.points.length === 0 && !rules.exceptions.raised)
          return { position: debug.goto(0), reason: 'end' };
        return reverseContinue(debug, rules, signal);
      },
    }),

  pause(adapter) {
    adapter.needOpened();
    adapter.motion?.abort(new NpdbError('E_INTERRUPTED', 'Paused.', 'The program stands where it was.'));
    return {};
  },
};

/** `continue`, with the way to an uncaught exception's origin. */
export async function onwards(adapter: Adapter, debug: Debugger, signal: AbortSignal): Promise<Stop> {
  const { rules } = adapter;
  const begin = debug.current.id;
  const stop = rules.active ? await continueTo(debug, rules, signal) : await toTheEnd(adapter, debug, signal);
  const { outcome } = stop.position;
  if (outcome.type !== 'exit' || outcome.exit !== 'error' || !rules.exceptions.uncaught) return stop;
  if (rules.raisedAt === null && !rules.active) {
    // The end was answered in one jump: the way there is walked, to see where the exception came from.
    const end = debug.current.id;
    debug.goto(begin);
    rules.begin(debug, false);
    rules.always = true;
    try {
      const walked = await continueTo(debug, rules, signal);
      if (walked.position.outcome.type === 'state') return walked;
    } finally {
      rules.always = false;
    }
    return (await rules.uncaught(debug)) ?? { position: debug.goto(end), reason: 'end' };
  }
  return (await rules.uncaught(debug)) ?? stop;
}

// --- internal ---

type Granularity = 'statement' | 'line' | 'instruction' | undefined;

async function run(adapter: Adapter, motion: Motion, controller: AbortController): Promise<void> {
  // The session may have ended between the request and its start.
  if (adapter.phase !== 'open') return;
  const { signal } = controller;
  const bar = progress(adapter, motion.title, controller);
  const backwards = motion.backwards ?? false;
  adapter.references.clear();
  const from = stateOf(adapter.debug.current.outcome)?.stack;
  adapter.stepReturns = { depth: (from?.length ?? 0) + 1, rows: [] };
  try {
    const stop = await adapter.exclusive(async () => {
      const debug = adapter.debug;
      adapter.rules.begin(debug, backwards);
      return motion.move(debug, signal);
    });
    bar.end();
    const top = stateOf(stop.position.outcome)?.stack.at(-1);
    // Only a step within one frame has calls of its own.
    if (stop.reason !== 'step' || backwards || top?.id !== from?.at(-1)?.id)
      adapter.stepReturns.rows.length = 0;
    if (adapter.motion === controller) adapter.motion = null;
    await arrived(adapter, stop, motion.reason, backwards);
  } catch (error) {
    bar.end();
    if (adapter.motion === controller) adapter.motion = null;
    failed(adapter, error, signal.aborted);
  }
}

/** Without anything to stop at: what the entry call returns is worth a prediction of its own. */
async function toTheEnd(adapter: Adapter, debug: Debugger, signal: AbortSignal): Promise<Stop> {
  const state = stateOf(debug.current.outcome);
  const { call } = adapter.needOpened().launch;
  if (
    call !== undefined &&
    debug.engine !== 'recorded' &&
    state?.stack.length === 1 &&
    state.kind !== 'return'
  ) {
    const { outcome } = await debug.act({ type: 'step_return' }, signal);
    if (outcome.type === 'state' && outcome.state.kind === 'return')
      adapter.returned = outcome.state.value ?? null;
    if (outcome.type !== 'state') return { position: debug.current, reason: 'end' };
  }
  return continueTo(debug, adapter.rules, signal);
}

/** One action, and what the rules say of the state it leads to. */
async function once(
  adapter: Adapter,
  debug: Debugger,
  type: Exclude<ActionType, 'breakpoint'>,
  signal: AbortSignal,
) {
  const position = await debug.act({ type }, signal);
  const state = stateOf(position.outcome);
  if (!state) return { position, reason: 'end' } as Stop;
  return (await adapter.rules.at(debug, position, state)) ?? ({ position, reason: 'step' } as Stop);
}

/** Where an editor's step may end. */
const STOPS: ReadonlySet<StateKind> = new Set(['line', 'return', 'yield']);
/** No program passes through so many calls and exceptions without a line. */
const MAX_SETTLE = 200;

/** Passes over the states that are no lines: calls, exceptions on their way, resumptions. */
async function settle(
  adapter: Adapter,
  first: Stop,
  granularity: Granularity,
  signal: AbortSignal,
  type: 'step_over' | 'step_into' = 'step_over',
): Promise<Stop> {
  const { debug } = adapter;
  let stop = first;
  for (let i = 0; granularity !== 'instruction' && i < MAX_SETTLE; i += 1) {
    const state = stateOf(stop.position.outcome);
    if (!state || stop.reason !== 'step' || STOPS.has(state.kind)) break;
    stop =
      type === 'step_into'
        ? await once(adapter, debug, type, signal)
        : await stepTo(debug, type, adapter.rules, signal);
  }
  return stop;
}

/** Steps until the call of this function begins, or the line is done. */
async function into(adapter: Adapter, debug: Debugger, scope: number, signal: AbortSignal): Promise<Stop> {
  const begin = stateOf(debug.current.outcome);
  const depth = targetDepth(begin);
  let stop: Stop = { position: debug.current, reason: 'step' };
  for (let i = 0; i < 20_000; i += 1) {
    signal.throwIfAborted();
    stop = await once(adapter, debug, 'step_into', signal);
    const state = stateOf(stop.position.outcome);
    if (!state || stop.reason !== 'step') return stop;
    const top = state.stack.at(-1)!;
    if (state.kind === 'call' && state.stack.length === depth + 1 && top.scope === scope) {
      return settle(adapter, stop, 'statement', signal, 'step_into');
    }
    if (state.stack.length < depth || (state.stack.length === depth && state.kind === 'line')) return stop;
  }
  return stop;
}

function back(adapter: Adapter, given: unknown, type: Backwards, title: string): Answer {
  const { granularity } = motionArguments.parse(given);
  const move: Move = async (debug, signal) => {
    for (let i = 0; ; i += 1) {
      const position = await debug.act({ type }, signal);
      const state = stateOf(position.outcome);
      if (!state) return { position, reason: 'end' };
      if (granularity === 'instruction' || i >= MAX_SETTLE || endsBackwards(state, type)) {
        return { position, reason: 'step' };
      }
    }
  };
  return start(adapter, { title, reason: 'step', backwards: true, move });
}

type Backwards = 'inv_step_over' | 'inv_step_into' | 'inv_step_call';

/** The entry's call is the first state there is; `line_call` is a line before its calls are walked back into. */
function endsBackwards(state: State, type: Backwards): boolean {
  if (state.kind === 'call') return type === 'inv_step_call' || state.stack.length === 1;
  if (type === 'inv_step_into') return STOPS.has(state.kind);
  return STOPS.has(state.kind);
}
