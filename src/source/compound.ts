/** @file Tokens into compound statements: a header, then suites. */
import type { Cursor } from './cursor.ts';
import { checked, expression, expressions, named, parameters, targets } from './expressions.ts';
import { patterns } from './patterns.ts';
import { argumentsUntil } from './postfix.ts';
import { suite } from './statements.ts';
import type { Definition, Expr, Handler, Head, Param, Pattern, Stmt, Suite } from './syntax.ts';

/** `keyword ... :`; the colon is left for `suite`. */
function headFrom(c: Cursor, first: number, number = first): Head {
  if (!c.is(':')) c.fail();
  return { first, last: c.token.line, number };
}

/** Null where none begins. */
export function compoundStatement(c: Cursor): Stmt | null {
  const { line, kind, text } = c.token;
  if (kind === 'op' && text === '@') return decorated(c);
  if (kind !== 'name') return null;
  switch (text) {
    case 'if':
      return ifStatement(c);
    case 'while': {
      c.next();
      const test = named(c);
      const head = headFrom(c, line);
      const body = suite(c);
      return { type: 'while', head, test, body, bodyEnd: lastLine(c), orelse: orelse(c) };
    }
    case 'for':
      return forStatement(c, line, false);
    case 'with':
      return withStatement(c, line, false);
    case 'try':
      return tryStatement(c);
    case 'def':
    case 'class':
      return definition(c, line, []);
    case 'async':
      if (c.ahead('def')) return definition(c, line, []);
      c.next();
      if (c.is('for')) return forStatement(c, line, true);
      if (c.is('with')) return withStatement(c, line, true);
      return c.fail();
    case 'match':
      return matchStatement(c);
    default:
      return null;
  }
}

/** The last line of the statement just read: tokens before the cursor may be dedents of later lines. */
function lastLine(c: Cursor): number {
  let i = c.index - 1;
  while (i > 0 && (c.tokens[i]?.kind === 'dedent' || c.tokens[i]?.kind === 'newline')) i--;
  return c.tokens[Math.max(0, i)]?.end ?? 1;
}

function orelse(c: Cursor): Suite {
  return c.accept('else') ? suite(c) : [];
}

function ifStatement(c: Cursor): Stmt {
  const branches: { head: Head; test: Expr; body: Suite }[] = [];
  do {
    const { line } = c.next();
    const test = named(c);
    const head = headFrom(c, line);
    branches.push({ head, test, body: suite(c) });
  } while (c.is('elif'));
  return { type: 'if', branches, orelse: orelse(c) };
}

function forStatement(c: Cursor, line: number, async: boolean): Stmt {
  c.expect('for');
  const target = checked(c, targets(c));
  c.expect('in');
  const iter = expressions(c);
  const head = headFrom(c, line);
  const body = suite(c);
  return { type: 'for', head, async, target, iter, body, bodyEnd: lastLine(c), orelse: orelse(c) };
}

type Items = { value: Expr; target: Expr | null }[];

function withStatement(c: Cursor, line: number, async: boolean): Stmt {
  c.expect('with');
  const items = c.attempt(() => parenthesizedItems(c)) ?? withItems(c, ':');
  const head = headFrom(c, line);
  return { type: 'with', head, async, items, body: suite(c) };
}

function parenthesizedItems(c: Cursor): Items {
  c.expect('(');
  const items = withItems(c, ')');
  c.expect(')');
  if (!c.is(':')) c.fail();
  return items;
}

function withItems(c: Cursor, close: string): Items {
  const items: Items = [];
  do {
    if (items.length > 0 && close === ')' && c.is(close)) break;
    const value = expression(c);
    items.push({ value, target: c.accept('as') ? checked(c, expression(c)) : null });
  } while (c.accept(','));
  return items;
}

function tryStatement(c: Cursor): Stmt {
  const { line } = c.next();
  const head = headFrom(c, line);
  const body = suite(c);
  const handlers: Handler[] = [];
  let star = false;
  while (c.is('except')) {
    const { line: first } = c.next();
    if (c.accept('*')) star = true;
    const kind = c.is(':') ? null : expressions(c);
    const name = kind && c.accept('as') ? c.name() : null;
    const handlerHead = headFrom(c, first);
    handlers.push({ head: handlerHead, kind, name, body: suite(c) });
  }
  const otherwise = handlers.length > 0 ? orelse(c) : [];
  const final = c.accept('finally') ? suite(c) : [];
  if (handlers.length === 0 && final.length === 0) c.fail();
  return { type: 'try', head, body, handlers, star, orelse: otherwise, final };
}

function matchHead(c: Cursor): { head: Head; subject: Expr } {
  const { line } = c.expect('match');
  const subject = expressions(c);
  const head = headFrom(c, line);
  if (
    c.tokens[c.index + 1]?.kind !== 'newline' ||
    c.tokens[c.index + 2]?.kind !== 'indent' ||
    !c.ahead('case', 3)
  )
    c.fail();
  return { head, subject };
}

/** `match` is a name too: null where no block of cases follows. */
function matchStatement(c: Cursor): Stmt | null {
  const opening = c.attempt(() => matchHead(c));
  if (!opening) return null;
  c.expect(':');
  c.next();
  c.next();
  const cases: { head: Head; pattern: Pattern; guard: Expr | null; body: Suite }[] = [];
  while (c.is('case')) {
    const { line } = c.next();
    const pattern = patterns(c);
    const guard = c.accept('if') ? named(c) : null;
    const head = headFrom(c, line);
    cases.push({ head, pattern, guard, body: suite(c) });
  }
  if (c.at('dedent')) c.next();
  else if (!c.at('end')) c.fail();
  return { type: 'match', ...opening, cases };
}

function decorated(c: Cursor): Stmt {
  const first = c.token.line;
  const decorators: Expr[] = [];
  while (c.accept('@')) {
    decorators.push(named(c));
    if (!c.at('newline')) c.fail();
    c.next();
  }
  if (!c.is('def') && !c.is('class') && !(c.is('async') && c.ahead('def'))) c.fail();
  return definition(c, first, decorators);
}

function definition(c: Cursor, first: number, decorators: readonly Expr[]): Stmt {
  const number = c.token.line;
  const async = c.accept('async');
  const isClass = c.next().text === 'class';
  const name = c.name();
  const { typeParams, bounds } = typeParameters(c);
  const bases: Expr[] = [];
  const keywords: Expr[] = [];
  let params: readonly Param[] = [];
  let returns: Expr | null = null;
  if (isClass) {
    if (c.accept('(')) bases.push(...argumentsUntil(c, ')', keywords));
  } else {
    c.expect('(');
    params = parameters(c, ')', true);
    c.expect(')');
    returns = c.accept('->') ? expressions(c) : null;
  }
  const head = headFrom(c, first, number);
  const body = suite(c);
  const definition: Definition = { head, name, decorators, typeParams, bounds, body, endLine: lastLine(c) };
  if (isClass) return { type: 'class', ...definition, bases, keywords };
  return { type: 'def', ...definition, async, params, returns };
}

export function typeParameters(c: Cursor): { typeParams: string[]; bounds: Expr[] } {
  const typeParams: string[] = [];
  const bounds: Expr[] = [];
  if (c.accept('[')) {
    while (!c.is(']')) {
      if (!c.accept('*')) c.accept('**');
      typeParams.push(c.name());
      if (c.accept(':')) bounds.push(expression(c));
      if (c.accept('=')) bounds.push(c.is('*') ? expressions(c) : expression(c));
      if (!c.is(']')) c.expect(',');
    }
    c.next();
  }
  return { typeParams, bounds };
}
