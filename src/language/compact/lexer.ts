/**
 * @file Splits source text into the pieces of the context, line by line. A lexer of its own instead of the
 * parser's tokens, because a program that does not parse must still be shown to a model.
 */
import { chars, text } from '../pieces.ts';
import type { Piece } from '../types.ts';

const OPERATORS = [
  '**=',
  '//=',
  '>>=',
  '<<=',
  '...',
  '!=',
  '==',
  '<=',
  '>=',
  '->',
  ':=',
  '+=',
  '-=',
  '*=',
  '/=',
  '%=',
  '@=',
  '&=',
  '|=',
  '^=',
  '**',
  '//',
  '<<',
  '>>',
] as const;

/** The operators of more than one character: whole words of the tokenizer. */
export const LONG_OPERATORS: readonly string[] = OPERATORS;

const SPACE = /[ \t\f]+/y;
const NAME = /[\p{L}\p{Nl}_][\p{L}\p{N}\p{M}_]*/uy;
const NUMBER =
  /0[xX][\da-fA-F_]+|0[bB][01_]+|0[oO][0-7_]+|(?:\d[\d_]*\.?[\d_]*|\.\d[\d_]*)(?:[eE][+-]?\d[\d_]*)?[jJ]?/y;
const STRING_START = /(?:[rR][bBfFtT]?|[bBfFtT][rR]?|[uU])?("""|'''|"|')/y;

/** An open string: what closes it. A triple quote holds over lines, a single one after a backslash. */
type Open = string | null;

function match(pattern: RegExp, line: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(line);
}

/** Where the string that `quote` closes ends in this line, or -1 if it does not. */
function closing(line: string, from: number, quote: string): number {
  for (let at = from; at < line.length; at++) {
    if (line[at] === '\\') at++;
    else if (line.startsWith(quote, at)) return at + quote.length;
  }
  return -1;
}

function stillOpen(line: string, quote: string): Open {
  return quote.length === 3 || /(?:^|[^\\])(?:\\\\)*\\$/.test(line) ? quote : null;
}

interface Lexed {
  readonly indent: string;
  readonly pieces: readonly Piece[];
  /** The line begins inside a string. */
  readonly inside: boolean;
  readonly open: Open;
}

function lexLine(line: string, open: Open): Lexed {
  const pieces: Piece[] = [];
  let at = 0;
  let indent = '';
  if (open !== null) {
    const end = closing(line, 0, open);
    if (end < 0)
      return { indent, pieces: line ? [chars(line)] : [], inside: true, open: stillOpen(line, open) };
    pieces.push(chars(line.slice(0, end)));
    at = end;
  } else {
    indent = match(SPACE, line, 0)?.[0] ?? '';
    at = indent.length;
  }
  const inside = open !== null;
  while (at < line.length) {
    const space = match(SPACE, line, at);
    if (space) {
      at += space[0].length;
      continue;
    }
    if (line[at] === '#') break;
    const string = match(STRING_START, line, at);
    if (string) {
      const quote = string[1]!;
      const end = closing(line, at + string[0].length, quote);
      pieces.push(chars(end < 0 ? line.slice(at) : line.slice(at, end)));
      if (end < 0) return { indent, pieces, inside, open: stillOpen(line, quote) };
      at = end;
      continue;
    }
    const name = match(NAME, line, at);
    const number = name ? null : match(NUMBER, line, at);
    const token =
      name?.[0] ??
      number?.[0] ??
      OPERATORS.find((operator) => line.startsWith(operator, at)) ??
      String.fromCodePoint(line.codePointAt(at)!);
    pieces.push(number ? chars(token) : text(token));
    at += token.length;
  }
  return { indent, pieces, inside, open: null };
}

export interface SourceLine {
  /** From 1. */
  readonly line: number;
  readonly indent: string;
  /** Without the indentation; empty only for a blank line inside a string. */
  readonly pieces: readonly Piece[];
}

/** The lines that have something to show: neither blank nor only a comment, unless they lie inside a string. */
export function sourceLines(lines: readonly string[]): SourceLine[] {
  const shown: SourceLine[] = [];
  let open: Open = null;
  lines.forEach((line, index) => {
    const lexed = lexLine(line, open);
    open = lexed.open;
    if (lexed.pieces.length > 0 || lexed.inside) {
      shown.push({ line: index + 1, indent: lexed.indent, pieces: lexed.pieces });
    }
  });
  return shown;
}
