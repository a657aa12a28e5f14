/** Values are canonical text; states are compared, edited and explained as text. */
import {
  applyEdit,
  diffOutcome,
  formatValue,
  initialState,
  NpdbError,
  parseProgram,
  parseValue,
  sameOutcome,
} from 'npdb';

console.log(formatValue(parseValue("{'a': [1, 2.5]}"))); // {'a': [1, 2.5]}

const program = parseProgram('def f(x):\n    return x\n', 'main.py');
const state = initialState(program, 'f([1, 2])');
const edited = applyEdit(state, { name: 'x', value: '[1, 2, 3]' });
const [before, after] = [state, edited].map((s) => ({ type: /** @type {const} */ ('state'), state: s }));
if (before && after) {
  console.log(sameOutcome(before, after)); // false
  console.log(diffOutcome(after, before)); // [ { part: 'local', name: 'x', predicted: '[1, 2, 3]', real: '[1, 2]' } ]
}

try {
  initialState(program, 'g(1)');
} catch (error) {
  if (error instanceof NpdbError) console.log(error.code, error.hint); // E_FUNCTION It defines: f.
}
