/**
 * @file Source text as pieces, nothing lost: what CPython's tokens are is `text` or `chars`, so that a small vocabulary
 * has words to find. Joined, the pieces are the text as it was written.
 */
import type { Program } from '../../source/types.ts';
import { LONG_OPERATORS } from '../compact/lexer.ts';
import { chars, text } from '../pieces.ts';
import type { Piece } from '../types.ts';

const escaped = (word: string): string => word.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');

const STRING = String.raw`[rRbBfFuUtT]{0,2}(?:"""(?:\\[^]|[^\\])*?(?:"""|$)|'''(?:\\[^]|[^\\])*?(?:'''|$)|"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?)`;
const TOKENS = new RegExp(
  [
    String.raw`(?<text>\n|[ \t\f]+)`,
    `(?<chars>#[^\\n]*|${STRING})`,
    String.raw`(?<name>[\p{L}\p{Nl}_][\p{L}\p{N}\p{M}_]*)`,
    String.raw`(?<number>\d[\w.]*)`,
    `(?<operator>${LONG_OPERATORS.map(escaped).join('|')}|[^])`,
  ].join('|'),
  'gu',
);

export function sourcePieces(source: string): Piece[] {
  const pieces: Piece[] = [];
  for (const { 0: token, groups } of source.matchAll(TOKENS)) {
    pieces.push((groups!.chars ?? groups!.number) === undefined ? text(token) : chars(token));
  }
  return pieces;
}

/** A state's line as written, indentation kept: the physical line that its unit is numbered by. */
export function lineText(program: Program | undefined, line: number): string {
  return program?.lines[line - 1] ?? '';
}

/** The file, without blank lines at its end. */
export function sourceText(program: Program): string {
  const lines = [...program.lines];
  while (lines.length > 0 && lines[lines.length - 1]!.trim() === '') lines.pop();
  return lines.join('\n');
}
