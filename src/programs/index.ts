/** @file Program sets and the traces of all their calls. */
export { type EntryOptions, MODULE_LIMITS, moduleRequest, scriptRequest } from './entries.ts';
export { localModules } from './imports.ts';
export { type PytestOutcome, pytestOutcome } from './pytest.ts';
export { loadPrograms, parseProgram, readPrograms } from './read.ts';
export { type TraceSetOptions, type TraceSetProgress, traceSet } from './traceSet.ts';
export { callId, type ProgramCall, type ProgramEntry } from './types.ts';
