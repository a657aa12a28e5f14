/** @file Tokens into simple statements. */
import { typeParameters } from './compound.ts';
import type { Cursor } from './cursor.ts';
import { checked, expression, expressions, isAugmented, targets, yieldOrExpressions } from './expressions.ts';
import type { Expr, Simple, SimpleKind, Stmt } from './syntax.ts';

/** `a; b; c` and the end of the line. */
export function simpleLine(c: Cursor, out: Stmt[]): void {
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
