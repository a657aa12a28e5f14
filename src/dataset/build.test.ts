import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parquetReadObjects } from 'hyparquet';
import { afterAll, describe, expect, test } from 'vitest';
import { compactCodec, compactTokenizer, showPieces } from '../language/index.ts';
import { loadPrograms } from '../programs/index.ts';
import { BUILD_DEFAULTS, type BuildOptions, buildDataset } from './build.ts';
import { PROGRAMS_FILE, programs, replayingRuntime } from './fixtures.testing.ts';
import { decodeShard } from './shards.ts';

const folders: string[] = [];
const folder = () => {
  const made = mkdtempSync(join(tmpdir(), 'npdb-dataset-'));
  folders.push(made);
  return made;
};
afterAll(() => {
  for (const made of folders) rmSync(made, { recursive: true, force: true });
});

const options = (out: string, more: Partial<BuildOptions> = {}): BuildOptions => ({
  ...BUILD_DEFAULTS,
  codec: compactCodec,
  tokenizer: compactTokenizer,
  sets: [PROGRAMS_FILE],
  exclude: [],
  seed: 5,
  shares: { validation: 0.2, dev: 0.1, test: 0.1 },
  chunk: 4,
  out,
  runtime: replayingRuntime(),
  ...more,
});

/** Name -> bytes of everything a build leaves. */
const content = (out: string): Map<string, string> =>
  new Map(
    readdirSync(out, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .sort()
      .map((path) => [path.slice(out.length), readFileSync(path).toString('base64')] as const),
  );

describe('a build', () => {
  test('gives the same bytes whatever the number of workers and the order in which runs end', async () => {
    const [one, many] = [folder(), folder()];
    await buildDataset(options(one, { workers: 1 }));
    await buildDataset(
      options(many, { workers: 5, runtime: replayingRuntime((id) => (id.charCodeAt(0) * 7) % 13) }),
    );
    expect(content(many)).toEqual(content(one));
    expect([...content(one).keys()]).toEqual(
      expect.arrayContaining([
        '/meta.json',
        '/tokenizer.json',
        '/card.md',
        '/build.json',
        '/train-00000.bin',
        '/walks-00000.parquet',
      ]),
    );
  });

  test('with a limit, gives the first chunks of the whole', async () => {
    const [whole, part] = [folder(), folder()];
    await buildDataset(options(whole));
    await buildDataset(options(part, { limit: 4 }));
    const shards = (out: string) => [...content(out)].filter(([name]) => name.endsWith('00000.bin'));
    expect(shards(part)).toEqual(shards(whole));
    expect(content(part).has('/chunks/00001.json')).toBe(false);
  });

  test('another seed gives other bytes', async () => {
    const [a, b] = [folder(), folder()];
    await buildDataset(options(a));
    await buildDataset(options(b, { seed: 6 }));
    expect(content(b)).not.toEqual(content(a));
  });

  test('interrupted anywhere, goes on to the same bytes without tracing whole chunks again', async () => {
    const whole = folder();
    await buildDataset(options(whole));
    for (const after of [1, 5, 6]) {
      const out = folder();
      const abort = new AbortController();
      const stopped = buildDataset(
        options(out, {
          signal: abort.signal,
          onProgress: ({ phase, done }) => {
            if (phase === 'build' && done >= after) abort.abort();
          },
        }),
      );
      await expect(stopped).rejects.toMatchObject({ code: 'E_INTERRUPTED', exit: 130 });
      expect(content(out).has('/meta.json')).toBe(false);
      const runtime = replayingRuntime();
      await buildDataset(options(out, { runtime }));
      expect(content(out)).toEqual(content(whole));
      if (after > 4) {
        const full = replayingRuntime();
        await buildDataset(options(folder(), { runtime: full }));
        expect(runtime.runs).toBeLessThan(full.runs);
      }
    }
  });

  test('refuses a folder that holds another data set, and leaves it as it is', async () => {
    const out = folder();
    await buildDataset(options(out));
    const before = content(out);
    await expect(buildDataset(options(out, { calls: 1 }))).rejects.toMatchObject({
      code: 'E_DATASET_EXISTS',
      message: expect.stringContaining('calls'),
    });
    expect(content(out)).toEqual(before);
  });

  test('keeps splits apart: what is held back is in no shard and no row', async () => {
    const out = folder();
    await buildDataset(options(out, { shares: { validation: 0.25, dev: 0.2, test: 0.2 }, seed: 3 }));
    const meta = JSON.parse(readFileSync(join(out, 'meta.json'), 'utf8')) as {
      splits: Record<string, string[]>;
    };
    const {
      validation,
      dev,
      test: held,
    } = meta.splits as { validation: string[]; dev: string[]; test: string[] };
    const all = [...validation, ...dev, ...held];
    expect(new Set(all).size).toBe(all.length);
    expect(dev.length + held.length).toBeGreaterThan(0);
    const rows = await readRows(out);
    const built = new Set(rows.map((row) => row.program));
    for (const id of [...dev, ...held]) expect(built).not.toContain(id);
    // They are there as program sets, for `eval`.
    const sets = { dev, test: held };
    for (const [name, ids] of Object.entries(sets)) {
      const set = ids.length ? await loadPrograms([join(out, `${name}.jsonl`)]) : [];
      expect(set.map(({ id }) => id).sort()).toEqual([...ids].sort());
    }
    for (const row of rows) expect(row.split).toBe(validation.includes(row.program) ? 'validation' : 'train');
    for (const { id } of programs)
      if (!all.includes(id) && !['broken'].includes(id)) expect(built).toContain(id);
  });

  test('shards hold what the rows say: the source once, then each step, trained on its answer', async () => {
    const out = folder();
    const result = await buildDataset(options(out, { shares: { validation: 0, dev: 0, test: 0 } }));
    const rows = await readRows(out);
    const documents = readdirSync(out)
      .filter((name) => name.endsWith('.bin'))
      .sort()
      .flatMap((name) => decodeShard(readFileSync(join(out, name)), name));
    expect(documents).toHaveLength(result.documents);
    const copies: [context: string, copied: string][] = [];
    const told = documents.flatMap(({ segments, ids, loss }) => {
      let at = segments[0]!;
      const context = text(ids.subarray(0, at));
      expect(loss.subarray(0, at).every((flag) => flag === 0)).toBe(true);
      return segments.slice(1).map((length) => {
        const block = ids.subarray(at, at + length);
        const flagged = (flag: number) => text(block.filter((_, i) => loss[at + i] === flag));
        const [trained, copied] = [flagged(1), flagged(2)];
        at += length;
        copies.push([context, copied]);
        return { context, text: text(block), trained };
      });
    });
    expect(told).toEqual(rows.map(({ context, text, trained }) => ({ context, text, trained })));
    for (const { trained } of told) expect(trained.endsWith('<|end|>')).toBe(true);
    expect(told.length).toBeGreaterThan(60);
    // Lines of the source, one after the other where more than one frame is shown.
    const whole = copies.filter(([context, copied]) => copied !== '' && context.includes(copied));
    expect(whole.length).toBeGreaterThan(30);
  });

  test('for a codec with a history: one walk a document, forward and inverse', async () => {
    const out = folder();
    const codec = { ...compactCodec, name: 'walks' };
    const shares = { validation: 0, dev: 0, test: 0 };
    const result = await buildDataset(
      options(out, { codec, policy: 'paper', documents: 3, maxSteps: 12, shares }),
    );
    const rows = await readRows(out);
    expect(rows).toHaveLength(result.documents);
    expect(new Set(rows.map((row) => row.policy))).toEqual(new Set(['paper', 'paper-inverse']));
    for (const { actions, direction } of rows) {
      const list = actions.split(' ');
      expect(list.length).toBeLessThanOrEqual(12);
      for (const action of list) expect(action.startsWith('inv_')).toBe(direction === 'inverse');
    }
    const documents = decodeShard(readFileSync(join(out, 'train-00000.bin')));
    expect(documents.every(({ segments, ids }) => segments.length > 1 && ids.length > 0)).toBe(true);
    await expect(buildDataset(options(folder(), { codec }))).rejects.toMatchObject({ code: 'E_POLICY' });
  });

  test('leaves out programs that cannot be entered, counts and names what it drew', async () => {
    const out = folder();
    const result = await buildDataset(options(out, { shares: { validation: 0, dev: 0, test: 0 } }));
    expect(result.tally['skipped:entry']).toBe(1);
    expect(result.failed).toEqual([]);
    const actions = Object.entries(result.tally).filter(([key]) => key.startsWith('action:'));
    expect(actions.reduce((sum, [, n]) => sum + n, 0)).toBe(result.tally.steps);
    const card = readFileSync(join(out, 'card.md'), 'utf8');
    expect(card).toContain('| programs | 12 | 11 |');
    expect(card).toContain(`| step_into | ${result.tally['action:step_into']} |`);
  });
});

const text = (ids: Iterable<number>): string => showPieces(compactTokenizer.decode([...ids]));

interface ParquetRow {
  readonly program: string;
  readonly split: string;
  readonly policy: string;
  readonly direction: string;
  readonly actions: string;
  readonly context: string;
  readonly text: string;
  readonly trained: string;
}

async function readRows(out: string): Promise<ParquetRow[]> {
  const rows: ParquetRow[] = [];
  for (const name of readdirSync(out)
    .filter((n) => n.endsWith('.parquet'))
    .sort()) {
    const bytes = readFileSync(join(out, name));
    const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer;
    rows.push(...((await parquetReadObjects({ file })) as unknown as ParquetRow[]));
  }
  return rows;
}
