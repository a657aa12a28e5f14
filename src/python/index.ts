/** @file Running programs: the two runtimes. */
export { type CpythonOptions, createCpython } from './cpython.ts';
export { DEFAULT_LIMITS, DEFAULT_VALUES } from './limits.ts';
export { createPyodide, type PyodideOptions, type PyodideRuntime } from './pyodide.ts';
export { openRuntime, type RuntimeOptions } from './runtime.ts';
export type * from './types.ts';
