/**
 * @file Frame ids and variable references: numbers in (0, 2^31) that live until the program moves (specification:
 * "Lifetime of objects references"). One thing has one number, however often it is asked for.
 */
import { NpdbError } from '../../common/errors.ts';
import type { FrameRef } from './types.ts';

/** A step from a value to one of its parts. */
export type PathStep =
  | { readonly index: number }
  /** A dictionary's entry, by its place; the key's text names it. */
  | { readonly entry: number; readonly key: string }
  | { readonly field: string };

export type ScopeName = 'locals' | 'globals' | 'return' | 'exception';

export type VariableRef =
  | { readonly type: 'scope'; readonly frame: FrameRef; readonly scope: ScopeName }
  /** A part of a named value: `name` as a scope shows it. */
  | {
      readonly type: 'part';
      readonly frame: FrameRef;
      readonly scope: ScopeName;
      readonly name: string;
      readonly path: readonly PathStep[];
    }
  /** A part of what an expression gave, kept as its text. */
  | {
      readonly type: 'result';
      readonly text: string;
      readonly expression: string;
      readonly frame: FrameRef;
      readonly path: readonly PathStep[];
      readonly predicted: boolean;
    }
  /** A value that costs a run: fetched when it is opened. */
  | { readonly type: 'lazy'; readonly frame: FrameRef; readonly name: string }
  /** Rows of ours that nothing else stands for. */
  | { readonly type: 'texts'; readonly rows: readonly (readonly [name: string, text: string])[] };

export class References {
  readonly #frames = new Numbers<FrameRef>('frame');
  readonly #variables = new Numbers<VariableRef>('variables reference');

  frameId(ref: FrameRef): number {
    return this.#frames.of(ref);
  }

  /** Throws `E_REFERENCE`. */
  frame(id: number): FrameRef {
    return this.#frames.get(id);
  }

  variablesId(ref: VariableRef): number {
    return this.#variables.of(ref);
  }

  /** Throws `E_REFERENCE`. */
  variables(id: number): VariableRef {
    return this.#variables.get(id);
  }

  /** The program moved: all numbers are void, and none is used again soon. */
  clear(): void {
    this.#frames.clear();
    this.#variables.clear();
  }
}

// --- internal ---

/** Far from 2^31 at any pace a person or program can ask. */
const LAST = 2 ** 30;

class Numbers<T> {
  readonly #what: string;
  readonly #byKey = new Map<string, number>();
  readonly #byNumber = new Map<number, T>();
  #next = 1;

  constructor(what: string) {
    this.#what = what;
  }

  of(thing: T): number {
    const key = JSON.stringify(thing);
    const old = this.#byKey.get(key);
    if (old !== undefined) return old;
    if (this.#next > LAST) this.#next = 1;
    const number = this.#next++;
    this.#byKey.set(key, number);
    this.#byNumber.set(number, thing);
    return number;
  }

  get(number: number): T {
    const found = this.#byNumber.get(number);
    if (found !== undefined) return found;
    throw new NpdbError(
      'E_REFERENCE',
      `There is no ${this.#what} ${number} here.`,
      'References end when the program moves: ask for the stack again.',
    );
  }

  clear(): void {
    this.#byKey.clear();
    this.#byNumber.clear();
  }
}
