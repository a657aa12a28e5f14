/** @file The public library. The core uses web-standard APIs only; what is marked Node reads files or starts processes. */
export { NpdbError } from './common/errors.ts';
export { Breakpoints } from './debugger/breakpoints.ts';
export { ComparedDebugger } from './debugger/compared.ts';
export { continueTo, reverseContinue, type Stop, until } from './debugger/control.ts';
export { fakePredictor } from './debugger/fake.ts';
export { NeuralDebugger } from './debugger/neural.ts';
export { RecordedDebugger } from './debugger/recorded.ts';
export { type Recording, recordingOf } from './debugger/recording.ts';
export { type Start, start } from './debugger/start.ts';
export type * from './debugger/types.ts';
export { baselinePredictor } from './eval/baseline.ts';
export { type CruxevalResult, cruxeval } from './eval/cruxeval.ts';
export { type ActionScore, nextState } from './eval/nextState.ts';
export { compactCodec, compactTokenizer, VocabularyMask } from './language/index.ts';
export type * from './language/types.ts';
/** Node: reads a model's folder. */
export type { LoadedModel } from './model/index.ts';
export { loadModel } from './model/load.ts';
export type { LanguageModel, Sequence } from './model/types.ts';
/** Node: reads a model's folder. */
export { BUNDLED_MODEL, loadPredictor } from './predictor/load.ts';
export { createPredictor } from './predictor/local.ts';
export type * from './predictor/types.ts';
/** Node: reads files. */
export { loadPrograms, traceSet } from './programs/index.ts';
export type { ProgramEntry } from './programs/types.ts';
/** Node: starts child processes. */
export { openRuntime } from './python/index.ts';
export type { PythonRuntime, RunRequest, RunResult } from './python/types.ts';
export { parseProgram } from './source/index.ts';
export type * from './source/types.ts';
export { advance, applyEdit, diffOutcome, initialState, sameOutcome, TraceStates } from './state/index.ts';
export type * from './state/types.ts';
export type * from './trace/types.ts';
export { buildTree } from './tree/index.ts';
export type { Move, Place, StateTree } from './tree/types.ts';
export { formatValue, parseValue } from './values/index.ts';
export type { Value } from './values/types.ts';
