/** @file The same walks as text, for people and other tools: Parquet, one row a walk (a Markov codec's has one action). */
import { parquetWriteBuffer } from 'hyparquet-writer';
import { showPieces } from '../language/pieces.ts';
import type { LossPiece } from '../language/types.ts';
import type { Row } from './documents.ts';
import type { Split } from './types.ts';

export interface ProgramRows {
  readonly program: string;
  readonly split: Split;
  readonly rows: readonly Row[];
}

/** Columns: id, program, split, policy, direction, actions (by spaces), context, text, trained (what the model is to produce). */
export function encodeParquet(programs: readonly ProgramRows[]): Uint8Array {
  const flat = programs.flatMap(({ program, split, rows }) => rows.map((row) => ({ program, split, row })));
  const column = (name: string, of: (item: (typeof flat)[number]) => string) => ({
    name,
    data: flat.map(of),
    type: 'STRING' as const,
  });
  const buffer = parquetWriteBuffer({
    columnData: [
      column('id', ({ row }) => row.id),
      column('program', ({ program }) => program),
      column('split', ({ split }) => split),
      column('policy', ({ row }) => row.policy),
      column('direction', ({ row }) => row.direction),
      column('actions', ({ row }) => row.actions.join(' ')),
      column('context', ({ row }) => showPieces(row.context)),
      column('text', ({ row }) => showPieces(row.pieces.map(({ piece }) => piece))),
      column('trained', ({ row }) => showPieces(trained(row.pieces))),
    ],
  });
  return new Uint8Array(buffer);
}

const trained = (pieces: readonly LossPiece[]) => pieces.filter(({ loss }) => loss).map(({ piece }) => piece);
