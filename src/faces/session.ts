/**
 * @file From a program's text, a call and options to a debugger: which engine, which model, which runtime, where it
 * begins. What every face on Node opens its sessions with. Knows no protocol and prints nothing.
 */
import { ComparedDebugger } from '../debugger/compared.ts';
import type { EntryCall } from '../debugger/entry.ts';
import { NeuralDebugger } from '../debugger/neural.ts';
import { RecordedDebugger } from '../debugger/recorded.ts';
import { replay } from '../debugger/replay.ts';
import { start } from '../debugger/start.ts';
import type { Debugger, Difference, EngineName, Position } from '../debugger/types.ts';
import { BUNDLED_MODEL, loadPredictor } from '../predictor/load.ts';
import type { Predictor, Strategy } from '../predictor/types.ts';
import { openRuntime } from '../python/index.ts';
import type { PythonRuntime, RunRequest } from '../python/types.ts';
import type { Program } from '../source/types.ts';
import type { Outcome } from '../state/types.ts';
import type { Limits } from '../trace/types.ts';

export interface SessionOptions {
  readonly text: string;
  /** What messages call the file. */
  readonly path: string;
  /** A call of one of its functions; without it the file is debugged as a script. */
  readonly call?: string;
  /** `neural` if absent. */
  readonly engine?: EngineName;
  /** A model's folder; the bundled one if absent. */
  readonly model?: string;
  /** `pyodide`, or an interpreter; `NPDB_RUNTIME`, else `pyodide` if absent. */
  readonly python?: string;
  /** `auto` if absent. */
  readonly strategy?: Strategy;
  /** 0 if absent. */
  readonly seed?: number;
  /** True if absent. */
  readonly mask?: boolean;
  /** Compared: set the model back on the real state after each difference. */
  readonly resync?: boolean;
  /** What is really run, where that is more than the file and the call (`src/programs/entries.ts`). */
  readonly request?: RunRequest;
  /** Real runs: begin at this call instead. */
  readonly at?: EntryCall;
  /** Of real runs. */
  readonly argv?: readonly string[];
  readonly stdin?: string;
  readonly limits?: Partial<Limits>;
  /** Lent: the session does not close it. */
  readonly predictor?: Predictor;
  /** Lent: the session does not close it. */
  readonly runtime?: PythonRuntime;
}

export interface Comparison {
  readonly real: Outcome;
  readonly differences: readonly Difference[];
}

export interface Session {
  readonly debug: Debugger;
  /** The programs and what each is called: the path as the user gave it, `<call>`. */
  readonly files: { readonly programs: readonly Program[]; readonly names: readonly string[] };
  /** What really happens on the walk to a position; only where the engine itself does not run the program. */
  readonly compare?: (position: Position) => Promise<Comparison>;
  close(): Promise<void>;
}

/**
 * Opens an engine at the entry of the call (or script). Throws `E_SYNTAX`, `E_CALL`, `E_FUNCTION`, `E_ARGUMENTS`;
 * with a model `E_MODEL_*`; where the program is run `E_NOT_REACHED`, `E_PYTHON_MISSING`.
 */
export async function openSession(options: SessionOptions): Promise<Session> {
  const { text, call, argv, stdin, limits, path, engine = 'neural' } = options;
  const { programs, state, entry } = start(text, call, path);
  let runtime: PythonRuntime | undefined = options.runtime && lentRuntime(options.runtime);
  const openOnce = async () => (runtime ??= await openRuntime(options.python));
  const request = {
    ...(options.request ?? { file: { name: 'main.py', text } }),
    ...(call === undefined ? {} : { call }),
    ...(argv ? { argv } : {}),
    ...(stdin === undefined ? {} : { stdin }),
    ...(limits ? { limits: { ...options.request?.limits, ...limits } } : {}),
  };
  const record = async () =>
    RecordedDebugger.start({
      programs,
      runtime: await openOnce(),
      request,
      entry: options.at ?? entry,
    });
  const neural = async () => {
    const predictor = options.predictor
      ? lentPredictor(options.predictor)
      : await loadPredictor(options.model ?? BUNDLED_MODEL);
    const { strategy = 'auto', seed = 0, mask = true } = options;
    return new NeuralDebugger({
      programs,
      initial: state,
      predictor,
      predict: { strategy, seed, mask },
      runtime: openOnce,
    });
  };
  // A recording brings its local modules with it.
  const filesOf = (debug: Debugger) => ({
    get programs() {
      return debug.programs;
    },
    get names() {
      return debug.programs.map(({ name }, file) => (file === 0 ? path : name));
    },
  });
  const closing = (debug: Debugger) => async () => {
    await debug.close();
    await runtime?.close();
  };
  try {
    if (engine === 'recorded') {
      const debug = await record();
      return { debug, files: filesOf(debug), close: closing(debug) };
    }
    const debug = await neural();
    if (engine === 'compared') {
      const both = new ComparedDebugger(debug, await record(), { resync: options.resync ?? false });
      return { debug: both, files: filesOf(both), close: closing(both) };
    }
    const compare = async (position: Position) => replay(debug, position, await record());
    return { debug, files: filesOf(debug), compare, close: closing(debug) };
  } catch (error) {
    await runtime?.close();
    throw error;
  }
}

/** Whoever lends a model or a runtime to several sessions closes it. */
const keep = async () => {};

const lentPredictor = (of: Predictor): Predictor => ({
  name: of.name,
  predict: (batch, options) => of.predict(batch, options),
  close: keep,
});

const lentRuntime = (of: PythonRuntime): PythonRuntime => ({
  name: of.name,
  protection: of.protection,
  run: (request, options) => of.run(request, options),
  close: keep,
});
