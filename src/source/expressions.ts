/** @file Tokens into expressions: precedence climbing over the grammar of reference manual chapter 6. */
import type { Cursor } from './cursor.ts';
import { primary } from './postfix.ts';
import type { Expr, GroupType, Param } from './syntax.ts';

/** Binary operators by how tightly they bind. */
const BINARY: ReadonlyMap<string, number> = new Map([
  ['or', 1],
  ['and', 2],
  ...['<', '>', '==', '>=', '<=', '!=', 'in', 'is', 'not'].map((op) => [op, 4] as const),
  ['|', 5],
  ['^', 6],
  ['&', 7],
  ['<<', 8],
  ['>>', 8],
  ['+', 9],
  ['-', 9],
  ['*', 10],
  ['/', 10],
  ['//', 10],
  ['%', 10],
  ['@', 10],
]);
const NOT = 3;
const COMPARE = 4;
const BITWISE = 5;
const UNARIES: ReadonlySet<string> = new Set(['+', '-', '~']);
const AUGMENTED: ReadonlySet<string> = new Set([
  '+=',
  '-=',
  '*=',
  '/=',
  '//=',
  '%=',
  '@=',
  '&=',
  '|=',
  '^=',
  '>>=',
  '<<=',
  '**=',
]);

export function isAugmented(c: Cursor): boolean {
  return c.any(AUGMENTED);
}

export function group(c: Cursor, type: GroupType, line: number, kids: readonly Expr[]): Expr {
  return { type, line, end: c.end, kids };
}

/** `a, *b, c`: a tuple if there is a comma. */
export function expressions(c: Cursor): Expr {
  return tuple(c, starOrNamed);
}

/** Left of `=` or `in`, after `for`, in `del`: no `in`, no conditions. */
export function targets(c: Cursor): Expr {
  return tuple(c, (k) => (k.is('*') ? star(k) : binary(k, BITWISE)));
}

function tuple(c: Cursor, item: (c: Cursor) => Expr): Expr {
  const { line } = c.token;
  const first = item(c);
  if (!c.is(',')) {
    if (first.type === 'star') c.fail();
    return first;
  }
  const kids = [first];
  while (c.accept(',') && startsExpression(c)) kids.push(item(c));
  return group(c, 'tuple', line, kids);
}

const ENDS: ReadonlySet<string> = new Set([
  ')',
  ']',
  '}',
  ':',
  '=',
  ';',
  ',',
  '.',
  'in',
  'for',
  'if',
  'else',
  'as',
  'from',
  'import',
  '->',
  'async',
  ...AUGMENTED,
]);

export function startsExpression(c: Cursor): boolean {
  const { kind } = c.token;
  return kind !== 'newline' && kind !== 'end' && kind !== 'indent' && kind !== 'dedent' && !c.any(ENDS);
}

function star(c: Cursor): Expr {
  const { line } = c.expect('*');
  return group(c, 'star', line, [binary(c, BITWISE)]);
}

export function starOrNamed(c: Cursor): Expr {
  return c.is('*') ? star(c) : named(c);
}

/** `name := value`, else an expression. */
export function named(c: Cursor): Expr {
  if (c.isName && c.ahead(':=')) {
    const { line } = c.token;
    const id = c.name();
    c.next();
    const kid = expression(c);
    return { type: 'walrus', id, line, end: c.end, kids: [kid] };
  }
  return expression(c);
}

export function expression(c: Cursor): Expr {
  return c.nest(() => {
    const { line } = c.token;
    if (c.is('lambda')) return lambda(c);
    const value = binary(c, 1);
    if (!c.accept('if')) return value;
    const test = binary(c, 1);
    c.expect('else');
    return group(c, 'cond', line, [test, value, expression(c)]);
  });
}

export function lambda(c: Cursor): Expr {
  const { line } = c.expect('lambda');
  const params = parameters(c, ':', false);
  c.expect(':');
  const body = expression(c);
  return { type: 'lambda', line, end: c.end, params, body };
}

/** Up to and without `close`. */
export function parameters(c: Cursor, close: string, annotated: boolean): Param[] {
  const params: Param[] = [];
  while (!c.is(close)) {
    if (c.accept('/')) {
      if (params.length === 0) c.fail();
    } else {
      const starred = c.accept('*') || c.accept('**');
      if (!starred || c.isName) {
        const name = c.name();
        const annotation = annotated && c.accept(':') ? (c.is('*') ? starOrNamed(c) : expression(c)) : null;
        params.push({ name, annotation, default: !starred && c.accept('=') ? expression(c) : null });
      }
    }
    if (!c.is(close)) c.expect(',');
  }
  return params;
}

function binary(c: Cursor, level: number): Expr {
  const { line } = c.token;
  let left = c.is('not') && level <= NOT ? not(c) : unary(c);
  /** Operands of a chain of one kind become one node: `a + b + c` is no deeper than `a + b`. */
  let chain = null as { readonly type: GroupType; readonly kids: Expr[] } | null;
  for (;;) {
    const op = c.token;
    const binds = op.kind === 'op' || op.kind === 'name' ? BINARY.get(op.text) : undefined;
    if (binds === undefined || binds < level || (op.text === 'not' && !c.ahead('in'))) break;
    c.next();
    if (op.text === 'not') c.next();
    if (op.text === 'is') c.accept('not');
    const right = binary(c, binds + 1);
    const type = binds === COMPARE ? 'cmp' : binds < NOT ? 'bool' : 'op';
    if (chain?.type === type) chain.kids.push(right);
    else {
      if (chain) left = group(c, chain.type, line, chain.kids);
      chain = { type, kids: [left, right] };
    }
  }
  return chain ? group(c, chain.type, line, chain.kids) : left;
}

/** No condition, no lambda: what a comprehension iterates over or tests. */
export function disjunction(c: Cursor): Expr {
  return binary(c, 1);
}

/** Neither comparisons nor what binds looser. */
export function bitwise(c: Cursor): Expr {
  return binary(c, BITWISE);
}

function not(c: Cursor): Expr {
  return c.nest(() => {
    const { line } = c.expect('not');
    return group(c, 'not', line, [binary(c, NOT)]);
  });
}

function unary(c: Cursor): Expr {
  const { line } = c.token;
  if (c.any(UNARIES)) {
    c.next();
    return c.nest(() => group(c, 'op', line, [unary(c)]));
  }
  const awaits = c.is('await');
  if (awaits) c.next();
  const value = primary(c);
  const base = awaits ? group(c, 'await', line, [value]) : value;
  if (!c.accept('**')) return base;
  return c.nest(() => group(c, 'op', line, [base, unary(c)]));
}

export function yielding(c: Cursor): Expr {
  const { line } = c.expect('yield');
  return c.nest(() => {
    if (c.accept('from')) return group(c, 'yieldfrom', line, [expression(c)]);
    return group(c, 'yield', line, startsExpression(c) ? [expressions(c)] : []);
  });
}

/** Right of `=`, `:=` excepted. */
export function yieldOrExpressions(c: Cursor): Expr {
  return c.is('yield') ? yielding(c) : expressions(c);
}

/** `e`, if it can be assigned to. */
export function checked(c: Cursor, e: Expr): Expr {
  if (e.type === 'tuple' || e.type === 'list') for (const kid of e.kids) checked(c, kid);
  else if (e.type === 'star') checked(c, e.kids[0] as Expr);
  else if (e.type !== 'name' && e.type !== 'attr' && e.type !== 'sub') c.fail();
  return e;
}
