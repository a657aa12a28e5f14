/**
 * @file Value text to value (table: `docs/trace.md`). Strict about the shape, since the text is canonical:
 * one space after a comma, no other white space. Escapes inside strings are read in any of repr's forms.
 */
import { NpdbError } from '../common/errors.ts';
import { COMPLEX, FLOAT, floatValue, INT } from './number.ts';
import type { Value } from './types.ts';
import { isPrintable } from './unicode.ts';

/** Deeper than any limit a renderer is run with; keeps hostile text from exhausting the stack. */
const MAX_DEPTH = 200;

const NAME = /[\p{XID_Start}_]\p{XID_Continue}*(?:\.(?:[\p{XID_Start}_]\p{XID_Continue}*|<locals>(?=\.)))*/uy;
const COUNT = /[1-9][0-9]*/y;
const HEX: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 };
const NAMED: Readonly<Record<string, string>> = {
  n: '\n',
  r: '\r',
  t: '\t',
  '\\': '\\',
  "'": "'",
  '"': '"',
};
const CONSTANTS: ReadonlyMap<string, Value> = new Map<string, Value>([
  ['None', { type: 'none' }],
  ['True', { type: 'bool', value: true }],
  ['False', { type: 'bool', value: false }],
  ['Ellipsis', { type: 'ellipsis' }],
  ['NotImplemented', { type: 'notimplemented' }],
  ['datetime.timezone.utc', { type: 'utc' }],
]);

/** Throws `E_VALUE` with the position (UTF-16 units from 0) where the text stops being a value. */
export function parseValue(text: string): Value {
  const parser = new Parser(text);
  const value = parser.value(0);
  parser.end();
  return value;
}

class Parser {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  end(): void {
    if (this.#at < this.#text.length) this.#fail('the end of the value');
  }

  value(depth: number): Value {
    if (depth > MAX_DEPTH) this.#fail(`at most ${MAX_DEPTH} nested brackets`);
    const first = this.#text[this.#at] ?? '';
    if (first === '&') return this.#anchored(depth);
    if (this.#take('*')) return { type: 'alias', anchor: this.#count() };
    if (this.#take('...')) return { type: 'cut' };
    if (first === "'" || first === '"') return this.#withCut(this.#string());
    if (first === 'b' && /['"]/.test(this.#text[this.#at + 1] ?? '')) return this.#withCut(this.#bytes());
    return this.#number() ?? this.#container(depth, undefined) ?? this.#constant();
  }

  #anchored(depth: number): Value {
    this.#expect('&');
    const anchor = this.#count();
    this.#expect(' ');
    if (this.#take('...')) return { type: 'cut', anchor };
    const value = this.#container(depth, anchor);
    // Tuples are immutable, so that the renderer never labels one; and `(1+2j)` is no container.
    if (value === undefined || value.type === 'tuple') return this.#fail('a mutable object after its label');
    return value;
  }

  #number(): Value | undefined {
    const complex = this.#match(COMPLEX, true);
    if (complex !== undefined) return { type: 'complex', text: complex };
    const float = this.#match(FLOAT, true);
    if (float !== undefined) return { type: 'float', value: floatValue(float), text: float };
    const int = this.#match(INT);
    return int === undefined ? undefined : { type: 'int', value: BigInt(int) };
  }

  #constant(): Value {
    const start = this.#at;
    const constant = CONSTANTS.get(this.#match(NAME) ?? '');
    if (constant !== undefined) return constant;
    this.#at = start;
    return this.#fail('a value');
  }

  #container(depth: number, anchor: number | undefined): Value | undefined {
    const label = anchor === undefined ? {} : { anchor };
    const first = this.#text[this.#at];
    if (first === '[') return { type: 'list', ...this.#items(depth, '[', ']'), ...label };
    if (first === '(') return { ...this.#tuple(depth), ...label };
    if (first === '{') return { ...this.#braces(depth), ...label };
    if (first === '<') return { type: 'opaque', text: this.#opaque(), ...label };
    const start = this.#at;
    const name = this.#match(NAME);
    if (name === undefined || this.#text[this.#at] !== '(') {
      this.#at = start;
      return undefined;
    }
    return { ...this.#call(depth, name), ...label };
  }

  #items(depth: number, open: string, close: string): { items: Value[]; cut?: number } {
    this.#expect(open);
    const items: Value[] = [];
    if (this.#take(close)) return { items };
    do {
      const cut = this.#cut();
      if (cut !== undefined) {
        this.#expect(close);
        return { items, cut };
      }
      items.push(this.value(depth + 1));
    } while (this.#take(', '));
    if (close === ')' && items.length === 1) this.#expect(',');
    this.#expect(close);
    return { items };
  }

  #tuple(depth: number): Value {
    return { type: 'tuple', ...this.#items(depth, '(', ')') };
  }

  #braces(depth: number): Value {
    this.#expect('{');
    if (this.#take('}')) return { type: 'dict', entries: [] };
    const items: Value[] = [];
    const entries: [Value, Value][] = [];
    const done = (cut?: number): Value => {
      this.#expect('}');
      const mark = cut === undefined ? {} : { cut };
      return items.length > 0 ? { type: 'set', items, ...mark } : { type: 'dict', entries, ...mark };
    };
    do {
      const cut = this.#cut();
      if (cut !== undefined) return done(cut);
      const key = this.value(depth + 1);
      if (items.length === 0 && (entries.length > 0 || this.#text[this.#at] === ':')) {
        this.#expect(': ');
        entries.push([key, this.value(depth + 1)]);
      } else {
        items.push(key);
      }
    } while (this.#take(', '));
    return done();
  }

  #call(depth: number, name: string): Value {
    this.#expect('(');
    const args: Value[] = [];
    const fields: [string, Value][] = [];
    let cut: number | undefined;
    let argsCut: number | undefined;
    if (!this.#take(')')) {
      do {
        cut = this.#cut();
        if (cut !== undefined) {
          if (fields.length > 0 || argsCut !== undefined || !this.#text.startsWith(', ', this.#at)) break;
          argsCut = cut;
          cut = undefined;
          continue;
        }
        const field = this.#fieldName();
        if (field !== undefined) fields.push([field, this.value(depth + 1)]);
        else if (fields.length > 0 || argsCut !== undefined) this.#fail('a field (`name=`)');
        else args.push(this.value(depth + 1));
      } while (this.#take(', '));
      this.#expect(')');
    }
    const bare = args.length === 0 && fields.length === 0 && cut === undefined;
    if (name === 'set' && bare) return { type: 'set', items: [] };
    return {
      type: 'call',
      name,
      args,
      fields,
      ...(argsCut === undefined ? {} : { argsCut }),
      ...(cut === undefined ? {} : { cut }),
    };
  }

  #fieldName(): string | undefined {
    const start = this.#at;
    const name = this.#match(NAME);
    if (name !== undefined && !name.includes('.') && this.#take('=')) return name;
    this.#at = start;
    return undefined;
  }

  /** Text between `<` and its `>`: brackets balance, except inside quotes (`<Op.LT: '<'>`). */
  #opaque(): string {
    const start = this.#at + 1;
    let open = 0;
    do {
      const character = this.#peek();
      if (character === "'" || character === '"') {
        this.#string();
        continue;
      }
      if (character === '<') open += 1;
      else if (character === '>') open -= 1;
      else if (character === '' || !isText(character)) this.#fail('`>`');
      this.#at += character.length;
    } while (open > 0);
    return this.#text.slice(start, this.#at - 1);
  }

  #string(): { type: 'str'; value: string } {
    const quote = this.#peek();
    this.#at += 1;
    let value = '';
    for (;;) {
      const character = this.#peek();
      this.#at += character.length;
      if (character === quote) return { type: 'str', value };
      if (character === '\\') value += this.#escape();
      else if (character !== '' && isText(character)) value += character;
      else {
        this.#at -= character.length;
        this.#fail(`a character or ${quote}`);
      }
    }
  }

  #bytes(): { type: 'bytes'; value: Uint8Array } {
    this.#expect('b');
    const start = this.#at;
    const codes = Array.from(this.#string().value, (character) => character.codePointAt(0) as number);
    if (codes.every((code) => code <= 0xff) && !/[^ -~]/.test(this.#text.slice(start, this.#at)))
      return { type: 'bytes', value: Uint8Array.from(codes) };
    this.#at = start;
    return this.#fail('bytes written in ASCII');
  }

  #escape(): string {
    const kind = this.#text[this.#at] ?? '';
    const named = NAMED[kind];
    if (named !== undefined) {
      this.#at += 1;
      return named;
    }
    const digits = this.#text.slice(this.#at + 1, this.#at + 1 + (HEX[kind] ?? 0));
    const code = /^[0-9a-f]+$/.test(digits) && digits.length === HEX[kind] ? Number.parseInt(digits, 16) : -1;
    if (code < 0 || code > 0x10ffff) this.#fail('an escape that repr writes');
    this.#at += 1 + digits.length;
    return String.fromCodePoint(code);
  }

  #withCut<T extends Value>(value: T): T {
    const cut = this.#cut();
    return cut === undefined ? value : { ...value, cut };
  }

  /** `...+N` */
  #cut(): number | undefined {
    return this.#take('...+') ? this.#count() : undefined;
  }

  #count(): number {
    return Number(this.#match(COUNT) ?? this.#fail('a number from 1'));
  }

  /** `whole`: a name may not go on after the match (`nan(x=1)` is a call, `info` a name). */
  #match(pattern: RegExp, whole = false): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    if (found === undefined) return undefined;
    if (whole && /^[\p{XID_Continue}(.=]/u.test(this.#text.slice(pattern.lastIndex, pattern.lastIndex + 2)))
      return undefined;
    this.#at += found.length;
    return found;
  }

  #peek(): string {
    const code = this.#text.codePointAt(this.#at);
    return code === undefined ? '' : String.fromCodePoint(code);
  }

  #take(token: string): boolean {
    if (!this.#text.startsWith(token, this.#at)) return false;
    this.#at += token.length;
    return true;
  }

  #expect(token: string): void {
    if (!this.#take(token)) this.#fail(`\`${token}\``);
  }

  #fail(wanted: string): never {
    const shown = this.#text.slice(Math.max(0, this.#at - 20), this.#at + 20);
    throw new NpdbError(
      'E_VALUE',
      `Not a value text: expected ${wanted} at ${this.#at}, in ${JSON.stringify(shown)}.`,
      'A value is written as Python prints it, for example [1, 2] or Point(x=1).',
    );
  }
}

/** Raw in a canonical text: never a control character, even if this Unicode version does not print it. */
function isText(character: string): boolean {
  const code = character.codePointAt(0) as number;
  return code > 0x7f ? code > 0xa0 : isPrintable(code);
}
