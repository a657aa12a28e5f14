/** @file From a file, a call and options to a debugger: which engine, which model, which runtime, where it begins. */
import { ComparedDebugger } from '../../debugger/compared.ts';
import { NeuralDebugger } from '../../debugger/neural.ts';
import { RecordedDebugger } from '../../debugger/recorded.ts';
import { replay } from '../../debugger/replay.ts';
import { start } from '../../debugger/start.ts';
import type { Debugger, EngineName, Position } from '../../debugger/types.ts';
import { BUNDLED_MODEL, loadPredictor } from '../../predictor/load.ts';
import type { Predictor, Strategy } from '../../predictor/types.ts';
import { openRuntime } from '../../python/index.ts';
import type { PythonRuntime } from '../../python/types.ts';
import type { Comparison } from './pdb/shell.ts';
import type { Files } from './pdb/show.ts';

export interface SessionOptions {
  readonly text: string;
  readonly path: string;
  readonly call?: string;
  readonly engine: EngineName;
  readonly model?: string;
  readonly python: string;
  readonly strategy: Strategy;
  readonly seed: number;
  readonly mask: boolean;
  readonly resync?: boolean;
  /** For tests and for the demo, which opens two sessions on one model. */
  readonly predictor?: Predictor;
  readonly runtime?: PythonRuntime;
}

export interface Session {
  readonly debug: Debugger;
  readonly files: Files;
  /** Only where the engine itself does not run the program. */
  readonly compare?: (position: Position) => Promise<Comparison>;
  close(): Promise<void>;
}

export async function openSession(options: SessionOptions): Promise<Session> {
  const { text, call, engine } = options;
  const { programs, state, entry } = start(text, call, options.path);
  let runtime: PythonRuntime | undefined = options.runtime;
  const openOnce = async () => (runtime ??= await openRuntime(options.python));
  const record = async () =>
    RecordedDebugger.start({
      programs,
      runtime: await openOnce(),
      request: { file: { name: 'main.py', text }, ...(call === undefined ? {} : { call }) },
      entry,
    });
  const neural = async () => {
    const predictor = options.predictor ?? (await loadPredictor(options.model ?? BUNDLED_MODEL));
    const { strategy, seed, mask } = options;
    return new NeuralDebugger({
      programs,
      initial: state,
      predictor,
      predict: { strategy, seed, mask },
      runtime: openOnce,
    });
  };
  const files = { programs, names: [options.path, '<call>'] };
  const closing = (debug: Debugger) => async () => {
    await debug.close();
    await runtime?.close();
  };
  if (engine === 'recorded') {
    const debug = await record();
    return { debug, files, close: closing(debug) };
  }
  if (engine === 'compared') {
    const debug = new ComparedDebugger(await neural(), await record(), { resync: options.resync ?? false });
    return { debug, files, close: closing(debug) };
  }
  const debug = await neural();
  const compare = async (position: Position) => replay(debug, position, await record());
  return { debug, files, compare, close: closing(debug) };
}
