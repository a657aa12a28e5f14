/**
 * @file The state tree (paper, section 2): all states of one call are children of the `line` state that
 * made it. Flat typed arrays; a state is its index in the recorded sequence, and every action is O(1) or
 * O(log n). Knows no text: values stay in the trace, looked up by the same index.
 */
import type { Exit } from '../state/types.ts';

/** A place on a walk. `call` marks the first of the two backward visits to a line that made calls (`inv_line_call`). */
export interface Place {
  readonly at: number;
  readonly call: boolean;
}

export type TreeAction =
  | { readonly type: 'step_into' | 'step_over' | 'step_return' | 'continue' }
  | { readonly type: 'breakpoint'; readonly line: number; readonly file?: number }
  | { readonly type: 'inv_step_into' | 'inv_step_over' | 'inv_step_call' };

export type Move =
  | { readonly type: 'place'; readonly place: Place }
  | { readonly type: 'exit'; readonly exit: Exit | 'unknown' }
  | { readonly type: 'entry' };

export interface StateTree {
  /** Number of states (= events of the trace within the entry call). */
  readonly size: number;
  /** The states of the subtree this tree is about: [first, end). `entry(at)` gives a tree for one call. */
  readonly first: number;
  readonly end: number;
  /** How the walk ends after the last state; `unknown` for a cut trace. */
  readonly exit: Exit | 'unknown';
  /** Index into KINDS. */
  readonly kind: Uint8Array;
  readonly line: Int32Array;
  readonly file: Uint16Array;
  readonly frame: Int32Array;
  /** Depth of the stack at the state; the entry's is 0. */
  readonly depth: Int32Array;
  /** The `line` state that made the call this state belongs to; -1 at the root. */
  readonly parent: Int32Array;
  move(place: Place, action: TreeAction): Move;
  /** The tree of one call: `at` is a `call` state; walks end when that call ends. O(1): shares the arrays. */
  entry(at: number): StateTree;
}
