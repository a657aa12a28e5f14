/**
 * @file Tools that move: forwards as in any debugger, backwards, and to any earlier stop. Each answers with the whole
 * stop. A call that the client gave up leaves the session where it was, so that asking again does not step twice.
 */
import { z } from 'zod';
import type { Breakpoints } from '../../../debugger/breakpoints.ts';
import { continueTo, reverseContinue, type Stop, stepTo } from '../../../debugger/control.ts';
import type { Debugger } from '../../../debugger/types.ts';
import type { ActionType } from '../../../state/types.ts';
import type { DebugSession } from '../sessions.ts';
import { endText, stopReply, sureness } from '../show.ts';
import type { StopReason, StopReply } from '../types.ts';
import { defineTool, type Extra, type Kit, sessionId } from './kit.ts';

export type Motion = (debug: Debugger, points: Breakpoints, signal: AbortSignal) => Promise<Stop>;

/** Clients give up after a minute or so; the server answers before that. */
const TIMEOUT_MS = 45_000;
const PROGRESS_MS = 2_000;

export const timeoutMs = z
  .number()
  .int()
  .min(1)
  .max(3_600_000)
  .default(TIMEOUT_MS)
  .describe('Stop on the way after so long.');

const from = z
  .number()
  .int()
  .min(0)
  .optional()
  .describe('A position to move from; the current one if absent. Makes a repeated call safe.');

const input = { sessionId, from, timeoutMs };

interface MoveOptions {
  readonly from?: number | undefined;
  readonly timeoutMs: number;
  readonly reason?: StopReason;
}

/** One motion of a session and its answer. */
export async function move(
  session: DebugSession,
  motion: Motion,
  options: MoveOptions,
  extra: Extra,
): Promise<StopReply> {
  return session.exclusive(async (paused) => {
    const { debug, files } = session.started;
    if (options.from !== undefined) debug.goto(options.from);
    const before = debug.current;
    const timeout = AbortSignal.timeout(options.timeoutMs);
    const signal = AbortSignal.any([paused, timeout, extra.signal]);
    const progress = reportProgress(extra);
    let stop: Stop;
    let { reason } = options;
    let note: string | undefined;
    try {
      stop = await motion(debug, session.points.breakpoints, signal);
    } catch (error) {
      if (extra.signal.aborted || session.closed) {
        debug.goto(before.id);
        throw error;
      }
      if (!signal.aborted) throw error;
      stop = { position: debug.current, reason: 'step' };
      reason = paused.aborted ? 'pause' : 'timeout';
      note =
        debug.current.id === before.id
          ? 'Nothing was answered in time; the position is as before.'
          : 'Stopped on the way; the same call goes on from here.';
    } finally {
      progress.stop();
    }
    const point = session.points.of(stop.breakpoint);
    session.points.sweep();
    return stopReply(stop, {
      sessionId: session.id,
      sources: files,
      before,
      ...(reason ? { reason } : {}),
      ...(note ? { note } : {}),
      ...(point ? { breakpointId: point.id } : {}),
    });
  });
}

const action =
  (type: Exclude<ActionType, 'breakpoint'>): Motion =>
  async (debug, _points, signal) => ({ position: await debug.act({ type }, signal), reason: 'step' });

const BACK = { over: 'inv_step_over', into: 'inv_step_into', out: 'inv_step_call' } as const;

export function motionTools(kit: Kit): void {
  const { sessions } = kit;
  const motionTool = (name: string, title: string, description: string, motion: Motion) =>
    defineTool(kit, name, { title, description, input }, (args, extra) =>
      move(sessions.get(args.sessionId), motion, args, extra),
    );

  motionTool(
    'step_over',
    'Step over',
    'To the next line of this function, or back to its caller. Stops at breakpoints on the way.',
    (debug, points, signal) => stepTo(debug, 'step_over', points, signal),
  );
  motionTool(
    'step_into',
    'Step into',
    'To the very next state: into a call where the line makes one (`event` is then `call`).',
    action('step_into'),
  );
  motionTool(
    'step_out',
    'Step out',
    'To the return of this function, with its `returnValue`; again: to the return of its caller.',
    (debug, points, signal) => stepTo(debug, 'step_return', points, signal),
  );
  motionTool(
    'continue_execution',
    'Continue',
    'To the next breakpoint, else to the end of the program.',
    (debug, points, signal) => continueTo(debug, points, signal),
  );
  motionTool(
    'reverse_continue',
    'Continue backwards',
    'Back to the last breakpoint before this state, else to the entry.',
    (debug, points, signal) => reverseContinue(debug, points, signal),
  );

  defineTool(
    kit,
    'step_back',
    {
      title: 'Step back',
      description:
        'Back to the state before: `over` calls, `into` the call that was just made, or `out` to where this function was called.',
      input: { ...input, kind: z.enum(['over', 'into', 'out']).default('over') },
    },
    (args, extra) => move(sessions.get(args.sessionId), action(BACK[args.kind]), args, extra),
  );

  defineTool(
    kit,
    'goto_position',
    {
      title: 'Go to a position',
      description: 'Back to any earlier stop of this session by its `position`; 0 is the entry.',
      input: { sessionId, position: z.number().int().min(0) },
      annotations: { idempotentHint: true },
    },
    (args, extra) => {
      const goTo: Motion = async (debug) => ({ position: debug.goto(args.position), reason: 'step' });
      const options = { timeoutMs: TIMEOUT_MS, reason: 'goto' as const };
      return move(sessions.get(args.sessionId), goTo, options, extra);
    },
  );

  defineTool(
    kit,
    'list_positions',
    {
      title: 'List positions',
      description: 'Every stop of this session, with how it was reached.',
      input: { sessionId, since: z.number().int().min(0).default(0) },
      annotations: { readOnlyHint: true },
    },
    async (args) => {
      const session = sessions.get(args.sessionId);
      const { debug } = session.started;
      const positions = positionsOf(debug).slice(args.since);
      return {
        success: true,
        current: debug.current.id,
        positions: positions.map((position) => {
          const { outcome } = position;
          const top = outcome.type === 'state' ? outcome.state.stack.at(-1)! : null;
          return {
            position: position.id,
            at:
              top && outcome.type === 'state'
                ? `${outcome.state.kind} ${top.fn}:${top.line}`
                : endText(outcome as never),
            by: position.edit ? `set ${position.edit.name}` : (position.action?.type ?? 'entry'),
            ...(position.from === undefined ? {} : { from: position.from }),
            sure: sureness(position),
          };
        }),
        count: positions.length,
      };
    },
  );

  defineTool(
    kit,
    'pause_execution',
    {
      title: 'Pause',
      description: 'Stops the call that is going on in this session; that call answers with where it got to.',
      input: { sessionId },
    },
    async (args) => {
      const session = sessions.get(args.sessionId);
      const stopped = session.pause();
      return {
        success: true,
        state: session.state,
        message: stopped
          ? 'The running call stops where it is.'
          : 'Nothing was running: the session is paused.',
      };
    },
  );
}

/** All positions of a session, oldest first. */
export function positionsOf(debug: Debugger) {
  const all = [];
  // Ids are dense from 0 (`src/debugger/positions.ts`); the last one is not said, so it is found.
  for (let id = 0; ; id += 1) {
    try {
      all.push(debug.position(id));
    } catch {
      return all;
    }
  }
}

/** A sign of life for clients that asked for one: they then do not give up. */
function reportProgress(extra: Extra): { stop(): void } {
  const progressToken = extra._meta?.progressToken;
  if (progressToken === undefined) return { stop: () => {} };
  let progress = 0;
  const timer = setInterval(() => {
    progress += 1;
    const params = { progressToken, progress, message: 'still on the way' };
    extra.sendNotification({ method: 'notifications/progress', params }).catch(() => {});
  }, PROGRESS_MS);
  return { stop: () => clearInterval(timer) };
}
