/** @file A place in a token list, shared by the parser's files. `Problem` never leaves `parse`. */
import type { Token, TokenKind } from './tokens.ts';

/** Thrown where the text is no Python; caught at the next statement. */
export class Problem {
  readonly line: number;
  constructor(line: number) {
    this.line = line;
  }
}

const KEYWORDS = new Set(
  'False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield'.split(
    ' ',
  ),
);

/** Nesting of expressions and statements; CPython's parser and compiler give up at like depths. */
const MAX_DEPTH = 600;

export class Cursor {
  readonly tokens: readonly Token[];
  readonly errors: number[] = [];
  index = 0;
  depth = 0;

  constructor(tokens: readonly Token[]) {
    this.tokens = tokens;
  }

  get token(): Token {
    return this.tokens[this.index] as Token;
  }

  /** Last physical line consumed. */
  get end(): number {
    return (this.tokens[Math.max(0, this.index - 1)] as Token).end;
  }

  next(): Token {
    const token = this.token;
    if (this.index < this.tokens.length - 1) this.index++;
    return token;
  }

  fail(): never {
    throw new Problem(this.token.line);
  }

  /** Operators and keywords by their text; a string or a number never matches. */
  is(text: string): boolean {
    const { kind, text: own } = this.token;
    return own === text && (kind === 'op' || kind === 'name');
  }

  at(kind: TokenKind): boolean {
    return this.token.kind === kind;
  }

  any(texts: ReadonlySet<string>): boolean {
    const { kind, text } = this.token;
    return (kind === 'op' || kind === 'name') && texts.has(text);
  }

  ahead(text: string, by = 1): boolean {
    const token = this.tokens[this.index + by];
    return token !== undefined && token.text === text && (token.kind === 'op' || token.kind === 'name');
  }

  accept(text: string): boolean {
    if (!this.is(text)) return false;
    this.next();
    return true;
  }

  expect(text: string): Token {
    if (!this.is(text)) this.fail();
    return this.next();
  }

  get isName(): boolean {
    return this.token.kind === 'name' && !KEYWORDS.has(this.token.text);
  }

  name(): string {
    if (!this.isName) this.fail();
    return this.next().text;
  }

  nest<T>(read: () => T): T {
    if (++this.depth > MAX_DEPTH) {
      this.depth--;
      this.fail();
    }
    try {
      return read();
    } finally {
      this.depth--;
    }
  }

  /** Undoes `read` and gives null where it fails. */
  attempt<T>(read: () => T): T | null {
    const { index, depth } = this;
    const count = this.errors.length;
    try {
      return read();
    } catch (problem) {
      if (!(problem instanceof Problem)) throw problem;
      this.index = index;
      this.depth = depth;
      this.errors.length = count;
      return null;
    }
  }
}
