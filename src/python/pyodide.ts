/**
 * @file The `pyodide` runtime, the default: CPython compiled to WebAssembly in a disposable Node process that
 * is shut off from files, network, other processes and JavaScript (`sandbox.mjs` has the walls). Needs no
 * Python. Each process runs one program and ends; a spare one is kept ready, as each takes seconds to start.
 */
import { realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { NpdbError } from '../common/errors.ts';
import { LineChild } from './child.ts';
import { emptyHeader } from './collector.ts';
import { converse } from './converse.ts';
import { fullRequest } from './limits.ts';
import { SANDBOX, TRACER } from './paths.ts';
import { Slots } from './slots.ts';
import type { PythonRuntime, RunOptions, RunRequest, RunResult } from './types.ts';

export interface PyodideOptions {
  /** Let a process serve many programs, one after the other. For trusted programs only. */
  readonly pool?: boolean;
  /** Processes at a time; the number of cores if absent. */
  readonly workers?: number;
}

export interface PyodideRuntime extends PythonRuntime {
  /** Starts the spare process now, so that the first run need not wait; resolves when it is ready. */
  prewarm(): Promise<void>;
}

const POOL_RUNS = 250;
const START_MS = 60_000;
/** Node's own heap, beside Python's: the interpreter's tables and the library's files. */
const NODE_HEAP_MB = 192;

export function createPyodide(options: PyodideOptions = {}): PyodideRuntime {
  const slots = new Slots<Sandbox>(options.workers ?? availableParallelism(), (kept) => kept.dispose());
  let spare: Sandbox | null = null;
  let closed = false;

  const fresh = (): Sandbox => {
    const ready = spare;
    spare = null;
    return ready && !ready.failed ? ready : new Sandbox(options.pool ?? false);
  };
  const refill = (): void => {
    if (!closed && !options.pool) spare ??= new Sandbox(false);
    spare?.child.unref();
  };

  const run = async (request: RunRequest, runOptions: RunOptions = {}): Promise<RunResult> => {
    const full = fullRequest(request);
    const slot = await slots.take(runOptions.signal);
    let keep: Sandbox | null = null;
    const sandbox = slot.held ?? fresh();
    try {
      sandbox.child.ref();
      const python = await sandbox.ready(runOptions.signal);
      const { result, clean } = await converse(sandbox.child, full, {
        ...runOptions,
        startMs: full.limits.timeMs + 10_000,
        header: () => emptyHeader(full, python, 'pyodide'),
      });
      sandbox.runs++;
      if (clean && options.pool && sandbox.runs < POOL_RUNS) keep = sandbox;
      return result;
    } finally {
      if (keep) keep.child.unref();
      else await sandbox.dispose();
      slot.release(keep);
      refill();
    }
  };

  return {
    name: 'pyodide',
    protection:
      'Python in WebAssembly, in a process of its own with an empty environment: no access to your files, the network, other programs or JavaScript; limits on time, memory and output.',
    run,
    prewarm: async () => {
      spare ??= new Sandbox(options.pool ?? false);
      const starting = spare;
      await starting.ready();
      starting.child.unref();
    },
    close: async () => {
      closed = true;
      await Promise.all([slots.close(), spare?.dispose()]);
      spare = null;
    },
  };
}

/** Node's own walls: nothing but these files can be read, nothing written, no process or worker started, no text run as code. */
export function sandboxFlags(readable: readonly string[]): string[] {
  const stable = process.allowedNodeEnvironmentFlags.has('--permission');
  return [
    '--no-warnings',
    stable ? '--permission' : '--experimental-permission',
    ...readable.map((path) => `--allow-fs-read=${path}`),
    '--disallow-code-generation-from-strings',
    '--disable-proto=delete',
    `--max-old-space-size=${NODE_HEAP_MB}`,
  ];
}

// --- internal ---

class Sandbox {
  readonly child: LineChild;
  runs = 0;
  failed = false;
  readonly #version: Promise<string>;

  constructor(keep: boolean) {
    const { command, args } = commandLine(keep);
    this.child = new LineChild({ command, args, env: {}, linesOn: 1 });
    this.#version = this.#started();
    this.#version.catch(() => {
      this.failed = true;
    });
  }

  /** Python's version, once it can take a request. Throws `E_RUNTIME`, or the signal's reason. */
  async ready(signal?: AbortSignal): Promise<string> {
    const abort = (): void => this.child.kill();
    signal?.throwIfAborted();
    signal?.addEventListener('abort', abort, { once: true });
    try {
      return await this.#version;
    } catch (error) {
      signal?.throwIfAborted();
      throw error;
    } finally {
      signal?.removeEventListener('abort', abort);
    }
  }

  async dispose(): Promise<void> {
    this.child.kill();
    await this.child.exited;
  }

  async #started(): Promise<string> {
    const late = setTimeout(() => this.child.kill(), START_MS);
    const version = new Promise<string>((resolve) => {
      this.child.onLine = (line) => {
        if (line.startsWith('ready ')) resolve(line.slice('ready '.length));
      };
    });
    const first = await Promise.race([version, this.child.exited]);
    clearTimeout(late);
    if (typeof first === 'string') return first;
    const said = this.child.stderr.trim().split('\n').slice(-3).join(' | ');
    throw new NpdbError(
      'E_RUNTIME',
      `the Python sandbox did not start${said ? `: ${said}` : ''}.`,
      'Run `npm install` again; it needs Node 20 or newer and about 300 MB of memory.',
      4,
    );
  }
}

function commandLine(keep: boolean): { readonly command: string; readonly args: readonly string[] } {
  const dir = dirname(realpathSync(createRequire(import.meta.url).resolve('pyodide/package.json')));
  const [sandbox, tracer] = [realpathSync(SANDBOX), realpathSync(TRACER)];
  const needed = [
    'pyodide.asm.mjs',
    'pyodide.asm.wasm',
    'python_stdlib.zip',
    'pyodide-lock.json',
    'package.json',
  ];
  const readable = [...needed.map((name) => join(dir, name)), sandbox, tracer];
  const args = [...sandboxFlags(readable), sandbox, dir, tracer, ...(keep ? ['--keep'] : [])];
  return { command: process.execPath, args };
}
