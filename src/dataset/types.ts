/** @file What a data set is made of: recorded calls, drawn steps, documents of tokens, splits. */
import type { Program } from '../source/types.ts';
import type { TraceStates } from '../state/index.ts';
import type { Trace } from '../trace/types.ts';
import type { StateTree } from '../tree/types.ts';

/** `both`: independent steps only, never a walk. */
export type Direction = 'forward' | 'inverse' | 'both';

/** A call inside a trace at which a walk can begin. */
export interface Entry {
  /** The `call` event. */
  readonly at: number;
  /** Depth of its frame in the trace: frames below it are no part of the walk. */
  readonly depth: number;
  /** `call`: the line `<call>`; `main`: a function it calls; `inner`: any call below that. */
  readonly level: 'call' | 'main' | 'inner';
  readonly tree: StateTree;
}

/** One recorded run of one call of a program, ready for walks. */
export interface Recorded {
  /** `mbpp/1#0` */
  readonly id: string;
  readonly trace: Trace;
  readonly programs: readonly Program[];
  readonly states: TraceStates;
  readonly entries: readonly Entry[];
  /** Of a run that was cut: where it was first in the state that it came back to; null if that is not proved. */
  readonly endless: Endless | null;
}

/** A run that never ends. */
export interface Endless {
  /** The state that comes again and again, at its first time. */
  readonly at: number;
  /** The depth of its frame: this frame and those below it never return. */
  readonly depth: number;
}

/** `dev`: for choices of strategy and thresholds; `test`: for the next-state evaluation. Neither is ever written to shards. */
export type Split = 'train' | 'validation' | 'dev' | 'test';
export const SPLITS: readonly Split[] = ['train', 'validation', 'dev', 'test'];

/**
 * Tokens of one document. `segments[0]` is the length of the shared prefix; each later segment attends to the prefix and itself
 * only. The lengths add up to `ids.length`. `loss[i]` is 1 where the model is trained to produce `ids[i]`.
 */
export interface TokenDocument {
  readonly segments: readonly number[];
  readonly ids: Uint16Array;
  readonly loss: Uint8Array;
}
