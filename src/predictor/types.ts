/**
 * @file The wall between engines and models: a predictor answers situations with states and confidence.
 */
import type { NpdbError } from '../common/errors.ts';
import type { Situation } from '../language/types.ts';
import type { Outcome } from '../state/types.ts';

/** How a jump is answered (design, idea 3): in one prediction, by silent steps, or direct where the model is sure. */
export type Strategy = 'direct' | 'rollout' | 'auto';

export interface Prediction {
  readonly outcome: Outcome;
  /** Probability that the answer is right, as fitted for the action, else as the model itself gave it; for a rollout the product over its steps. 0..1. */
  readonly confidence: number;
  /** Natural logarithm of the probability the model gave this answer, from unmasked logits; of a direct one. */
  readonly logProbability?: number;
  /** The same by part, where it can be told apart. */
  readonly parts?: { readonly event: number; readonly line: number; readonly values: number };
  readonly strategy: 'direct' | 'rollout';
  /** States predicted to get here. */
  readonly steps: number;
  /** Tokens generated. */
  readonly tokens: number;
  readonly ambiguous?: readonly number[];
  /** The answer hit the token limit and was ended in the shortest way that the grammar allows; its confidence is 0. */
  readonly cut?: boolean;
  /** The answer hit the token or step limit: it is not the model's full answer. */
  readonly truncated?: boolean;
  /** The situation is more than the language or the model can hold (`E_TOO_LONG`, `E_CONTEXT_LENGTH`); also truncated. */
  readonly refused?: NpdbError;
}

export interface PredictOptions {
  /** Answers per situation; more than one are sampled and distinct, best first. Default 1: greedy. */
  readonly n?: number;
  readonly strategy?: Strategy;
  readonly temperature?: number;
  readonly seed?: number;
  /** False: decode without the language mask. */
  readonly mask?: boolean;
  readonly maxTokens?: number;
  readonly maxSteps?: number;
  readonly signal?: AbortSignal;
}

export interface Predictor {
  /** One line about the model, for the user. */
  readonly name: string;
  /** For each situation its predictions, best first; never empty. */
  predict(batch: readonly Situation[], options?: PredictOptions): Promise<Prediction[][]>;
  close(): Promise<void>;
}
