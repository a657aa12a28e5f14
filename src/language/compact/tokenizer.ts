/**
 * @file Pieces to ids and back. Ids: the codec's specials, 256 bytes of UTF-8, words. `text` takes whole words,
 * else parts of names that are words, else bytes. `chars` (values) is spelt byte by byte, but for separators and for
 * names outside quotes: so `x`, `Node` and `ValueError` are one and the same token in a source and in a value.
 */
import { NpdbError } from '../../common/errors.ts';
import { fnv1a } from '../hash.ts';
import { text } from '../pieces.ts';
import type { Piece, Tokenizer } from '../types.ts';
import { SPECIALS } from './specials.ts';
import { VOCABULARY } from './vocabulary.ts';
import { FIXED_WORDS, INDENTS, nameParts, SEPARATORS } from './words.ts';

/** Bumped when the rules of splitting change. */
const RULES = 1;
const FORMAT = 'npdb-compact-tokenizer';

/** The content of a model's `tokenizer.json`: all that is needed to read its ids. */
export interface TokenizerFile {
  readonly format: typeof FORMAT;
  readonly rules: number;
  readonly id: string;
  readonly specials: readonly string[];
  readonly words: readonly string[];
}

const NAME = /[\p{L}\p{Nl}_][\p{L}\p{N}\p{M}_]*/uy;
/** Never part of an answer. */
const UNANSWERABLE = new Set(['<|pad|>', '<|src|>']);

export class CompactTokenizer implements Tokenizer {
  readonly id: string;
  readonly size: number;
  readonly specials: readonly string[];
  readonly words: readonly string[];
  readonly #specialIds: ReadonlyMap<string, number>;
  readonly #wordIds: ReadonlyMap<string, number>;
  readonly #bytes: readonly Uint8Array[];
  readonly #utf8 = new TextEncoder();
  readonly #texts = new Map<string, readonly number[]>();

  constructor(specials: readonly string[], words: readonly string[]) {
    this.specials = specials;
    this.words = words;
    this.size = specials.length + 256 + words.length;
    this.id = `compact-${fnv1a(JSON.stringify([FORMAT, RULES, specials, words]))}`;
    this.#specialIds = new Map(specials.map((name, index) => [name, index]));
    this.#wordIds = new Map(words.map((word, index) => [word, specials.length + 256 + index]));
    this.#bytes = words.map((word) => this.#utf8.encode(word));
  }

  encode(pieces: readonly Piece[]): number[] {
    const ids: number[] = [];
    for (const piece of pieces) {
      if ('special' in piece) ids.push(this.#special(piece.special));
      else if ('text' in piece) ids.push(...this.#text(piece.text));
      else this.#chars(piece.chars, ids);
    }
    return ids;
  }

  decode(ids: readonly number[]): Piece[] {
    const pieces: Piece[] = [];
    const run: number[] = [];
    const flush = () => {
      if (run.length > 0)
        pieces.push(text(new TextDecoder('utf-8', { ignoreBOM: true }).decode(Uint8Array.from(run))));
      run.length = 0;
    };
    for (const id of ids) {
      const name = this.specials[id];
      if (name === undefined) {
        for (const byte of this.#bytesOf(id)) run.push(byte);
      } else {
        flush();
        pieces.push({ special: name });
      }
    }
    flush();
    return pieces;
  }

  symbols(id: number): readonly number[] | null {
    const name = this.specials[id];
    if (name !== undefined) return UNANSWERABLE.has(name) ? null : [256 + id];
    return id < this.size ? [...this.#bytesOf(id)] : null;
  }

  toJSON(): TokenizerFile {
    return { format: FORMAT, rules: RULES, id: this.id, specials: this.specials, words: this.words };
  }

  /** Throws `E_TOKENIZER` where the file is not one, or was made by other rules. */
  static fromJSON(file: unknown): CompactTokenizer {
    const { format, rules, id, specials, words } = (file ?? {}) as Partial<TokenizerFile>;
    const lists = [specials, words].every(
      (list) => Array.isArray(list) && list.every((s) => typeof s === 'string'),
    );
    if (format !== FORMAT || rules !== RULES || !lists)
      throw badFile('is not a compact tokenizer of this version');
    const tokenizer = new CompactTokenizer(specials!, words!);
    if (tokenizer.id !== id) throw badFile('does not match its own hash');
    return tokenizer;
  }

  #special(name: string): number {
    const id = this.#specialIds.get(name);
    if (id === undefined) throw badFile(`has no special token ${name}`);
    return id;
  }

  #bytesOf(id: number): Iterable<number> {
    const index = id - this.specials.length;
    return index < 256 ? [index] : this.#bytes[index - 256]!;
  }

  /** A word, else its parts, else its bytes; kept, since sources repeat their names. */
  #text(value: string): readonly number[] {
    const word = this.#wordIds.get(value);
    if (word !== undefined) return [word];
    let ids = this.#texts.get(value);
    if (!ids) {
      ids = this.#split(value);
      if (this.#texts.size > 20_000) this.#texts.clear();
      this.#texts.set(value, ids);
    }
    return ids;
  }

  #split(value: string): number[] {
    const ids: number[] = [];
    if (/^ +$/.test(value)) {
      let rest = value.length;
      for (const indent of INDENTS) {
        const id = this.#wordIds.get(indent);
        for (; id !== undefined && rest >= indent.length; rest -= indent.length) ids.push(id);
      }
      this.#spell(' '.repeat(rest), ids);
      return ids;
    }
    const parts = nameParts(value);
    if (parts.join('') !== value) parts.splice(0, parts.length, value);
    for (const part of parts) {
      const id = this.#wordIds.get(part);
      if (id !== undefined) ids.push(id);
      else this.#spell(part, ids);
    }
    return ids;
  }

  #spell(value: string, ids: number[]): void {
    const first = this.specials.length;
    for (const byte of this.#utf8.encode(value)) ids.push(first + byte);
  }

  #chars(value: string, ids: number[]): void {
    let quote = '';
    let from = 0;
    const spell = (to: number) => {
      if (to > from) this.#spell(value.slice(from, to), ids);
    };
    for (let at = 0; at < value.length; ) {
      const char = value[at]!;
      if (quote) {
        if (char === quote) quote = '';
        at += char === '\\' ? 2 : 1;
        continue;
      }
      const word = SEPARATORS.includes(value.slice(at, at + 2)) ? value.slice(at, at + 2) : nameAt(value, at);
      if (word) {
        spell(at);
        for (const id of this.#text(word)) ids.push(id);
        at += word.length;
        from = at;
        continue;
      }
      if (char === '"' || char === "'") quote = char;
      // By code points: a name may begin with one that takes two units.
      at += value.codePointAt(at)! > 0xffff ? 2 : 1;
    }
    spell(value.length);
  }
}

/** The name that begins here; what follows a digit (`1e5`, `0x1f`) is no name. */
function nameAt(value: string, at: number): string {
  if (at > 0 && /\d/.test(value[at - 1]!)) return '';
  NAME.lastIndex = at;
  return NAME.exec(value)?.[0] ?? '';
}

function badFile(what: string): NpdbError {
  return new NpdbError(
    'E_TOKENIZER',
    `The tokenizer ${what}.`,
    'Use the tokenizer.json that came with the weights.',
    3,
  );
}

/** The tokenizer of new models; an old model brings its own file. */
export const compactTokenizer: CompactTokenizer = new CompactTokenizer(SPECIALS, [
  ...new Set([...FIXED_WORDS, ...VOCABULARY]),
]);
