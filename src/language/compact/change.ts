/** @file An answer as data, read from its pieces. What it means for the stack is `apply.ts`'s. */
import type { Exit, Operation, StateKind } from '../../state/types.ts';
import { PieceReader } from '../reader.ts';
import type { Piece, Situation } from '../types.ts';
import { EXITS, KINDS, lineOf, mark } from './specials.ts';
import { scopesNamed, type Where } from './where.ts';
import { readWork } from './work.ts';

export interface NameChange {
  readonly set: ReadonlyMap<string, string>;
  readonly del: readonly string[];
}

export interface FrameChange extends NameChange {
  /** The frame's locals are not all known. */
  readonly unknown: boolean;
  /** All groups, if they changed. */
  readonly aliases?: readonly (readonly string[])[];
}

export interface StateChange {
  readonly type: 'state';
  readonly work?: readonly Operation[];
  /** Frames that are gone. */
  readonly ups: number;
  /** The frame then on top, if it is not to be the current one. */
  readonly same?: { readonly change: FrameChange; readonly line: number };
  readonly pushed: readonly { readonly where: Where; readonly change: FrameChange; readonly line: number }[];
  /** Where the new current frame is, if it was pushed. */
  readonly where?: Where;
  readonly kind: StateKind;
  readonly line: number;
  readonly change: FrameChange;
  readonly globals: NameChange;
  readonly value?: string;
  readonly out?: string;
  readonly err?: string;
}

export type Change =
  | StateChange
  | { readonly type: 'exit'; readonly exit: Exit; readonly exception?: string; readonly out?: string }
  | { readonly type: 'entry' };

const EXIT_MARKS = new Map(EXITS.map((exit) => [mark(`exit_${exit}`), exit]));
const KIND_MARKS = new Map(KINDS.map((kind) => [mark(kind), kind]));

/** Throws `E_MALFORMED` where the pieces are no answer. */
export function readChange(situation: Situation, pieces: readonly Piece[]): Change {
  const reader = new PieceReader(pieces);
  const change = readAny(situation, reader);
  reader.expect(mark('end'));
  if (!reader.done) throw reader.malformed('nothing more');
  return change;
}

function readAny(situation: Situation, reader: PieceReader): Change {
  if (reader.take(mark('inv_exit_entry'))) return { type: 'entry' };
  const exit = EXIT_MARKS.get(reader.peek() ?? '');
  if (!exit) return readState(situation, reader);
  reader.special();
  const exception = readText(reader, 'val');
  const out = readText(reader, 'out');
  return {
    type: 'exit',
    exit,
    ...(exception !== undefined && { exception }),
    ...(out !== undefined && { out }),
  };
}

function readState(situation: Situation, reader: PieceReader): StateChange {
  const work = readWork(reader);
  let ups = 0;
  while (reader.take(mark('up'))) ups++;
  const same = reader.take(mark('same')) ? readMoved(reader) : undefined;
  const pushed: { where: Where; change: FrameChange; line: number }[] = [];
  let where: Where | undefined;
  while (!where && reader.take(mark('frame'))) {
    const named = readWhere(situation, reader);
    // The frame that is followed by a kind is the new current one.
    if (KIND_MARKS.has(reader.peek() ?? '')) where = named;
    else pushed.push({ where: named, ...readMoved(reader) });
  }
  const kind = KIND_MARKS.get(reader.peek() ?? '');
  if (!kind) throw reader.malformed('a kind');
  reader.special();
  let line: number;
  if (kind === 'call') {
    const called = readWhere(situation, reader);
    line = callLine(situation, called);
    if (!situation.action.type.startsWith('inv_')) where = called;
  } else line = readLine(reader);
  const change = readFrameChange(reader);
  const globals = reader.take(mark('glob')) ? readNames(reader) : NOTHING;
  const [value, out, err] = [readText(reader, 'val'), readText(reader, 'out'), readText(reader, 'err')];
  return {
    type: 'state',
    ...(work.length > 0 && { work }),
    ups,
    ...(same && { same }),
    pushed,
    ...(where && { where }),
    kind,
    line,
    change,
    globals,
    ...(value !== undefined && { value }),
    ...(out !== undefined && { out }),
    ...(err !== undefined && { err }),
  };
}

const NOTHING: NameChange = { set: new Map(), del: [] };

function callLine({ programs }: Situation, { file, scope }: Where): number {
  return programs[file]?.scopes[scope]?.line ?? 1;
}

function readText(reader: PieceReader, part: 'val' | 'out' | 'err'): string | undefined {
  return reader.take(mark(part)) ? reader.text() : undefined;
}

function readMoved(reader: PieceReader): { change: FrameChange; line: number } {
  const change = readFrameChange(reader);
  reader.expect(mark('at'));
  return { change, line: readLine(reader) };
}

function readLine(reader: PieceReader): number {
  const line = lineOf(reader.peek() ?? '');
  if (line === null || line === 0) throw reader.malformed('a line');
  reader.special();
  return line;
}

function readWhere({ programs }: Situation, reader: PieceReader): Where {
  const file = reader.take(mark('main')) ? 1 : 0;
  const line = file > 0 ? 1 : lineOf(reader.peek() ?? '');
  if (line === null) throw reader.malformed('a scope');
  const bad = reader.malformed('a scope of the program');
  if (file === 0) reader.special();
  const rank = reader.prefix(/^#[1-9]\d*/);
  const scope = scopesNamed(programs, file, line)[Number(rank.slice(1))];
  if (scope === undefined) throw bad;
  return { file, scope };
}

function readFrameChange(reader: PieceReader): FrameChange {
  const unknown = reader.take(mark('unknown'));
  const names = readNames(reader);
  const groups: string[][] = [];
  let changed = false;
  while (reader.take(mark('alias'))) {
    changed = true;
    const text = reader.text();
    if (text !== '') groups.push(text.split(' '));
    reader.expect(mark(';'));
  }
  return { unknown, ...names, ...(changed && { aliases: groups }) };
}

function readNames(reader: PieceReader): NameChange {
  const set = new Map<string, string>();
  const del: string[] = [];
  for (;;) {
    if (reader.take(mark('del'))) {
      del.push(reader.text());
    } else {
      const text = reader.text();
      if (text === '') return { set, del };
      const equals = text.indexOf('=');
      if (equals < 1) throw reader.malformed('`name=value`');
      set.set(text.slice(0, equals), text.slice(equals + 1));
    }
    reader.expect(mark(';'));
  }
}
