/**
 * @file Expressions a user types, over the values a state shows (design, idea 4): builtin operations only, in
 * CPython 3.11's words. Never runs the program's code, never guesses, never changes a value; always ends.
 */

import { interpret } from './evaluate/interpreter.ts';
import { asValue } from './evaluate/items.ts';
import { type Lookup, PythonError, Run, Unknown } from './evaluate/run.ts';
import { readExpression } from './expression/read.ts';
import { formatValue } from './format.ts';
import { render } from './render.ts';

export type { Lookup };

export type Evaluated =
  /** Canonical text, cut as the renderer cuts. */
  | { readonly value: string }
  /** As Python says it: `NameError: name 'x' is not defined`. */
  | { readonly error: string }
  /** Why there is no answer: user code, a part that is not shown, too much work. */
  | { readonly unknown: string };

/** `lookup` gives the canonical text of a name's value, null if only its existence is known, undefined if there is none. */
export function evaluate(expression: string, lookup: Lookup): Evaluated {
  const parsed = readExpression(expression);
  if (parsed === null) return { error: 'SyntaxError: invalid syntax' };
  try {
    return { value: formatValue(render(asValue(interpret(new Run(lookup), parsed)))) };
  } catch (error) {
    if (error instanceof PythonError) return { error: error.line() };
    if (error instanceof Unknown) return { unknown: error.message };
    // Values nest as deeply as their makers like; the walk over them is recursive.
    if (error instanceof RangeError) return { unknown: 'it is nested too deeply' };
    throw error;
  }
}
