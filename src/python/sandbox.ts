/**
 * @file One process of the sandbox: started (from a snapshot if there is one), waited for, ended. What it is made
 * of is `sandbox.mjs`; what it is used for, `pyodide.ts`.
 */
import { realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { NpdbError } from '../common/errors.ts';
import { LineChild } from './child.ts';
import { limited } from './limited.ts';
import { READER, SANDBOX, SNAPSHOTS, TRACER, TRACER_PARTS, WALLED } from './paths.ts';
import { dropSnapshot, saveSnapshot, snapshotExists, snapshotPath } from './snapshot.ts';

const START_MS = 120_000;
const CPU_SECONDS = 3600;
/** Node's own heap, beside Python's: the interpreter's tables and the library's files. */
const NODE_HEAP_MB = 192;

export class Sandbox {
  /** Programs it has run. */
  runs = 0;
  #child: LineChild;
  #failed = false;
  #disposed = false;
  readonly #version: Promise<string>;
  readonly #saved: Promise<void>;

  /** `keep`: it serves many programs, not one. `snapshots`: the folder they are kept in. */
  constructor(keep: boolean, snapshots: string = SNAPSHOTS) {
    const dir = dirname(realpathSync(createRequire(import.meta.url).resolve('pyodide/package.json')));
    const path = snapshotPath(dir, snapshots);
    let dump: Readable | null = null;
    if (path !== null && snapshotExists(path)) {
      this.#child = launch(dir, keep, path);
      this.#version = this.#started().catch((error: unknown) => {
        if (this.#disposed) throw error;
        // A snapshot that does not do is worth less than none.
        dropSnapshot(path);
        this.#child = launch(dir, keep, null);
        return this.#started();
      });
    } else {
      this.#child = launch(dir, keep, null, path === null ? undefined : (stream) => (dump = stream));
      this.#version = this.#started();
    }
    const well = this.#version.then(
      () => true,
      () => !(this.#failed = true),
    );
    this.#saved = path !== null && dump !== null ? saveSnapshot(dump, path, well) : Promise.resolve();
  }

  get child(): LineChild {
    return this.#child;
  }

  get failed(): boolean {
    return this.#failed;
  }

  /** Python's version, once it can take a request. Throws `E_RUNTIME`, or the signal's reason. */
  async ready(signal?: AbortSignal): Promise<string> {
    const abort = (): void => void this.dispose();
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
    this.#disposed = true;
    this.#child.kill();
    await Promise.all([this.#child.exited, this.#saved]);
  }

  async #started(): Promise<string> {
    const child = this.#child;
    const late = setTimeout(() => child.kill(), START_MS);
    const version = new Promise<string>((resolve) => {
      child.onLine = (line) => {
        if (line.startsWith('ready ')) resolve(line.slice('ready '.length));
      };
    });
    const first = await Promise.race([version, child.exited]);
    clearTimeout(late);
    if (typeof first === 'string') return first;
    const said = child.stderr.trim().split('\n').slice(-3).join(' | ');
    throw new NpdbError(
      'E_RUNTIME',
      `the Python sandbox did not start${said ? `: ${said}` : ''}.`,
      'Run `npm install` again; it needs Node 20 or newer and about 300 MB of memory.',
      4,
    );
  }
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

/** `snapshot`: begin with it. `onDump`: take the memory, once started, for a snapshot. */
function launch(
  dir: string,
  keep: boolean,
  snapshot: string | null,
  onDump?: (stream: Readable) => void,
): LineChild {
  const [sandbox, ...tracer] = [SANDBOX, TRACER, ...TRACER_PARTS].map((path) => realpathSync(path)) as [
    string,
    ...string[],
  ];
  const needed = [
    'pyodide.asm.mjs',
    'pyodide.asm.wasm',
    'python_stdlib.zip',
    'pyodide-lock.json',
    'package.json',
  ];
  const readable = [
    ...needed.map((name) => join(dir, name)),
    realpathSync(WALLED),
    realpathSync(READER),
    sandbox,
    ...tracer,
  ];
  if (snapshot) readable.push(snapshot);
  const args = [...sandboxFlags(readable), sandbox, dir, tracer.join(delimiter)];
  if (keep) args.push('--keep');
  if (snapshot) args.push(`--load=${snapshot}`);
  if (onDump) args.push('--dump');
  // Its one program has a time limit kept by the host; this is for when the host is gone.
  const command = limited({ command: process.execPath, args }, keep ? {} : { seconds: CPU_SECONDS });
  return new LineChild({ ...command, env: {}, ...(onDump ? { onExtra: onDump } : {}) });
}
