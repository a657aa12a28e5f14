/**
 * @file The `pyodide` runtime, the default: CPython compiled to WebAssembly in a disposable Node process that
 * is shut off from files, network, other processes and JavaScript (`sandbox.mjs` has the walls). Needs no
 * Python. Each process runs one program and ends; a spare one is kept ready, as each takes seconds to start.
 */
import { availableParallelism } from 'node:os';
import { NpdbError } from '../common/errors.ts';
import { emptyHeader } from './collector.ts';
import { converse } from './converse.ts';
import { fullRequest } from './limits.ts';
import { isReadable } from './reading.ts';
import { Sandbox } from './sandbox.ts';
import { Slots } from './slots.ts';
import type { PythonRuntime, RunOptions, RunRequest, RunResult } from './types.ts';

export interface PyodideOptions {
  /** Let a process serve many programs, one after the other. For trusted programs only. */
  readonly pool?: boolean;
  /** Processes at a time; the number of cores if absent. */
  readonly workers?: number;
  /** Folder for the started interpreter's memory (`snapshot.ts`); `.cache/python` of this package if absent. */
  readonly snapshots?: string;
}

export interface PyodideRuntime extends PythonRuntime {
  /** Starts the spare process now, so that the first run need not wait; resolves when it is ready. */
  prewarm(): Promise<void>;
}

const POOL_RUNS = 250;

export function createPyodide(options: PyodideOptions = {}): PyodideRuntime {
  const slots = new Slots<Sandbox>(options.workers ?? availableParallelism(), (kept) => kept.dispose());
  const start = (keep: boolean): Sandbox => new Sandbox(keep, options.snapshots);
  let spare: Sandbox | null = null;
  let closed = false;

  const fresh = (): Sandbox => {
    const ready = spare;
    spare = null;
    return ready && !ready.failed ? ready : start(options.pool ?? false);
  };
  const refill = (): void => {
    if (!closed && !options.pool) spare ??= start(false);
    spare?.child.unref();
  };

  const run = async (request: RunRequest, runOptions: RunOptions = {}): Promise<RunResult> => {
    const read = !options.pool && isReadable(request);
    const full = { ...fullRequest(request), ...(read ? { read } : {}) };
    if (full.project) {
      throw new NpdbError(
        'E_PROJECT',
        'the sandbox cannot run a program in its own folder: it reads no files of this machine.',
        'Run it with CPython: --python python3.',
      );
    }
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
    reads: !options.pool,
    run,
    prewarm: async () => {
      spare ??= start(options.pool ?? false);
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
