import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseProgram } from '../../source/index.ts';
import { encodeIds, joinPieces, showPieces } from '../pieces.ts';
import type { Piece } from '../types.ts';
import { encodeContext } from './encode.ts';
import { CompactTokenizer, compactTokenizer as tokenizer } from './tokenizer.ts';

/** The tokens' own texts. */
function tokens(piece: Piece): string[] {
  return tokenizer.encode([piece]).map((id) => showPieces(tokenizer.decode([id])));
}

describe('the compact tokenizer', () => {
  it('takes whole words, else the parts that are words, else bytes', () => {
    expect(tokens({ text: 'return' })).toEqual(['return']);
    expect(tokens({ text: 'maxSum_index2' })).toEqual(['max', 'Sum', '_', 'index', '2']);
    expect(tokens({ text: 'qzx' })).toEqual(['q', 'z', 'x']);
    expect(tokens({ text: '//=' })).toEqual(['//=']);
    expect(tokens({ text: ' '.repeat(54) })).toEqual([' '.repeat(40), ' '.repeat(12), '  ']);
    expect(tokens({ text: '\t ' })).toEqual(['\t', ' ']);
  });

  it('spells values, but for names outside quotes and separators', () => {
    expect(tokens({ chars: '[120, True]' })).toEqual(['[', '1', '2', '0', ', ', 'True', ']']);
    expect(tokens({ chars: "'True, x'" })).toEqual([..."'True, x'"]);
    expect(tokens({ chars: "'it\\'s', None" })).toEqual([..."'it\\'s'", ', ', 'None']);
    expect(tokens({ chars: 'Node(value=1e+16)' })).toEqual(['Node', '(', 'value', '=', ...'1e+16', ')']);
    expect(tokens({ chars: "{'a': 0x1f}" })).toEqual(['{', ..."'a'", ': ', ...'0x1f', '}']);
  });

  it('gives the same tokens to a name in a source and in a value', () => {
    for (const name of ['TreeNode', 'max_sum', 'größe', '𝒳x']) {
      expect(tokenizer.encode([{ chars: `${name}(` }]).slice(0, -1)).toEqual(
        tokenizer.encode([{ text: name }]),
      );
    }
  });

  it('brings back any text', () => {
    const piece = fc.oneof(
      fc.string({ unit: 'binary' }).map((text): Piece => ({ text })),
      fc.string({ unit: 'binary' }).map((chars): Piece => ({ chars })),
      fc.constantFrom<Piece>(
        { special: '<|end|>' },
        { special: '<|L7|>' },
        { text: '<|end|>' },
        { chars: '<|L7|>' },
      ),
    );
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        expect(tokenizer.decode(tokenizer.encode(pieces))).toEqual(joinPieces(pieces));
      }),
      { numRuns: 500 },
    );
  });

  it('keeps a byte order mark, and shows bytes that are no text', () => {
    expect(tokenizer.decode(tokenizer.encode([{ chars: '\ufeffa' }]))).toEqual([{ text: '\ufeffa' }]);
    const [lead] = tokenizer.encode([{ chars: 'é' }]);
    expect(tokenizer.decode([lead!])).toEqual([{ text: '\ufffd' }]);
  });

  it('says what every token stands for', () => {
    const seen = new Set<string>();
    for (let id = 0; id < tokenizer.size; id++) {
      const symbols = tokenizer.symbols(id);
      if (symbols === null) continue;
      seen.add(symbols.join(' '));
      const text = symbols.every((symbol) => symbol < 0x80) ? String.fromCharCode(...symbols) : null;
      if (text !== null) expect(tokenizer.decode([id])).toEqual([{ text }]);
    }
    // All but `<|pad|>` and `<|src|>`, none twice.
    expect(seen.size).toBe(tokenizer.size - 2);
    expect(tokenizer.symbols(tokenizer.size)).toBeNull();
  });

  it('is kept in a file, and refuses one that was changed', () => {
    const file = JSON.parse(JSON.stringify(tokenizer));
    const read = CompactTokenizer.fromJSON(file);
    expect(read.id).toBe(tokenizer.id);
    expect(read.size).toBe(tokenizer.size);
    const other = new CompactTokenizer(tokenizer.specials, ['whole', 'words']);
    expect(CompactTokenizer.fromJSON(JSON.parse(JSON.stringify(other))).encode([{ text: 'words' }])).toEqual([
      tokenizer.specials.length + 256 + 1,
    ]);
    expect(other.id).not.toBe(tokenizer.id);
    expect(() => CompactTokenizer.fromJSON({ ...file, words: [...file.words, 'more'] })).toThrow(/hash/);
    for (const bad of [null, 3, {}, { ...file, rules: 99 }, { ...file, words: [1] }]) {
      expect(() => CompactTokenizer.fromJSON(bad)).toThrow(/tokenizer/);
    }
  });

  it('fits two bytes an id', () => {
    expect(encodeIds(tokenizer, [{ text: 'def' }])).toBeInstanceOf(Uint16Array);
  });

  const sets = join(import.meta.dirname, '../../../../shared/data/train');
  it.skipIf(!existsSync(sets))(
    'brings back every training program (skipped where they are not at hand)',
    () => {
      let count = 0;
      for (const set of readdirSync(sets).filter((name) => name.endsWith('.gz'))) {
        for (const row of gunzipSync(readFileSync(join(sets, set)))
          .toString('utf8')
          .trim()
          .split('\n')) {
          // A tenth of them, chosen by length: a few seconds.
          if (row.length % 10 !== 0) continue;
          const pieces = encodeContext([parseProgram((JSON.parse(row) as { code: string }).code)]);
          expect(tokenizer.decode(tokenizer.encode(pieces))).toEqual(joinPieces(pieces));
          count++;
        }
      }
      expect(count).toBeGreaterThan(500);
    },
  );
});
