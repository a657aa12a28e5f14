/**
 * @file The forward of the inverse: proposed inputs are judged by predicting what they give, without running anything
 * (the model's own check; `checkCandidates` is the real one).
 */
import type { Situation } from '../language/types.ts';
import type { Prediction, PredictOptions, Predictor } from '../predictor/types.ts';
import type { Program } from '../source/types.ts';
import { pythonEqual } from '../values/compare.ts';
import { canonicalLiteral } from '../values/literal.ts';
import { parseValue } from '../values/parse.ts';
import { startCall } from './start.ts';
import type { Candidate } from './types.ts';

/** What a candidate keeps of its confidence where the forward prediction is not sure at all, or says otherwise. */
const LEAST = 0.01;

/**
 * Candidates, those first that are predicted to give `value`. Confidence becomes that of the proposal times the chance,
 * by the forward prediction, that it gives the value.
 */
export async function rankByForward(
  program: Program,
  value: string,
  candidates: readonly Candidate[],
  predictor: Predictor,
  options: PredictOptions,
): Promise<Candidate[]> {
  if (candidates.length < 2) return [...candidates];
  const wanted = parseValue(canonicalLiteral(value) ?? value);
  const situations = candidates.map(({ call }): Situation => {
    const { programs, state } = startCall(program, call);
    return { programs, state, action: { type: 'step_return' } };
  });
  const answers = await predictor.predict(situations, { ...options, n: 1 });
  const ranked = candidates.map((candidate, i) => {
    const chance = Math.max(LEAST, chanceOf(answers[i]![0]!, wanted));
    return { ...candidate, confidence: candidate.confidence * chance };
  });
  return ranked.sort((a, b) => b.confidence - a.confidence);
}

/** How likely the value is what the prediction says: its confidence where they agree, nothing where they do not. */
function chanceOf(prediction: Prediction, wanted: ReturnType<typeof parseValue>): number {
  const { outcome, confidence } = prediction;
  if (prediction.truncated || outcome.type !== 'state' || outcome.state.kind !== 'return') return 0;
  const { value } = outcome.state;
  return value !== undefined && pythonEqual(parseValue(value), wanted) === true ? confidence : 0;
}
