/** The same walk predicted and real, side by side: where do they part? Here the "model" is a syntax-only baseline. */
import {
  baselinePredictor,
  ComparedDebugger,
  NeuralDebugger,
  openRuntime,
  RecordedDebugger,
  start,
} from 'npdb';

const text = 'def double(x):\n    y = x * 2\n    return y\n';
const call = 'double(3)';
const { programs, state, entry } = start(text, call);
const runtime = await openRuntime();
const request = { file: { name: 'main.py', text }, call };
const debug = new ComparedDebugger(
  new NeuralDebugger({ programs, initial: state, predictor: baselinePredictor() }),
  await RecordedDebugger.start({ programs, runtime, request, entry }),
);

console.log((await debug.act({ type: 'step_into' })).differences); // []
const [difference] = (await debug.act({ type: 'step_into' })).differences ?? [];
console.log(difference); // { part: 'local', name: 'y', real: '6' }
await debug.close();
