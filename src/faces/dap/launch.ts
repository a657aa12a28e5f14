/**
 * @file The life of a session: initialize, launch, configurationDone, restart, terminate, disconnect. As with debugpy,
 * `initialized` is sent once the program is read (so that breakpoints can be bound), and the program starts when the
 * engine is open and the configuration is done, whichever comes last.
 */
import { z } from 'zod';
import { NpdbError } from '../../common/errors.ts';
import { start as readStart } from '../../debugger/start.ts';
import type { Adapter } from './adapter.ts';
import { failed, stopped } from './arrive.ts';
import { CAPABILITIES } from './capabilities.ts';
import { argumentsOf, interpreterOf, type Launch, launchSchema, notices } from './launchArguments.ts';
import { onwards, start } from './motion.ts';
import { rebind } from './points.ts';
import { progress } from './progress.ts';
import type { Handlers } from './types.ts';

const initializeArguments = z
  .looseObject({
    linesStartAt1: z.boolean().default(true),
    columnsStartAt1: z.boolean().default(true),
    pathFormat: z.string().default('path'),
    supportsProgressReporting: z.boolean().default(false),
    supportsInvalidatedEvent: z.boolean().default(false),
    supportsVariableType: z.boolean().default(false),
  })
  .default({
    linesStartAt1: true,
    columnsStartAt1: true,
    pathFormat: 'path',
    supportsProgressReporting: false,
    supportsInvalidatedEvent: false,
    supportsVariableType: false,
  });
const restartArguments = z.looseObject({ arguments: z.unknown().optional() }).default({});

export const life: Handlers = {
  initialize(adapter, given) {
    const client = initializeArguments.parse(given);
    if (client.pathFormat !== 'path' && client.pathFormat !== 'uri') {
      throw new NpdbError(
        'E_PATH_FORMAT',
        `The path format ${client.pathFormat} is not known.`,
        'Use path or uri.',
      );
    }
    if (adapter.phase !== 'new') throw new NpdbError('E_ORDER', 'The session is initialized already.', '');
    adapter.client = {
      linesStartAt1: client.linesStartAt1,
      columnsStartAt1: client.columnsStartAt1,
      progress: client.supportsProgressReporting,
      invalidated: client.supportsInvalidatedEvent,
      variableType: client.supportsVariableType,
    };
    adapter.phase = 'initialized';
    return { body: CAPABILITIES };
  },

  async launch(adapter, given, { signal }) {
    if (adapter.phase === 'new') throw new NpdbError('E_NOT_INITIALIZED', 'Send initialize first.', '');
    if (adapter.phase !== 'initialized') {
      throw new NpdbError('E_ALREADY_LAUNCHED', 'A program is being debugged already.', 'Send restart.');
    }
    const launch = launchSchema.parse(given ?? {});
    adapter.phase = 'launching';
    try {
      await open(adapter, launch, signal, () => adapter.send('initialized'));
    } catch (error) {
      if (adapter.phase === 'launching') adapter.phase = 'initialized';
      throw error;
    }
    return { after: () => begin(adapter) };
  },

  attach() {
    throw new NpdbError(
      'E_ATTACH',
      'npdb records or predicts a run from its beginning; it cannot attach to one.',
      'Use a launch configuration.',
    );
  },

  configurationDone(adapter) {
    adapter.configured = true;
    return { after: () => begin(adapter) };
  },

  async restart(adapter, given, { signal }) {
    const { launch: old } = adapter.needOpened();
    const { arguments: changed } = restartArguments.parse(given);
    const launch = changed === undefined ? old : launchSchema.parse(changed);
    adapter.motion?.abort(new NpdbError('E_INTERRUPTED', 'Restarted.', ''));
    await adapter.exclusive(async () => {
      const { session } = adapter.needOpened();
      adapter.phase = 'launching';
      adapter.started = false;
      adapter.motion = null;
      try {
        await session.close();
        await open(adapter, launch, signal, () => {});
      } catch (error) {
        // There is nothing left to stand on.
        adapter.opened = null;
        adapter.phase = 'initialized';
        adapter.send('terminated');
        throw error;
      }
    });
    return { after: () => begin(adapter) };
  },

  terminate(adapter) {
    adapter.motion?.abort(new NpdbError('E_INTERRUPTED', 'Terminated.', ''));
    return { after: () => adapter.send('terminated') };
  },

  async disconnect(adapter) {
    await close(adapter);
    return { after: () => adapter.ended() };
  },
};

/** Ends everything; never throws. */
export async function close(adapter: Adapter): Promise<void> {
  const { opened, motion } = adapter;
  adapter.phase = 'ended';
  adapter.opened = null;
  adapter.motion = null;
  motion?.abort(new NpdbError('E_INTERRUPTED', 'The session has ended.', ''));
  await opened?.session.close().catch(() => {});
}

// --- internal ---

async function open(adapter: Adapter, launch: Launch, signal: AbortSignal, ready: () => void): Promise<void> {
  const { host } = adapter;
  const found = await host.find(launch);
  const { programs } = readStart(found.text, launch.call, found.path || 'main.py');
  adapter.known = { path: found.path, programs };
  adapter.references.clear();
  adapter.rules.reset();
  adapter.returned = null;
  rebind(adapter);
  ready();
  for (const notice of notices(launch)) adapter.output('console', `${notice}\n`);
  const controller = new AbortController();
  const stop = () => controller.abort(signal.reason);
  signal.addEventListener('abort', stop, { once: true });
  const bar = progress(
    adapter,
    launch.engine === 'neural' ? 'Loading the model' : 'Recording the run',
    controller,
  );
  try {
    const session = await host.open(
      {
        text: found.text,
        path: found.path || 'main.py',
        engine: launch.engine,
        python: interpreterOf(launch),
        strategy: launch.strategy,
        seed: launch.seed,
        mask: launch.mask,
        resync: launch.resync,
        argv: argumentsOf(launch),
        ...(launch.call === undefined ? {} : { call: launch.call }),
        ...(launch.model === undefined ? {} : { model: launch.model }),
        ...(launch.stdin === undefined ? {} : { stdin: launch.stdin }),
        ...(launch.limits ? { limits: given(launch.limits) } : {}),
      },
      controller.signal,
    );
    // A disconnect may have come meanwhile.
    if (adapter.phase !== 'launching' || controller.signal.aborted) {
      await session.close();
      controller.signal.throwIfAborted();
      throw new NpdbError('E_CANCELLED', 'The session has ended.', '', 130);
    }
    adapter.opened = { launch, session };
    adapter.phase = 'open';
    adapter.rules.always = launch.engine === 'recorded';
    adapter.output('console', `npdb: ${session.debug.about}\n`);
  } finally {
    bar.end();
    signal.removeEventListener('abort', stop);
  }
}

/** Zod's optional keys are undefined; the limits want them left out. */
const given = <T extends object>(of: T) =>
  Object.fromEntries(Object.entries(of).filter(([, v]) => v !== undefined)) as {
    [K in keyof T]?: NonNullable<T[K]>;
  };

/** The first stop, or the first motion; once per launch. */
function begin(adapter: Adapter): void {
  if (adapter.phase !== 'open' || !adapter.configured || adapter.started) return;
  adapter.started = true;
  const { launch } = adapter.needOpened();
  if (launch.stopOnEntry && !launch.noDebug) {
    stopped(adapter, 'entry');
    return;
  }
  try {
    const { after } = start(adapter, {
      title: launch.noDebug ? 'Run' : 'Continue',
      reason: 'entry',
      move: async (debug, signal) => {
        const { rules } = adapter;
        if (launch.noDebug) {
          rules.points = [];
          rules.exceptions = {};
        }
        const { current } = debug;
        const here =
          current.outcome.type === 'state' && rules.active
            ? await rules.at(debug, current, current.outcome.state)
            : null;
        return here ?? onwards(adapter, debug, signal);
      },
    });
    after?.();
  } catch (error) {
    failed(adapter, error, false);
  }
}
