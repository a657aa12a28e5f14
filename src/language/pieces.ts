/** @file Small helpers on pieces, shared by the codecs. A run of `text` and `chars` is one string: only specials part it. */
import type { Piece, Tokenizer } from './types.ts';

export const special = (name: string): Piece => ({ special: name });
export const text = (value: string): Piece => ({ text: value });
export const chars = (value: string): Piece => ({ chars: value });

/** The characters of a piece; a special's own name. */
export function pieceText(piece: Piece): string {
  if ('special' in piece) return piece.special;
  return 'text' in piece ? piece.text : piece.chars;
}

/** As one string, for people and tests; not meant to be read back: a value may spell a special's name. */
export function showPieces(pieces: readonly Piece[]): string {
  return pieces.map(pieceText).join('');
}

/** Joins neighbouring `text` and `chars` to one `text`: what a tokenizer's `decode(encode(pieces))` gives. */
export function joinPieces(pieces: readonly Piece[]): Piece[] {
  const joined: Piece[] = [];
  let run = '';
  for (const piece of pieces) {
    if (!('special' in piece)) {
      run += pieceText(piece);
      continue;
    }
    if (run !== '') joined.push(text(run));
    run = '';
    joined.push(piece);
  }
  if (run !== '') joined.push(text(run));
  return joined;
}

/** Whether some text reads like a special: joined to one string (`showPieces`), it would be taken for it. */
export function spellsSpecial(pieces: readonly Piece[], specials: readonly string[]): boolean {
  return joinPieces(pieces).some(
    (piece) =>
      'text' in piece && piece.text.includes('<|') && specials.some((name) => piece.text.includes(name)),
  );
}

/** Token ids in the narrowest array that holds the vocabulary: what shards and prompts are made of. */
export function encodeIds(tokenizer: Tokenizer, pieces: readonly Piece[]): Uint16Array | Uint32Array {
  const ids = tokenizer.encode(pieces);
  return tokenizer.size <= 0x10000 ? Uint16Array.from(ids) : Uint32Array.from(ids);
}
