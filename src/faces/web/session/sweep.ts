/**
 * @file How well a model knows a run: for each real state but the first it is told the state before, says the next,
 * and is compared. Its errors do not add up here, as they do when it walks on its own states.
 */
import type { RecordedDebugger } from '../../../debugger/recorded.ts';
import type { Predictor } from '../../../predictor/types.ts';
import { rootedAt, sameOutcome, TraceStates } from '../../../state/index.ts';
import type { Sweep } from './types.ts';

const BATCH = 4;
/** States asked about; more would take longer than anyone waits. */
const MOST = 1_000;

export async function sweep(
  recorded: RecordedDebugger,
  predictor: Predictor,
  found: (sweep: Sweep) => void,
  signal?: AbortSignal,
): Promise<void> {
  const { trace, tree, programs } = recorded;
  const { first, end } = tree;
  const states = new TraceStates(trace, programs);
  const depth = states.at(first).stack.length - 1;
  const verdict = new Uint8Array(end - first);
  const confidence = new Float32Array(end - first);
  const action = { type: 'step_into' } as const;
  for (let at = first; at < end - 1 && at < first + MOST; at += BATCH) {
    const batch: { state: ReturnType<typeof states.at>; to: number }[] = [];
    for (let i = at; i < Math.min(at + BATCH, end - 1); i += 1) {
      const move = tree.move({ at: i, call: false }, action);
      // In a thread's last state, or where the entry call ends, nothing follows.
      if (move.type === 'place') batch.push({ state: rootedAt(states.at(i), depth), to: move.place.at });
    }
    if (batch.length === 0) continue;
    const answers = await predictor.predict(
      batch.map(({ state }) => ({ programs, state, action })),
      signal ? { signal } : {},
    );
    for (const [i, { to }] of batch.entries()) {
      const answer = answers[i]![0]!;
      const real = { type: 'state', state: rootedAt(states.at(to), depth) } as const;
      confidence[to - first] = answer.confidence;
      verdict[to - first] = answer.truncated ? 3 : sameOutcome(answer.outcome, real) ? 1 : 2;
    }
    found({ verdict: verdict.slice(), confidence: confidence.slice() });
  }
}
