/**
 * @file What all sessions of a server share: one model, loaded on first use, and one runtime. Predictions of
 * different sessions take turns: the model keeps the context of the programs it reads, and the processor is one.
 */
import { NpdbError } from '../common/errors.ts';
import type { Situation } from '../language/types.ts';
import { BUNDLED_MODEL, loadPredictor } from '../predictor/load.ts';
import type { Prediction, PredictOptions, Predictor } from '../predictor/types.ts';
import { openRuntime } from '../python/index.ts';
import { DEFAULT_RUNTIME } from '../python/runtime.ts';
import type { PythonRuntime } from '../python/types.ts';

export interface SharedOptions {
  /** A model's folder; the bundled one if absent. */
  readonly model?: string;
  /** `pyodide`, or an interpreter; `NPDB_RUNTIME`, else `pyodide` if absent. */
  readonly python?: string;
  /** False: no program is ever run; what needs a real run is refused with `E_NO_RUN`. */
  readonly mayRun?: boolean;
  /** For tests: instead of the model. */
  readonly predictor?: Predictor;
  /** For tests: instead of `python`. */
  readonly runtime?: PythonRuntime;
}

export class Shared {
  readonly #options: SharedOptions;
  #predictor: Promise<Predictor> | undefined;
  #runtime: Promise<PythonRuntime> | undefined;

  constructor(options: SharedOptions = {}) {
    this.#options = options;
  }

  get mayRun(): boolean {
    return this.#options.mayRun ?? true;
  }

  get python(): string | undefined {
    return this.#options.python;
  }

  /** Real runs reach no file of this machine. */
  get sandboxed(): boolean {
    return (this.#options.python ?? DEFAULT_RUNTIME) === 'pyodide';
  }

  /** Loaded once; a failure to load is tried again on the next call. */
  async predictor(): Promise<Predictor> {
    this.#predictor ??= this.#load();
    try {
      return await this.#predictor;
    } catch (error) {
      this.#predictor = undefined;
      throw error;
    }
  }

  async runtime(): Promise<PythonRuntime> {
    if (!this.mayRun) {
      throw new NpdbError(
        'E_NO_RUN',
        'This server was started with --no-run: it never runs a program.',
        'Use the neural engine, or ask without checking.',
      );
    }
    this.#runtime ??= this.#options.runtime
      ? Promise.resolve(this.#options.runtime)
      : openRuntime(this.python);
    try {
      return await this.#runtime;
    } catch (error) {
      this.#runtime = undefined;
      throw error;
    }
  }

  async close(): Promise<void> {
    const closing = [this.#predictor, this.#runtime].map((thing) => thing?.then((t) => t.close()));
    await Promise.allSettled(closing);
  }

  async #load(): Promise<Predictor> {
    const { predictor, model } = this.#options;
    return inTurns(predictor ?? (await loadPredictor(model ?? BUNDLED_MODEL)));
  }
}

interface Waiting {
  readonly batch: readonly Situation[];
  readonly options: PredictOptions | undefined;
  resolve(predictions: Prediction[][]): void;
  reject(error: unknown): void;
}

/**
 * One prediction at a time; questions that wait meanwhile, asked alike, go together as one batch. Those that can be
 * stopped go alone: stopping one must not stop another.
 */
export function inTurns(predictor: Predictor): Predictor {
  const queue: Waiting[] = [];
  let working = false;
  const alike = (a: Waiting, b: Waiting): boolean =>
    !a.options?.signal && !b.options?.signal && JSON.stringify(a.options) === JSON.stringify(b.options);

  async function serve(): Promise<void> {
    working = true;
    // Questions of the same moment come one after the other: wait for all of them.
    await new Promise((resolve) => setImmediate(resolve));
    for (let first = queue.shift(); first; first = queue.shift()) {
      const together = [first, ...queue.filter((other) => alike(first!, other))];
      for (const other of together.slice(1)) queue.splice(queue.indexOf(other), 1);
      try {
        first.options?.signal?.throwIfAborted();
        const all = await predictor.predict(
          together.flatMap(({ batch }) => batch),
          first.options,
        );
        let at = 0;
        for (const { batch, resolve } of together) resolve(all.slice(at, (at += batch.length)));
      } catch (error) {
        for (const { reject } of together) reject(error);
      }
    }
    working = false;
  }

  return {
    name: predictor.name,
    predict: (batch, options) =>
      new Promise((resolve, reject) => {
        queue.push({ batch, options, resolve, reject });
        if (!working) void serve();
      }),
    close: () => predictor.close(),
  };
}
