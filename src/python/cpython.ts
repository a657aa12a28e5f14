/**
 * @file The `cpython` runtime: a chosen interpreter in a child process with limits, behind the best wall that works
 * here (`wall.ts`). Without one it guards against accidents (loops, memory, litter), not against malice: the program
 * can then read and write the user's files.
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
import { TRACER, TRACER_FOLDER } from './paths.ts';
import { Slots } from './slots.ts';
import { killStrays } from './strays.ts';
import type { PythonRuntime, RunOptions, RunRequest, RunResult } from './types.ts';
import { findWall, type Wall, type WallName } from './wall.ts';

export interface CpythonOptions {
  /** Path or name; `python3` if absent. */
  readonly python?: string;
  /**
   * Keep interpreters alive over many requests: about twenty times faster for small programs, but a program
   * can leave something behind for the next one. For trusted programs only.
   */
  readonly pool?: boolean;
  /** `auto` if absent: the best that works. `E_WALL` if the one asked for does not. */
  readonly wall?: WallName | 'auto';
  /** Absolute paths that every program sees behind a wall, read-only. A request's `project` is seen without. */
  readonly readable?: readonly string[];
  /** `0` if absent. Another one shows what in a trace hangs on the order of sets of strings. */
  readonly hashSeed?: string;
  /** Processes at a time; the number of cores if absent. */
  readonly workers?: number;
}

/** A pooled interpreter is replaced after this many programs: what they leave behind adds up. */
const POOL_RUNS = 500;
const START_MS = 15_000;

/** Throws `E_PYTHON_MISSING`, `E_WALL`. */
export async function createCpython(options: CpythonOptions = {}): Promise<PythonRuntime> {
  const interpreter = await findInterpreter(options.python ?? 'python3');
  const wall = await findWall(options.wall ?? 'auto', interpreter.path, interpreter.folders);
  const readable = [...interpreter.folders, TRACER, TRACER_FOLDER, ...(options.readable ?? [])];
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
      worker ??= await startWorker({
        interpreter,
        wall,
        readable: [...readable, ...projectPaths(full)],
        hashSeed: options.hashSeed ?? '0',
        memoryMb,
        only: options.pool && !full.project ? null : full,
      });
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
    protection: `${interpreter.path} runs the program ${wall.name === 'none' ? `as you, ${wall.words}` : wall.words}; limits on time, memory and output, an empty environment, a temporary folder.`,
    run,
    close: () => slots.close(),
  };
}

// --- internal ---

interface Worker {
  readonly child: LineChild;
  readonly folder: string;
  readonly wall: Wall;
  readonly memoryMb: number;
  runs: number;
}

interface Start {
  readonly interpreter: Interpreter;
  readonly wall: Wall;
  readonly readable: readonly string[];
  readonly hashSeed: string;
  readonly memoryMb: number;
  /** The one request it will serve, whose time limit then bounds its processor time too. */
  readonly only: FullRequest | null;
}

async function startWorker(start: Start): Promise<Worker> {
  const { interpreter, wall, readable, hashSeed, memoryMb, only } = start;
  const folder = await mkdtemp(join(tmpdir(), 'npdb-'));
  // Not -I: it would make Python ignore PYTHONHASHSEED. -s and the empty environment do the rest of its work.
  const args = ['-s', '-B', '-X', 'utf8', TRACER, ...(only ? ['--once'] : [])];
  const seconds = only ? { seconds: Math.ceil(only.limits.timeMs / 1000) + 5 } : {};
  const python = limited({ command: interpreter.path, args }, { memoryMb, ...seconds });
  const child = new LineChild({
    ...wall.wrap(python, readable, folder),
    env: { PYTHONHASHSEED: hashSeed, HOME: '.', TMPDIR: '.', ...(only?.project ? searchPath() : {}) },
    cwd: folder,
    lifeline: wall.name === 'none' ? 'group' : 'process',
  });
  return { child, folder, wall, memoryMb, runs: 0 };
}

function projectPaths({ project }: FullRequest): string[] {
  if (!project) return [];
  return [project.folder, project.path, ...project.roots, ...(project.script ? [project.script] : [])];
}

/** A project's own tools and tests start other programs by name. */
const searchPath = (): Record<string, string> => (process.env.PATH ? { PATH: process.env.PATH } : {});

async function dispose(worker: Worker): Promise<void> {
  worker.child.kill();
  await worker.child.exited;
  if (worker.wall.name === 'none') killStrays(worker.folder);
  await rm(worker.folder, { recursive: true, force: true, maxRetries: 3 });
}
