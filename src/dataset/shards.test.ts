import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeShard, encodeShard } from './shards.ts';
import type { TokenDocument } from './types.ts';

const document = fc.array(fc.nat(12), { minLength: 1, maxLength: 6 }).chain((segments) => {
  const n = segments.reduce((a, b) => a + b, 0);
  return fc.record({
    segments: fc.constant(segments),
    ids: fc.uint16Array({ minLength: n, maxLength: n }),
    loss: fc.uint8Array({ minLength: n, maxLength: n, max: 1 }),
  });
});

describe('shards', () => {
  test('are read back as written', () => {
    fc.assert(
      fc.property(fc.array(document, { maxLength: 5 }), (documents: TokenDocument[]) => {
        expect(decodeShard(encodeShard(documents))).toEqual(documents);
      }),
    );
  });

  test('have the layout that training reads', () => {
    const bytes = encodeShard([
      { segments: [1, 2], ids: Uint16Array.of(258, 3, 4), loss: Uint8Array.of(0, 0, 1) },
    ]);
    expect(new TextDecoder().decode(bytes.subarray(0, 8))).toBe('NPDBTOK1');
    expect([...bytes.subarray(8)]).toEqual([
      1, 0, 0, 0, 3, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 2, 1, 3, 0, 4, 0, 0, 0, 1,
    ]);
  });

  test('every cut or extended shard is refused', () => {
    const bytes = encodeShard([
      { segments: [1, 2], ids: Uint16Array.of(1, 2, 3), loss: Uint8Array.of(0, 0, 1) },
    ]);
    for (let length = 0; length < bytes.length; length++) {
      expect(() => decodeShard(bytes.subarray(0, length))).toThrowError(
        expect.objectContaining({ code: 'E_SHARD_BROKEN' }),
      );
    }
    expect(() => decodeShard(Uint8Array.of(...bytes, 0))).toThrowError(
      expect.objectContaining({ code: 'E_SHARD_BROKEN' }),
    );
    const wrong = bytes.slice();
    wrong[20] = 9;
    expect(() => decodeShard(wrong)).toThrowError(expect.objectContaining({ code: 'E_SHARD_BROKEN' }));
  });
});
