/**
 * @file What the page and the session tell each other: plain data that crosses from a worker to the page. The page
 * draws a `View` and knows no debugger; the session knows no page.
 */
import type { EngineName, Origin } from '../../../debugger/types.ts';

/** What a session is opened with; together with a walk it is a whole address. */
export interface Spec {
  readonly text: string;
  /** Absent: the file is debugged as a script. */
  readonly call?: string;
  readonly engine: EngineName;
  /** `compared`: set the model back on the real state after each difference. */
  readonly resync: boolean;
}

export interface Point {
  readonly line: number;
  readonly enabled: boolean;
  readonly condition: string | null;
}

/** Where execution stands, in one world. */
export interface Spot {
  readonly type: 'state' | 'exit' | 'entry';
  /** `call`, `line`, `return`, ...; or how it ended. */
  readonly kind: string;
  /** Of the program; null at an end and inside the call expression. */
  readonly line: number | null;
  readonly fn: string;
  /** What is returned, yielded or raised. */
  readonly value?: string;
}

/** A name in both worlds; with one world alone the other text is absent. */
export interface Variable {
  readonly name: string;
  readonly scope: 'local' | 'global';
  readonly predicted?: string;
  readonly real?: string;
  /** Both worlds are known here and do not agree. */
  readonly differs: boolean;
  /** Other than at the position before. */
  readonly changed: boolean;
}

export interface FrameView {
  readonly fn: string;
  readonly line: number | null;
  /** Where the real frame stands, if elsewhere. */
  readonly realLine?: number;
  readonly differs: boolean;
  /** The other world has no such frame here. */
  readonly only?: 'predicted' | 'real';
  /** The lines of its function, of the program. */
  readonly from?: number;
  readonly to?: number;
  /** False: the model was not told its locals. */
  readonly known: boolean;
  readonly variables: readonly Variable[];
  /** Values that calls on the unfinished line have returned. */
  readonly returned: readonly string[];
  readonly pending?: string;
}

export interface PositionView {
  readonly id: number;
  readonly origin: Origin;
  readonly predicted: Spot | null;
  /** Null: no real run here, or nobody knows. */
  readonly real: Spot | null;
  /** What the model gave its answer, 0..1. */
  readonly confidence?: number;
  readonly strategy?: 'direct' | 'rollout';
  readonly unanswered?: string;
  readonly differences: readonly string[];
  /** The current frame first. */
  readonly frames: readonly FrameView[];
}

/** One state of the walk that led here, or that leads on from here. */
export interface Step {
  readonly id: number;
  readonly line: number | null;
  readonly kind: string;
  readonly fn: string;
  readonly depth: number;
  readonly value?: string;
  readonly origin: Origin;
  readonly confidence?: number;
  readonly differs: boolean;
}

/** The real run, state by state. */
export interface RunView {
  /** Changes with each run: an edit makes a new one. */
  readonly number: number;
  readonly first: number;
  readonly depth: Uint16Array;
  readonly line: Uint32Array;
  /** Index into the trace's kinds. */
  readonly kind: Uint8Array;
  /** What ended the recording early. */
  readonly cut?: string;
}

/** How the model does on each real state, told the one before. */
export interface Sweep {
  /** By event - first: 0 not asked, 1 right, 2 wrong, 3 no answer. */
  readonly verdict: Uint8Array;
  /** 0..1 */
  readonly confidence: Float32Array;
}

export interface View {
  readonly spec: Spec;
  readonly about: string;
  readonly position: PositionView;
  /** The walk through the current position, to its last one. */
  readonly walk: readonly Step[];
  /** The current state's event in the run. */
  readonly at: number | null;
  /** Only where it is another run than the last view's. */
  readonly run?: RunView;
  readonly hasRun: boolean;
  readonly output: { readonly predicted: string | null; readonly real: string | null };
  /** Moves from the entry, for an address. */
  readonly path: string;
  /** Why it stopped, for the status line. */
  readonly note?: string;
}

export interface CallNode {
  /** Event (real run) or position id (predicted walk). */
  readonly at: number;
  readonly end: number;
  readonly fn: string;
  readonly line: number;
  readonly args: string;
  /** Its value, or the exception it ended with. */
  readonly result?: string;
  readonly failed: boolean;
  readonly children: readonly CallNode[];
}

export type Motion =
  | 'into'
  | 'over'
  | 'out'
  | 'continue'
  | 'cursor'
  | 'backInto'
  | 'backOver'
  | 'backOut'
  | 'backContinue'
  | 'backCursor';

export interface Answer {
  readonly predicted?: string;
  readonly real?: string;
}

export interface Proposal {
  readonly call: string;
  readonly confidence: number;
  readonly checked?: boolean;
  readonly gives?: string;
}
