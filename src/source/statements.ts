/** @file Tokens into statements. A statement that does not parse is skipped, its line reported. */
import { Cursor, Problem } from './cursor.ts';
import {
  argumentsUntil,
  checked,
  expression,
  expressions,
  isAugmented,
  named,
  parameters,
  targets,
  yieldOrExpressions,
} from './expressions.ts';
import { patterns } from './patterns.ts';
import type {
  Definition,
  Expr,
  Handler,
  Head,
  Param,
  Pattern,
  Simple,
  SimpleKind,
  Stmt,
  Suite,
} from './syntax.ts';
import { tokenize } from './tokens.ts';

export interface Module {
  readonly body: Suite;
  /** Lines that are no Python, ascending. */
  readonly errors: readonly number[];
}

/** Each level counts twice; CPython allows 100 indents. */
const MAX_BLOCKS = 250;

/** Never throws. */
export function parse(text: string): Module {
  const { tokens, errors } = tokenize(text);
  const c = new Cursor(tokens);
  c.errors.push(...errors);
  const body: Stmt[] = [];
  while (!c.at('end')) statement(c, body);
  return { body, errors: [...new Set(c.errors)].sort((a, b) => a - b) };
}

/** Reads one logical line or compound statement, or skips it. */
function statement(c: Cursor, out: Stmt[]): void {
  const start = c.index;
  const { depth } = c;
  try {
    if (c.at('indent') || c.at('dedent')) c.fail();
    const compound = c.nest(() => compoundStatement(c));
    if (compound) out.push(compound);
    else simpleLine(c, out);
  } catch (problem) {
    if (!(problem instanceof Problem)) throw problem;
    c.errors.push(problem.line);
    c.depth = depth;
    recover(c, start, out);
  }
}

/** To the next logical line; an orphaned block's statements are kept as if they stood here. */
function recover(c: Cursor, start: number, out: Stmt[]): void {
  if (c.index === start && (c.at('indent') || c.at('dedent'))) {
    const opens = c.at('indent');
    c.next();
    if (opens) block(c, out);
    return;
  }
  while (!c.at('newline') && !c.at('end')) c.next();
  if (c.at('newline')) c.next();
  if (c.at('indent')) {
    c.next();
    block(c, out);
  }
}

/** Statements up to the dedent, which is consumed. Flat on errors: no recursion here but through suites. */
function block(c: Cursor, out: Stmt[]): void {
  if (++c.depth > MAX_BLOCKS) {
    let open = 1;
    while (open > 0 && !c.at('end')) {
      if (c.at('indent')) open++;
      if (c.at('dedent')) open--;
      c.next();
    }
    c.errors.push(c.token.line);
  } else {
    while (!c.at('dedent') && !c.at('end')) statement(c, out);
    if (c.at('dedent')) c.next();
  }
  c.depth--;
}

function suite(c: Cursor): Stmt[] {
  const out: Stmt[] = [];
  c.expect(':');
  if (!c.at('newline')) {
    simpleLine(c, out);
    return out;
  }
  c.next();
  if (!c.at('indent')) c.fail();
  c.next();
  block(c, out);
  return out;
}

/** `keyword ... :`; the colon is left for `suite`. */
function headFrom(c: Cursor, first: number, number = first): Head {
  if (!c.is(':')) c.fail();
  return { first, last: c.token.line, number };
}

function compoundStatement(c: Cursor): Stmt | null {
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

function typeParameters(c: Cursor): { typeParams: string[]; bounds: Expr[] } {
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

function simpleLine(c: Cursor, out: Stmt[]): void {
  do {
    if (c.at('newline')) break;
    out.push(simple(c));
  } while (c.accept(';'));
  if (c.at('newline')) c.next();
  else if (!c.at('end')) c.fail();
}

interface Content {
  readonly kind: SimpleKind;
  readonly targets?: readonly Expr[];
  readonly values?: readonly Expr[];
  readonly annotation?: Expr;
  readonly names?: readonly string[];
}

function simple(c: Cursor): Simple {
  const { line } = c.token;
  const { kind, targets: bound = [], values = [], annotation = null, names = [] } = content(c);
  return {
    type: 'simple',
    kind,
    head: { first: line, last: c.end, number: line },
    targets: bound,
    values,
    annotation,
    names,
  };
}

function atEnd(c: Cursor): boolean {
  return c.at('newline') || c.at('end') || c.is(';');
}

function content(c: Cursor): Content {
  const text = c.at('name') ? c.token.text : '';
  switch (text) {
    case 'pass':
    case 'break':
    case 'continue':
      c.next();
      return { kind: text };
    case 'return':
      c.next();
      return { kind: 'return', values: atEnd(c) ? [] : [expressions(c)] };
    case 'raise': {
      c.next();
      const values = atEnd(c) ? [] : [expression(c)];
      if (values.length > 0 && c.accept('from')) values.push(expression(c));
      return { kind: 'raise', values };
    }
    case 'del': {
      c.next();
      return { kind: 'delete', targets: [checked(c, targets(c))] };
    }
    case 'assert': {
      c.next();
      const values = [expression(c)];
      if (c.accept(',')) values.push(expression(c));
      return { kind: 'assert', values };
    }
    case 'global':
    case 'nonlocal':
      c.next();
      return { kind: text, names: namesUntilEnd(c) };
    case 'import':
    case 'from':
      return { kind: 'import', names: text === 'import' ? importNames(c) : fromNames(c) };
    case 'type':
      return c.attempt(() => typeAlias(c)) ?? expressionStatement(c);
    default:
      return expressionStatement(c);
  }
}

function namesUntilEnd(c: Cursor): string[] {
  const names = [c.name()];
  while (c.accept(',')) names.push(c.name());
  return names;
}

function dotted(c: Cursor): string {
  const first = c.name();
  while (c.accept('.')) c.name();
  return first;
}

function importNames(c: Cursor): string[] {
  c.next();
  const names: string[] = [];
  do {
    const name = dotted(c);
    names.push(c.accept('as') ? c.name() : name);
  } while (c.accept(','));
  return names;
}

/** `*` binds names nobody can know: none. */
function fromNames(c: Cursor): string[] {
  c.next();
  while (c.accept('.') || c.accept('...'));
  if (!c.is('import')) dotted(c);
  c.expect('import');
  if (c.accept('*')) return [];
  const names: string[] = [];
  const brackets = c.accept('(');
  do {
    if (brackets && names.length > 0 && c.is(')')) break;
    const name = c.name();
    names.push(c.accept('as') ? c.name() : name);
  } while (c.accept(','));
  if (brackets) c.expect(')');
  return names;
}

function typeAlias(c: Cursor): Content {
  c.expect('type');
  const names = [c.name()];
  typeParameters(c);
  c.expect('=');
  return { kind: 'type', names, values: [], annotation: expression(c) };
}

function expressionStatement(c: Cursor): Content {
  const first = yieldOrExpressions(c);
  if (isAugmented(c)) {
    if (first.type !== 'name' && first.type !== 'attr' && first.type !== 'sub') c.fail();
    c.next();
    return { kind: 'augment', targets: [first], values: [yieldOrExpressions(c)] };
  }
  if (c.is(':')) {
    if (first.type !== 'name' && first.type !== 'attr' && first.type !== 'sub') c.fail();
    c.next();
    const annotation = expression(c);
    const values = c.accept('=') ? [yieldOrExpressions(c)] : [];
    return { kind: 'annotate', targets: [first], values, annotation };
  }
  if (!c.is('=')) return { kind: 'expr', values: [first] };
  const chain = [first];
  while (c.accept('=')) chain.push(yieldOrExpressions(c));
  const value = chain.pop() as Expr;
  return { kind: 'assign', targets: chain.map((e) => checked(c, e)), values: [value] };
}
