/** @file Tokens into expressions: precedence climbing over the grammar of reference manual chapter 6. */
import { Cursor } from './cursor.ts';
import type { Clause, CompKind, Expr, GroupType, Param } from './syntax.ts';
import type { Token } from './tokens.ts';

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
/** Chains of postfixes nest to the left; walkers recurse into them. */
const MAX_CHAIN = 600;
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

function group(c: Cursor, type: GroupType, line: number, kids: readonly Expr[]): Expr {
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

function starOrNamed(c: Cursor): Expr {
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

function lambda(c: Cursor): Expr {
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

function primary(c: Cursor): Expr {
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

function startsFor(c: Cursor): boolean {
  return c.is('for') || (c.is('async') && c.ahead('for'));
}

function comprehension(c: Cursor, kind: CompKind, kids: readonly Expr[], line: number): Expr {
  const clauses: Clause[] = [];
  while (startsFor(c)) {
    const async = c.accept('async');
    c.expect('for');
    const target = checked(c, targets(c));
    c.expect('in');
    const iter = binary(c, 1);
    const ifs: Expr[] = [];
    while (c.accept('if')) ifs.push(condition(c));
    clauses.push({ target, iter, ifs, async });
  }
  return { type: 'comp', kind, line, end: c.end, kids, clauses };
}

/** Of a comprehension: no `if ... else`, but `:=` is allowed. */
function condition(c: Cursor): Expr {
  if (c.is('lambda')) return lambda(c);
  return c.isName && c.ahead(':=') ? named(c) : binary(c, 1);
}

const SINGLES: ReadonlyMap<string, boolean> = new Map([
  ['True', true],
  ['False', false],
  ['None', false],
  ['...', true],
]);

function atom(c: Cursor): Expr {
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
    if (c.accept('**')) kids.push(group(c, 'star', line, [binary(c, BITWISE)]));
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

/** `e`, if it can be assigned to. */
export function checked(c: Cursor, e: Expr): Expr {
  if (e.type === 'tuple' || e.type === 'list') for (const kid of e.kids) checked(c, kid);
  else if (e.type === 'star') checked(c, e.kids[0] as Expr);
  else if (e.type !== 'name' && e.type !== 'attr' && e.type !== 'sub') c.fail();
  return e;
}
