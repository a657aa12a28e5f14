/**
 * @file The `pyodide` runtime in a browser: each program in a worker of its own, ended at a limit or when its caller
 * has had enough. No special headers are needed. A spare worker is kept ready, as each takes a while to start; the
 * first one leaves its memory as it began, with which later ones start in a fraction of the time.
 */
import { NpdbError } from '../../common/errors.ts';
import type { CutReason } from '../../trace/types.ts';
import { Collector, emptyHeader } from '../collector.ts';
import { type FullRequest, fullRequest, requestLine } from '../limits.ts';
import type { PythonRuntime, RunOptions, RunRequest, RunResult } from '../types.ts';
import type { FromPython, ToPython, WalledFiles } from './protocol.ts';

export interface BrowserPython {
  readonly files: WalledFiles;
  /** Address of `pyodide.asm.mjs`. */
  readonly asm: string;
  /** Starts `worker.ts`. */
  readonly worker: () => Worker;
}

export interface BrowserRuntime extends PythonRuntime {
  /** Resolves when a run need not wait for Python to start. */
  ready(): Promise<void>;
}

/** What the tracer may take beyond its own limit to end the stream itself. */
const GRACE_MS = 500;
const START_MS = 120_000;
const REFILL_MS = 1_000;

/** `open` is called once, before the first run. */
export function browserRuntime(open: () => Promise<BrowserPython>): BrowserRuntime {
  let python: Promise<BrowserPython> | null = null;
  let snapshot: Uint8Array | null = null;
  let spare: Promise<Started> | null = null;
  let turn: Promise<unknown> = Promise.resolve();
  let closed = false;

  async function start(): Promise<Started> {
    python ??= open();
    const { files, asm, worker } = await python;
    const started = new Started(worker());
    const memory = await started.begin({ type: 'start', files, asm, snapshot, dump: snapshot === null });
    snapshot ??= memory;
    return started;
  }
  const take = (): Promise<Started> => {
    const ready = spare ?? start();
    spare = null;
    return ready;
  };
  const refill = (): void => {
    // What was just run has something to show: that comes first.
    setTimeout(() => {
      if (closed || spare) return;
      spare = start();
      // Whoever takes it next hears of it.
      spare.catch(() => {});
    }, REFILL_MS);
  };

  async function runOne(request: FullRequest, options: RunOptions): Promise<RunResult> {
    options.signal?.throwIfAborted();
    const started = await take();
    try {
      return await started.run(request, options);
    } finally {
      started.end();
      refill();
    }
  }

  return {
    name: 'pyodide',
    protection:
      'Python in WebAssembly, in a worker of its own: no access to the network, your files, this page or JavaScript; limits on time, memory and output.',
    run(request: RunRequest, options: RunOptions = {}) {
      const full = fullRequest(request);
      const run = turn.then(() => runOne(full, options));
      turn = run.catch(() => {});
      return run;
    },
    async ready() {
      spare ??= start();
      await spare;
    },
    async close() {
      closed = true;
      const last = spare;
      spare = null;
      await last?.then(
        (started) => started.end(),
        () => {},
      );
    },
  };
}

/** One worker with a started interpreter. */
class Started {
  #version = '';
  readonly #worker: Worker;

  constructor(worker: Worker) {
    this.#worker = worker;
  }

  /** Its memory, where it was asked for. Throws `E_RUNTIME`. */
  begin(message: ToPython): Promise<Uint8Array | null> {
    return new Promise((resolve, reject) => {
      const fail = (why: string): void => {
        this.end();
        reject(
          new NpdbError(
            'E_RUNTIME',
            `Python did not start in this browser: ${why}.`,
            'Reload the page; a browser of the last two years is needed.',
            4,
          ),
        );
      };
      const late = setTimeout(() => fail('it took too long'), START_MS);
      this.#listen((said) => {
        clearTimeout(late);
        if (said.type === 'ready') {
          this.#version = said.version;
          resolve(said.snapshot ?? null);
        } else if (said.type === 'failed') fail(said.message);
      }, fail);
      this.#worker.postMessage(message);
    });
  }

  /** Throws the signal's reason if aborted. */
  async run(request: FullRequest, options: RunOptions): Promise<RunResult> {
    const collector = new Collector(request, options);
    const { signal } = options;
    let timer: ReturnType<typeof setTimeout>;
    let abort = (): void => {};
    const ending = new Promise<CutReason>((resolve) => {
      abort = () => resolve('killed');
      signal?.addEventListener('abort', abort, { once: true });
      const clock = (ms: number): void => {
        clearTimeout(timer);
        timer = setTimeout(() => resolve('time'), ms);
      };
      clock(request.limits.timeMs + 10_000);
      this.#listen(
        (said) => {
          if (said.type === 'over') resolve(/memory/i.test(said.said) ? 'memory' : 'killed');
          if (said.type !== 'lines') return;
          if (!collector.started) clock(request.limits.timeMs * 1.1 + GRACE_MS);
          for (const line of said.text.split('\n')) {
            if (line !== '' && collector.push(line)) resolve(collector.overrun ? 'events' : 'killed');
          }
        },
        () => resolve('killed'),
      );
      this.#worker.postMessage({ type: 'run', line: requestLine(request) } satisfies ToPython);
    });
    try {
      const reason = await ending;
      signal?.throwIfAborted();
      return collector.result(reason, () => emptyHeader(request, this.#version, 'pyodide'));
    } finally {
      clearTimeout(timer!);
      signal?.removeEventListener('abort', abort);
    }
  }

  end(): void {
    this.#worker.terminate();
  }

  #listen(take: (said: FromPython) => void, fail: (why: string) => void): void {
    this.#worker.onmessage = ({ data }: MessageEvent<FromPython>) => take(data);
    this.#worker.onerror = (event) => fail(event.message || 'its worker could not be loaded');
  }
}
