/** @file Byte automatons for names, what is made of names, and free text. */
import { type ValueState, valueAutomaton } from '../values/index.ts';
import type { Bytes } from './automaton.ts';

const utf8 = new TextEncoder();
const [SPACE, EQUALS] = [0x20, 0x3d];

interface TrieNode {
  word: string | null;
  readonly next: Map<number, TrieNode>;
}

/** A set of words as a trie over bytes. Shared by content, so that equal sets have equal keys. */
export class Words {
  static readonly #known = new Map<string, Words>();
  static #count = 0;
  readonly words: readonly string[];
  readonly #id: number;
  readonly #root: TrieNode;

  private constructor(words: readonly string[]) {
    this.words = words;
    this.#id = Words.#count++;
    this.#root = { word: null, next: new Map() };
    for (const word of words) {
      let node = this.#root;
      for (const byte of utf8.encode(word)) {
        let next = node.next.get(byte);
        if (!next) node.next.set(byte, (next = { word: null, next: new Map() }));
        node = next;
      }
      node.word = word;
    }
  }

  static of(words: Iterable<string>): Words {
    const sorted = [...new Set(words)].sort();
    const key = sorted.join('\n');
    let found = Words.#known.get(key);
    if (!found) {
      // Ids are never used twice, so dropping what is known only costs time.
      if (Words.#known.size >= 10_000) Words.#known.clear();
      Words.#known.set(key, (found = new Words(sorted)));
    }
    return found;
  }

  without(word: string): Words {
    return Words.of(this.words.filter((other) => other !== word));
  }

  /** Reads one of the words. */
  reading(): Reading {
    return new Reading(this.#root, `w${this.#id}.`);
  }
}

/** In the middle of a word, or at its end. */
export class Reading implements Bytes<Reading> {
  readonly key: string;
  /** The word read, if this is the end of one. */
  readonly word: string | null;
  readonly #node: TrieNode;

  constructor(node: TrieNode, key: string) {
    this.#node = node;
    this.key = key;
    this.word = node.word;
  }

  get accepting(): boolean {
    return this.word !== null;
  }

  next(byte: number): Reading | null {
    const node = this.#node.next.get(byte);
    return node ? new Reading(node, `${this.key}${byte.toString(16)}.`) : null;
  }
}

/** `name=value`. */
export class Assignment implements Bytes<Assignment> {
  readonly key: string;
  readonly name: string;
  readonly #at: Reading | ValueState;

  private constructor(name: string, at: Reading | ValueState) {
    this.name = name;
    this.#at = at;
    this.key = at instanceof Reading ? `=${at.key}` : `v${at.key}`;
  }

  static to(names: Words): Assignment {
    return new Assignment('', names.reading());
  }

  get accepting(): boolean {
    return !(this.#at instanceof Reading) && this.#at.accepting;
  }

  next(byte: number): Assignment | null {
    if (this.#at instanceof Reading && byte === EQUALS) {
      return this.#at.word === null ? null : new Assignment(this.#at.word, valueAutomaton());
    }
    const next = this.#at.next(byte);
    return next && new Assignment(this.name, next);
  }
}

/** `a b c`: two names or more, each once. */
export class Group implements Bytes<Group> {
  readonly key: string;
  /** Names not used yet, the one being read among them. */
  readonly #names: Words;
  readonly #at: Reading;
  readonly #begun: boolean;

  private constructor(names: Words, at: Reading, begun: boolean) {
    this.#names = names;
    this.#at = at;
    this.#begun = begun;
    this.key = `${begun ? 'G' : 'g'}${at.key}`;
  }

  static of(names: Words): Group {
    return new Group(names, names.reading(), false);
  }

  get accepting(): boolean {
    return this.#begun && this.#at.accepting;
  }

  /** The names that no group has used, if this one ends here. */
  get left(): Words {
    return this.#names.without(this.#at.word ?? '');
  }

  next(byte: number): Group | null {
    if (byte === SPACE) {
      const left = this.#at.word === null ? null : this.left;
      return left && left.words.length > 0 ? new Group(left, left.reading(), true) : null;
    }
    const next = this.#at.next(byte);
    return next && new Group(this.#names, next, this.#begun);
  }
}

/** Any text in well-formed UTF-8. */
export class AnyText implements Bytes<AnyText> {
  static readonly start = new AnyText(0, 0x80, 0xbf);
  readonly key: string;
  /** Continuation bytes to come, and the range of the first of them. */
  readonly #left: number;
  readonly #low: number;
  readonly #high: number;

  private constructor(left: number, low: number, high: number) {
    this.#left = left;
    this.#low = low;
    this.#high = high;
    this.key = left === 0 ? 't' : `t${left}.${low}.${high}`;
  }

  get accepting(): boolean {
    return this.#left === 0;
  }

  next(byte: number): AnyText | null {
    if (this.#left > 0) {
      if (byte < this.#low || byte > this.#high) return null;
      return this.#left === 1 ? AnyText.start : new AnyText(this.#left - 1, 0x80, 0xbf);
    }
    if (byte < 0x80) return this;
    if (byte < 0xc2 || byte > 0xf4) return null;
    if (byte < 0xe0) return new AnyText(1, 0x80, 0xbf);
    // Neither overlong forms, nor surrogates, nor anything beyond U+10FFFF.
    if (byte < 0xf0) return new AnyText(2, byte === 0xe0 ? 0xa0 : 0x80, byte === 0xed ? 0x9f : 0xbf);
    return new AnyText(3, byte === 0xf0 ? 0x90 : 0x80, byte === 0xf4 ? 0x8f : 0xbf);
  }
}
