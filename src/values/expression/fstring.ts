/** @file f-strings, alone or joined to other strings: text and replacement fields. */
import type { SyntaxNode } from '@lezer/common';
import type { Expr, Replacement } from './ast.ts';
import { children } from './grammar.ts';
import { readString, stringToken, unescapeText } from './literals.ts';
import { NotAnExpression, type Reader } from './read.ts';

type Part = string | Replacement;

export function readFormatted(reader: Reader, nodes: readonly SyntaxNode[], depth: number): Expr {
  const parts: Part[] = [];
  for (const node of nodes) {
    const source = reader.text.slice(node.from, node.to);
    if (node.name === 'FormatString') {
      const token = stringToken(source);
      if (token === null) throw new NotAnExpression();
      const from = node.from + token.from;
      parts.push(...pieces(reader, children(node), from, node.from + token.to, token.raw, depth));
    } else {
      const value = readString(source);
      if (value?.type !== 'str') throw new NotAnExpression();
      parts.push(value.value);
    }
  }
  return { type: 'fstring', parts };
}

/** Text and replacements from `from` to `to`; doubled braces are one. */
function pieces(
  reader: Reader,
  replacements: readonly SyntaxNode[],
  from: number,
  to: number,
  raw: boolean,
  depth: number,
): Part[] {
  const parts: Part[] = [];
  let at = from;
  const literal = (end: number): void => {
    if (end <= at) return;
    const text = unescapeText(
      reader.text.slice(at, end).replace(/\{\{/g, '{').replace(/\}\}/g, '}'),
      raw,
      false,
    );
    if (text === null) throw new NotAnExpression();
    parts.push(text);
  };
  for (const node of replacements) {
    if (node.name !== 'FormatReplacement') continue;
    literal(node.from);
    parts.push(replacement(reader, node, raw, depth));
    at = node.to;
  }
  literal(to);
  return parts;
}

function replacement(reader: Reader, node: SyntaxNode, raw: boolean, depth: number): Replacement {
  const inner = children(node).slice(1, -1);
  const named = (name: string): SyntaxNode | undefined => inner.find((kid) => kid.name === name);
  const self = named('FormatSelfDoc');
  const conversion = named('FormatConversion');
  const spec = named('FormatSpec');
  const letter = conversion ? reader.text[conversion.from + 1] : undefined;
  const expression = inner.filter((kid) => !kid.name.startsWith('Format') || kid.name === 'FormatString');
  if (expression.length === 0) throw new NotAnExpression();
  // With `=` and neither conversion nor format, the value is shown by repr.
  const byDefault = self && !spec ? 'r' : null;
  return {
    value: reader.expression(expression, depth),
    conversion: letter === 'r' || letter === 's' || letter === 'a' ? letter : byDefault,
    spec: spec ? pieces(reader, children(spec), spec.from + 1, spec.to, raw, depth) : [],
    label: self ? reader.text.slice(node.from + 1, (conversion ?? spec)?.from ?? node.to - 1) : '',
  };
}
