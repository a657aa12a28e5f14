/** Bring your own model: anything that answers situations with states is a `Predictor`, and every face takes it. */
import { fakePredictor, NeuralDebugger, openRuntime, recordingOf, start } from 'npdb';

const text = 'def double(x):\n    y = x * 2\n    return y\n';
const runtime = await openRuntime();
const { trace } = await runtime.run({ file: { name: 'main.py', text }, call: 'double(3)' });
await runtime.close();
const recording = recordingOf('double', trace);
if (!recording) throw new Error('the call was not reached');

// This one knows the answers, and is asked through a wrapper that counts.
const inner = fakePredictor(recording);
let asked = 0;
/** @type {import('npdb').Predictor} */
const predictor = {
  name: 'mine',
  predict: (batch, options) => {
    asked += batch.length;
    return inner.predict(batch, options);
  },
  close: async () => {},
};

const { programs, state } = start(text, 'double(3)');
const debug = new NeuralDebugger({ programs, initial: state, predictor });
const end = await debug.act({ type: 'step_return' });
console.log(end.outcome.type === 'state' && end.outcome.state.value, end.confidence, asked); // 6 0.75 1
await debug.close();
