/**
 * @file The program as text: what syntax alone says. Lines here are canonical units (`docs/trace.md`,
 * rule 3): a unit is named by the first line of its first statement; a trace's lines are units.
 */

export type ScopeKind = 'module' | 'function' | 'class' | 'lambda';

export interface Scope {
  /** Index into `Program.scopes`; 0 is the module. */
  readonly id: number;
  readonly kind: ScopeKind;
  /** `f`, `<lambda>`, `<module>`. */
  readonly name: string;
  /** As in a trace's `fn`. */
  readonly qualname: string;
  /** The line of its `call` event: the `def`/`class` line, the lambda's unit, 1 for the module. */
  readonly line: number;
  readonly endLine: number;
  readonly parent: number | null;
  /** Parameters in signature order. */
  readonly params: readonly string[];
  /** Every name that can be a local here: parameters, bound names, free names of enclosing functions it uses. */
  readonly names: readonly string[];
  /** Names looked up at module level. */
  readonly globals: readonly string[];
  /** Names declared `nonlocal` or read from an enclosing function. */
  readonly free: readonly string[];
  /** `yield` occurs in it. */
  readonly generator: boolean;
  readonly async: boolean;
}

export interface Unit {
  /** First line: the unit's number. */
  readonly line: number;
  readonly endLine: number;
  readonly scope: number;
  /** Where loops are counted: a `for`/`while` header, with the last line of its body (not of its `else`). */
  readonly loopEnd?: number;
  /** Text of the unit, lines joined as written, outer indentation of the first line kept. */
  readonly text: string;
}

/** What can follow a line *in the same frame*, by syntax. */
export interface Successors {
  /**
   * Lines that can come next without an `exception` event on this one. Those are also the ways of an exception
   * that is passed on silently: from a bare `raise`, an `except` that does not fit, the end of `finally`, `with`.
   */
  readonly normal: readonly number[];
  /** Lines that can come next after an `exception` event on this line: handlers, `finally`, `with` headers. */
  readonly exception: readonly number[];
  /** The frame can return from this line (a `return` statement, or falling off the end). */
  readonly returns: boolean;
  /** An exception raised on this line can leave the frame. */
  readonly escapes: boolean;
  /** `yield`/`await` occurs on this line. */
  readonly yields: boolean;
}

export interface Program {
  readonly text: string;
  readonly name: string;
  /** Physical lines, without line ends; `lines[0]` is line 1. */
  readonly lines: readonly string[];
  readonly scopes: readonly Scope[];
  readonly units: readonly Unit[];
  /** The units of a scope that can be `line` events, ascending. */
  linesOf(scope: number): readonly number[];
  /** The first line a frame of this scope can stop at after `call`. */
  entriesOf(scope: number): readonly number[];
  /** The unit that holds a physical line, in the innermost scope that runs it; null for blank or comment lines. */
  unitAt(line: number): Unit | null;
  /** The unit named by this line, in this scope. */
  unit(scope: number, line: number): Unit | null;
  successors(scope: number, line: number): Successors;
  /** Lines of the same scope from which this line can be reached in one step (normal or exception); includes 'call' as 0. */
  predecessors(scope: number, line: number): readonly number[];
  /**
   * Scopes of this program that a frame on this line may open next (functions, classes, lambdas
   * called by name, by attribute name, by operator, property, iteration or callback: over-approximate).
   */
  callTargets(scope: number, line: number): readonly number[];
  /** All scopes whose `call` is on this line (several lambdas may share one). */
  scopesAt(line: number): readonly number[];
  /**
   * The scope of a trace's `call` event; -1 if unknown. Lambdas of one unit share their qualified name:
   * the locals at the call tell them apart, where they can.
   */
  scopeFor(qualname: string, line: number, locals?: Iterable<string>): number;
  /** Syntax errors found by the parser, as physical line numbers; empty for a valid program. */
  readonly errors: readonly number[];
}
