/** Programs of several files, modules, tests: what to run as a request; and values whole, where a trace cuts them. */
import { fullValue, moduleRequest, openRuntime, pytestOutcome, requestOf, scriptRequest } from 'npdb';

const folder = process.cwd();
const text = 'import sys\nnumbers = list(range(1000))\nprint(len(numbers), sys.argv[1])\n';
const request = scriptRequest('count.py', text, 'pyodide', { folder, argv: ['items'] });
const runtime = await openRuntime();
const { trace } = await runtime.run(request);
console.log(trace.end.status, trace.end.o ?? trace.events.at(-1)?.o); // normal 1000 items

// A trace shows the first items of a long list; running again up to that state has all of them.
const at = trace.events.length - 1;
const whole = await fullValue(runtime, { ...requestOf(trace), argv: ['items'] }, at, 'numbers');
console.log(whole && 'value' in whole && whole.value.endsWith('998, 999]')); // true
await runtime.close();

// As `python -m pytest tests/test_a.py`; for CPython. What pytest said stands in the trace of its run.
const tests = moduleRequest('pytest', { folder, argv: ['tests/test_a.py'] });
console.log(tests.file.name, tests.argv); // <main> [ 'tests/test_a.py' ]
console.log(pytestOutcome(trace).outcome); // unknown
