/**
 * @file Where Lezer's Python grammar (1.1) reads an expression otherwise than Python: `1.` as the attribute of
 * an integer, `not a and b` as `not (a and b)`, and `a + not b` at all.
 */
import type { SyntaxNode } from '@lezer/common';

export function children(node: SyntaxNode): SyntaxNode[] {
  const found: SyntaxNode[] = [];
  for (let child = node.firstChild; child !== null; child = child.nextSibling) {
    if (child.name !== 'Comment') found.push(child);
  }
  return found;
}

/** `not`, `and`, `or` without brackets around it. */
export function isLogic(node: SyntaxNode): boolean {
  if (node.name === 'UnaryExpression') return node.firstChild?.name === 'not';
  if (node.name !== 'BinaryExpression') return false;
  const operator = node.firstChild?.nextSibling?.name;
  return operator === 'and' || operator === 'or';
}

/** Operators and operands in the order they are written. */
export function logicTokens(node: SyntaxNode): SyntaxNode[] {
  return children(node).flatMap((kid) => (isLogic(kid) ? logicTokens(kid) : [kid]));
}

/** The grammar takes `a + not b` and `a + lambda: b`; Python wants brackets. */
export function isLoose(node: SyntaxNode): boolean {
  return /^(Lambda|Conditional)Expression$/.test(node.name) || isLogic(node);
}

const TOKEN =
  /(?:'{3}|"{3})[\s\S]*?(?:'{3}|"{3})|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|#.*|[\p{L}_]\w*|(\d[\d_]*\.)(?!\d)|\d[\w.]*/gu;

/** `1.` to `1.0`: the grammar takes the point for an attribute's. */
export function wholePoints(source: string): string {
  return source.replace(TOKEN, (token, number?: string) => (number === undefined ? token : `${number}0`));
}
