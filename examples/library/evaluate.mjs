/** How good is a predictor (here the baseline itself)? Next-state accuracy on runs of a program set, beside a baseline; CRUXEval's tasks. */
import {
  baselinePredictor,
  cruxeval,
  loadPrograms,
  nextState,
  openRuntime,
  recordingOf,
  traceSet,
} from 'npdb';

const programs = await loadPrograms([new URL('../programs.jsonl', import.meta.url).pathname]);
console.log(programs.length > 5, programs[0]?.calls[0]); // true total([5, 2, 9], 3)

const runtime = await openRuntime();
const recordings = [];
for (const { id, code, calls } of programs.slice(0, 2)) {
  const { trace } = await runtime.run({ file: { name: 'main.py', text: code }, call: calls[0] ?? '' });
  const recording = recordingOf(id, trace);
  if (recording) recordings.push(recording);
}
await runtime.close();

const scores = await nextState(recordings, baselinePredictor(), baselinePredictor(), {
  limit: 20,
  seed: 0,
  predict: {},
  actions: ['step_into', 'step_return'],
});
for (const [action, { exact_match, n }] of Object.entries(scores)) console.error(action, exact_match, n);
console.log(Object.keys(scores)); // [ 'step_into', 'step_return' ]

// Larger jobs: traceSet(programs, runtime, { outDir }) records a whole set, cruxeval(...) runs its benchmark.
console.log(typeof traceSet, typeof cruxeval); // function function
