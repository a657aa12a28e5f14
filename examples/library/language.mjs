/** How a situation is written for a model, and which tokens the language allows next. */
import { compactCodec, compactTokenizer, initialState, parseProgram, VocabularyMask } from 'npdb';

const program = parseProgram('def double(x):\n    y = x * 2\n    return y\n', 'main.py');
const situation = {
  programs: [program],
  state: initialState(program, 'double(3)'),
  action: /** @type {const} */ ({ type: 'step_into' }),
};
const ids = compactTokenizer.encode([...compactCodec.context([program]), ...compactCodec.prompt(situation)]);
console.log(ids.length > 10); // true

const allowed = new VocabularyMask(compactTokenizer).allowed(compactCodec.mask(situation));
console.log(allowed.some((a) => a === 1) && allowed.some((a) => a === 0)); // true
