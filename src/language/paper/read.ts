/** @file An answer as data, read from its pieces. What it means for lines and stack is `parse.ts`'s. */
import type { Exit, StateKind } from '../../state/types.ts';
import { PieceReader } from '../reader.ts';
import type { Piece } from '../types.ts';
import { type LocalsText, readLocals, readValue } from './locals.ts';
import { EXITS, kindOf, localsFirst, mark, showsLocals } from './specials.ts';

export interface Answer {
  readonly type: 'state';
  readonly kind: StateKind;
  /** The line's text. */
  readonly source: string;
  /** Of kinds that show them. */
  readonly locals?: LocalsText;
  readonly value?: string;
}

export type Read = Answer | { readonly type: 'exit'; readonly exit: Exit } | { readonly type: 'entry' };

const EXIT_MARKS = new Map(EXITS.map((exit) => [mark(`exit_${exit}`), exit]));

/** Throws `E_MALFORMED` where the pieces are no answer, or one of the other direction. */
export function readAnswer(pieces: readonly Piece[], backward: boolean): Read {
  const reader = new PieceReader(pieces);
  reader.expect(mark('frame_sep'));
  const read = readEnd(reader) ?? readState(reader, backward);
  if (!reader.done) throw reader.malformed('nothing more');
  return read;
}

function readEnd(reader: PieceReader): Read | null {
  const exit = EXIT_MARKS.get(reader.peek() ?? '');
  const entry = reader.take(mark('inv_exit_entry'));
  if (!exit && !entry) return null;
  if (exit) reader.special();
  reader.expect(mark('trace_end'));
  reader.expect(mark('end_of_text'));
  return exit ? { type: 'exit', exit } : { type: 'entry' };
}

function readState(reader: PieceReader, backward: boolean): Answer {
  const found = kindOf(reader.peek() ?? '');
  if (found?.backward !== backward) throw reader.malformed(`a ${backward ? 'backward' : 'forward'} kind`);
  reader.special();
  const { kind } = found;
  let locals: LocalsText | undefined;
  let value: string | undefined;
  const argument = () => {
    if (showsLocals(kind)) {
      reader.expect(mark('arg_sep'));
      locals = readLocals(reader);
    } else if (reader.take(mark('arg_sep'))) value = readValue(reader);
  };
  if (localsFirst(kind, backward)) argument();
  reader.expect(mark('src_sep'));
  const source = reader.text();
  if (!localsFirst(kind, backward)) argument();
  reader.expect(mark('action_sep'));
  return {
    type: 'state',
    kind,
    source,
    ...(locals && { locals }),
    ...(value !== undefined && { value }),
  };
}
