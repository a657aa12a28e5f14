/** @file Sessions from beginning to end: create, list, start, restart, close. */
import { dirname } from 'node:path';
import { z } from 'zod';
import { NpdbError } from '../../../common/errors.ts';
import { continueTo } from '../../../debugger/control.ts';
import { scriptRequest } from '../../../programs/index.ts';
import { parseProgram } from '../../../source/index.ts';
import { openSession } from '../../session.ts';
import { type ProgramText, programFrom, reread } from '../programs.ts';
import type { DebugSession, Launch } from '../sessions.ts';
import { stopReply } from '../show.ts';
import { defineTool, type Extra, type Kit, sessionId } from './kit.ts';
import { type Motion, move, timeoutMs } from './motion.ts';

export const source = {
  scriptPath: z.string().optional().describe("A Python file within the server's roots."),
  code: z.string().optional().describe('Instead: the program itself, as text. It need not be runnable.'),
};

export const strategy = z
  .enum(['auto', 'direct', 'rollout'])
  .default('auto')
  .describe('How the model answers jumps: in one prediction, step by step, or as it is sure.');

const launchShape = {
  call: z
    .string()
    .optional()
    .describe(
      'The call to debug, as in Python: "total([5, 2], 3)". Without it the file is debugged as a script.',
    ),
  engine: z
    .enum(['neural', 'recorded', 'compared'])
    .default('neural')
    .describe(
      'neural: predicted, the program is never run; recorded: a real run in a sandbox; compared: both.',
    ),
  args: z.array(z.string()).optional().describe('sys.argv of a real run.'),
  stdin: z.string().optional().describe('What a real run reads.'),
  stopOnEntry: z.boolean().default(true).describe('False: go on to the first breakpoint.'),
  strategy,
  seed: z.number().int().min(0).default(0),
  resync: z
    .boolean()
    .default(false)
    .describe('compared: set the model back on the real state after each difference.'),
};

export function lifecycleTools(kit: Kit): void {
  const { sessions } = kit;

  defineTool(
    kit,
    'create_debug_session',
    {
      title: 'Create a debugging session',
      description: 'Begin here. Then set breakpoints (optional) and call start_debugging.',
      input: {
        language: z.literal('python').default('python'),
        name: z.string().max(200).optional().describe('For list_debug_sessions.'),
      },
    },
    async ({ name }) => {
      const session = sessions.create(name ?? `python-debug-${sessions.all.length + 1}`);
      return {
        success: true,
        sessionId: session.id,
        state: session.state,
        message: `Created python debug session: ${session.name}`,
        expiresAfterIdleMs: sessions.limits.idleMs,
      };
    },
  );

  defineTool(
    kit,
    'list_debug_sessions',
    {
      title: 'List sessions',
      description: 'Sessions of this connection, with their program and state.',
      input: {},
      annotations: { readOnlyHint: true },
    },
    async () => ({
      success: true,
      sessions: sessions.all.map(described),
      count: sessions.all.length,
      most: sessions.limits.most,
    }),
  );

  defineTool(
    kit,
    'start_debugging',
    {
      title: 'Start debugging',
      description:
        'Stops at the entry of the call (or script), or at the first breakpoint with stopOnEntry: false. The neural engine predicts every state from the source and never runs it: missing imports do not matter.',
      input: { sessionId, ...source, ...launchShape, timeoutMs },
    },
    async ({ sessionId: id, scriptPath, code, timeoutMs: timeout, ...options }, extra) => {
      const session = sessions.get(id);
      const program = (await programFrom({ scriptPath, code }, kit.roots)) ?? session.program;
      if (!program) {
        throw new NpdbError('E_ARGUMENT', 'There is no program.', 'Give `scriptPath` or `code`.');
      }
      const { call, args, stdin, ...rest } = options;
      const launch: Launch = {
        ...rest,
        ...(call === undefined ? {} : { call }),
        ...(args ? { args } : {}),
        ...(stdin === undefined ? {} : { stdin }),
      };
      return start(kit, session, program, launch, timeout, extra);
    },
  );

  defineTool(
    kit,
    'restart_debugging',
    {
      title: 'Restart',
      description:
        'The same start again, from the file as it is now; breakpoints are bound anew. To look again without restarting, use goto_position.',
      input: { sessionId, timeoutMs },
    },
    async ({ sessionId: id, timeoutMs: timeout }, extra) => {
      const session = sessions.get(id);
      const { program, launch } = session;
      if (!program || !launch) {
        throw new NpdbError('E_NOT_STARTED', 'There is nothing to restart.', 'Call start_debugging first.');
      }
      return start(kit, session, await reread(program, kit.roots), launch, timeout, extra);
    },
  );

  defineTool(
    kit,
    'close_debug_session',
    {
      title: 'Close a session',
      description: 'Frees it. Sessions that are not used for a while close by themselves.',
      input: { sessionId },
      annotations: { idempotentHint: true },
    },
    async ({ sessionId: id }) => {
      const session = await sessions.close(id);
      return { success: true, sessionId: id, message: `Closed debug session: ${session.name}` };
    },
  );
}

// --- internal ---

function described(session: DebugSession) {
  const { id, name, state, createdAt, usedAt, program, launch, opened } = session;
  return {
    id,
    name,
    language: 'python',
    state,
    createdAt: createdAt.toISOString(),
    updatedAt: new Date(usedAt).toISOString(),
    ...(program ? { program: program.path } : {}),
    ...(launch ? { engine: launch.engine, ...(launch.call === undefined ? {} : { call: launch.call }) } : {}),
    ...(opened ? { position: opened.debug.current.id } : {}),
  };
}

/** A failed start leaves what was there before. */
async function start(
  kit: Kit,
  session: DebugSession,
  program: ProgramText,
  launch: Launch,
  timeout: number,
  extra: Extra,
) {
  const opened = await session.exclusive(async (signal) => {
    const made = await open(kit, program, launch);
    if (signal.aborted) {
      await made.close();
      signal.throwIfAborted();
    }
    await session.opened?.close();
    session.opened = made;
    session.program = program;
    session.launch = launch;
    session.points.rebind(made.debug.programs[0]!);
    return made;
  });
  const { debug } = opened;
  const unbound = session.points.all.filter((point) => point.problem);
  const note = unbound.map((point) => `${point.id} is not set: ${point.problem}`).join(' ');
  const first = () =>
    stopReply(
      { position: debug.current, reason: 'step' },
      { sessionId: session.id, sources: opened.files, before: null, reason: 'entry', note },
    );
  const about = { engine: launch.engine, about: debug.about };
  if (launch.stopOnEntry) return { ...first(), ...about };
  const go: Motion = (of, points, signal) => continueTo(of, points, signal);
  return { ...(await move(session, go, { timeoutMs: timeout }, extra)), ...about };
}

async function open(kit: Kit, program: ProgramText, launch: Launch) {
  const { shared } = kit;
  const { engine, call, args, stdin } = launch;
  // What is wrong with the text is said before a model is loaded or anything runs.
  parseProgram(program.text, program.path);
  return openSession({
    text: program.text,
    path: program.path,
    ...(call === undefined ? {} : { call }),
    engine,
    ...(shared.python === undefined ? {} : { python: shared.python }),
    strategy: launch.strategy,
    seed: launch.seed,
    mask: true,
    resync: launch.resync,
    ...(args ? { argv: args } : {}),
    ...(stdin === undefined ? {} : { stdin }),
    ...requestFor(program, shared.sandboxed),
    ...(engine === 'recorded' ? {} : { predictor: await shared.predictor() }),
    // The neural engine runs nothing, but is lent what a later comparison runs in.
    ...(engine === 'neural' && !shared.mayRun ? {} : { runtime: await shared.runtime() }),
  });
}

/** A file can import what lies beside it; code that came as text is alone. */
function requestFor({ file, text }: ProgramText, sandboxed: boolean) {
  if (file === undefined) return {};
  return { request: scriptRequest(file, text, sandboxed ? 'pyodide' : 'cpython', { folder: dirname(file) }) };
}
