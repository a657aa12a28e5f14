/** @file Tools that look: stack, scopes, variables, expressions, source, output. None of them changes anything. */
import { z } from 'zod';
import { NpdbError } from '../../../common/errors.ts';
import { walkTo } from '../../../debugger/replay.ts';
import type { Frame, State } from '../../../state/types.ts';
import { readFields, typeOf } from '../fields.ts';
import type { DebugSession } from '../sessions.ts';
import { contextOf, locationOf, plain, round, stateOf } from '../show.ts';
import { defineTool, type Kit, sessionId } from './kit.ts';

const frameId = z
  .number()
  .int()
  .min(0)
  .default(0)
  .describe('A frame of get_stack_trace: 0 the current one, 1 its caller, ...');

const READ = { readOnlyHint: true, idempotentHint: true } as const;

export function inspectTools(kit: Kit): void {
  const { sessions } = kit;

  defineTool(
    kit,
    'get_stack_trace',
    {
      title: 'Stack trace',
      description: 'The current frame first. A frame whose variables are not known says `known: false`.',
      input: { sessionId },
      annotations: READ,
    },
    async (args) => {
      const session = sessions.get(args.sessionId);
      const { state, sources } = at(session);
      const frames = [...state.stack].reverse().map((frame, id) => {
        const { file, line, column } = locationOf(frame, state.stack.length - 1 - id, sources);
        const source = sources.programs[frame.file]?.lines[line - 1]?.trim() ?? '';
        return { id, name: frame.fn, file, line, column, source, ...(frame.known ? {} : { known: false }) };
      });
      return { success: true, stackFrames: frames, count: frames.length, ...sureness(session) };
    },
  );

  defineTool(
    kit,
    'list_threads',
    {
      title: 'Threads',
      description: 'Threads of the program that have a stack here; the current one is marked.',
      input: { sessionId },
      annotations: READ,
    },
    async (args) => {
      const { state } = at(sessions.get(args.sessionId));
      const current = state.stack.at(-1)!.thread;
      const ids = new Set([current, ...(state.beyond?.lanes.keys() ?? [])]);
      const threads = [...ids]
        .sort((a, b) => a - b)
        .map((id) => ({
          id,
          name: id === 0 ? 'MainThread' : `Thread-${id}`,
          current: id === current,
        }));
      return { success: true, threads, count: threads.length };
    },
  );

  defineTool(
    kit,
    'get_scopes',
    {
      title: 'Scopes of a frame',
      description: 'Each with a variablesReference for get_variables.',
      input: { sessionId, frameId },
      annotations: READ,
    },
    async (args) => {
      const { state } = at(sessions.get(args.sessionId));
      const frame = frameAt(state, args.frameId);
      const scope = (name: string, offset: number, size: number) => ({
        name,
        variablesReference: 2 * args.frameId + offset,
        namedVariables: size,
        expensive: false,
      });
      const scopes = [scope('Locals', 1, frame.locals.size), scope('Globals', 2, frame.globals.size)];
      return { success: true, scopes };
    },
  );

  defineTool(
    kit,
    'get_variables',
    {
      title: 'Variables of a scope, or fields of a value',
      description:
        'By the variablesReference of get_scopes; or, with `expression`, the items or attributes of a value.',
      input: {
        sessionId,
        variablesReference: z.number().int().min(1).optional(),
        scope: z.number().int().min(1).optional().describe('Same as variablesReference.'),
        expression: z.string().optional().describe('"order.items": its fields instead.'),
        frameId,
        names: z.array(z.string()).optional().describe('Only these, uncut.'),
      },
      annotations: READ,
    },
    async (args) => {
      const session = sessions.get(args.sessionId);
      const { state } = at(session);
      if (args.expression !== undefined) {
        const result = await session.exclusive(() =>
          session.started.debug.evaluate(args.expression!, args.frameId),
        );
        if (result.type !== 'value') throw notAValue(result);
        const variables = readFields(result.value).map(([name, value]) => variable(name, value));
        return { success: true, variables, count: variables.length, ...sureness(session) };
      }
      const reference = args.variablesReference ?? args.scope;
      if (reference === undefined) {
        throw new NpdbError('E_ARGUMENT', 'Variables of what?', 'Give `variablesReference` or `expression`.');
      }
      const frame = frameAt(state, Math.floor((reference - 1) / 2));
      const all = reference % 2 === 1 ? frame.locals : frame.globals;
      return { success: true, ...listed(all, args.names), ...sureness(session) };
    },
  );

  defineTool(
    kit,
    'get_local_variables',
    {
      title: 'Local variables',
      description: 'All locals of a frame in one call, with types.',
      input: { sessionId, frameId, names: z.array(z.string()).optional().describe('Only these, uncut.') },
      annotations: READ,
    },
    async (args) => {
      const session = sessions.get(args.sessionId);
      const { state, sources } = at(session);
      const frame = frameAt(state, args.frameId);
      const { file, line } = locationOf(frame, 0, sources);
      return {
        success: true,
        ...listed(frame.locals, args.names),
        frame: { name: frame.fn, file, line },
        scopeName: 'Locals',
        ...(frame.known ? {} : { note: 'The locals are not known here.' }),
        ...sureness(session),
      };
    },
  );

  defineTool(
    kit,
    'evaluate_expression',
    {
      title: 'Evaluate',
      description:
        'A Python expression without side effects. Over predicted values only pure builtin operations are computed; anything else is answered `unknown`, never guessed. In a recorded session Python itself is asked.',
      input: { sessionId, expression: z.string().min(1), frameId },
      whole: true,
      annotations: READ,
    },
    async (args) => {
      const session = sessions.get(args.sessionId);
      const { debug } = session.started;
      const result = await session.exclusive(() =>
        debug.evaluate(args.expression, args.frameId, { full: true }),
      );
      if (result.type !== 'value') throw notAValue(result);
      const { expandable, variablesReference } = variable('', result.value);
      return {
        success: true,
        result: plain(result.value),
        type: typeOf(result.value),
        variablesReference,
        expandable,
        origin: result.predicted ? 'predicted' : 'real',
        ...(result.predicted ? sureness(session) : {}),
      };
    },
  );

  defineTool(
    kit,
    'get_source_context',
    {
      title: 'Source',
      description: 'Lines around a line; around the current one if none is given.',
      input: {
        sessionId,
        file: z.string().optional().describe('Ignored: a session has one program.'),
        line: z.number().int().min(1).optional(),
        linesContext: z.number().int().min(0).max(10_000).default(5),
      },
      annotations: READ,
    },
    async (args) => {
      const session = sessions.get(args.sessionId);
      const { debug, files } = session.started;
      const top = stateOf(debug.current)?.stack.at(-1);
      const file = args.line === undefined ? (top?.file ?? 0) : 0;
      const line = args.line ?? top?.line ?? 1;
      const program = files.programs[file];
      if (line > (program?.lines.length ?? 0)) {
        throw new NpdbError('E_LINE', `There is no line ${line}.`, `It has ${program?.lines.length ?? 0}.`);
      }
      return { success: true, file: files.names[file], line, ...contextOf(program, line, args.linesContext) };
    },
  );

  defineTool(
    kit,
    'get_output',
    {
      title: 'Output',
      description: 'What the program has written on the way to this position; predicted where the walk is.',
      input: {
        sessionId,
        since: z.number().int().min(0).default(0).describe('`nextSince` of the last call.'),
      },
      whole: true,
      annotations: READ,
    },
    async (args) => {
      const session = sessions.get(args.sessionId);
      const entries = outputOf(session);
      const shown = entries.filter(({ seq }) => seq > args.since);
      return { success: true, entries: shown, nextSince: entries.length, hasMore: false };
    },
  );
}

// --- internal ---

function at(session: DebugSession) {
  const { debug, files } = session.started;
  const state = stateOf(debug.current);
  if (state) return { state, sources: files };
  throw new NpdbError(
    'E_ENDED',
    'There is no state here: the walk has left the program.',
    'Call step_back or goto_position.',
  );
}

function sureness(session: DebugSession) {
  const { origin, confidence } = session.started.debug.current;
  return { origin, ...(confidence === undefined ? {} : { confidence: round(confidence) }) };
}

function frameAt(state: State, up: number): Frame {
  const frame = state.stack.at(-1 - up);
  if (frame) return frame;
  throw new NpdbError('E_FRAME', `There is no frame ${up}.`, `The stack has ${state.stack.length}.`);
}

function variable(name: string, value: string) {
  const expandable = readFields(value).length > 0;
  // Fields are asked for by expression: a reference that dies at the next step would only be a trap.
  return { name, value: plain(value), type: typeOf(value), variablesReference: 0, expandable };
}

function listed(all: ReadonlyMap<string, string>, names?: readonly string[]) {
  const shown = [...all].filter(([name]) => !names || names.includes(name));
  const missing = names?.filter((name) => !all.has(name)) ?? [];
  return {
    variables: shown.map(([name, value]) => variable(name, value)),
    count: shown.length,
    ...(missing.length > 0 ? { notFound: missing } : {}),
  };
}

function notAValue(result: { type: 'error'; error: string } | { type: 'unknown'; why: string }): NpdbError {
  return result.type === 'error'
    ? new NpdbError('E_EVALUATION', result.error, 'The expression itself fails here.')
    : new NpdbError(
        'E_UNKNOWN',
        `unknown: ${result.why}.`,
        'Predicted values cannot tell; a recorded session can.',
      );
}

function outputOf(session: DebugSession) {
  const { debug } = session.started;
  const entries: { seq: number; category: string; output: string; position: number }[] = [];
  for (const { id, outcome } of walkTo(debug, debug.current)) {
    if (outcome.type === 'entry') continue;
    const [out, err] =
      outcome.type === 'state' ? [outcome.state.out, outcome.state.err] : [outcome.out, undefined];
    for (const [category, output] of [
      ['stdout', out],
      ['stderr', err],
    ] as const) {
      if (output) entries.push({ seq: entries.length + 1, category, output, position: id });
    }
  }
  return entries;
}
