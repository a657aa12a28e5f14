/**
 * @file Source text of one expression to `Expr`, by Lezer's Python grammar. The grammar is lenient, so that
 * what it takes but Python refuses is checked here; what Python takes but nobody here handles becomes `other`.
 */
import type { SyntaxNode } from '@lezer/common';
import { parser } from '@lezer/python';
import type { Value } from '../types.ts';
import type { Clause, Expr } from './ast.ts';
import { readFormatted } from './fstring.ts';
import { children, isLogic, isLoose, logicTokens, wholePoints } from './grammar.ts';
import { readNumber, readString } from './literals.ts';

/** Nesting of brackets and operators beyond which nothing is read. */
const MAX_DEPTH = 120;
const MAX_LENGTH = 200_000;

/** Not an expression: Python would say SyntaxError. */
export class NotAnExpression extends Error {}

/** Null where the text is not one Python expression. Line breaks are allowed anywhere, as in brackets. */
export function readExpression(source: string): Expr | null {
  const text = wholePoints(source.trim());
  if (text === '' || text.length > MAX_LENGTH) return null;
  try {
    const plain = statement(text);
    if (plain !== null) return new Reader(text).expression(plain, 0);
    // A line break outside of brackets ends the statement; within them it does not.
    if (!/[\n#]/.test(text)) return null;
    const wrapped = `(${text}\n)`;
    const inner = statement(wrapped);
    if (
      inner === null ||
      !/^(Parenthesized|Tuple)Expression$/.test(inner[0]?.name ?? '') ||
      inner.length !== 1
    )
      return null;
    return inner[0]?.from === 0 && inner[0].to === wrapped.length
      ? new Reader(wrapped).expression(inner, 0)
      : null;
  } catch (error) {
    if (error instanceof NotAnExpression || error instanceof RangeError) return null;
    throw error;
  }
}

/** The nodes of the only statement, an expression's; null if it is anything else or has errors. */
function statement(text: string): SyntaxNode[] | null {
  const tree = parser.parse(text);
  let broken = false;
  tree.iterate({
    enter: (node) => {
      if (node.type.isError) broken = true;
    },
  });
  const only = tree.topNode.firstChild;
  if (broken || only === null || only.nextSibling !== null || only.name !== 'ExpressionStatement')
    return null;
  return children(only);
}

export class Reader {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  /** One expression, or a tuple without its brackets. */
  expression(nodes: readonly SyntaxNode[], depth: number): Expr {
    const only = nodes[0];
    if (nodes.length === 1 && only !== undefined && only.name !== '*') return this.node(only, depth);
    return { type: 'tuple', items: this.#items(nodes, depth) };
  }

  node(node: SyntaxNode, depth: number): Expr {
    if (depth > MAX_DEPTH) throw new NotAnExpression();
    const kids = children(node);
    const inner = kids.slice(1, -1);
    const below = depth + 1;
    // Python's table of character names is not at hand.
    if (/String$/.test(node.name) && this.#text(node).includes('\\N{'))
      return { type: 'other', what: '\\N{...}' };
    switch (node.name) {
      case 'Number':
        return constant(readNumber(this.#text(node)));
      case 'String':
        return constant(readString(this.#text(node)));
      case 'FormatString':
        return readFormatted(this, [node], below);
      case 'ContinuedString':
        return kids.some((kid) => kid.name === 'FormatString')
          ? readFormatted(this, kids, below)
          : this.#joined(kids);
      case 'Boolean':
        return constant({ type: 'bool', value: this.#text(node) === 'True' });
      case 'None':
        return constant({ type: 'none' });
      case 'Ellipsis':
        return constant({ type: 'ellipsis' });
      case 'VariableName':
        return { type: 'name', name: this.#text(node) };
      case 'ParenthesizedExpression':
        if (inner.length === 0) throw new NotAnExpression();
        if (inner[0]?.name === 'YieldExpression') return { type: 'other', what: 'yield' };
        return this.expression(inner, below);
      case 'TupleExpression':
        return { type: 'tuple', items: this.#items(inner, below) };
      case 'ArrayExpression':
        return { type: 'list', items: this.#items(inner, below) };
      case 'SetExpression':
        return { type: 'set', items: this.#items(inner, below) };
      case 'DictionaryExpression':
        return { type: 'dict', entries: this.#entries(inner, below) };
      case 'UnaryExpression':
        return isLogic(node) ? this.#logic(node, below) : this.#unary(kids, below);
      case 'BinaryExpression':
        return isLogic(node) ? this.#logic(node, below) : this.#binary(kids, below);
      case 'ConditionalExpression': {
        const [then, , test, , otherwise] = kids.map((kid, i) =>
          i % 2 === 0 ? this.node(kid, below) : null,
        );
        if (!then || !test || !otherwise) throw new NotAnExpression();
        return { type: 'if', test, then, otherwise };
      }
      case 'MemberExpression':
        return this.#member(kids, below);
      case 'CallExpression':
        return this.#call(kids, below);
      case 'ComprehensionExpression':
        return this.#comprehension('generator', inner, below);
      case 'ArrayComprehensionExpression':
        return this.#comprehension('list', inner, below);
      case 'SetComprehensionExpression':
        return this.#comprehension('set', inner, below);
      case 'DictionaryComprehensionExpression':
        return this.#comprehension('dict', inner, below);
      case 'LambdaExpression':
        return this.#lambda(kids, below);
      case 'NamedExpression':
        return { type: 'other', what: ':=' };
      case 'AwaitExpression':
        return { type: 'other', what: 'await' };
      case 'YieldExpression':
        return { type: 'other', what: 'yield' };
      default:
        throw new NotAnExpression();
    }
  }

  #text(node: SyntaxNode): string {
    return this.text.slice(node.from, node.to);
  }

  #joined(kids: readonly SyntaxNode[]): Expr {
    const parts = kids.map((kid) => readString(this.#text(kid)));
    if (parts.every((part) => part?.type === 'str'))
      return constant({ type: 'str', value: parts.map((part) => part.value).join('') });
    if (parts.every((part) => part?.type === 'bytes'))
      return constant({ type: 'bytes', value: Uint8Array.from(parts.flatMap((part) => [...part.value])) });
    throw new NotAnExpression();
  }

  #items(nodes: readonly SyntaxNode[], depth: number): Expr[] {
    const items: Expr[] = [];
    for (let i = 0; i < nodes.length; i += 1) {
      const node = nodes[i] as SyntaxNode;
      if (node.name === ',') continue;
      const next = nodes[i + 1];
      if (node.name === '*' && next !== undefined) {
        items.push({ type: 'star', of: this.node(next, depth) });
        i += 1;
      } else items.push(this.node(node, depth));
    }
    return items;
  }

  #entries(nodes: readonly SyntaxNode[], depth: number): [Expr | null, Expr][] {
    return split(nodes, ',').map((part): [Expr | null, Expr] => {
      const [first, second, third] = part;
      if (first?.name === '**' && second !== undefined) return [null, this.node(second, depth)];
      if (first === undefined || second?.name !== ':' || third === undefined) throw new NotAnExpression();
      return [this.node(first, depth), this.node(third, depth)];
    });
  }

  #unary(kids: readonly SyntaxNode[], depth: number): Expr {
    const op = this.#text(kids[0] as SyntaxNode);
    if (isLoose(kids[1] as SyntaxNode)) throw new NotAnExpression();
    if (op !== '-' && op !== '+' && op !== '~') throw new NotAnExpression();
    return { type: 'unary', op, of: this.node(kids[1] as SyntaxNode, depth) };
  }

  #binary(kids: readonly SyntaxNode[], depth: number): Expr {
    const first = kids[0] as SyntaxNode;
    const last = kids.at(-1) as SyntaxNode;
    if (isLoose(first) || isLoose(last)) throw new NotAnExpression();
    const right = this.node(last, depth);
    const op = kids
      .slice(1, -1)
      .map((kid) => this.#text(kid))
      .join(' ');
    const left = this.node(first, depth);
    if (!COMPARISONS.has(op)) return { type: 'binary', op, left, right };
    // `a < b < c` is one comparison, `(a < b) < c` is two.
    if (left.type === 'compare' && first.name === 'BinaryExpression')
      return { type: 'compare', first: left.first, rest: [...left.rest, { op, right }] };
    return { type: 'compare', first: left, rest: [{ op, right }] };
  }

  /** The grammar reads `not a and b` as `not (a and b)`: the operands are put in order, and read again. */
  #logic(node: SyntaxNode, depth: number): Expr {
    const tokens = logicTokens(node);
    let at = 0;
    const take = (name: string): boolean => {
      if (tokens[at]?.name !== name) return false;
      at += 1;
      return true;
    };
    const not = (): Expr => {
      if (take('not')) return { type: 'unary', op: 'not', of: not() };
      const operand = tokens[at];
      at += 1;
      if (operand === undefined || /^(Lambda|Conditional)Expression$/.test(operand.name))
        throw new NotAnExpression();
      return this.node(operand, depth);
    };
    const chain = (op: 'and' | 'or', part: () => Expr): Expr => {
      let left = part();
      while (take(op)) left = { type: 'logic', op, left, right: part() };
      return left;
    };
    return chain('or', () => chain('and', not));
  }

  #member(kids: readonly SyntaxNode[], depth: number): Expr {
    const of = this.node(kids[0] as SyntaxNode, depth);
    if (kids[1]?.name === '.') return { type: 'attribute', of, name: this.#text(kids[2] as SyntaxNode) };
    const inner = kids.slice(2, -1);
    const parts = split(inner, ',');
    if (parts.length === 0) throw new NotAnExpression();
    const subscripts = parts.map((part) => this.#subscript(part, depth));
    const single = parts.length === 1 && inner.at(-1)?.name !== ',';
    return {
      type: 'index',
      of,
      index: single ? (subscripts[0] as Expr) : { type: 'tuple', items: subscripts },
    };
  }

  #subscript(nodes: readonly SyntaxNode[], depth: number): Expr {
    if (!nodes.some((node) => node.name === ':')) return this.expression(nodes, depth);
    const bounds: (Expr | null)[] = [null];
    for (const node of nodes) {
      if (node.name === ':') bounds.push(null);
      else bounds[bounds.length - 1] = this.node(node, depth);
    }
    if (bounds.length > 3) throw new NotAnExpression();
    return { type: 'slice', from: bounds[0] ?? null, to: bounds[1] ?? null, step: bounds[2] ?? null };
  }

  #call(kids: readonly SyntaxNode[], depth: number): Expr {
    const of = this.node(kids[0] as SyntaxNode, depth);
    const inner = children(kids[1] as SyntaxNode).slice(1, -1);
    if (inner.some((kid) => kid.name === 'for' || kid.name === 'async'))
      return { type: 'call', of, args: [this.#comprehension('generator', inner, depth)], keywords: [] };
    const args: Expr[] = [];
    const keywords: [string | null, Expr][] = [];
    for (const part of split(inner, ',')) {
      const [first, second, third] = part as [SyntaxNode, SyntaxNode?, SyntaxNode?];
      if (first.name === '**' && second) keywords.push([null, this.node(second, depth)]);
      else if (first.name === '*' && second) args.push({ type: 'star', of: this.node(second, depth) });
      else if (second?.name === 'AssignOp' && third) {
        if (this.#text(second) !== '=') return { type: 'other', what: ':=' };
        keywords.push([this.#text(first), this.node(third, depth)]);
      } else if (part.length === 1) {
        if (keywords.some(([name]) => name !== null)) throw new NotAnExpression();
        args.push(this.node(first, depth));
      } else throw new NotAnExpression();
    }
    return { type: 'call', of, args, keywords };
  }

  #comprehension(
    kind: 'list' | 'set' | 'dict' | 'generator',
    nodes: readonly SyntaxNode[],
    depth: number,
  ): Expr {
    if (nodes.some((node) => node.name === 'async')) return { type: 'other', what: 'async for' };
    const [head = [], ...loops] = split(nodes, 'for');
    const clauses = loops.map((loop): Clause => {
      const at = loop.findIndex((node) => node.name === 'in');
      const [iter = [], ...ifs] = split(loop.slice(at + 1), 'if');
      return {
        target: this.expression(loop.slice(0, at), depth),
        iter: this.expression(iter, depth),
        ifs: ifs.map((test) => this.expression(test, depth)),
      };
    });
    const colon = head.findIndex((node) => node.name === ':');
    const value = kind === 'dict' ? this.expression(head.slice(colon + 1), depth) : null;
    return {
      type: 'comprehension',
      kind,
      element: this.expression(kind === 'dict' ? head.slice(0, colon) : head, depth),
      value,
      clauses,
    };
  }

  #lambda(kids: readonly SyntaxNode[], depth: number): Expr {
    const list = kids.find((kid) => kid.name === 'ParamList');
    const params = split(list ? children(list) : [], ',').map((part) => {
      const [first, , third] = part;
      if (first?.name !== 'VariableName') return null;
      return { name: this.#text(first), default: third ? this.node(third, depth) : null };
    });
    if (!params.every((param) => param !== null)) return { type: 'other', what: 'a lambda with * or /' };
    return { type: 'lambda', params, body: this.node(kids.at(-1) as SyntaxNode, depth) };
  }
}

const COMPARISONS = new Set(['<', '<=', '>', '>=', '==', '!=', 'in', 'not in', 'is', 'is not']);

function constant(value: Value | null): Expr {
  if (value === null) throw new NotAnExpression();
  return { type: 'value', value };
}

/** Parts between separators; a trailing separator adds none. */
function split(nodes: readonly SyntaxNode[], separator: string): SyntaxNode[][] {
  const parts: SyntaxNode[][] = [[]];
  for (const node of nodes) {
    if (node.name === separator) parts.push([]);
    else parts.at(-1)?.push(node);
  }
  if (parts.at(-1)?.length === 0) parts.pop();
  return parts;
}
