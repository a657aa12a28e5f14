/**
 * @file Text into tokens (Python's lexical analysis, reference manual chapter 2, up to 3.14). Replacement
 * fields of f- and t-strings are tokenized too, since names and calls inside them matter. Knows no grammar.
 */

export type TokenKind = 'name' | 'number' | 'string' | 'op' | 'newline' | 'indent' | 'dedent' | 'end';

export interface Token {
  readonly kind: TokenKind;
  readonly text: string;
  /** Physical lines of its first and last character. */
  readonly line: number;
  readonly end: number;
  /** `f`: the replacement fields, format specs' own fields included, each ended by an `end` token. */
  readonly fields?: readonly (readonly Token[])[];
}

export interface Tokens {
  readonly tokens: readonly Token[];
  /** Lines where the text is no token sequence. */
  readonly errors: readonly number[];
}

const NAME = /[\p{ID_Start}_]\p{ID_Continue}*/uy;
const NUMBER =
  /0[xX](?:_?[\da-fA-F])+|0[oO](?:_?[0-7])+|0[bB](?:_?[01])+|(?:(?:\d(?:_?\d)*)?\.\d(?:_?\d)*|\d(?:_?\d)*\.?)(?:[eE][+-]?\d(?:_?\d)*)?[jJ]?/y;
const OPERATOR =
  /\*\*=|\/\/=|>>=|<<=|\.\.\.|[!=<>+\-*/%@&|^:]=|->|\*\*|\/\/|<<|>>|[-+*/%@&|^~<>()[\]{},:.;=!]/y;
const QUOTE = /([a-zA-Z]{0,2})("""|'''|"|')/y;
const PREFIX = /^(?:|r|u|b|br|rb|f|fr|rf|t|tr|rt)$/i;
/** CPython's own limits (`MAXLEVEL`, `MAXINDENT`): deeper text is a syntax error there too. */
const MAX_BRACKETS = 200;
const MAX_INDENTS = 100;

function at(pattern: RegExp, text: string, pos: number): RegExpExecArray | null {
  pattern.lastIndex = pos;
  return pattern.exec(text);
}

export function tokenize(text: string): Tokens {
  return new Scanner(text).run();
}

class Scanner {
  readonly #text: string;
  readonly #errors: number[] = [];
  #pos = 0;
  #line = 1;
  #fieldDepth = 0;

  constructor(text: string) {
    this.#text = text;
  }

  run(): Tokens {
    const out: Token[] = [];
    const indents = [0];
    if (this.#text.charCodeAt(0) === 0xfeff) this.#pos = 1;
    while (this.#pos < this.#text.length) {
      const column = this.#indentation();
      if (this.#pos >= this.#text.length) break;
      if (this.#skipBlank()) continue;
      this.#indent(column, indents, out);
      this.#logicalLine(out);
    }
    const empty = { text: '', line: this.#line, end: this.#line };
    for (let i = indents.length; i > 1; i--) out.push({ kind: 'dedent', ...empty });
    out.push({ kind: 'end', ...empty });
    return { tokens: out, errors: this.#errors };
  }

  #indentation(): number {
    let column = 0;
    for (; ; this.#pos++) {
      const c = this.#text[this.#pos];
      if (c === ' ') column++;
      else if (c === '\t') column = (Math.floor(column / 8) + 1) * 8;
      else if (c === '\f') column = 0;
      else return column;
    }
  }

  /** Consumes the rest of a line that holds nothing but space or a comment. */
  #skipBlank(): boolean {
    const c = this.#text[this.#pos];
    if (c === '#') this.#comment();
    else if (c !== '\n' && c !== '\r') return false;
    this.#newline();
    return true;
  }

  #comment(): void {
    while (this.#pos < this.#text.length && !this.#atNewline()) this.#pos++;
  }

  #atNewline(): boolean {
    const c = this.#text.charCodeAt(this.#pos);
    return c === 10 || c === 13;
  }

  #newline(): void {
    if (this.#text[this.#pos] === '\r' && this.#text[this.#pos + 1] === '\n') this.#pos++;
    if (this.#pos < this.#text.length) this.#line++;
    this.#pos++;
  }

  #indent(column: number, indents: number[], out: Token[]): void {
    const token = { text: '', line: this.#line, end: this.#line };
    if (column > (indents.at(-1) as number)) {
      if (indents.length >= MAX_INDENTS) this.#errors.push(this.#line);
      else {
        indents.push(column);
        out.push({ kind: 'indent', ...token });
      }
      return;
    }
    while (column < (indents.at(-1) as number)) {
      indents.pop();
      out.push({ kind: 'dedent', ...token });
    }
    if (column !== indents.at(-1) && indents.length < MAX_INDENTS) this.#errors.push(this.#line);
  }

  #logicalLine(out: Token[]): void {
    let depth = 0;
    let opened = 0;
    for (;;) {
      this.#space(depth > 0);
      const line = this.#line;
      if (this.#pos >= this.#text.length || this.#atNewline()) {
        if (depth > 0) this.#errors.push(opened);
        out.push({ kind: 'newline', text: '', line, end: line });
        this.#newline();
        return;
      }
      const token = this.#token();
      if (!token) continue;
      out.push(token);
      if (token.kind !== 'op') continue;
      if ('([{'.includes(token.text)) {
        if (depth++ === 0) opened = line;
      } else if (')]}'.includes(token.text)) depth = Math.max(0, depth - 1);
      if (depth > MAX_BRACKETS) {
        this.#errors.push(line);
        this.#pos = this.#text.length;
      }
    }
  }

  /** Blanks, comments, continued lines; line ends too inside brackets. */
  #space(inside: boolean): void {
    for (;;) {
      const c = this.#text[this.#pos];
      if (c === ' ' || c === '\t' || c === '\f') this.#pos++;
      else if (c === '#') this.#comment();
      else if (c === '\\' && /[\r\n]/.test(this.#text[this.#pos + 1] ?? '')) {
        this.#pos++;
        this.#newline();
      } else if (inside && (c === '\n' || c === '\r')) this.#newline();
      else return;
    }
  }

  #token(): Token | null {
    const line = this.#line;
    const quote = at(QUOTE, this.#text, this.#pos);
    if (quote && PREFIX.test(quote[1] as string)) return this.#string(quote[1] as string, quote[2] as string);
    const name = at(NAME, this.#text, this.#pos);
    if (name) {
      this.#pos = NAME.lastIndex;
      // Python compares identifiers in normal form KC.
      return { kind: 'name', text: name[0].normalize('NFKC'), line, end: line };
    }
    const number = at(NUMBER, this.#text, this.#pos);
    if (number) {
      this.#pos = NUMBER.lastIndex;
      if (/^0[\d_]*[1-9][\d_]*$/.test(number[0])) this.#errors.push(line);
      return { kind: 'number', text: number[0], line, end: line };
    }
    const operator = at(OPERATOR, this.#text, this.#pos);
    if (operator) {
      this.#pos = OPERATOR.lastIndex;
      return { kind: 'op', text: operator[0], line, end: line };
    }
    this.#errors.push(line);
    this.#pos++;
    return null;
  }

  #string(prefix: string, quote: string): Token {
    const line = this.#line;
    const start = this.#pos;
    const raw = /r/i.test(prefix);
    const fields: Token[][] | null = /[ft]/i.test(prefix) ? [] : null;
    this.#pos += prefix.length + quote.length;
    this.#body(quote, raw, fields);
    const text = this.#text.slice(start, this.#pos);
    return { kind: 'string', text, line, end: this.#line, ...(fields ? { fields } : {}) };
  }

  /** From after the opening quote to after the closing one. */
  #body(quote: string, raw: boolean, fields: Token[][] | null): void {
    const text = this.#text;
    const line = this.#line;
    while (this.#pos < text.length) {
      const c = text[this.#pos];
      if (c === '\\') {
        this.#pos++;
        if (this.#atNewline()) this.#newline();
        else if (!raw && fields && text.startsWith('N{', this.#pos)) this.#pos += 2;
        else if (!(fields && (text[this.#pos] === '{' || text[this.#pos] === '}'))) this.#pos++;
      } else if (text.startsWith(quote, this.#pos)) {
        this.#pos += quote.length;
        return;
      } else if (this.#atNewline()) {
        if (quote.length === 1) break;
        this.#newline();
      } else if (fields && c === '{') {
        if (text[this.#pos + 1] === '{') this.#pos += 2;
        else this.#field(quote, fields);
      } else this.#pos++;
    }
    this.#errors.push(line);
  }

  /** `{expression [=] [!conversion] [:format]}`; the format's own fields follow as fields. */
  #field(quote: string, fields: Token[][]): void {
    const text = this.#text;
    const line = this.#line;
    this.#pos++;
    const tokens: Token[] = [];
    fields.push(tokens);
    this.#fieldDepth++;
    this.#fieldTokens(tokens);
    tokens.push({ kind: 'end', text: '', line: this.#line, end: this.#line });
    if (text[this.#pos] === '=') this.#pos++;
    this.#space(true);
    if (text[this.#pos] === '!') {
      this.#pos++;
      this.#pos += at(NAME, text, this.#pos)?.[0].length ?? 0;
      this.#space(true);
    }
    if (text[this.#pos] === ':') {
      this.#pos++;
      while (this.#pos < text.length && text[this.#pos] !== '}' && !text.startsWith(quote, this.#pos)) {
        if (text[this.#pos] === '{') {
          if (this.#fieldDepth > 5) break;
          this.#field(quote, fields);
        } else if (this.#atNewline()) {
          if (quote.length === 1) break;
          this.#newline();
        } else this.#pos++;
      }
    }
    this.#fieldDepth--;
    if (text[this.#pos] === '}') this.#pos++;
    else this.#errors.push(line);
  }

  #fieldTokens(tokens: Token[]): void {
    const text = this.#text;
    let depth = 0;
    if (this.#fieldDepth > MAX_BRACKETS / 2) return;
    for (;;) {
      this.#space(true);
      if (this.#pos >= text.length) return;
      const c = text[this.#pos] as string;
      if (depth === 0) {
        if (c === '}' || c === ':') return;
        if ((c === '!' || c === '=') && text[this.#pos + 1] !== '=') return;
      }
      const token = this.#token();
      if (!token) continue;
      tokens.push(token);
      if (token.kind !== 'op') continue;
      if ('([{'.includes(token.text)) depth++;
      else if (')]}'.includes(token.text)) depth--;
      if (depth < 0 || depth > MAX_BRACKETS) return;
    }
  }
}
