/**
 * @file The token shards that training reads (`docs/shards.md`). Little endian: the magic `NPDBTOK1`, uint32 documents; for each
 * document uint32 tokens n, uint32 segments m, m x uint32 segment lengths (the first is the shared prefix), n x uint16 ids,
 * n x uint8 loss flags.
 */
import { NpdbError } from '../common/errors.ts';
import type { TokenDocument } from './types.ts';

export const SHARD_FORMAT = 'npdb-shards';
export const SHARD_VERSION = 1;
const MAGIC = 'NPDBTOK1';

/** The bytes of one shard. Throws where a segment list does not cover its document. */
export function encodeShard(documents: readonly TokenDocument[]): Uint8Array {
  let size = MAGIC.length + 4;
  for (const { segments, ids } of documents) size += 8 + segments.length * 4 + ids.length * 3;
  const bytes = new Uint8Array(size);
  const view = new DataView(bytes.buffer);
  bytes.set(new TextEncoder().encode(MAGIC));
  let at = MAGIC.length;
  const word = (value: number) => {
    view.setUint32(at, value, true);
    at += 4;
  };
  word(documents.length);
  for (const { segments, ids, loss } of documents) {
    const total = segments.reduce((sum, length) => sum + length, 0);
    if (total !== ids.length || loss.length !== ids.length)
      throw new Error('internal: segments do not cover the document');
    word(ids.length);
    word(segments.length);
    for (const length of segments) word(length);
    for (const id of ids) {
      view.setUint16(at, id, true);
      at += 2;
    }
    bytes.set(loss, at);
    at += loss.length;
  }
  return bytes;
}

/** Throws `E_SHARD_BROKEN` where the bytes are no shard, are cut, or go on too long. `name`: for the message. */
export function decodeShard(bytes: Uint8Array, name = 'The shard'): TokenDocument[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (new TextDecoder().decode(bytes.subarray(0, MAGIC.length)) !== MAGIC)
    throw broken(name, 'does not begin like one');
  let at = MAGIC.length;
  const need = (length: number) => {
    if (at + length > bytes.length)
      throw broken(name, `ends at byte ${bytes.length}, in the middle of a document`);
  };
  const word = (): number => {
    need(4);
    at += 4;
    return view.getUint32(at - 4, true);
  };
  const documents: TokenDocument[] = [];
  for (let left = word(); left > 0; left--) {
    const n = word();
    const m = word();
    need(m * 4 + n * 3);
    const segments = Array.from({ length: m }, word);
    if (segments.reduce((sum, length) => sum + length, 0) !== n)
      throw broken(name, 'has segments that do not add up');
    const ids = new Uint16Array(n);
    for (let i = 0; i < n; i++) ids[i] = view.getUint16(at + i * 2, true);
    at += n * 2;
    const loss = bytes.slice(at, at + n);
    at += n;
    documents.push({ segments, ids, loss });
  }
  if (at !== bytes.length) throw broken(name, `has ${bytes.length - at} bytes after its last document`);
  return documents;
}

function broken(name: string, what: string): NpdbError {
  return new NpdbError(
    'E_SHARD_BROKEN',
    `${name} ${what}.`,
    'Build the data set again: only the missing parts are made.',
    3,
  );
}
