/** @file Byte automatons of a JSON string that holds a value, and of an object of them: the locals of a frame. */
import { type ValueState, valueAutomaton } from '../../values/index.ts';
import type { Bytes } from '../automaton.ts';
import { type Reading, Words } from '../text.ts';

const utf8 = new TextEncoder();
const [QUOTE, COMMA, DOT, BACKSLASH, N, OPEN, CLOSE] = [0x22, 0x2c, 0x2e, 0x5c, 0x6e, 0x7b, 0x7d];

/** A value within the quotes of a JSON string, and the quote that ends it. A value is printable: only two of its characters are escaped. */
class Inner {
  readonly key: string;
  readonly #value: ValueState;
  readonly #escape: boolean;

  constructor(value: ValueState, escaping: boolean) {
    this.#value = value;
    this.#escape = escaping;
    this.key = `${escaping ? '\\' : ''}${value.key}`;
  }

  /** True after the closing quote. */
  next(byte: number): Inner | true | null {
    if (this.#escape) {
      const next = byte === QUOTE || byte === BACKSLASH ? this.#value.next(byte) : null;
      return next && new Inner(next, false);
    }
    if (byte === QUOTE) return this.#value.accepting || null;
    if (byte === BACKSLASH) {
      const some = this.#value.next(QUOTE) ?? this.#value.next(BACKSLASH);
      return some && new Inner(this.#value, true);
    }
    const next = byte < 0x20 ? null : this.#value.next(byte);
    return next && new Inner(next, false);
  }
}

/** `"value"`. */
export class ValueText implements Bytes<ValueText> {
  static readonly start = new ValueText('start');
  readonly key: string;
  readonly accepting: boolean;
  readonly #at: 'start' | 'end' | Inner;

  private constructor(at: 'start' | 'end' | Inner) {
    this.#at = at;
    this.accepting = at === 'end';
    this.key = typeof at === 'string' ? `s${at}` : `s${at.key}`;
  }

  next(byte: number): ValueText | null {
    if (this.#at === 'end') return null;
    if (this.#at === 'start')
      return byte === QUOTE ? new ValueText(new Inner(valueAutomaton(), false)) : null;
    const next = this.#at.next(byte);
    return next && new ValueText(next === true ? 'end' : next);
  }
}

/** What an object may hold: one frame that may be meant. */
export interface Holder {
  readonly rest: 'always' | 'never' | 'either';
  readonly names: readonly string[];
  /** Names whose value may be `null`, after `..`. */
  readonly gone: readonly string[];
}

/** The frames still possible, and the names not used yet. Numbered by content, so that equal futures have equal keys. */
class Scope<H extends Holder> {
  static #ids = new Map<string, number>();
  static #count = 0;
  readonly holders: readonly H[];
  readonly words: Words;
  readonly id: number;
  readonly #used: ReadonlySet<string>;
  readonly #narrowed: Scope<H>[] = [];

  constructor(holders: readonly H[], used: ReadonlySet<string> = new Set()) {
    this.holders = holders;
    this.#used = used;
    const left = holders.map(({ names }) => names.filter((name) => !used.has(name)));
    this.words = Words.of(left.flat());
    const content = JSON.stringify(holders.map(({ rest, gone }, i) => [rest, left[i], gone]));
    let id = Scope.#ids.get(content);
    if (id === undefined) {
      // Ids are never used twice, so dropping what is known only costs time.
      if (Scope.#ids.size >= 10_000) Scope.#ids.clear();
      Scope.#ids.set(content, (id = Scope.#count++));
    }
    this.id = id;
  }

  /** Without those that need `..` (or, if it was written, that do not have it). */
  narrowed(rest: boolean): Scope<H> {
    const without = rest ? 'never' : 'always';
    this.#narrowed[Number(rest)] ??= new Scope(
      this.holders.filter((holder) => holder.rest !== without),
      this.#used,
    );
    return this.#narrowed[Number(rest)]!;
  }

  with(name: string): Scope<H> {
    const holders = this.holders.filter(({ names }) => names.includes(name));
    return new Scope(holders, new Set(this.#used).add(name));
  }

  get empty(): boolean {
    return this.holders.length === 0;
  }
}

type At =
  | { readonly type: 'open' | 'first' | 'key' | 'after' | 'closed' }
  | { readonly type: 'bytes'; readonly left: readonly number[]; readonly then: At }
  | { readonly type: 'name'; readonly reading: Reading }
  | { readonly type: 'value'; readonly gone: boolean }
  | { readonly type: 'inner'; readonly inner: Inner };

/** `{"..": "..", "name": "value", "name": null}`. */
export class ObjectText<H extends Holder> implements Bytes<ObjectText<H>> {
  readonly key: string;
  readonly #scope: Scope<H>;
  readonly #at: At;
  /** `..` was written. */
  readonly #rest: boolean;

  private constructor(scope: Scope<H>, at: At, rest: boolean) {
    this.#scope = scope;
    this.#at = at;
    this.#rest = rest;
    this.key = `o${scope.id}${rest ? '.' : ''}${keyOf(at)}`;
  }

  static of<H extends Holder>(holders: readonly H[]): ObjectText<H> {
    return new ObjectText(new Scope(holders), { type: 'open' }, false);
  }

  get accepting(): boolean {
    return this.#at.type === 'closed';
  }

  /** Those that the object can belong to, as far as it is written. */
  get holders(): readonly H[] {
    return this.#scope.holders;
  }

  next(byte: number): ObjectText<H> | null {
    const at = this.#at;
    switch (at.type) {
      case 'open':
        return byte === OPEN ? this.#to({ type: 'first' }) : null;
      case 'first':
        if (byte === QUOTE) return this.#mayRest || this.#mayName ? this.#to({ type: 'key' }) : null;
        return byte === CLOSE && !this.#scope.narrowed(false).empty
          ? this.#narrowed(false, { type: 'closed' })
          : null;
      case 'key':
        if (byte === DOT)
          return this.#mayRest ? this.#narrowed(true, bytes('.": ".."', { type: 'after' })) : null;
        return this.#mayName ? this.#narrowed(false, at).#name(byte) : null;
      case 'bytes':
        if (byte !== at.left[0]) return null;
        return this.#to(at.left.length > 1 ? { ...at, left: at.left.slice(1) } : at.then);
      case 'name':
        return byte === QUOTE && at.reading.word !== null ? this.#valueOf(at.reading.word) : this.#name(byte);
      case 'value':
        if (byte === QUOTE) return this.#to({ type: 'inner', inner: new Inner(valueAutomaton(), false) });
        return byte === N && at.gone ? this.#to(bytes('ull', { type: 'after' })) : null;
      case 'inner': {
        const inner = at.inner.next(byte);
        return inner && this.#to(inner === true ? { type: 'after' } : { type: 'inner', inner });
      }
      case 'after':
        if (byte === CLOSE) return this.#to({ type: 'closed' });
        return byte === COMMA && this.#scope.words.words.length > 0
          ? this.#to(bytes(' "', { type: 'name', reading: this.#scope.words.reading() }))
          : null;
      case 'closed':
        return null;
    }
  }

  get #mayRest(): boolean {
    return !this.#scope.narrowed(true).empty;
  }

  /** A first name can be written where no `..` need be. */
  get #mayName(): boolean {
    return this.#scope.narrowed(false).words.words.length > 0;
  }

  #narrowed(rest: boolean, at: At): ObjectText<H> {
    return new ObjectText(this.#scope.narrowed(rest), at, rest);
  }

  #name(byte: number): ObjectText<H> | null {
    const at = this.#at;
    const from = at.type === 'name' ? at.reading : this.#scope.words.reading();
    const reading = from.next(byte);
    return reading && this.#to({ type: 'name', reading });
  }

  #valueOf(name: string): ObjectText<H> {
    const scope = this.#scope.with(name);
    const gone = this.#rest && scope.holders.some((holder) => holder.gone.includes(name));
    return new ObjectText(scope, bytes(': ', { type: 'value', gone }), this.#rest);
  }

  #to(at: At): ObjectText<H> {
    return new ObjectText(this.#scope, at, this.#rest);
  }
}

function bytes(text: string, then: At): At {
  return { type: 'bytes', left: [...utf8.encode(text)], then };
}

function keyOf(at: At): string {
  if (at.type === 'bytes') return `b${at.left.join(',')}/${keyOf(at.then)}`;
  if (at.type === 'name') return at.reading.key;
  if (at.type === 'value') return at.gone ? 'V' : 'v';
  return at.type === 'inner' ? `i${at.inner.key}` : at.type;
}
