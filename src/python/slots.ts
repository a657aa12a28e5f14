/** @file A fixed number of places at work; each may hold something kept from its last use. */

export interface Slot<T> {
  readonly held: T | null;
  /** Gives the place back, with what the next user finds in it. */
  release(keep: T | null): void;
}

export class Slots<T> {
  #free: number;
  readonly #kept: T[] = [];
  readonly #waiting: (() => void)[] = [];
  #closed = false;

  readonly #dispose: (kept: T) => Promise<void>;

  constructor(count: number, dispose: (kept: T) => Promise<void>) {
    this.#free = Math.max(1, count);
    this.#dispose = dispose;
  }

  /** Waits for a free place, first come first served; rejects with the signal's reason. */
  async take(signal?: AbortSignal): Promise<Slot<T>> {
    signal?.throwIfAborted();
    if (this.#free > 0) this.#free--;
    else await this.#wait(signal);
    if (this.#closed) {
      this.#give();
      throw new Error('the runtime is closed');
    }
    let open = true;
    return {
      held: this.#kept.pop() ?? null,
      release: (keep) => {
        if (!open) return;
        open = false;
        if (keep !== null && this.#closed) void this.#dispose(keep);
        else if (keep !== null) this.#kept.push(keep);
        this.#give();
      },
    };
  }

  /** Nothing can be taken any more, and nothing is kept. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const wake of this.#waiting.splice(0)) wake();
    await Promise.all(this.#kept.splice(0).map(this.#dispose));
  }

  #give(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#free++;
  }

  #wait(signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const wake = (): void => {
        signal?.removeEventListener('abort', abort);
        resolve();
      };
      const abort = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(wake), 1);
        reject(signal!.reason as Error);
      };
      this.#waiting.push(wake);
      signal?.addEventListener('abort', abort, { once: true });
    });
  }
}
