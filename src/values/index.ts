export { type ValueState, valueAutomaton } from './automaton/automaton.ts';
export { compareValues, pythonEqual, type Truth } from './compare.ts';
export { type DiffOptions, diffValues } from './diff.ts';
export { formatValue } from './format.ts';
export { canonicalLiteral, literalValue } from './literal.ts';
export { parseValue } from './parse.ts';
export { toRepr } from './repr.ts';
export type { Value } from './types.ts';
