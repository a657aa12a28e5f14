/**
 * @file The `cpython` runtime: a chosen interpreter in a child process with limits. It guards against
 * accidents (loops, memory, litter), not against malice: the program can read and write the user's files.
 */
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TraceHeader } from '../trace/types.ts';
import { LineChild } from './child.ts';
import { emptyHeader } from './collector.ts';
import { converse } from './converse.ts';
import { findInterpreter, type Interpreter } from './interpreter.ts';
import { limited } from './limited.ts';
import { type FullRequest, fullRequest } from './limits.ts';
import { TRACER } from './paths.ts';
import { Slots } from './slots.ts';
import type { PythonRuntime, RunOptions, RunRequest, RunResult } from './types.ts';

export interface CpythonOptions {
  /** Path or name; `python3` if absent. */
  readonly python?: string;
  /**
   * Keep interpreters alive over many requests: about twenty times faster for small programs, but a program
   * can leave something behind for the next one. For trusted programs only.
   */
  readonly pool?: boolean;
  /** `0` if absent. Another one shows what in a trace hangs on the order of sets of strings. */
  readonly hashSeed?: string;
  /** Processes at a time; the number of cores if absent. */
  readonly workers?: number;
}

/** A pooled interpreter is replaced after this many programs: what they leave behind adds up. */
const POOL_RUNS = 500;
const START_MS = 15_000;

/** Throws `E_PYTHON_MISSING`. */
export async function createCpython(options: CpythonOptions = {}): Promise<PythonRuntime> {
  const interpreter = await findInterpreter(options.python ?? 'python3');
  const slots = new Slots<Worker>(options.workers ?? availableParallelism(), dispose);

  const run = async (request: RunRequest, runOptions: RunOptions = {}): Promise<RunResult> => {
    const full = { ...fullRequest(request), secret: randomBytes(12).toString('hex') };
    const slot = await slots.take(runOptions.signal);
    let keep: Worker | null = null;
    try {
      const { memoryMb } = full.limits;
      let worker = slot.held;
      // The limit is the process': a pooled one with another limit is of no use.
      if (worker && worker.memoryMb !== memoryMb) {
        await dispose(worker);
        worker = null;
      }
      // What a project's modules leave behind is theirs: a kept interpreter would hand it on.
      if (worker && full.project) {
        await dispose(worker);
        worker = null;
      }
      worker ??= await startWorker(
        interpreter,
        options.hashSeed ?? '0',
        memoryMb,
        options.pool && !full.project ? null : full,
      );
      keep = worker;
      worker.child.ref();
      const header = (): TraceHeader => emptyHeader(full, interpreter.version, 'cpython');
      const { result, clean } = await converse(worker.child, full, {
        ...runOptions,
        startMs: START_MS,
        header,
      });
      worker.runs++;
      if (clean && options.pool && !full.project && worker.runs < POOL_RUNS) {
        worker.child.unref();
        return result;
      }
      await dispose(worker);
      keep = null;
      return result;
    } catch (error) {
      if (keep) await dispose(keep);
      keep = null;
      throw error;
    } finally {
      slot.release(keep);
    }
  };

  return {
    name: interpreter.path,
    protection: `${interpreter.path} runs the program as you: limits on time, memory and output, an empty environment, a temporary folder; no wall around your files or the network.`,
    run,
    close: () => slots.close(),
  };
}

// --- internal ---

interface Worker {
  readonly child: LineChild;
  readonly folder: string;
  readonly memoryMb: number;
  runs: number;
}

/** `only`: the one request it will serve, whose time limit then bounds its processor time too. */
async function startWorker(
  interpreter: Interpreter,
  hashSeed: string,
  memoryMb: number,
  only: FullRequest | null,
): Promise<Worker> {
  const folder = await mkdtemp(join(tmpdir(), 'npdb-'));
  // Not -I: it would make Python ignore PYTHONHASHSEED. -s and the empty environment do the rest of its work.
  const args = ['-s', '-B', '-X', 'utf8', TRACER, ...(only ? ['--once'] : [])];
  const seconds = only ? { seconds: Math.ceil(only.limits.timeMs / 1000) + 5 } : {};
  const child = new LineChild({
    ...limited({ command: interpreter.path, args }, { memoryMb, ...seconds }),
    env: { PYTHONHASHSEED: hashSeed, HOME: '.', TMPDIR: '.', ...(only?.project ? searchPath() : {}) },
    cwd: folder,
  });
  return { child, folder, memoryMb, runs: 0 };
}

/** A project's own tools and tests start other programs by name. */
const searchPath = (): Record<string, string> => (process.env.PATH ? { PATH: process.env.PATH } : {});

async function dispose(worker: Worker): Promise<void> {
  worker.child.kill();
  await worker.child.exited;
  await rm(worker.folder, { recursive: true, force: true, maxRetries: 3 });
}
