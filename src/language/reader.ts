/** @file Reads pieces one after the other: a special, or the text up to the next special. */
import { NpdbError } from '../common/errors.ts';
import { joinPieces, pieceText } from './pieces.ts';
import type { Piece } from './types.ts';

export class PieceReader {
  readonly #pieces: Piece[];
  #at = 0;

  constructor(pieces: readonly Piece[]) {
    this.#pieces = joinPieces(pieces);
  }

  get done(): boolean {
    return this.#at >= this.#pieces.length;
  }

  /** The special that comes next, or null. */
  peek(): string | null {
    const piece = this.#pieces[this.#at];
    return piece && 'special' in piece ? piece.special : null;
  }

  /** Takes the special if it comes next. */
  take(special: string): boolean {
    if (this.peek() !== special) return false;
    this.#at++;
    return true;
  }

  /** Takes any special. */
  special(): string {
    const next = this.peek();
    if (next === null) throw this.malformed('a special token');
    this.#at++;
    return next;
  }

  expect(special: string): void {
    if (!this.take(special)) throw this.malformed(special);
  }

  /** The text up to the next special; may be empty. */
  text(): string {
    const piece = this.#pieces[this.#at];
    if (!piece || 'special' in piece) return '';
    this.#at++;
    return pieceText(piece);
  }

  /** Takes what the pattern matches at the beginning of the text, and leaves the rest. */
  prefix(pattern: RegExp): string {
    const piece = this.#pieces[this.#at];
    const found = piece && !('special' in piece) ? (pattern.exec(pieceText(piece))?.[0] ?? '') : '';
    if (found === '') return '';
    const rest = pieceText(piece!).slice(found.length);
    if (rest === '') this.#at++;
    else this.#pieces[this.#at] = { text: rest };
    return found;
  }

  malformed(wanted: string): NpdbError {
    const piece = this.#pieces[this.#at];
    const found = piece ? JSON.stringify(pieceText(piece)) : 'the end';
    return new NpdbError(
      'E_MALFORMED',
      `The answer has ${found} where ${wanted} should be (piece ${this.#at + 1}).`,
      'Decode under the language mask, or try again with another seed.',
      1,
    );
  }
}
