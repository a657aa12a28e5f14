/** @file A function's signature, from the text of its definition. */
import type { SyntaxNode } from '@lezer/common';
import { parser } from '@lezer/python';
import { literalValue } from '../values/literal.ts';
import type { Value } from '../values/types.ts';

/** `default`: null where it is no literal, absent where there is none. */
export interface Parameter {
  readonly name: string;
  readonly kind: 'positional-only' | 'positional' | 'keyword-only' | 'rest' | 'keywords';
  readonly default?: Value | null;
}

/** `text` begins with `def`. Null where it is no plain, undecorated function definition. */
export function readSignature(text: string): Parameter[] | null {
  const definition = parser.parse(text).topNode.firstChild;
  if (definition?.name !== 'FunctionDefinition' || definition.firstChild?.name !== 'def') return null;
  const list = definition.getChild('ParamList');
  if (!list) return null;
  const parameters: Parameter[] = [];
  let kind: Parameter['kind'] = 'positional';
  let own: Parameter['kind'] = kind;
  for (let node = list.firstChild?.nextSibling; node; node = node.nextSibling) {
    const source = text.slice(node.from, node.to);
    // The grammar has no node for it.
    if (text.slice(node.prevSibling!.to, node.from).trim() === '/') {
      parameters.forEach((parameter, i) => {
        parameters[i] = { ...parameter, kind: 'positional-only' };
      });
    }
    if (source === '*') {
      kind = 'keyword-only';
      own = 'rest';
    } else if (source === '**') own = 'keywords';
    else if (node.name === 'AssignOp') node = node.nextSibling ?? node;
    else if (source === ',' || source === ')') own = kind;
    else if (node.name === 'VariableName')
      parameters.push({ name: source, kind: own, ...defaultOf(node, text) });
  }
  return parameters;
}

function defaultOf(name: SyntaxNode, text: string): Pick<Parameter, 'default'> {
  let node = name.nextSibling;
  if (node?.name === 'TypeDef') node = node.nextSibling;
  const value = node?.name === 'AssignOp' ? node.nextSibling : null;
  return value ? { default: literalValue(text.slice(value.from, value.to)) } : {};
}
