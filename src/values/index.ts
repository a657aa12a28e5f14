export { type ValueState, valueAutomaton } from './automaton/automaton.ts';
export { formatValue } from './format.ts';
export { parseValue } from './parse.ts';
export type { Value } from './types.ts';
