/** @file One evaluation: its work budget, its names, and the two ways it can end without a value. */
import { resolve } from '../graph.ts';
import { parseValue } from '../parse.ts';
import type { Value } from '../types.ts';

/**
 * Text of a name's value. Undefined: there is no such name (builtins come next). Null: the name exists, its
 * value is not known here.
 */
export type Lookup = (name: string) => string | null | undefined;

/** The expression fails, as Python would. */
export class PythonError extends Error {
  readonly kind: string;

  constructor(kind: string, message: string) {
    super(message);
    this.kind = kind;
  }

  /** `ZeroDivisionError: division by zero` */
  line(): string {
    return this.message === '' ? this.kind : `${this.kind}: ${this.message}`;
  }
}

/** The answer is not ours to give: user code, a part that is not shown, too much work. */
export class Unknown extends Error {}

export function typeError(message: string): PythonError {
  return new PythonError('TypeError', message);
}

export function valueError(message: string): PythonError {
  return new PythonError('ValueError', message);
}

const MAX_STEPS = 200_000;

export class Run {
  readonly #lookup: Lookup;
  readonly #values = new Map<string, Value>();
  #left = MAX_STEPS;

  constructor(lookup: Lookup) {
    this.#lookup = lookup;
  }

  /** Charges work: one for an operation, one for each item or some 50 characters handled. */
  tick(steps = 1): void {
    this.#left -= steps;
    if (this.#left < 0) throw new Unknown('it takes too much work');
  }

  /** Undefined where there is no such name. The same object each time, as a name is. */
  value(name: string): Value | undefined {
    const known = this.#values.get(name);
    if (known !== undefined) return known;
    const text = this.#lookup(name);
    if (text === undefined) return undefined;
    if (text === null) throw new Unknown(`the value of ${name} is not known here`);
    const value = resolve(parseValue(text));
    this.#values.set(name, value);
    return value;
  }
}
