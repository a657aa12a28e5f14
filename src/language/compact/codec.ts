/** @file The compact codec: source and current stack in full, then the next state as a change. Markov: no history. */
import type { Codec, LossPiece, Piece, Trajectory } from '../types.ts';
import { encodeAnswer } from './answer.ts';
import { encodeContext, encodePrompt } from './encode.ts';
import { answerAutomaton } from './mask.ts';
import { parseAnswer } from './parse.ts';
import { SPECIALS } from './specials.ts';

function withLoss(pieces: readonly Piece[], loss: boolean): LossPiece[] {
  return pieces.map((piece) => ({ piece, loss }));
}

function train(trajectory: Trajectory) {
  const { programs, steps, end } = trajectory;
  const blocks = steps.map(({ state, action }, index) => {
    const situation = { programs, state, action };
    const next = steps[index + 1];
    const outcome = next ? ({ type: 'state', state: next.state } as const) : end;
    return [...withLoss(encodePrompt(situation), false), ...withLoss(encodeAnswer(situation, outcome), true)];
  });
  return { shared: encodeContext(programs), blocks };
}

export const compactCodec: Codec = {
  name: 'compact',
  version: 2,
  specials: SPECIALS,
  context: encodeContext,
  prompt: encodePrompt,
  answer: encodeAnswer,
  parse: parseAnswer,
  mask: answerAutomaton,
  train,
};
