/** The build with the paper's codec: whole walks as text and tokens. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parquetReadObjects } from 'hyparquet';
import { afterAll, describe, expect, test } from 'vitest';
import { Random } from '../common/random.ts';
import { CompactTokenizer, languageOf, showPieces } from '../language/index.ts';
import { BUILD_DEFAULTS, buildDataset } from './build.ts';
import { DOCUMENT_DEFAULTS, makeDocuments } from './documents.ts';
import { PROGRAMS_FILE, recorded, replayingRuntime } from './fixtures.testing.ts';
import { decodeShard } from './shards.ts';

const out = mkdtempSync(join(tmpdir(), 'npdb-paper-'));
afterAll(() => rmSync(out, { recursive: true, force: true }));
const { codec, tokenizer } = languageOf('paper');

describe('a build of the paper’s walks', () => {
  test('gives one walk a document, both directions, the same as text and as tokens', async () => {
    const result = await buildDataset({
      ...BUILD_DEFAULTS,
      codec,
      tokenizer,
      policy: 'paper',
      documents: 3,
      maxSteps: 12,
      sets: [PROGRAMS_FILE],
      exclude: [],
      seed: 5,
      shares: { validation: 0, dev: 0, test: 0 },
      out,
      runtime: replayingRuntime(),
    });
    expect(result.failed).toEqual([]);
    expect(result.documents).toBeGreaterThan(20);
    const bytes = readFileSync(join(out, 'walks-00000.parquet'));
    const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer;
    const rows = (await parquetReadObjects({ file })) as unknown as Record<string, string>[];
    expect(new Set(rows.map((row) => row.direction))).toEqual(new Set(['forward', 'inverse']));
    const own = CompactTokenizer.fromJSON(JSON.parse(readFileSync(join(out, 'tokenizer.json'), 'utf8')));
    const shards = readdirSync(out).filter((name) => name.endsWith('.bin'));
    const documents = shards.flatMap((name) => decodeShard(readFileSync(join(out, name)), name));
    const told = documents.map(({ ids, loss }) => ({
      all: showPieces(own.decode([...ids])),
      trained: showPieces(own.decode([...ids].filter((_, i) => loss[i] === 1))),
    }));
    expect(told).toEqual(rows.map(({ context, text, trained }) => ({ all: `${context}${text}`, trained })));
    for (const { all, trained } of told) {
      expect(all).toMatch(/^<\|begin_of_text\|><\|trace_context_start\|>[\s\S]*<\|frame_sep\|>/);
      expect(trained).toMatch(/(<\|action_sep\|>|<\|trace_end\|><\|end_of_text\|>)$/);
      expect(trained).not.toMatch(/<\|(inv_)?step_into\|>/);
    }
    const meta = JSON.parse(readFileSync(join(out, 'meta.json'), 'utf8'));
    expect(meta).toMatchObject({ codec: 'paper', codecVersion: 1, tokenizer: tokenizer.id, policy: 'paper' });
  });

  test('leaves walks out of the text, not out of the tokens, whose source spells a special token', () => {
    const run = recorded('loop#0');
    const options = { ...DOCUMENT_DEFAULTS, codec, tokenizer, policy: 'paper', documents: 2 };
    const plain = makeDocuments('p', [run], options, new Random('x'));
    expect(plain.rows).toHaveLength(plain.documents.length);
    const marked = {
      ...codec,
      context: codec.context,
      train: (walk: Parameters<typeof codec.train>[0]) => {
        const made = codec.train(walk);
        return { ...made, shared: [...made.shared, { text: '\n# <|call_sep|>' }] };
      },
    };
    const left = makeDocuments('p', [run], { ...options, codec: marked }, new Random('x'));
    expect(left.documents).toHaveLength(plain.documents.length);
    expect(left.rows).toEqual([]);
    expect(left.tally['rows:spell a special']).toBe(plain.rows.length);
  });
});
