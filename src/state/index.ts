export { advance, type FoldContext, nextFrame, topOf } from './advance.ts';
export { diffLocals, diffOutcome, diffState, sameOutcome, sameState } from './compare.ts';
export { applyEdit } from './edit.ts';
export { initialState } from './entry.ts';
export { rootedAt, statesOf, TraceStates } from './states.ts';
export type * from './types.ts';
export { Vault } from './vault.ts';
