/** @file Tokens into `case` patterns (reference manual 8.6). */
import type { Cursor } from './cursor.ts';
import { expression } from './expressions.ts';
import type { Expr, Pattern } from './syntax.ts';

/** After `case`: an open sequence or one pattern. */
export function patterns(c: Cursor): Pattern {
  const first = starOr(c);
  if (!c.is(',')) return first.starred ? c.fail() : first.pattern;
  const kids = [first.pattern];
  while (c.accept(',') && !c.is(':') && !c.is('if')) kids.push(starOr(c).pattern);
  return { type: 'group', kids };
}

function starOr(c: Cursor): { readonly pattern: Pattern; readonly starred: boolean } {
  if (c.accept('*')) return { pattern: capture(c.name()), starred: true };
  return { pattern: pattern(c), starred: false };
}

function capture(name: string): Pattern {
  return { type: 'capture', name: name === '_' ? null : name };
}

function pattern(c: Cursor): Pattern {
  return c.nest(() => {
    const kids = [closed(c)];
    while (c.accept('|')) kids.push(closed(c));
    const whole: Pattern = kids.length === 1 ? (kids[0] as Pattern) : { type: 'or', kids };
    if (!c.accept('as')) return whole;
    return { type: 'as', pattern: whole, name: c.name() };
  });
}

function closed(c: Cursor): Pattern {
  if (c.accept('(')) return sequence(c, ')');
  if (c.accept('[')) return sequence(c, ']');
  if (c.accept('{')) return mapping(c);
  if (!c.isName) return { type: 'value', value: literal(c) };
  const { line } = c.token;
  const id = c.name();
  if (!c.is('.') && !c.is('(')) return capture(id);
  let value: Expr = { type: 'name', id, line, end: line };
  while (c.accept('.')) {
    const attribute = c.name();
    value = { type: 'attr', id: attribute, line, end: c.end, kids: [value] };
  }
  return c.accept('(') ? classPattern(c, value) : { type: 'value', value };
}

/** Numbers with sign and imaginary part, strings, None, True, False. */
function literal(c: Cursor): Expr {
  const { line, kind } = c.token;
  const kids: Expr[] = [];
  const signed = c.accept('-');
  if (kind === 'string' || c.is('None') || c.is('True') || c.is('False')) return single(c);
  do {
    c.accept('-');
    if (!c.at('number')) c.fail();
    kids.push(single(c));
  } while (kids.length < 2 && (c.accept('+') || c.is('-')));
  return kids.length === 1 && !signed ? (kids[0] as Expr) : { type: 'op', line, end: c.end, kids };
}

function single(c: Cursor): Expr {
  const { line, kind, text } = c.token;
  if (kind === 'string') {
    let end = line;
    while (c.at('string')) end = c.next().end;
    return { type: 'const', line, end, truth: true };
  }
  c.next();
  return { type: 'const', line, end: line, truth: text === 'True' };
}

/** A pattern in parentheses is itself; anything with a comma, or in brackets, a sequence. */
function sequence(c: Cursor, close: string): Pattern {
  const kids: Pattern[] = [];
  let plain = close === ')';
  while (!c.is(close)) {
    const { pattern: kid, starred } = starOr(c);
    kids.push(kid);
    if (starred || c.is(',')) plain = false;
    if (!c.is(close)) c.expect(',');
  }
  c.expect(close);
  return plain && kids.length === 1 ? (kids[0] as Pattern) : { type: 'group', kids };
}

function mapping(c: Cursor): Pattern {
  const kids: Pattern[] = [];
  while (!c.is('}')) {
    if (c.accept('**')) kids.push(capture(c.name()));
    else {
      const value = c.isName ? expression(c) : literal(c);
      c.expect(':');
      kids.push({ type: 'value', value }, pattern(c));
    }
    if (!c.is('}')) c.expect(',');
  }
  c.expect('}');
  return { type: 'group', kids };
}

function classPattern(c: Cursor, value: Expr): Pattern {
  const kids: Pattern[] = [];
  const attributes: string[] = [];
  while (!c.is(')')) {
    if (c.isName && c.ahead('=')) {
      attributes.push(c.name());
      c.next();
    }
    kids.push(pattern(c));
    if (!c.is(')')) c.expect(',');
  }
  c.expect(')');
  return { type: 'class', value, attributes, kids };
}

/** Matches whatever the subject is. */
export function irrefutable(p: Pattern): boolean {
  if (p.type === 'capture') return true;
  if (p.type === 'as') return irrefutable(p.pattern);
  return p.type === 'or' && p.kids.some(irrefutable);
}

/** Names the pattern binds, in order. */
export function captures(p: Pattern): readonly string[] {
  if (p.type === 'capture') return p.name === null ? [] : [p.name];
  if (p.type === 'value') return [];
  if (p.type === 'as') return [...captures(p.pattern), p.name];
  return p.kids.flatMap(captures);
}

/** Expressions the pattern evaluates. */
export function patternValues(p: Pattern): readonly Expr[] {
  if (p.type === 'capture') return [];
  if (p.type === 'value') return [p.value];
  if (p.type === 'as') return patternValues(p.pattern);
  if (p.type === 'class') return [p.value, ...p.kids.flatMap(patternValues)];
  return p.kids.flatMap(patternValues);
}
