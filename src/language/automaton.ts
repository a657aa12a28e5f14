/**
 * @file Building blocks of answer automatons. An answer alternates between specials and spans of bytes, so two
 * blocks do: `choice` (one special of some) and `span` (bytes of a small automaton, then a special).
 */
import type { AutomatonState } from './types.ts';

/** An automaton over bytes alone, `B` its own type; a value's is one. */
export interface Bytes<B> {
  /** Equal keys: equal futures. */
  readonly key: string;
  /** The text may end here. */
  readonly accepting: boolean;
  next(byte: number): B | null;
}

/** A special's symbol and what follows it. */
export type Exit = readonly [symbol: number, then: () => AutomatonState];

/** For followers that many specials share: made once, when first asked for. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null;
  return () => (made ??= { value: make() }).value;
}

/** Specials by symbol, each with what follows it. Followers are made when asked for: most never are. */
export class Exits {
  readonly key: string;
  readonly #exits: ReadonlyMap<number, () => AutomatonState>;

  constructor(exits: Iterable<Exit>) {
    this.#exits = new Map(exits);
    this.key = [...this.#exits.keys()].sort((a, b) => a - b).join(',');
  }

  get size(): number {
    return this.#exits.size;
  }

  take(symbol: number): AutomatonState | null {
    return this.#exits.get(symbol)?.() ?? null;
  }
}

export const END: AutomatonState = { key: 'END', done: true, next: () => null };

export function choice(exits: Exits): AutomatonState {
  return { key: `:${exits.key}`, done: false, next: (symbol) => exits.take(symbol) };
}

/** Bytes, then a special. `end`: the specials that may follow where the text may end; `label` stands for them in keys. */
export function span<B extends Bytes<B>>(bytes: B, label: string, end: (text: B) => Exits): AutomatonState {
  return {
    key: `${bytes.key}>${label}`,
    done: false,
    next: (symbol) => {
      if (symbol >= 256) return bytes.accepting ? end(bytes).take(symbol) : null;
      const next = bytes.next(symbol);
      return next && span(next, label, end);
    },
  };
}

/** A span that ends the same way wherever it ends. */
export function spanTo<B extends Bytes<B>>(bytes: B, exits: Exits): AutomatonState {
  return span(bytes, exits.key, () => exits);
}

/** Either a special now, or a span. */
export function either(exits: Exits, begun: AutomatonState): AutomatonState {
  return {
    key: `${exits.key}|${begun.key}`,
    done: false,
    next: (symbol) => (symbol >= 256 ? exits.take(symbol) : begun.next(symbol)),
  };
}
