/**
 * @file Drills: a step without program and state, where its line, and the values of the names that it loads, are all that
 * its operations need. A few dozen tokens, most of them learnt: single operations by the million before whole steps.
 */

import type { Outcome } from '../../state/types.ts';
import { special } from '../pieces.ts';
import type { LossPiece, Piece, Situation } from '../types.ts';
import { encodeAnswer } from './answer.ts';
import { unitPieces } from './encode.ts';
import { lineOf, mark } from './specials.ts';
import { lineSpecial } from './where.ts';
import { workItems } from './work.ts';

/** A loop's later visits need what it goes over, a definition nothing. */
const NO_DRILL = /^\s*(?:for|def|class|import|from|pass|break|continue|else|try|finally)\b/;

/**
 * `<|at|><|Ln|> line <|line|><|step_into|>` and the names' values are given; which name comes next, the operations, and the state they
 * lead to are learnt, but for the line of that state. Null where the step is not one of its line alone.
 */
export function drillPieces(situation: Situation, outcome: Outcome): LossPiece[] | null {
  const { programs, state, action } = situation;
  if (action.type !== 'step_into' || state.kind !== 'line' || outcome.type !== 'state') return null;
  const frame = state.stack.at(-1)!;
  const next = outcome.state.stack.at(-1)!;
  const kinds = ['line', 'return', 'exception'];
  if (next.id !== frame.id || !kinds.includes(outcome.state.kind)) return null;
  const program = programs[frame.file];
  const text = program?.lines[frame.line - 1] ?? '';
  const items = workItems(outcome.work);
  const first = items?.some(({ label }) => label === 'iter:');
  if (!items || items.length === 0 || (NO_DRILL.test(text) && !first)) return null;
  const given = (pieces: readonly Piece[]) => pieces.map((piece) => ({ piece, loss: false }));
  const { work: _, ...reached } = outcome;
  return [
    ...given([special(mark('at')), lineSpecial(frame.line), ...unitPieces(program, frame)]),
    ...given([special(mark('line')), special(mark('step_into')), special(mark('work'))]),
    ...items.flatMap(({ label, pieces }) => asked(pieces, label.endsWith('='))),
    ...encodeAnswer(situation, reached).map((piece) => ({ piece, loss: !isLine(piece) })),
  ];
}

/** An operation, or only which name comes next: what it holds is given, and so is where that ends. */
function asked(pieces: readonly Piece[], name: boolean): LossPiece[] {
  return pieces.map((piece) => ({ piece, loss: !name || 'text' in piece }));
}

const isLine = (piece: Piece): boolean => 'special' in piece && lineOf(piece.special) !== null;
