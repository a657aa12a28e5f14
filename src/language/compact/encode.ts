/** @file Writes contexts and prompts (`docs/language.md`). What a model is told; `answer.ts` writes what it should say. */
import { NpdbError } from '../../common/errors.ts';
import type { Program } from '../../source/types.ts';
import type { Frame, Locals, State } from '../../state/types.ts';
import { formatValue, parseValue, type Value } from '../../values/index.ts';
import { chars, special, text } from '../pieces.ts';
import type { Piece, Situation } from '../types.ts';
import { type SourceLine, sourceLines } from './lexer.ts';
import { MAX_LINE, mark } from './specials.ts';
import { lineSpecial, wherePieces } from './where.ts';

/** Frames of the stack that are shown, and suspended generators. */
const SHOWN = 3;
const ASLEEP = 2;
/** How far back suspended generators are looked for, by frame number. */
const SEARCH = 64;
/** Values returned to an unfinished line, the last ones. */
const RETURNED = 24;
/** Physical lines of a unit that the current line's text repeats. */
const UNIT_LINES = 8;

export function encodeContext(programs: readonly Program[]): Piece[] {
  const program = programs[0];
  const pieces: Piece[] = [special(mark('src'))];
  if (!program) return pieces;
  if (program.lines.length > MAX_LINE) {
    throw new NpdbError(
      'E_TOO_LONG',
      `The program has ${program.lines.length} lines; this model reads at most ${MAX_LINE}.`,
      'Cut the program down to the functions that matter.',
      4,
    );
  }
  for (const line of linesOf(program).values()) {
    pieces.push(lineSpecial(line.line));
    if (line.indent) pieces.push(text(line.indent));
    pieces.push(...line.pieces);
  }
  return pieces;
}

export function encodePrompt(situation: Situation): Piece[] {
  const { programs, state, action } = situation;
  const backwards = action.type.startsWith('inv_');
  const pieces: Piece[] = [];
  const top = state.stack[state.stack.length - 1]!;
  if (top.globals.size > 0) pieces.push(special(mark('glob')), ...assignments(top.globals));
  if (!backwards) {
    for (const frame of asleep(state)) {
      pieces.push(special(mark('asleep')), ...encodeFrame(programs, frame), special(mark('at')));
      pieces.push(lineSpecial(frame.line));
    }
  }
  if (state.stack.length > SHOWN) pieces.push(special(mark('more')));
  for (const frame of state.stack.slice(-SHOWN)) {
    pieces.push(special(mark('frame')), ...encodeFrame(programs, frame));
    if (!backwards) pieces.push(...encodeProgress(frame));
    pieces.push(special(mark('at')), lineSpecial(frame.line), ...unitPieces(programs[frame.file], frame));
  }
  pieces.push(special(mark(state.kind)));
  if (state.value !== undefined) pieces.push(special(mark('val')), chars(state.value));
  pieces.push(special(mark(action.type)));
  if (action.type === 'breakpoint') {
    pieces.push(action.file ? special(mark('main')) : lineSpecial(action.line));
  }
  return pieces;
}

/** WHERE, the locals in full, the shared objects. */
function encodeFrame(programs: readonly Program[], frame: Frame): Piece[] {
  const pieces = wherePieces(programs, frame);
  if (!frame.known) pieces.push(special(mark('unknown')));
  pieces.push(...assignments(frame.locals), ...groups(frame.aliases));
  return pieces;
}

/** What only the walk so far can know. */
function encodeProgress(frame: Frame): Piece[] {
  const pieces: Piece[] = [];
  for (const loop of frame.loops) {
    pieces.push(special(mark('loop')), lineSpecial(loop.line), chars(String(loop.count)));
    if (loop.over !== undefined && loop.line === frame.line) pieces.push(...itemsPieces(loop.over));
  }
  if (frame.pending !== undefined) pieces.push(special(mark('exc')), chars(frame.pending));
  for (const value of frame.returned.slice(-RETURNED)) pieces.push(special(mark('ret')), chars(value));
  return pieces;
}

/**
 * What a loop goes over, at its header: each item after the number of the visit that takes it, as the count before says
 * the number of this one. So the next item is looked up, not counted to. A range stays as it is.
 */
function itemsPieces(over: string): Piece[] {
  const value = parseValue(over);
  let items: readonly Value[] | null = null;
  if (value.type === 'list' && value.cut === undefined) items = value.items;
  if (value.type === 'str' && value.cut === undefined) {
    items = [...value.value].map((one): Value => ({ type: 'str', value: one }));
  }
  const numbered = items?.map((item, index) => `${index + 1}: ${formatValue(item)}`);
  return [special(mark('over')), chars(numbered ? numbered.join(', ') : over)];
}

/** `name=value<|;|>`, for each. */
export function assignments(names: Locals): Piece[] {
  const pieces: Piece[] = [];
  for (const [name, value] of names) pieces.push(text(name), text('='), chars(value), special(mark(';')));
  return pieces;
}

/** `<|alias|>a b<|;|>`, for each group. */
export function groups(aliases: readonly (readonly string[])[]): Piece[] {
  return aliases.flatMap((names) => [
    special(mark('alias')),
    ...names.flatMap((name, index) => (index > 0 ? [text(' '), text(name)] : [text(name)])),
    special(mark(';')),
  ]);
}

/** Generators that wait to be resumed, the last begun last. */
function asleep(state: State): Frame[] {
  const found: Frame[] = [];
  const { frames = 0, suspended } = state.beyond ?? {};
  for (let id = frames - 1; suspended && id >= Math.max(0, frames - SEARCH); id--) {
    const frame = suspended.get(id);
    if (frame && found.push(frame) === ASLEEP) break;
  }
  return found.reverse();
}

const cache = new WeakMap<Program, ReadonlyMap<number, SourceLine>>();

function linesOf(program: Program): ReadonlyMap<number, SourceLine> {
  let lines = cache.get(program);
  if (!lines) {
    lines = new Map(sourceLines(program.lines).map((line) => [line.line, line]));
    cache.set(program, lines);
  }
  return lines;
}

/** The tokens of the current unit from its numbered line on, as in the context but without line symbols and indentation. */
export function unitPieces(program: Program | undefined, frame: Frame): Piece[] {
  if (!program) return [];
  const lines = linesOf(program);
  const end = program.unitAt(frame.line)?.endLine ?? frame.line;
  const pieces: Piece[] = [];
  for (let line = frame.line; line <= Math.min(end, frame.line + UNIT_LINES - 1); line++) {
    pieces.push(...(lines.get(line)?.pieces ?? []));
  }
  return pieces;
}
