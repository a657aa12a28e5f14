/** @file Operands: names, literals, displays, parentheses, strings with their replacement fields. */
import { Cursor } from './cursor.ts';
import { bitwise, expression, group, starOrNamed, yielding, yieldOrExpressions } from './expressions.ts';
import { comprehension, startsFor } from './postfix.ts';
import type { Expr } from './syntax.ts';
import type { Token } from './tokens.ts';

const SINGLES: ReadonlyMap<string, boolean> = new Map([
  ['True', true],
  ['False', false],
  ['None', false],
  ['...', true],
]);

export function atom(c: Cursor): Expr {
  const { line, kind, text } = c.token;
  if (kind === 'string') return strings(c);
  if (kind === 'number') {
    c.next();
    return { type: 'const', line, end: line, truth: isNonZero(text) };
  }
  if (c.isName) {
    c.next();
    return { type: 'name', id: text, line, end: line };
  }
  const truth = SINGLES.get(text);
  if (truth !== undefined) {
    c.next();
    return { type: 'const', line, end: line, truth };
  }
  if (c.accept('(')) return parenthesized(c, line);
  if (c.accept('[')) return bracketed(c, line);
  if (c.accept('{')) return braced(c, line);
  return c.fail();
}

function isNonZero(number: string): boolean {
  return /^0[xob]/i.test(number) ? /[1-9a-f]/i.test(number.slice(2)) : /^[^e]*[1-9]/i.test(number);
}

function parenthesized(c: Cursor, line: number): Expr {
  if (c.accept(')')) return group(c, 'tuple', line, []);
  if (c.is('yield')) {
    const value = yielding(c);
    c.expect(')');
    return value;
  }
  const first = starOrNamed(c);
  if (startsFor(c)) {
    const value = comprehension(c, 'genexpr', [first], line);
    c.expect(')');
    return value;
  }
  if (c.accept(')')) return first.type === 'star' ? c.fail() : first;
  return group(c, 'tuple', line, rest(c, first, ')'));
}

function rest(c: Cursor, first: Expr, close: string): Expr[] {
  const kids = [first];
  while (!c.is(close)) {
    c.expect(',');
    if (!c.is(close)) kids.push(starOrNamed(c));
  }
  c.expect(close);
  return kids;
}

function bracketed(c: Cursor, line: number): Expr {
  if (c.accept(']')) return group(c, 'list', line, []);
  const first = starOrNamed(c);
  if (!startsFor(c)) return group(c, 'list', line, rest(c, first, ']'));
  const value = comprehension(c, 'listcomp', [first], line);
  c.expect(']');
  return value;
}

function braced(c: Cursor, line: number): Expr {
  const kids: Expr[] = [];
  let type: 'dict' | 'set' = 'dict';
  for (let first = true; !c.is('}'); first = false) {
    if (c.accept('**')) kids.push(group(c, 'star', line, [bitwise(c)]));
    else {
      const key = starOrNamed(c);
      if (first && !c.is(':')) type = 'set';
      const pair = [key];
      if (type === 'dict') {
        c.expect(':');
        pair.push(expression(c));
      }
      if (first && startsFor(c)) {
        const value = comprehension(c, type === 'set' ? 'setcomp' : 'dictcomp', pair, line);
        c.expect('}');
        return value;
      }
      kids.push(...pair);
    }
    if (!c.is('}')) c.expect(',');
  }
  c.expect('}');
  return group(c, type, line, kids);
}

function strings(c: Cursor): Expr {
  const { line } = c.token;
  const kids: Expr[] = [];
  let formatted = false;
  let truth = false;
  let text = true;
  while (c.at('string')) {
    const token = c.next();
    const [, prefix = '', quote = ''] = /^([a-zA-Z]*)("""|'''|"|')/.exec(token.text) ?? [];
    if (/b/i.test(prefix)) text = false;
    if (token.text.length > prefix.length + 2 * quote.length) truth = true;
    if (!token.fields) continue;
    formatted = true;
    for (const field of token.fields) kids.push(replacement(c, field));
  }
  if (formatted) return group(c, 'fstring', line, kids);
  return { type: 'const', line, end: c.end, truth, text };
}

function replacement(c: Cursor, tokens: readonly Token[]): Expr {
  const inner = new Cursor(tokens);
  inner.depth = c.depth + 1;
  const value = yieldOrExpressions(inner);
  if (!inner.at('end')) inner.fail();
  return value;
}
