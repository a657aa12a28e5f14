/**
 * @file Jumps by silent steps: the model's own `step_into` states until the action's goal (design, idea 3).
 * Many rollouts advance together, one batched step at a time.
 */
import type { Situation, Step } from '../language/types.ts';
import { repeatKey } from '../state/repeat.ts';
import type { State } from '../state/types.ts';
import { judge } from './goal.ts';
import type { Prediction, PredictOptions } from './types.ts';

interface Running {
  readonly index: number;
  readonly situation: Situation;
  readonly seen: Set<string>;
  readonly history: Step[];
  state: State;
  confidence: number;
  steps: number;
  tokens: number;
  out: string;
}

/** Answers one batch of `step_into` situations; the first prediction of each is used. */
export type StepFunction = (situations: readonly Situation[]) => Promise<Prediction[][]>;

/** Longest rollout: beyond it the answer is marked truncated, never given as the model's own. */
const MAX_STEPS = 400;

export async function rollOut(
  situations: readonly Situation[],
  step: StepFunction,
  options: PredictOptions,
): Promise<Prediction[]> {
  const results: Prediction[] = new Array(situations.length);
  const limit = options.maxSteps ?? MAX_STEPS;
  let running: Running[] = situations.map((situation, index) => ({
    index,
    situation,
    seen: new Set(),
    history: [...(situation.history ?? [])],
    state: situation.state,
    confidence: 1,
    steps: 0,
    tokens: 0,
    out: '',
  }));
  const finish = (
    r: Running,
    outcome: Prediction['outcome'],
    truncated = false,
    refused?: Prediction['refused'],
  ) => {
    results[r.index] = {
      outcome: withOutput(outcome, r.out),
      confidence: truncated ? 0 : r.confidence,
      strategy: 'rollout',
      steps: r.steps,
      tokens: r.tokens,
      ...(truncated ? { truncated } : {}),
      ...(refused ? { refused } : {}),
    };
  };
  while (running.length > 0) {
    options.signal?.throwIfAborted();
    const action = { type: 'step_into' } as const;
    const answers = await step(
      running.map((r) => ({ programs: r.situation.programs, state: r.state, action, history: r.history })),
    );
    const still: Running[] = [];
    for (const [i, r] of running.entries()) {
      const answer = answers[i]![0]!;
      const previous = r.state;
      r.steps += 1;
      r.tokens += answer.tokens;
      if (answer.truncated) {
        finish(r, answer.outcome, true, answer.refused);
        continue;
      }
      const verdict = judge(
        { start: r.situation.state, action: r.situation.action },
        previous,
        answer.outcome,
      );
      if (verdict === 'previous') {
        finish(r, { type: 'state', state: previous });
        continue;
      }
      r.confidence *= answer.confidence;
      if (verdict === 'arrived' || answer.outcome.type !== 'state') {
        finish(r, answer.outcome);
        continue;
      }
      r.history.push({ state: previous, action });
      r.state = answer.outcome.state;
      const key = repeatKey(r.state, r.situation.programs);
      if (key !== null && r.seen.has(key)) finish(r, { type: 'exit', exit: 'never' });
      else if (r.steps >= limit) finish(r, { type: 'state', state: r.state }, true);
      else {
        if (key !== null) r.seen.add(key);
        r.out += r.state.out ?? '';
        still.push(r);
      }
    }
    running = still;
  }
  return results;
}

/** Output on the way belongs to the state the jump ends in. */
function withOutput(outcome: Prediction['outcome'], before: string): Prediction['outcome'] {
  if (before === '') return outcome;
  if (outcome.type === 'state') {
    return { type: 'state', state: { ...outcome.state, out: before + (outcome.state.out ?? '') } };
  }
  return outcome.type === 'exit' ? { ...outcome, out: before + (outcome.out ?? '') } : outcome;
}
