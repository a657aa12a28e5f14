/**
 * @file What can stop a motion, as editors ask for it (DAP: source, function, data and exception breakpoints, log
 * points). No protocol here: ids are the caller's.
 */
import type { HitCondition } from './hits.ts';
import type { Target } from './watch.ts';

interface Point {
  readonly id: number;
  readonly condition?: string;
  readonly hit?: HitCondition;
}

export interface LinePoint extends Point {
  readonly type: 'line';
  readonly file: number;
  /** The unit's line. */
  readonly line: number;
  /** A log point: `{expression}` is replaced; it never stops. */
  readonly log?: string;
}

export interface FunctionPoint extends Point {
  readonly type: 'function';
  /** Name or qualified name; stops at the `call` state, where the arguments are set. */
  readonly name: string;
}

export interface DataPoint extends Point {
  readonly type: 'data';
  readonly target: Target;
}

export type AnyPoint = LinePoint | FunctionPoint | DataPoint;

export interface ExceptionRules {
  /** Stop where an exception is raised, caught later or not. */
  readonly raised?: ExceptionRule;
  /** Stop where an exception was raised that nobody caught. */
  readonly uncaught?: ExceptionRule;
}

export interface ExceptionRule {
  /** Only these type names; absent: all. */
  readonly types?: readonly string[];
  /** Only where this holds, in the frame that raised. */
  readonly condition?: string;
}

export type Cause =
  | { readonly type: 'line' | 'function'; readonly ids: readonly number[] }
  | { readonly type: 'data'; readonly ids: readonly number[]; readonly text: string }
  | { readonly type: 'exception'; readonly uncaught: boolean; readonly text: string };
