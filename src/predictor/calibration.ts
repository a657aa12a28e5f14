/**
 * @file From the probability that a model gives its own answer to the probability that the answer is right: a
 * logistic fit per action, made on development programs only (`npdb eval calibration --fit`), kept in `npdb.json`.
 */
import type { ActionType } from '../state/types.ts';

/** Weights of: the answer's log probability, the logarithm of its tokens, and 1. */
export type Fit = readonly [logProbability: number, logTokens: number, bias: number];
export type Calibration = Readonly<Partial<Record<ActionType, Fit>>>;

/** The least log probability that is told apart from impossible. */
const FLOOR = -50;

export function features(logProbability: number, tokens: number): readonly [number, number, number] {
  return [Math.max(FLOOR, logProbability), Math.log(Math.max(1, tokens)), 1];
}

/** 0..1; the model's own probability where the action has no fit. */
export function calibrated(fit: Fit | undefined, logProbability: number, tokens: number): number {
  if (!fit) return Math.exp(logProbability);
  const [p, t, one] = features(logProbability, tokens);
  return 1 / (1 + Math.exp(-(fit[0] * p + fit[1] * t + fit[2] * one)));
}
