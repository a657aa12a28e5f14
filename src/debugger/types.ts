/**
 * @file The one interface between the engines and the faces. A face never knows which engine it holds:
 * `recorded` (a real run), `neural` (predictions), `compared` (both, saying where they part).
 */
import type { Program } from '../source/types.ts';
import type { Action, Difference, Edit, Outcome, State } from '../state/types.ts';

export type { Difference } from '../state/types.ts';

export type EngineName = 'recorded' | 'neural' | 'compared';

/** `given`: the entry state as the user stated it. `edited`: made by `set`. */
export type Origin = 'real' | 'predicted' | 'given' | 'edited';

export interface Position {
  /** Stable within the session: 0 is the entry. */
  readonly id: number;
  readonly outcome: Outcome;
  readonly origin: Origin;
  /** How it was reached. */
  readonly action?: Action;
  readonly from?: number;
  /** The edit that made it, where the origin is `edited`. */
  readonly edit?: Edit & { readonly up: number };
  /** 0..1, of predicted positions. */
  readonly confidence?: number;
  readonly strategy?: 'direct' | 'rollout';
  readonly ambiguous?: readonly number[];
  /** `compared`: why the model gave no answer; the predicted side stayed where it was. */
  readonly unanswered?: string;
  /** `compared`: what really happens, null where no real run can tell. */
  readonly real?: Outcome | null;
  readonly differences?: readonly Difference[];
}

export type Evaluation =
  | { readonly type: 'value'; readonly value: string; readonly predicted: boolean }
  /** The expression itself failed, as Python would: `NameError: name 'x' is not defined`. */
  | { readonly type: 'error'; readonly error: string }
  /** Needs user code, a cut value or a real run: never guessed. */
  | { readonly type: 'unknown'; readonly why: string };

export interface Candidate {
  /** `f(x=3)`: the call with the proposed arguments. */
  readonly call: string;
  readonly arguments: ReadonlyMap<string, string>;
  readonly confidence: number;
  /** True/false after a real run; undefined: not run. */
  readonly checked?: boolean;
  /** What the real run gave instead. */
  readonly gives?: string;
}

/** One state of a recording. */
export interface Moment {
  /** Its event in the trace. */
  readonly at: number;
  readonly fn: string;
  /** Depth of the stack; the entry's is 0. */
  readonly depth: number;
}

export interface EvaluateOptions {
  /** Uncut, where a run can tell. */
  readonly full?: boolean;
  /** Of a full value's text; a million if absent. Beyond them it is cut. */
  readonly bytes?: number;
}

export interface Debugger {
  readonly engine: EngineName;
  /** What predicts or runs, in words. */
  readonly about: string;
  readonly programs: readonly Program[];
  readonly current: Position;
  /** All positions of the session by id. */
  position(id: number): Position;
  /** Moves. At an exit (or entry) every forward (or backward) action stays where it is. */
  act(action: Action, signal?: AbortSignal): Promise<Position>;
  /** The current state with a changed local of the frame `up` frames above the current one. */
  set(edit: Edit, up?: number): Promise<Position>;
  /** Puts the session back on a known position. */
  goto(id: number): Position;
  /**
   * Puts the session on a state from elsewhere (a real state after a difference, a state to walk back from).
   * `instead`: it corrects this position; the walk that led there leads here (engines without a recording).
   */
  place(state: State, origin: Origin, instead?: Position): Position;
  evaluate(expression: string, up?: number, options?: EvaluateOptions): Promise<Evaluation>;
  /**
   * Engines with a recording: its states on a line (kind `line`), in order. Where a prediction walks along, they are
   * those of the real run.
   */
  moments?(line: number, file?: number): readonly Moment[];
  /** To a state of the recording, by `Moment.at`. */
  travel?(at: number): Position;
  /** Inputs of the current call that would make it return `value`, best first (design, idea 5). */
  inverse(
    value: string,
    options?: { readonly n?: number; readonly check?: boolean; readonly signal?: AbortSignal },
  ): Promise<Candidate[]>;
  close(): Promise<void>;
}
