/** @file The compact codec: source and current stack in full, then the next state as a change. Markov: no history. */
import type { Codec, LossPiece, Piece, Trajectory } from '../types.ts';
import { encodeAnswer } from './answer.ts';
import { drillPieces } from './drill.ts';
import { encodeContext, encodePrompt } from './encode.ts';
import { answerAutomaton } from './mask.ts';
import { parseAnswer } from './parse.ts';
import { mark, SPECIALS } from './specials.ts';

/** The current lines of the frames: their text stands in the source. */
function echoes(prompt: readonly Piece[]): boolean[] {
  let within = false;
  return prompt.map((piece, index) => {
    if (!('special' in piece)) return within;
    const before = prompt[index - 1];
    within = before !== undefined && 'special' in before && before.special === mark('at');
    return false;
  });
}

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
  echoes,
  answer: encodeAnswer,
  parse: parseAnswer,
  mask: answerAutomaton,
  drill: drillPieces,
  train,
};
