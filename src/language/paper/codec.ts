/** @file The paper's codec (paper, section 3): a running history of frames and actions in text. */
import type { Codec } from '../types.ts';
import { encodeAnswer, encodeContext, encodePrompt, encodeTraining } from './encode.ts';
import { answerAutomaton } from './mask.ts';
import { parseAnswer } from './parse.ts';
import { mark, SPECIALS } from './specials.ts';

export const paperCodec: Codec = {
  name: 'paper',
  version: 1,
  specials: SPECIALS,
  ends: [mark('action_sep'), mark('end_of_text')],
  context: encodeContext,
  prompt: encodePrompt,
  answer: encodeAnswer,
  parse: parseAnswer,
  mask: answerAutomaton,
  train: encodeTraining,
};
