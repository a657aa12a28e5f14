/** @file From an answer's pieces to the outcome they mean. Lines have numbers, so that nothing is ambiguous. */
import type { Parsed, Piece, Situation } from '../types.ts';
import { applyChange } from './apply.ts';
import { readChange } from './change.ts';

export function parseAnswer(situation: Situation, pieces: readonly Piece[]): Parsed {
  return { outcome: applyChange(situation, readChange(situation, pieces)), ambiguous: [] };
}
