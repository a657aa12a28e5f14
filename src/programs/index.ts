/** @file Program sets and the traces of all their calls. */
export { loadPrograms, parseProgram, readPrograms } from './read.ts';
export { type TraceSetOptions, type TraceSetProgress, traceSet } from './traceSet.ts';
export { callId, type ProgramCall, type ProgramEntry } from './types.ts';
