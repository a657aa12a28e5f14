/**
 * @file The public library, by what one wants to do; docs/library.md has an example for each part. The core uses
 * web-standard APIs only; what is marked Node reads files or starts processes. Two faces are entry points of their
 * own: `npdb/mcp` (a server for agents) and `npdb/env` (a reinforcement learning environment).
 */

// --- debugging: one interface, three engines ---

export { Breakpoints } from './debugger/breakpoints.ts';
export { ComparedDebugger } from './debugger/compared.ts';
export { continueTo, reverseContinue, type Stop, type Stops, stepTo, until } from './debugger/control.ts';
export { NeuralDebugger, type NeuralOptions } from './debugger/neural.ts';
export { RecordedDebugger, type RecordedOptions } from './debugger/recorded.ts';
export { type Start, start } from './debugger/start.ts';
export type * from './debugger/types.ts';
/** Node: loads the model, starts the sandbox. */
export { type Comparison, openSession, type Session, type SessionOptions } from './faces/session.ts';

// --- states and values ---

export { advance, applyEdit, diffOutcome, initialState, sameOutcome, TraceStates } from './state/index.ts';
export type * from './state/types.ts';
export { formatValue, parseValue } from './values/index.ts';
export type { Value } from './values/types.ts';

// --- real runs: traces and their tree ---

export { type FullOptions, fullValue, requestOf } from './debugger/full.ts';
export { type Recording, recordingOf } from './debugger/recording.ts';
/** Node: reads files. `scriptRequest`, `moduleRequest`: programs of several files (docs/entries.md). */
export {
  loadPrograms,
  moduleRequest,
  type PytestOutcome,
  pytestOutcome,
  scriptRequest,
  traceSet,
} from './programs/index.ts';
export type { ProgramEntry } from './programs/types.ts';
/** Node: starts child processes. */
export { openRuntime } from './python/index.ts';
export type { PythonRuntime, RunOptions, RunRequest, RunResult } from './python/types.ts';
export type * from './trace/types.ts';
export { buildTree } from './tree/index.ts';
export type { Move, Place, StateTree } from './tree/types.ts';

// --- the program as text ---

export { parseProgram } from './source/index.ts';
export type * from './source/types.ts';

// --- models: from weights to predictions ---

export { fakePredictor } from './debugger/fake.ts';
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

// --- how good is it? ---

export { baselinePredictor } from './eval/baseline.ts';
export { type CruxevalResult, cruxeval } from './eval/cruxeval.ts';
export { type ActionScore, nextState } from './eval/nextState.ts';

// --- errors ---

export { NpdbError } from './common/errors.ts';
