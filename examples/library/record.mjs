/** A time-travel debugger over a real run in the sandbox. */
import { openSession } from 'npdb';

const text = 'def double(x):\n    y = x * 2\n    return y\n';
const { debug, close } = await openSession({ text, path: 'main.py', call: 'double(3)', engine: 'recorded' });

const end = await debug.act({ type: 'step_return' });
if (end.outcome.type === 'state') console.log(end.outcome.state.kind, end.outcome.state.value); // return 6

const before = await debug.act({ type: 'inv_step_into' });
console.log(before.id, before.origin); // 2 real

await debug.set({ name: 'y', value: 'x ** 3' }); // runs again with the edit
const again = await debug.act({ type: 'step_into' });
if (again.outcome.type === 'state') console.log(again.outcome.state.value); // 27

console.log(await debug.evaluate('y + 1')); // { type: 'value', value: '28', predicted: false }
await close();
