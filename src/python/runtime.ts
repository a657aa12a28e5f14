/** @file The runtime that a name on the command line means. */
import { createCpython } from './cpython.ts';
import { createPyodide } from './pyodide.ts';
import type { PythonRuntime } from './types.ts';

export interface RuntimeOptions {
  /** Processes serve many programs: faster, for trusted programs only. */
  readonly pool?: boolean;
  readonly workers?: number;
}

/** What runs programs where nobody says: `NPDB_RUNTIME`, else the sandbox. */
export const DEFAULT_RUNTIME = process.env.NPDB_RUNTIME || 'pyodide';

/** `pyodide`, or an interpreter's path or name (`python3`). Throws `E_PYTHON_MISSING`. */
export async function openRuntime(
  name = DEFAULT_RUNTIME,
  options: RuntimeOptions = {},
): Promise<PythonRuntime> {
  return name === 'pyodide' ? createPyodide(options) : createCpython({ python: name, ...options });
}
