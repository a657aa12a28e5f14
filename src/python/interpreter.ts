/** @file Which interpreter a name means: asked once, with the user's own environment. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { NpdbError } from '../common/errors.ts';

export interface Interpreter {
  /** The executable itself, so that it runs with an empty environment (a shim would need one). */
  readonly path: string;
  /** `3.11.7` */
  readonly version: string;
  /** Folders and files that it and its library lie in. */
  readonly folders: readonly string[];
}

/** Throws `E_PYTHON_MISSING`. */
export async function findInterpreter(name: string): Promise<Interpreter> {
  const ask = `import os, sys
print(sys.executable)
print("%d.%d.%d" % sys.version_info[:3])
print(sys.implementation.name)
path = sys.executable
links = [path]
while path and os.path.islink(path):
    path = os.path.join(os.path.dirname(path), os.readlink(path))
    links.append(path)
roots = [sys.prefix, sys.base_prefix, sys.exec_prefix, sys.base_exec_prefix, *map(os.path.dirname, links)]
for path in [*roots, *map(os.path.realpath, roots), *sys.path]:
    if os.path.exists(path): print(os.path.abspath(path))`;
  let lines: string[];
  try {
    const { stdout } = await promisify(execFile)(name, ['-c', ask], { timeout: 20_000 });
    lines = stdout.trim().split(/\r?\n/);
  } catch (error) {
    const missing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    const what = missing
      ? 'there is no such interpreter'
      : `it does not run: ${(error as Error).message.split('\n')[0]}`;
    throw unusable(name, what, error);
  }
  const [path, version, implementation, ...folders] = lines;
  const [major, minor] = (version ?? '').split('.').map(Number);
  if (!path || major === undefined || minor === undefined)
    throw unusable(name, 'it is no Python interpreter');
  if (implementation !== 'cpython') throw unusable(name, `it is ${implementation}, not CPython`);
  if (major !== 3 || minor < 10) throw unusable(name, `it is Python ${version}`);
  return { path, version: version!, folders: [...new Set(folders)] };
}

// --- internal ---

function unusable(name: string, what: string, cause?: unknown): NpdbError {
  return new NpdbError(
    'E_PYTHON_MISSING',
    `cannot use ${name}: ${what}.`,
    'CPython 3.10 or newer is needed; or leave --python out: pyodide needs no Python.',
    3,
    { cause },
  );
}
