/**
 * @file What a tool answers: one JSON object, the same in the text and in the structured content. Field names are
 * those that debugging agents already know (`success`, `state`, `location`, `context.surrounding`); ours are
 * `position`, `changed`, `origin`, `confidence`, `differences`.
 */

/** `created`: not started yet. `stopped`: at an end of the program; stepping back leads into it again. */
export type SessionState = 'created' | 'running' | 'paused' | 'stopped';

export type StopReason =
  | 'entry'
  | 'step'
  | 'breakpoint'
  | 'exception'
  | 'goto'
  | 'edit'
  | 'pause'
  | 'timeout'
  | 'end';

export interface Location {
  /** The path as the client gave it; `<call>` is the expression that makes the call. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly function: string;
  /** Frames below the current one. */
  readonly depth: number;
}

export interface SourceLine {
  readonly line: number;
  readonly content: string;
}

export interface Context {
  readonly lineContent: string;
  readonly surrounding: readonly SourceLine[];
}

export interface Changed {
  readonly name: string;
  /** Python's repr; absent where the name ceased to exist. */
  readonly value?: string;
  /** What it was; absent where the name is new. */
  readonly was?: string;
  readonly global?: true;
}

export interface Difference {
  readonly what: string;
  readonly predicted: string;
  readonly real: string;
}

/** What every motion answers. */
export interface StopReply {
  readonly success: true;
  readonly sessionId: string;
  readonly state: SessionState;
  readonly reason: StopReason;
  /** One line that says it all: `STOP step: shop.py:9 in total (predicted, 84 %)`. */
  readonly message: string;
  /** Of this stop; give it as `from` to ask again from here. */
  readonly position: number;
  readonly event?: string;
  readonly location?: Location;
  readonly context?: Context;
  readonly changed?: readonly Changed[];
  readonly returnValue?: string;
  readonly exception?: string;
  readonly output?: string;
  readonly breakpointId?: string;
  readonly origin: string;
  /** Probability the model itself gave this state, from unmasked logits; of predicted states only. */
  readonly confidence?: number;
  readonly strategy?: string;
  readonly ambiguousLines?: readonly number[];
  /** Compared sessions: empty where prediction and real run agree; absent where nothing real is known. */
  readonly differences?: readonly Difference[];
  readonly note?: string;
}

export interface ErrorReply {
  readonly success: false;
  readonly error: { readonly code: string; readonly message: string; readonly hint: string };
  readonly state?: SessionState;
  readonly position?: number;
}

/** What had to be left out to stay within the budget. */
export interface Truncation {
  readonly valuesCut: number;
  readonly itemsOmitted: number;
  readonly notice: string;
}
