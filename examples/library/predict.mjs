/** Debug a call without running it: the model predicts every state. */
import { openSession } from 'npdb';

const text = 'import no_such_package\n\ndef double(x):\n    y = x * 2\n    return y\n';
const { debug, close } = await openSession({ text, path: 'main.py', call: 'double(3)' });

const next = await debug.act({ type: 'step_over' });
console.log(next.outcome.type, next.origin); // state predicted
console.log(next.confidence !== undefined && next.confidence > 0); // true

const end = await debug.act({ type: 'step_return' });
if (end.outcome.type === 'state') console.error('returns', end.outcome.state.value, 'with', end.confidence);

await debug.act({ type: 'inv_step_call' }); // backwards, to where the call began
const what = await debug.set({ name: 'x', value: '21' }); // and on from there: what if?
console.log(what.origin); // edited
await close();
