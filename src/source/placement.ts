/**
 * @file Statements and expressions that parse but may not stand where they do: what CPython's compiler
 * refuses after parsing, as far as lines can tell (`return` outside a function, `break` outside a loop, ...).
 */
import { type Expr, parts, type Stmt, type Suite } from './syntax.ts';

interface Around {
  readonly kind: 'module' | 'class' | 'function' | 'async' | 'lambda';
  readonly loop: boolean;
}

/** Lines of misplaced statements, ascending. */
export function misplaced(body: Suite): readonly number[] {
  const lines = new Set<number>();
  suite(body, { kind: 'module', loop: false }, lines);
  return [...lines].sort((a, b) => a - b);
}

function suite(body: Suite, around: Around, out: Set<number>): void {
  for (const s of body) statement(s, around, out);
}

function statement(s: Stmt, around: Around, out: Set<number>): void {
  switch (s.type) {
    case 'simple': {
      const inside = around.kind === 'function' || around.kind === 'async';
      if (s.kind === 'return' && !inside) out.add(s.head.number);
      if ((s.kind === 'break' || s.kind === 'continue') && !around.loop) out.add(s.head.number);
      if (s.kind === 'nonlocal' && around.kind === 'module') out.add(s.head.number);
      all([...s.values, ...s.targets], around, out);
      return;
    }
    case 'def':
      all(s.decorators, around, out);
      for (const p of s.params) if (p.default) expr(p.default, around, out);
      suite(s.body, { kind: s.async ? 'async' : 'function', loop: false }, out);
      return;
    case 'class':
      all([...s.decorators, ...s.bases, ...s.keywords], around, out);
      suite(s.body, { kind: 'class', loop: false }, out);
      return;
    case 'if':
      for (const branch of s.branches) {
        expr(branch.test, around, out);
        suite(branch.body, around, out);
      }
      suite(s.orelse, around, out);
      return;
    case 'while':
    case 'for':
      if (s.type === 'for' && s.async && around.kind !== 'async') out.add(s.head.number);
      all(s.type === 'for' ? [s.iter, s.target] : [s.test], around, out);
      suite(s.body, { ...around, loop: true }, out);
      suite(s.orelse, around, out);
      return;
    case 'with':
      if (s.async && around.kind !== 'async') out.add(s.head.number);
      for (const item of s.items) expr(item.value, around, out);
      suite(s.body, around, out);
      return;
    case 'try':
      suite(s.body, around, out);
      for (const h of s.handlers) {
        if (h.kind) expr(h.kind, around, out);
        suite(h.body, around, out);
      }
      suite(s.orelse, around, out);
      suite(s.final, around, out);
      return;
    case 'match':
      expr(s.subject, around, out);
      for (const k of s.cases) {
        if (k.guard) expr(k.guard, around, out);
        suite(k.body, around, out);
      }
  }
}

function all(list: readonly Expr[], around: Around, out: Set<number>): void {
  for (const e of list) expr(e, around, out);
}

function expr(e: Expr, around: Around, out: Set<number>): void {
  const { kind } = around;
  if (e.type === 'lambda') {
    all(parts(e), around, out);
    expr(e.body, { kind: 'lambda', loop: false }, out);
    return;
  }
  if ((e.type === 'yield' || e.type === 'yieldfrom') && (kind === 'module' || kind === 'class'))
    out.add(e.line);
  if (e.type === 'yieldfrom' && kind === 'async') out.add(e.line);
  if (e.type === 'await' && kind !== 'async') out.add(e.line);
  if (e.type === 'comp' && e.kind !== 'genexpr' && kind !== 'async' && e.clauses.some((c) => c.async))
    out.add(e.line);
  // A generator expression may await anywhere: it is an asynchronous generator then.
  const inner: Around = e.type === 'comp' && e.kind === 'genexpr' ? { kind: 'async', loop: false } : around;
  all(parts(e), inner, out);
}
