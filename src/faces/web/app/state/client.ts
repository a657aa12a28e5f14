/** @file The page's end of the session's worker: requests as promises, each of which can be stopped. */
import { NpdbError } from '../../../../common/errors.ts';
import type { Sweep } from '../../session/types.ts';
import type { FromWorker, Loading, Name, Requests } from '../worker/protocol.ts';

export interface AskOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (done: number) => void;
  readonly onSweep?: (sweep: Sweep) => void;
}

interface Waiting extends AskOptions {
  resolve(give: unknown): void;
  reject(error: Error): void;
}

export class Client {
  onLoading: (loading: Loading) => void = () => {};
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  #next = 1;

  constructor(worker: Worker) {
    this.#worker = worker;
    worker.onmessage = ({ data }: MessageEvent<FromWorker>) => this.#take(data);
    worker.onerror = (event) => {
      const error = new NpdbError(
        'E_WORKER',
        `The debugger stopped: ${event.message}.`,
        'Reload the page.',
        1,
      );
      for (const { reject } of this.#waiting.values()) reject(error);
      this.#waiting.clear();
    };
  }

  /** Throws what the session throws: an `NpdbError` with its code. */
  ask<N extends Name>(
    name: N,
    take: Requests[N]['take'],
    options: AskOptions = {},
  ): Promise<Requests[N]['give']> {
    const id = this.#next++;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { ...options, resolve: resolve as (give: unknown) => void, reject });
      options.signal?.addEventListener('abort', () => this.#worker.postMessage({ id, name: 'abort' }));
      this.#worker.postMessage({ id, name, take });
    });
  }

  #take(said: FromWorker): void {
    if (said.type === 'loading') {
      this.onLoading(said.loading);
      return;
    }
    const waiting = this.#waiting.get(said.id);
    if (!waiting) return;
    if (said.type === 'progress') waiting.onProgress?.(said.done);
    else if (said.type === 'sweep') waiting.onSweep?.(said.sweep);
    else {
      this.#waiting.delete(said.id);
      if (said.type === 'done') waiting.resolve(said.give);
      else {
        const { code, message, hint } = said.failure;
        waiting.reject(new NpdbError(code as `E_${string}`, message, hint));
      }
    }
  }
}
