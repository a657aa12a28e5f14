/** @file Module-level names whose value the text states: assigned exactly once, a literal. */
import { type Token, tokenize } from '../source/tokens.ts';
import type { Program } from '../source/types.ts';
import { literalValue } from '../values/literal.ts';
import type { Value } from '../values/types.ts';

const ASSIGNS = /^(?:[-+*/%@&|^]|\/\/|\*\*|<<|>>)?=$/;
/** Statements all of whose names count as bound: they are rare where it matters. */
const BINDS = /^(?:del|import|from|global|match|case|type)$/;

/**
 * `NAME = LITERAL` (annotated or not) at the module's outermost indentation. Left out: names that any other
 * module-level statement may bind or, for lists, dicts and sets, names at all; and names that a function
 * declares `global`. Not seen: a function that changes a list which module-level code calls.
 */
export function constantsOf(program: Program): ReadonlyMap<string, Value> {
  const units = program.units.map((unit) => ({
    scope: unit.scope,
    text: unit.text,
    tokens: tokensOf(unit.text),
  }));
  const constants = new Map<string, Value>();
  const uses = new Map<string, number>();
  const bound = new Set<string>();
  for (const { scope, text, tokens } of units) {
    if (scope !== 0) {
      if (tokens[0]?.text === 'global') for (const token of tokens) bound.add(token.text);
      continue;
    }
    const names = tokens.filter((token) => token.kind === 'name').map((token) => token.text);
    for (const name of names) uses.set(name, (uses.get(name) ?? 0) + 1);
    const constant = /^\S/.test(text) ? assignmentOf(text) : null;
    if (constant) {
      if (constants.has(constant.name)) bound.add(constant.name);
      constants.set(constant.name, constant.value);
    } else for (const name of boundBy(tokens)) bound.add(name);
  }
  for (const [name, { type }] of constants) {
    const mutable = type === 'list' || type === 'dict' || type === 'set' || type === 'tuple';
    if (bound.has(name) || (mutable && uses.get(name)! > 1)) constants.delete(name);
  }
  return constants;
}

function tokensOf(text: string): readonly Token[] {
  return tokenize(text.trimStart()).tokens.filter(({ kind }) => kind !== 'newline' && kind !== 'end');
}

function assignmentOf(text: string): { readonly name: string; readonly value: Value } | null {
  const match = /^([\p{ID_Start}_][\p{ID_Continue}]*)\s*(?::[^=]*)?=(?!=)([\s\S]*)$/u.exec(text);
  const value = match && literalValue(match[2]!);
  return value && { name: match[1]!, value };
}

/** The names that a module-level unit may bind; too many rather than too few. */
function boundBy(tokens: readonly Token[]): readonly string[] {
  const names = new Set<string>();
  let depth = 0;
  let loop = -1;
  tokens.forEach(({ kind, text }, i) => {
    const add = (from: number, to: number) => {
      for (const token of tokens.slice(Math.max(0, from), to))
        if (token.kind === 'name') names.add(token.text);
    };
    if (kind === 'op' && '([{'.includes(text)) depth++;
    else if (kind === 'op' && ')]}'.includes(text)) depth--;
    else if (text === ':=') add(i - 1, i);
    else if (depth > 0) return;
    else if (kind === 'op' && ASSIGNS.test(text)) add(0, i);
    else if (kind !== 'name') return;
    else if (text === 'def' || text === 'class') add(i + 1, i + 2);
    else if (text === 'as') add(i + 1, tokens.length);
    else if (text === 'for') loop = i;
    else if (text === 'in' && loop >= 0) {
      add(loop, i);
      loop = -1;
    } else if (BINDS.test(text)) add(0, tokens.length);
  });
  return [...names];
}

/** How many module-level units may bind the name. */
export function bindingsOf(program: Program, name: string): number {
  const units = program.units.filter((unit) => unit.scope === 0 && unit.text.includes(name));
  return units.filter((unit) => boundBy(tokensOf(unit.text)).includes(name)).length;
}
