/** @file From a page's wishes to a debugger: which engine, and where it begins. Model and Python outlive a session. */
import { NpdbError } from '../../../common/errors.ts';
import { ComparedDebugger } from '../../../debugger/compared.ts';
import { NeuralDebugger } from '../../../debugger/neural.ts';
import { RecordedDebugger } from '../../../debugger/recorded.ts';
import { type Start, start } from '../../../debugger/start.ts';
import type { Debugger } from '../../../debugger/types.ts';
import type { Predictor } from '../../../predictor/types.ts';
import type { PythonRuntime } from '../../../python/types.ts';
import type { Limits } from '../../../trace/types.ts';
import type { Spec } from './types.ts';

/** Each is loaded when first asked for. */
export interface Engines {
  predictor(): Promise<Predictor>;
  runtime(): Promise<PythonRuntime>;
}

export interface Opened {
  readonly debug: Debugger;
  readonly begin: Start;
  readonly recorded: RecordedDebugger | null;
  readonly predictor: Predictor | null;
  /** What was done otherwise than asked. */
  readonly note?: string;
}

/** A page shows every state: more events than this it could neither draw nor be scrubbed through. */
const LIMITS: Partial<Limits> = { events: 50_000, timeMs: 10_000, outputBytes: 200_000 };

/** Throws what `start` and the engines throw. A program that cannot be run is predicted alone, and says so. */
export async function open(spec: Spec, engines: Engines, signal?: AbortSignal): Promise<Opened> {
  const { text, call } = spec;
  const begin = start(text, call);
  const record = async (): Promise<RecordedDebugger> =>
    RecordedDebugger.start({
      programs: begin.programs,
      runtime: lasting(await engines.runtime()),
      request: { file: { name: 'main.py', text }, limits: LIMITS, ...(call === undefined ? {} : { call }) },
      entry: begin.entry,
      ...(signal ? { signal } : {}),
    });
  if (spec.engine === 'recorded') {
    const recorded = await record();
    return { debug: recorded, begin, recorded, predictor: null };
  }
  // Both are loaded at once: whoever waits for one should not wait for the other as well.
  if (spec.engine === 'compared') engines.runtime().catch(() => {});
  const predictor = lasting(await engines.predictor());
  const neural = new NeuralDebugger({
    programs: begin.programs,
    initial: begin.state,
    predictor,
    predict: { strategy: 'auto', seed: 0 },
    runtime: async () => lasting(await engines.runtime()),
  });
  if (spec.engine === 'neural') return { debug: neural, begin, recorded: null, predictor };
  try {
    const recorded = await record();
    const debug = new ComparedDebugger(neural, recorded, { resync: spec.resync });
    return { debug, begin, recorded, predictor };
  } catch (error) {
    if (!(error instanceof NpdbError) || error.code !== 'E_NOT_REACHED') throw error;
    return { debug: neural, begin, recorded: null, predictor, note: `${error.message} Predicted only.` };
  }
}

/** Closing a session ends neither the model nor Python: they took long to load. */
function lasting<T extends { close(): Promise<void> }>(engine: T): T {
  return { ...engine, close: async () => {} };
}
