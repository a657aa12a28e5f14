/**
 * @file The grammar of value text as a deterministic automaton over the bytes of UTF-8: what a model may
 * write next. A pushdown of bounded depth; a state is a mode and a stack of frames, both short strings, so
 * that equal futures have equal keys. Every state it can reach leads to some complete value.
 */

import { isConstant, mayAssign, mayCall, mayQuote, nameNext, nameStart } from './name.ts';
import { componentComplete, imaginaryStart, numberComplete, numberNext, numberStart } from './number.ts';
import { textNext, textStart } from './text.ts';
import { utf8Next, utf8Start } from './utf8.ts';

export interface ValueState {
  /** Equal keys: equal futures (of automatons with the same terminators). */
  readonly key: string;
  /** A complete value may end here. */
  readonly accepting: boolean;
  /** A terminator has been read; nothing may follow. */
  readonly done: boolean;
  next(byte: number): ValueState | null;
}

/**
 * Frames, innermost last: `[` list; `(` tuple at its first item, `,` later; `{` braces at their first item,
 * `s` set, `k` dict at a key, `v` dict at a value; `a` call, `f` call after its first field; `<` opaque.
 */
const MAX_DEPTH = 40;
const CLOSING: Readonly<Record<string, number>> = {
  '[': 93,
  '(': 41,
  ',': 41,
  '{': 125,
  s: 125,
  k: 125,
  v: 125,
  a: 41,
  f: 41,
};
/** Frames in which an item may be the mark `...+N` of a cut. */
const CUTTABLE = '[(,{ska';
const AFTER_COMMA: Readonly<Record<string, string>> = { '(': ',', '{': 's', v: 'k' };

/** The start of a value. `terminators`: bytes that may end it and belong to it, such as a newline. */
export function valueAutomaton(terminators: readonly number[] = []): ValueState {
  return new State('V', '', new Set(terminators));
}

/** Modes: first letter the kind, see `next`; the rest belongs to the kind. */
class State implements ValueState {
  readonly mode: string;
  readonly stack: string;
  readonly #terminators: ReadonlySet<number>;

  constructor(mode: string, stack: string, terminators: ReadonlySet<number>) {
    this.mode = mode;
    this.stack = stack;
    this.#terminators = terminators;
  }

  get key(): string {
    return `${this.mode}|${this.stack}`;
  }

  get accepting(): boolean {
    return this.stack === '' && this.#complete();
  }

  get done(): boolean {
    return this.mode === 'END';
  }

  next(byte: number): ValueState | null {
    const rest = this.mode.slice(1);
    switch (this.mode[0]) {
      case 'V': // a value; `V0`: or the end of the container just opened; `Vw`: a container, after a label
        return this.#value(rest, byte);
      case 'F': // a field or a cut mark
        return byte === 46 ? this.#to('D1f') : this.#prefixed('I', nameStart('f', byte));
      case 'N':
        return this.#number(rest, byte);
      case 'J': // an imaginary part, after its sign
        if (rest === ')') return byte === 41 ? this.#pop() : null;
        if (rest === '') return this.#prefixed('J', imaginaryStart(byte));
        return componentComplete(rest) && byte === 106
          ? this.#to('J)')
          : this.#prefixed('J', numberNext(rest, byte));
      case 'I':
        return this.#name(rest, byte);
      case 'T': {
        const next = textNext(rest, byte);
        return next === '' ? this.#to(this.#top() === '<' ? 'O' : 'Q') : this.#prefixed('T', next);
      }
      case 'Q': // after a quoted text: `Q`, its cut mark `Q1`, `Q2`, `Q3`, `Q+`, `Q#`
        return this.#quoted(rest, byte);
      case 'D': // dots
        return this.#dots(rest, byte);
      case 'C': // the number of a container's cut mark
        if (isDigit(byte, rest)) return this.#to('C#');
        // After the arguments' mark, fields may follow.
        if (rest === '#' && byte === 44 && this.#top() === 'a')
          return this.#with(`${this.stack.slice(0, -1)}f`, ',');
        return rest === '#' && byte === CLOSING[this.#top()] ? this.#pop() : null;
      case 'X': // the number of an alias
        if (isDigit(byte, rest)) return this.#to('X#');
        return rest === '#' ? this.#after(byte) : null;
      case 'L': // the number of a label
        if (isDigit(byte, rest)) return this.#to('L#');
        return rest === '#' && byte === 32 ? this.#to('Vw') : null;
      case 'O':
        return this.#opaque(rest, byte);
      case ',':
        if (byte === 41 && this.#top() === '(') return this.#pop();
        return byte === 32 ? this.#nextItem() : null;
      case ':':
        return byte === 32 ? this.#to('V') : null;
      case 'A':
        return this.#after(byte);
      default:
        return null;
    }
  }

  #complete(): boolean {
    const rest = this.mode.slice(1);
    switch (this.mode[0]) {
      case 'A':
        return true;
      case 'N':
        return numberComplete(rest);
      case 'I':
        return isConstant(rest);
      case 'Q':
        return rest === '' || rest === '#';
      case 'X':
        return rest === '#';
      case 'D':
        return rest === '3v' || rest === '3w';
      default:
        return false;
    }
  }

  #value(kind: string, byte: number): ValueState | null {
    const top = this.#top();
    if (kind === '0' && byte === CLOSING[top]) return this.#pop();
    if (byte === 91) return this.#push('[', 'V0');
    if (byte === 123) return this.#push('{', 'V0');
    if (byte === 60) return this.#push('<', 'O0');
    if (kind === 'w' && byte === 46) return this.#to('D1w');
    if (kind === 'w') return this.#prefixed('I', nameStart('w', byte));
    if (byte === 40) return this.#push('(', 'V0');
    if (byte === 38) return this.#to('L');
    if (byte === 42) return this.#to('X');
    if (byte === 46) return this.#to('D1v');
    const number = numberStart(byte);
    if (number !== undefined) return this.#to(`N${number}`);
    const text = textStart('s', byte);
    return text !== undefined
      ? this.#to(`T${text}`)
      : this.#prefixed('I', nameStart(top === 'a' ? 'a' : 'v', byte));
  }

  #number(mode: string, byte: number): ValueState | null {
    const next = numberNext(mode, byte);
    if (next !== undefined) return this.#to(`N${next}`);
    if (componentComplete(mode)) {
      if (byte === 106) return this.#to('A');
      if (this.#startsImaginary(byte)) return this.#to('J');
    }
    return numberComplete(mode) ? this.#after(byte) : null;
  }

  /** `(1+`: what looked like a tuple is a complex number. */
  #startsImaginary(byte: number): boolean {
    return this.#top() === '(' && (byte === 43 || byte === 45);
  }

  #name(mode: string, byte: number): ValueState | null {
    const next = nameNext(mode, byte);
    if (next !== undefined) return this.#to(`I${next}`);
    if (byte === 40 && mayCall(mode)) return this.#push('a', 'V0');
    if (byte === 61 && mayAssign(mode)) return this.#with(`${this.stack.slice(0, -1)}f`, 'V');
    if (mayQuote(mode)) {
      const text = textStart('b', byte);
      if (text !== undefined) return this.#to(`T${text}`);
    }
    if (!isConstant(mode)) return null;
    return /^.(inf|nan)$/.test(mode) && this.#startsImaginary(byte) ? this.#to('J') : this.#after(byte);
  }

  #quoted(rest: string, byte: number): ValueState | null {
    if (rest === '' || rest === '1' || rest === '2') {
      if (byte === 46) return this.#to(`Q${Number(rest) + 1}`);
      return rest === '' ? this.#after(byte) : null;
    }
    if (rest === '3') return byte === 43 ? this.#to('Q+') : null;
    if (isDigit(byte, rest === '+' ? '' : rest)) return this.#to('Q#');
    return rest === '#' ? this.#after(byte) : null;
  }

  #dots(rest: string, byte: number): ValueState | null {
    const place = rest[1] as string;
    if (rest[0] !== '3') return byte === 46 ? this.#to(`D${Number(rest[0]) + 1}${place}`) : null;
    if (byte === 43 && (place === 'f' || (place === 'v' && CUTTABLE.includes(this.#top() || '-'))))
      return this.#to('C');
    return place === 'f' ? null : this.#after(byte);
  }

  #opaque(rest: string, byte: number): ValueState | null {
    if (rest[0] === 'c') {
      const more = utf8Next(rest.slice(1), byte, 't');
      return more === undefined ? null : this.#to(more === '' ? 'O' : `Oc${more}`);
    }
    if (byte === 62) return rest === '0' ? null : this.#pop();
    if (byte === 60) return this.#push('<', 'O0');
    const text = textStart('s', byte);
    if (text !== undefined) return this.#to(`T${text}`);
    if (byte < 0x80) return byte >= 0x20 && byte < 0x7f ? this.#to('O') : null;
    return this.#prefixed('Oc', utf8Start(byte, 't'));
  }

  /** After a complete value. */
  #after(byte: number): ValueState | null {
    const top = this.#top();
    if (top === '') return this.#terminators.has(byte) ? this.#to('END') : null;
    if (byte === 44 && top !== 'k') return this.#to(',');
    if (byte === 58 && (top === '{' || top === 'k')) return this.#with(`${this.stack.slice(0, -1)}v`, ':');
    // `(1` is no tuple without a comma, and a key no entry without a value.
    return byte === CLOSING[top] && top !== '(' && top !== 'k' ? this.#pop() : null;
  }

  #nextItem(): ValueState {
    const top = this.#top();
    return this.#with(this.stack.slice(0, -1) + (AFTER_COMMA[top] ?? top), top === 'f' ? 'F' : 'V');
  }

  #top(): string {
    return this.stack.slice(-1);
  }

  #push(frame: string, mode: string): ValueState | null {
    return this.stack.length >= MAX_DEPTH ? null : this.#with(this.stack + frame, mode);
  }

  #pop(): ValueState {
    const stack = this.stack.slice(0, -1);
    return this.#with(stack, stack.endsWith('<') ? 'O' : 'A');
  }

  #prefixed(kind: string, rest: string | undefined): ValueState | null {
    return rest === undefined ? null : this.#to(kind + rest);
  }

  #to(mode: string): ValueState {
    return new State(mode, this.stack, this.#terminators);
  }

  #with(stack: string, mode: string): ValueState {
    return new State(mode, stack, this.#terminators);
  }
}

/** A digit of a count: from 1, no leading zero (`''` before the first digit, `#` after it). */
function isDigit(byte: number, rest: string): boolean {
  return byte >= (rest === '' ? 49 : 48) && byte <= 57 && (rest === '' || rest === '#');
}
