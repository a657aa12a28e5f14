/**
 * @file The two sides of the differential test: what is asked of both, and what both answer. One side is CPython's
 * own `bdb` (`drive.py`), the other the recorded engine (`play.ts`).
 */

export interface BreakOptions {
  readonly temporary?: boolean;
  readonly condition?: string;
  readonly ignore?: number;
}

/** Motions, and what is done while the program stands. `until` goes to a line so many ahead (1 if absent). */
export type Command =
  | readonly ['step' | 'next' | 'return' | 'continue']
  | readonly ['until', number?]
  | readonly ['break', number, BreakOptions?]
  | readonly ['delete', number]
  | readonly ['enable', number, boolean]
  | readonly ['set', string, string]
  /** An expression in the frame so many up of the program's, the outermost at most. */
  | readonly ['print', string, number?];

export const MOTIONS: ReadonlySet<string> = new Set(['step', 'next', 'return', 'until', 'continue']);

export interface Case {
  readonly id: string;
  readonly text: string;
  readonly call?: string;
  readonly commands: readonly Command[];
}

/** `apart`: run again for an edit, the program took another course. `not-reached`: the entry call never began. `cut`: too many events. `stopped`: the commands ran out. */
export type EndOf = 'normal' | 'error' | 'unknown' | 'cut' | 'stopped' | 'not-reached' | 'apart';

export interface Picture {
  readonly kind: 'call' | 'line' | 'return' | 'exception' | 'yield' | 'resume';
  readonly file: number;
  /** The unit (docs/trace.md) the frame is at. */
  readonly line: number;
  readonly fn: string;
  /** From the entry call to the top: function and unit. */
  readonly stack: readonly (readonly [string, number])[];
  readonly locals: Readonly<Record<string, string>>;
  /** Module-level data that the function names. */
  readonly globals: Readonly<Record<string, string>>;
  readonly value?: string;
  /** Targets of comprehensions in this statement: CPython from 3.12 may show them among the locals. */
  readonly targets?: readonly string[];
  readonly printed?: readonly string[];
  /** Of a thread other than the main one. */
  readonly thread?: number;
}

export interface Played {
  readonly stops: readonly Picture[];
  readonly end: { readonly exit: EndOf; readonly exception?: string };
  /** Of each breakpoint in order: hits, hits still to be passed over, whether it is still there. */
  readonly points: readonly (readonly [number, number, boolean])[];
  /** The program started threads; `bdb` follows the main one. */
  readonly threads?: boolean;
  /** The recording was cut. */
  readonly endless?: boolean;
  /** The first stop at or after a `RecursionError`, which changes what CPython's debugger can still see. */
  readonly recursionAt?: number;
  /** A command that could not be obeyed. */
  readonly failed?: string;
}

/** What `bdb` did, and how often each rule of `drive.py` set a stop of its aside. */
export interface Driven extends Played {
  readonly rules: Readonly<Record<string, number>>;
  /** The driver itself failed, or its process died. */
  readonly broken?: string;
  readonly died?: number;
}
