/**
 * @file What all sessions of a server share: one model, loaded on first use, and one runtime. Predictions of
 * different sessions take turns: the model keeps the context of the programs it reads, and the processor is one.
 */
import { NpdbError } from '../../common/errors.ts';
import { BUNDLED_MODEL, loadPredictor } from '../../predictor/load.ts';
import type { Predictor } from '../../predictor/types.ts';
import { openRuntime } from '../../python/index.ts';
import type { PythonRuntime } from '../../python/types.ts';

export interface SharedOptions {
  /** A model's folder; the bundled one if absent. */
  readonly model?: string;
  /** `pyodide`, or an interpreter. */
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
  #turn: Promise<unknown> = Promise.resolve();

  constructor(options: SharedOptions = {}) {
    this.#options = options;
  }

  get mayRun(): boolean {
    return this.#options.mayRun ?? true;
  }

  get python(): string {
    return this.#options.python ?? 'pyodide';
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
    const loaded = predictor ?? (await loadPredictor(model ?? BUNDLED_MODEL));
    return {
      name: loaded.name,
      predict: (batch, options) => this.#inTurn(() => loaded.predict(batch, options), options?.signal),
      close: () => loaded.close(),
    };
  }

  #inTurn<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const mine = this.#turn.then(() => {
      signal?.throwIfAborted();
      return work();
    });
    this.#turn = mine.catch(() => {});
    return mine;
  }
}
