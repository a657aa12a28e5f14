/** Breakpoints with conditions and counts, forwards and backwards; what pdb's commands mean. */
import { Breakpoints, continueTo, openSession, reverseContinue, stepTo, until } from 'npdb';

const text = 'def total(n):\n    t = 0\n    for i in range(n):\n        t += i\n    return t\n';
const { debug, close } = await openSession({ text, path: 'main.py', call: 'total(4)', engine: 'recorded' });
const [program] = debug.programs;
const points = new Breakpoints();
if (program) points.add(program, 4, { condition: 'i == 2' });

const stop = await continueTo(debug, points);
console.log(stop.reason, stop.breakpoint?.hits, await debug.evaluate('t')); // breakpoint 3 { type: 'value', value: '1', predicted: false }

console.log((await stepTo(debug, 'step_over', points)).reason); // step
console.log((await reverseContinue(debug, points)).reason); // breakpoint
const after = await until(debug, points, 5);
console.log(after.position.outcome.type === 'state' && after.position.outcome.state.stack.at(-1)?.line); // 5
await close();
