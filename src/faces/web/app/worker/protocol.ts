/** @file What the page asks of the session's worker, and what comes back. */
import type { Answer, CallNode, Motion, Point, Proposal, Spec, Sweep, View } from '../../session/types.ts';

/** Each request by name: what it takes and what it gives. */
export interface Requests {
  open: { take: { spec: Spec; path: string; points: readonly Point[] }; give: View };
  points: { take: { points: readonly Point[] }; give: null };
  move: { take: { motion: Motion; line?: number }; give: View };
  goto: { take: { id: number }; give: View };
  travel: { take: { at: number; predict: boolean }; give: View };
  set: { take: { name: string; value: string; up: number }; give: View };
  evaluate: { take: { expression: string; up: number }; give: Answer };
  inverse: { take: { value: string; check: boolean }; give: Proposal[] };
  calls: { take: Record<never, never>; give: CallNode[] };
  runAhead: { take: Record<never, never>; give: View };
  sweep: { take: Record<never, never>; give: null };
  /** Starts loading what an engine will need. */
  warm: { take: { engine: Spec['engine'] }; give: null };
}

export type Name = keyof Requests;

export type ToWorker =
  | {
      readonly [N in Name]: { readonly id: number; readonly name: N; readonly take: Requests[N]['take'] };
    }[Name]
  | { readonly id: number; readonly name: 'abort' };

export interface Failure {
  readonly code: string;
  readonly message: string;
  readonly hint: string;
}

/** One of the things that are loaded; sizes in bytes. */
export interface Loading {
  readonly what: 'model' | 'python';
  readonly stage: 'fetching' | 'starting' | 'ready' | 'failed';
  readonly done: number;
  readonly total: number;
}

export type FromWorker =
  | { readonly type: 'done'; readonly id: number; readonly give: unknown }
  | { readonly type: 'failed'; readonly id: number; readonly failure: Failure }
  | { readonly type: 'loading'; readonly loading: Loading }
  | { readonly type: 'progress'; readonly id: number; readonly done: number }
  | { readonly type: 'sweep'; readonly id: number; readonly sweep: Sweep };
