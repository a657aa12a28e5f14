/** From a model's folder to predictions: several answers to one situation, best first. */
import {
  BUNDLED_MODEL,
  compactCodec,
  createPredictor,
  initialState,
  loadModel,
  loadPredictor,
  parseProgram,
} from 'npdb';

const program = parseProgram('def double(x):\n    y = x * 2\n    return y\n', 'main.py');
const situation = {
  programs: [program],
  state: initialState(program, 'double(3)'),
  action: /** @type {const} */ ({ type: 'step_return' }),
};
const predictor = await loadPredictor(BUNDLED_MODEL);
const [answers = []] = await predictor.predict([situation], { n: 4, seed: 1 });
for (const { outcome, confidence } of answers) {
  console.error(outcome.type === 'state' ? outcome.state.value : outcome.type, confidence);
}
console.log(answers.length > 0); // true
await predictor.close();

// The parts, for a model, tokenizer, codec or mask of your own: createPredictor({ name, model, tokenizer, codec, masker }).
const model = await loadModel(BUNDLED_MODEL);
console.log(model.meta.codec === compactCodec.name, typeof createPredictor); // true function
await model.close();
