/** Record a run as canonical events; walk its state tree; fold its states. */
import { advance, buildTree, openRuntime, parseProgram, recordingOf, TraceStates } from 'npdb';

const runtime = await openRuntime();
const file = { name: 'main.py', text: 'def double(x):\n    y = x * 2\n    return y\n' };
const { trace } = await runtime.run({ file, call: 'double(3)' });
await runtime.close();
console.log(trace.end.status, trace.end.value); // normal 6

const tree = buildTree(trace);
const call = trace.events.findIndex((event) => event.fn === 'double');
console.log(tree.entry(call).move({ at: call, call: false }, { type: 'step_return' }).type); // place

const programs = trace.header.files.map((f) => parseProgram(f.text, f.name));
const states = new TraceStates(trace, programs);
console.log(states.at(call + 2).stack.at(-1)?.locals); // Map(2) { 'x' => '3', 'y' => '6' }

// A state is a fold of events.
const [first] = trace.events;
if (first) console.log(advance(null, first, { programs }).kind); // call

console.log(recordingOf('double', trace)?.tree.size); // 4
