/**
 * @file The program state as a value: what a debugger shows when it stops. A state is a fold of events
 * (`advance`), so a recorded run and a model's predictions build the same thing. Value texts are opaque here.
 */
import type { EventKind, FrameKind } from '../trace/types.ts';
import type { Vault } from './vault.ts';

/** Forward kinds as in the trace; `line_call` only on the inverse walk: a line met backwards before its callees. */
export type StateKind = EventKind | 'line_call';

/** Locals by name, in canonical order. Immutable: `advance` copies on change. */
export type Locals = ReadonlyMap<string, string>;

export interface LoopCount {
  /** The loop header's line. */
  readonly line: number;
  /** How often the header has been reached since the loop was entered; 1 at its first visit. */
  readonly count: number;
  /** The value text of what a `for` loops over, its items in order, where that is known. */
  readonly over?: string;
}

export interface Frame {
  /** Frame number; unique in a session, the trace's own where there is one. */
  readonly id: number;
  /** Index into the files of the session: 0 the program, 1 the call expression. */
  readonly file: number;
  /** Scope in that file's `Program`; -1 if unknown. */
  readonly scope: number;
  readonly fn: string;
  readonly kind?: FrameKind;
  readonly thread: number;
  /** Current line (unit). */
  readonly line: number;
  readonly locals: Locals;
  /** False where locals are not known (an inverse walk that began at a wanted return value). */
  readonly known: boolean;
  /** Values returned by calls that the current, unfinished line has made, in order; the last 100 of them. */
  readonly returned: readonly string[];
  /** Active loops, outermost first. */
  readonly loops: readonly LoopCount[];
  /** Module-level data this frame's code names, as last seen by it. */
  readonly globals: Locals;
  readonly aliases: readonly (readonly string[])[];
  /** The exception being handled or propagated in this frame, while that is so. */
  readonly pending?: string;
}

/** What a thread shows when another thread's event comes. */
export type Lane = Pick<State, 'kind' | 'stack' | 'value'>;

/** What lives on although it is not on the current stack; `advance` keeps it, no prompt need show it. */
export interface Beyond {
  /** The next unused frame number. */
  readonly frames: number;
  /** Suspended generators and coroutines by frame number. */
  readonly suspended: Vault<Frame>;
  /** The other threads. */
  readonly lanes: ReadonlyMap<number, Lane>;
}

export interface State {
  readonly kind: StateKind;
  /** Outermost first; the last is the current frame. Never empty. */
  readonly stack: readonly Frame[];
  /** `return`/`yield`: the value; `exception`: the exception. */
  readonly value?: string;
  /** Written to stdout / stderr on the way to this state. */
  readonly out?: string;
  readonly err?: string;
  /** Absent where nothing of the past is known: no generator suspended, one thread. */
  readonly beyond?: Beyond;
}

export type Exit = 'normal' | 'error' | 'never';

/** The eight actions of the paper (section 2). `set` is a separate edit: it makes a state, it does not move. */
export type Action =
  | { readonly type: 'step_into' | 'step_over' | 'step_return' | 'continue' }
  | { readonly type: 'breakpoint'; readonly line: number; readonly file?: number }
  | { readonly type: 'inv_step_into' | 'inv_step_over' | 'inv_step_call' };

export type ActionType = Action['type'];

export interface Edit {
  readonly name: string;
  /** Canonical value text. */
  readonly value: string;
}

/** A value worked out on the way to a state: of a name (label `x=`) or of an operation (`+:`, `upper:`, `[]:`). */
export interface Operation {
  readonly label: string;
  readonly value: string;
  /** Within a comprehension. */
  readonly inside?: true;
}

/**
 * Where an action leads: a state, or an end of the walk. `entry`: backwards past the entry call. `work`: how a step got
 * there, operation by operation; no part of the state.
 */
export type Outcome =
  | { readonly type: 'state'; readonly state: State; readonly work?: readonly Operation[] }
  | { readonly type: 'exit'; readonly exit: Exit; readonly exception?: string; readonly out?: string }
  | { readonly type: 'entry' };

/** One part in which a predicted and a real state differ. */
export interface Difference {
  /** `local`: with its name. */
  readonly part: 'event' | 'line' | 'function' | 'depth' | 'value' | 'local' | 'exit';
  readonly name?: string;
  readonly predicted?: string;
  readonly real?: string;
}
