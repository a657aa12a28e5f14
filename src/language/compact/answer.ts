/** @file Writes what a model should say: an exit, or the next state as a change of the stack (`docs/language.md`). */
import { internal } from '../../common/errors.ts';
import type { Frame, Locals, Outcome, State } from '../../state/types.ts';
import { chars, special, text } from '../pieces.ts';
import type { Piece, Situation } from '../types.ts';
import { assignments, groups } from './encode.ts';
import { mark } from './specials.ts';
import { lineSpecial, wherePieces } from './where.ts';
import { workPieces } from './work.ts';

export function encodeAnswer(situation: Situation, outcome: Outcome): Piece[] {
  const end = special(mark('end'));
  if (outcome.type === 'entry') return [special(mark('inv_exit_entry')), end];
  if (outcome.type === 'state') {
    const { type } = situation.action;
    const step = type === 'step_into' || type === 'step_over';
    return [...(step ? workPieces(outcome.work) : []), ...stateChange(situation, outcome.state), end];
  }
  const pieces = [special(mark(`exit_${outcome.exit}`))];
  if (outcome.exception !== undefined) pieces.push(special(mark('val')), chars(outcome.exception));
  if (outcome.out !== undefined) pieces.push(special(mark('out')), chars(outcome.out));
  return [...pieces, end];
}

function stateChange({ programs, state: before, action }: Situation, after: State): Piece[] {
  const kept = commonFrames(before, after);
  const pieces: Piece[] = [];
  for (let up = before.stack.length; up > kept; up--) pieces.push(special(mark('up')));

  const last = after.stack.length - 1;
  const top = after.stack[last]!;
  const under = kept - 1;
  if (under >= 0 && under < last) {
    const frame = after.stack[under]!;
    const old = before.stack[under]!;
    const changes = old === frame ? [] : frameChange(old, frame);
    if (changes.length > 0 || frame.line !== old.line) {
      pieces.push(special(mark('same')), ...changes, special(mark('at')), lineSpecial(frame.line));
    }
  }
  for (const frame of after.stack.slice(kept, last)) {
    pieces.push(special(mark('frame')), ...wherePieces(programs, frame), ...frameChange(null, frame));
    pieces.push(special(mark('at')), lineSpecial(frame.line));
  }
  const pushed = last >= kept;
  const where = wherePieces(programs, top);
  const call = after.kind === 'call';
  // Forwards a call is always a new frame, backwards it never is: no `<|frame|>` is needed to tell.
  const opens = call && !action.type.startsWith('inv_');
  if (opens && !pushed) throw internal('a forward action cannot lead to the call of a frame already there');
  if (pushed && !opens) pieces.push(special(mark('frame')), ...where);
  pieces.push(special(mark(after.kind)), ...(call ? where : [lineSpecial(top.line)]));

  const old = pushed ? null : before.stack[last]!;
  pieces.push(...frameChange(old, top));
  const globals = localsChange(old?.globals ?? null, top.globals);
  if (globals.length > 0) pieces.push(special(mark('glob')), ...globals);
  if (after.value !== undefined) pieces.push(special(mark('val')), chars(after.value));
  if (after.out !== undefined) pieces.push(special(mark('out')), chars(after.out));
  if (after.err !== undefined) pieces.push(special(mark('err')), chars(after.err));
  return pieces;
}

/**
 * How many frames, from the outermost, both stacks have, only the last of them changed. Frames above a changed one are
 * written as new even if they are not: generators can be resumed by callers that have moved on.
 */
export function commonFrames(before: State, after: State): number {
  let kept = 0;
  while (before.stack[kept] && before.stack[kept]!.id === after.stack[kept]?.id) {
    const [old, frame] = [before.stack[kept]!, after.stack[kept]!];
    kept++;
    if (old !== frame && (old.line !== frame.line || frameChange(old, frame).length > 0)) break;
  }
  return kept;
}

/** CHANGES; in full for a new frame, or where nothing was known of the old one. */
function frameChange(old: Frame | null, frame: Frame): Piece[] {
  const past = old?.known ? old : null;
  const pieces: Piece[] = frame.known || past ? [] : [special(mark('unknown'))];
  pieces.push(...localsChange(past?.locals ?? null, frame.locals));
  if (!sameGroups(past?.aliases ?? [], frame.aliases)) {
    const none = [special(mark('alias')), special(mark(';'))];
    pieces.push(...(frame.aliases.length > 0 ? groups(frame.aliases) : none));
  }
  return pieces;
}

function localsChange(old: Locals | null, names: Locals): Piece[] {
  if (!old) return assignments(names);
  const changed = new Map([...names].filter(([name, value]) => old.get(name) !== value));
  const gone = [...old.keys()].filter((name) => !names.has(name));
  return [
    ...assignments(changed),
    ...gone.flatMap((name) => [special(mark('del')), text(name), special(mark(';'))]),
  ];
}

function sameGroups(left: Frame['aliases'], right: Frame['aliases']): boolean {
  return (
    left.length === right.length && left.every((names, index) => names.join(' ') === right[index]!.join(' '))
  );
}
