/**
 * @file From what a user names (a script, a module as with `python -m`, folders to record) to a request that a
 * runtime can serve. Reads files, runs nothing.
 */
import { basename, dirname, isAbsolute, relative, resolve, sep } from 'node:path';
import { NpdbError } from '../common/errors.ts';
import type { RunRequest } from '../python/types.ts';
import type { Limits } from '../trace/types.ts';
import { localModules } from './imports.ts';

export interface EntryOptions {
  /** Where `python` would be called; absolute. */
  readonly folder: string;
  /** Folders whose code is recorded; the folder itself if empty. */
  readonly roots?: readonly string[];
  readonly argv?: readonly string[];
  readonly stdin?: string;
}

/** A test run imports much before it begins. Whoever asks for less gives their own. */
export const MODULE_LIMITS: Partial<Limits> = { events: 1_000_000, timeMs: 60_000, memoryMb: 2048 };

/**
 * `python -m MODULE ARGS`. File 0 is the two lines that do it, so that all frames have one root and a session can
 * begin there. CPython only. Throws `E_MODULE` for what is no module's name.
 */
export function moduleRequest(module: string, options: EntryOptions): RunRequest {
  if (!/^[^\W\d]\w*(\.[^\W\d]\w*)*$/u.test(module)) {
    throw new NpdbError('E_MODULE', `\`${module}\` is no module's name.`, 'As for `python -m`: pkg.module.');
  }
  const text = `import runpy\nrunpy.run_module('${module}', run_name='__main__', alter_sys=True)\n`;
  const { folder } = options;
  return {
    file: { name: '<main>', text },
    project: { folder, path: folder, roots: rootsOf(options) ?? [folder] },
    ...given(options),
    limits: MODULE_LIMITS,
  };
}

/**
 * `python FILE ARGS`. A script that imports nothing beside it, of which no roots are named, is a one-file request, the
 * same for all runtimes. Else CPython runs it where it lies, and the sandbox gets copies of the modules it can reach.
 */
export function scriptRequest(
  file: string,
  text: string,
  runtime: 'pyodide' | 'cpython',
  options: EntryOptions,
): RunRequest {
  const script = resolve(options.folder, file);
  const home = dirname(script);
  const modules = localModules(text, home);
  const roots = rootsOf(options);
  const rest = given(options);
  if (modules.length === 0 && roots === null) return { file: { name: 'main.py', text }, ...rest };
  if (runtime === 'pyodide' && roots === null) {
    return { file: { name: basename(file), text }, modules, ...rest };
  }
  const below = relative(options.folder, script);
  const inside = !below.startsWith('..') && !isAbsolute(below);
  const folder = inside ? options.folder : home;
  return {
    file: { name: relative(folder, script).split(sep).join('/'), text },
    project: { folder: options.folder, path: home, roots: roots ?? [folder], script },
    ...rest,
  };
}

// --- internal ---

function rootsOf({ roots, folder }: EntryOptions): string[] | null {
  return roots && roots.length > 0 ? roots.map((root) => resolve(folder, root)) : null;
}

function given({ argv, stdin }: EntryOptions) {
  return { ...(argv && argv.length > 0 ? { argv } : {}), ...(stdin === undefined ? {} : { stdin }) };
}
