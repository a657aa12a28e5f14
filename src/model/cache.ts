/**
 * @file The key/value cache. A sequence's past is a root, the ids of its first append (a program, read once),
 * and what came after it. Both are immutable and shared between forks; the root is never copied, whatever
 * branches off it.
 */
import type { KeyValues, ModelShape, Pass } from './backend.ts';

/** Each [heads, length, width]. */
export interface Root {
  readonly length: number;
  readonly data: KeyValues;
}

/** What a pass left behind: each [heads, rows, length, width]. */
export interface Block {
  readonly rows: number;
  readonly length: number;
  readonly data: KeyValues;
}

/** A sequence's own past after its root: columns `from`..`to` of a row. */
export interface View {
  readonly block: Block;
  readonly row: number;
  readonly from: number;
  readonly to: number;
}

export const viewLength = (view: View | null): number => (view ? view.to - view.from : 0);

/** The first `length` ids of a root, copied. */
export function cutRoot(root: Root, length: number, shape: ModelShape): Root {
  const { heads, width } = shape;
  const data = root.data.map((whole) => {
    const part = new Float32Array(heads * length * width);
    for (let h = 0; h < heads; h++) {
      const from = h * root.length * width;
      part.set(whole.subarray(from, from + length * width), h * length * width);
    }
    return part;
  });
  return { length, data };
}

/** The pasts of the rows of a pass as one block, each row's right end at the block's. */
export function joinViews(views: readonly (View | null)[], shape: ModelShape): Block {
  const first = views[0];
  if (first && isWholeBlock(views, first.block)) return first.block;
  const { heads, width, layers } = shape;
  const rows = views.length;
  const length = Math.max(...views.map(viewLength));
  const data: Float32Array[] = [];
  for (let part = 0; part < 2 * layers; part++) {
    const joined = new Float32Array(heads * rows * length * width);
    views.forEach((view, row) => {
      if (!view) return;
      const source = view.block.data[part]!;
      const size = viewLength(view);
      for (let h = 0; h < heads; h++) {
        const from = ((h * view.block.rows + view.row) * view.block.length + view.from) * width;
        const to = ((h * rows + row) * length + length - size) * width;
        joined.set(source.subarray(from, from + size * width), to);
      }
    });
    data.push(joined);
  }
  return { rows, length, data };
}

/** In a decoding loop the rows of the last pass come back as they were: nothing to copy. */
function isWholeBlock(views: readonly (View | null)[], block: Block): boolean {
  return (
    views.length === block.rows &&
    views.every((v, row) => v !== null && v.block === block && v.row === row && v.to === block.length)
  );
}

export interface Row {
  readonly own: View | null;
  readonly ids: readonly number[];
  /** The last tokens before them, as many as the model looks back, or fewer at a sequence's start. */
  readonly before: readonly number[];
}

/** Stands before a sequence's first tokens (`training/packing.py`). */
const BEFORE = 1n;

/** Rows with one root and their new ids, laid out for one pass; shorter rows are filled up at their right. */
export function layOut(root: Root | null, rows: readonly Row[], shape: ModelShape): Pass {
  const past = joinViews(
    rows.map((r) => r.own),
    shape,
  );
  const tokens = Math.max(...rows.map((r) => r.ids.length));
  // An empty shared part would need zero-sized products; one masked column does instead.
  const shared = root ?? emptyRoot(shape);
  const hidden = root ? 0 : shared.length;
  const all = shared.length + past.length + tokens;
  const ids = new BigInt64Array(rows.length * tokens);
  const positions = new BigInt64Array(rows.length * tokens);
  const before = new BigInt64Array(rows.length * shape.lookback).fill(BEFORE);
  const last = new BigInt64Array(rows.length);
  const bias = new Float32Array(rows.length * tokens * all);
  rows.forEach((row, r) => {
    const known = viewLength(row.own);
    const start = (root?.length ?? 0) + known;
    last[r] = BigInt(row.ids.length - 1);
    const end = (r + 1) * shape.lookback;
    row.before.forEach((id, i) => {
      before[end - row.before.length + i] = BigInt(id);
    });
    for (let t = 0; t < tokens; t++) {
      ids[r * tokens + t] = BigInt(row.ids[t] ?? 0);
      positions[r * tokens + t] = BigInt(Math.min(start + t, shape.contextLength - 1));
      const line = (r * tokens + t) * all;
      bias.fill(-Infinity, line, line + hidden);
      bias.fill(-Infinity, line + shared.length, line + shared.length + past.length - known);
      bias.fill(-Infinity, line + shared.length + past.length + t + 1, line + all);
    }
  });
  return {
    rows: rows.length,
    tokens,
    sharedLength: shared.length,
    pastLength: past.length,
    ids,
    before,
    positions,
    last,
    bias,
    shared: shared.data,
    past: past.data,
  };
}

function emptyRoot(shape: ModelShape): Root {
  const zeros = new Float32Array(shape.heads * shape.width);
  return { length: 1, data: Array.from({ length: 2 * shape.layers }, () => zeros) };
}
