/** @file What follows an operand (attributes, calls, subscripts) and what comprehensions are made of. */
import { atom } from './atoms.ts';
import type { Cursor } from './cursor.ts';
import {
  checked,
  disjunction,
  expression,
  group,
  lambda,
  named,
  starOrNamed,
  targets,
} from './expressions.ts';
import type { Clause, CompKind, Expr } from './syntax.ts';

/** Chains of postfixes nest to the left; walkers recurse into them. */
const MAX_CHAIN = 600;

export function primary(c: Cursor): Expr {
  const { line } = c.token;
  let value = c.nest(() => atom(c));
  for (let links = 0; ; links++) {
    if (links > MAX_CHAIN) c.fail();
    if (c.accept('.')) {
      const id = c.name();
      value = { type: 'attr', id, line, end: c.end, kids: [value] };
    } else if (c.accept('(')) {
      const kids = c.nest(() => argumentsUntil(c, ')'));
      value = { type: 'call', line, end: c.end, callee: value, kids };
    } else if (c.accept('[')) {
      const kids = c.nest(() => slices(c));
      value = group(c, 'sub', line, [value, ...kids]);
    } else return value;
  }
}

/** Arguments of a call, keyword names left out; the closing bracket is consumed. */
export function argumentsUntil(c: Cursor, close: string, keywords?: Expr[]): Expr[] {
  const kids: Expr[] = [];
  while (!c.is(close)) {
    const { line } = c.token;
    if (c.accept('**')) (keywords ?? kids).push(group(c, 'star', line, [expression(c)]));
    else if (c.accept('*')) kids.push(group(c, 'star', line, [expression(c)]));
    else if (c.isName && c.ahead('=')) {
      c.next();
      c.next();
      (keywords ?? kids).push(expression(c));
    } else {
      const value = named(c);
      kids.push(startsFor(c) ? comprehension(c, 'genexpr', [value], line) : value);
    }
    if (!c.is(close)) c.expect(',');
  }
  c.expect(close);
  return kids;
}

function slices(c: Cursor): Expr[] {
  const kids: Expr[] = [];
  do {
    if (c.is(']')) break;
    const { line } = c.token;
    const bounds: Expr[] = [];
    if (!c.is(':')) bounds.push(starOrNamed(c));
    if (!c.is(':')) {
      kids.push(...bounds);
      continue;
    }
    for (let colons = 0; colons < 2 && c.accept(':'); colons++) {
      if (!c.is(':') && !c.is(',') && !c.is(']')) bounds.push(expression(c));
    }
    kids.push(group(c, 'slice', line, bounds));
  } while (c.accept(','));
  c.expect(']');
  if (kids.length === 0) c.fail();
  return kids;
}

export function startsFor(c: Cursor): boolean {
  return c.is('for') || (c.is('async') && c.ahead('for'));
}

export function comprehension(c: Cursor, kind: CompKind, kids: readonly Expr[], line: number): Expr {
  const clauses: Clause[] = [];
  while (startsFor(c)) {
    const async = c.accept('async');
    c.expect('for');
    const target = checked(c, targets(c));
    c.expect('in');
    const iter = disjunction(c);
    const ifs: Expr[] = [];
    while (c.accept('if')) ifs.push(condition(c));
    clauses.push({ target, iter, ifs, async });
  }
  return { type: 'comp', kind, line, end: c.end, kids, clauses };
}

/** Of a comprehension: no `if ... else`, but `:=` is allowed. */
function condition(c: Cursor): Expr {
  if (c.is('lambda')) return lambda(c);
  return c.isName && c.ahead(':=') ? named(c) : disjunction(c);
}
