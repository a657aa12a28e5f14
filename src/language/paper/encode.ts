/** @file Writes contexts, prompts, answers and training text (paper, section 3; `docs/language.md`). */

import type { Program } from '../../source/types.ts';
import { topOf } from '../../state/advance.ts';
import type { Action, Outcome, State } from '../../state/types.ts';
import { special, text } from '../pieces.ts';
import type { LossPiece, Piece, Situation, Step, TrainingText, Trajectory } from '../types.ts';
import { localsPieces, valuePieces } from './locals.ts';
import { isBackward, stepsOf, Transcript, type Written, write } from './shown.ts';
import { lineText, sourcePieces, sourceText } from './source.ts';
import { kindName, localsFirst, mark, showsLocals } from './specials.ts';

/** The program alone. The call expression would give away the inputs of a backward walk: `prompt` writes it where it belongs. */
export function encodeContext(programs: readonly Program[]): Piece[] {
  const source = programs[0] ? sourcePieces(sourceText(programs[0])) : [];
  return [special(mark('begin_of_text')), special(mark('trace_context_start')), ...source];
}

export function encodePrompt(situation: Situation): Piece[] {
  const { programs } = situation;
  const steps = stepsOf(situation);
  return [
    ...callPieces(programs, steps),
    ...write(steps).written.flatMap((one) => shownPieces(programs, one)),
  ];
}

export function encodeAnswer(situation: Situation, outcome: Outcome): Piece[] {
  if (outcome.type !== 'state') return endPieces(outcome);
  const { state } = outcome;
  const backward = isBackward(situation.action);
  const base = write(stepsOf(situation)).transcript.base(topOf(state), state.kind, backward);
  return framePieces(situation.programs, { state, backward, base });
}

/** One block: the first frame and the actions are given, the other frames are to be learnt. */
export function encodeTraining({ programs, steps, end }: Trajectory): TrainingText {
  const block: LossPiece[] = [];
  const add = (pieces: readonly Piece[], loss: boolean) => {
    for (const piece of pieces) block.push({ piece, loss });
  };
  let transcript = Transcript.empty;
  const frame = (state: State, led: Action | undefined, first?: Action): Piece[] => {
    const backward = isBackward(led ?? first!);
    const base = transcript.base(topOf(state), state.kind, backward);
    transcript = transcript.after(state, led ?? null);
    return framePieces(programs, { state, backward, base });
  };
  add(callPieces(programs, steps), false);
  steps.forEach(({ state, action }, i) => {
    add(frame(state, steps[i - 1]?.action, action), i > 0);
    add(actionPieces(programs, action), false);
  });
  add(end.type === 'state' ? frame(end.state, steps.at(-1)!.action) : endPieces(end), true);
  return { shared: encodeContext(programs), blocks: [block] };
}

// --- internal ---

/** The call expression as the source's last line, after a blank one, if the walk passes through it. */
function callPieces(programs: readonly Program[], steps: readonly Step[]): Piece[] {
  const call = programs[1];
  const within = steps.some(({ state }) => state.stack.some(({ file }) => file === 1));
  return call && within ? [text('\n'), text('\n'), ...sourcePieces(sourceText(call))] : [];
}

function shownPieces(programs: readonly Program[], written: Written): Piece[] {
  return [...framePieces(programs, written), ...actionPieces(programs, written.action)];
}

/** Nothing follows an exit: the walk's text ends. */
function endPieces(outcome: Exclude<Outcome, { type: 'state' }>): Piece[] {
  const exit = outcome.type === 'entry' ? 'inv_exit_entry' : (`exit_${outcome.exit}` as const);
  return [mark('frame_sep'), mark(exit), mark('trace_end'), mark('end_of_text')].map(special);
}

/** `<|frame_sep|>` ... `<|action_sep|>`. */
function framePieces(
  programs: readonly Program[],
  { state, backward, base }: Pick<Written, 'state' | 'backward' | 'base'>,
): Piece[] {
  const { kind, value } = state;
  const top = topOf(state);
  const source = [special(mark('src_sep')), ...sourcePieces(lineText(programs[top.file], top.line))];
  const shown = showsLocals(kind) ? localsPieces(base, top) : value === undefined ? null : valuePieces(value);
  const argument = shown ? [special(mark('arg_sep')), ...shown] : [];
  return [
    special(mark('frame_sep')),
    special(mark(kindName(kind, backward))),
    ...(localsFirst(kind, backward) ? [...argument, ...source] : [...source, ...argument]),
    special(mark('action_sep')),
  ];
}

function actionPieces(programs: readonly Program[], action: Action): Piece[] {
  const pieces = [special(mark(action.type))];
  if (action.type !== 'breakpoint') return pieces;
  return [...pieces, ...sourcePieces(lineText(programs[action.file ?? 0], action.line))];
}
