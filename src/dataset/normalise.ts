/**
 * @file A program's code, normalised for comparison: without comments, docstrings, imports, annotations and layout, bound names
 * renamed by first appearance. Two programs that differ in these only have one normal form. Syntax alone; runs nothing.
 */
import type { SyntaxNode } from '@lezer/common';
import { parser } from '@lezer/python';

export interface NormalForm {
  /** The whole program. */
  readonly program: readonly string[];
  /** Each function of it by itself, methods and nested ones included. */
  readonly functions: readonly (readonly string[])[];
}

const BUILTINS = new Set(
  (
    'abs all any ascii bin bool bytearray bytes callable chr classmethod complex dict dir divmod enumerate eval exec filter float format ' +
    'frozenset getattr globals hasattr hash hex id input int isinstance issubclass iter len list locals map max memoryview min next ' +
    'object oct open ord pow print property range repr reversed round set setattr slice sorted staticmethod str sum super tuple type ' +
    'vars zip True False None Exception ValueError TypeError KeyError IndexError ZeroDivisionError RuntimeError StopIteration ' +
    'AttributeError AssertionError NotImplementedError OverflowError ArithmeticError LookupError NameError self'
  ).split(' '),
);

const SKIPPED = new Set(['Comment', 'TypeDef', 'ImportStatement', 'Decorator']);

export function normalForm(code: string): NormalForm {
  const root = parser.parse(code).topNode;
  const bound = boundNames(root, code);
  const functions: string[][] = [];
  walk(root, (node) => {
    if (node.name === 'FunctionDefinition') functions.push(renamed(tokens(node, code), bound));
    return true;
  });
  return { program: renamed(tokens(root, code), bound), functions };
}

interface Token {
  readonly text: string;
  readonly name: boolean;
}

/** Leaves in order; bodies between braces, so that nesting counts. */
function tokens(root: SyntaxNode, code: string): Token[] {
  const out: Token[] = [];
  const visit = (node: SyntaxNode): void => {
    if (SKIPPED.has(node.name) || isDocstring(node)) return;
    const body = node.name === 'Body';
    if (body) out.push({ text: '{', name: false });
    let child = node.firstChild;
    if (!child && node.from < node.to) {
      const text = code.slice(node.from, node.to);
      const name = node.name === 'VariableName' || node.name === 'PropertyName';
      out.push({ text: node.name === 'String' ? plainString(text) : text, name });
    } else if (node.name === 'FormatString' || node.name === 'ContinuedString') {
      out.push({ text: plainString(code.slice(node.from, node.to)), name: false });
      if (node.name === 'ContinuedString') return;
    }
    for (; child; child = child.nextSibling) visit(child);
    if (body) out.push({ text: '}', name: false });
    else if (node.name.endsWith('Statement')) out.push({ text: ';', name: false });
  };
  visit(root);
  return out;
}

/** A string that is a statement of its own says nothing to Python. */
const isDocstring = (node: SyntaxNode): boolean =>
  node.name === 'ExpressionStatement' &&
  node.firstChild !== null &&
  !node.firstChild.nextSibling &&
  (node.firstChild.name === 'String' || node.firstChild.name === 'ContinuedString');

/** The same text whichever quotes were used. */
const plainString = (text: string): string => {
  const match = /^([a-zA-Z]*)("""|'''|"|')([\s\S]*)\2$/.exec(text);
  return match ? `${match[1]!.toLowerCase()}'${match[3]}'` : text;
};

function renamed(list: readonly Token[], bound: ReadonlySet<string>): string[] {
  const names = new Map<string, string>();
  return list.map(({ text, name }) => {
    if (!name || !bound.has(text)) return text;
    let short = names.get(text);
    if (!short) {
      short = `v${names.size}`;
      names.set(text, short);
    }
    return short;
  });
}

/** Names that the program itself binds: its own functions, parameters, variables; not builtins, imports or attributes of library types. */
function boundNames(root: SyntaxNode, code: string): ReadonlySet<string> {
  const bound = new Set<string>();
  const imported = new Set<string>();
  const text = (node: SyntaxNode) => code.slice(node.from, node.to);
  walk(root, (node) => {
    if (node.name === 'ImportStatement') {
      for (let c = node.firstChild; c; c = c.nextSibling)
        if (c.name === 'VariableName') imported.add(text(c));
      return false;
    }
    if (node.name !== 'VariableName') return true;
    const parent = node.parent?.name ?? '';
    const binds =
      parent === 'ParamList' ||
      parent === 'FunctionDefinition' ||
      parent === 'ClassDefinition' ||
      assigned(node, code);
    if (binds || !BUILTINS.has(text(node))) bound.add(text(node));
    return true;
  });
  for (const name of imported) bound.delete(name);
  return bound;
}

/** Left of the first `=` of its statement. */
function assigned(node: SyntaxNode, code: string): boolean {
  const { parent } = node;
  if (parent?.name !== 'AssignStatement') return false;
  for (let c = node.nextSibling; c; c = c.nextSibling)
    if (c.name === 'AssignOp') return code.slice(c.from, c.to) === '=';
  return false;
}

function walk(root: SyntaxNode, enter: (node: SyntaxNode) => boolean): void {
  const visit = (node: SyntaxNode): void => {
    if (!enter(node)) return;
    for (let c = node.firstChild; c; c = c.nextSibling) visit(c);
  };
  visit(root);
}
