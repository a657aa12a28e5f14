/** The committed exit set comes from its seed: a part of it, rebuilt by running the programs, is the same bytes. */
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCpython, createPyodide, type PythonRuntime } from '../python/index.ts';
import { EXITS, type ExitRow, exitSources, exitsOf } from './exits.ts';

/** Of `scripts/exit-set.mjs`. */
const SEED = 1;

const lines = gunzipSync(readFileSync(new URL('../../models/exits.jsonl.gz', import.meta.url)))
  .toString('utf8')
  .trim()
  .split('\n');
const rows = lines.map((line) => JSON.parse(line) as ExitRow);

describe('the exit set', () => {
  let runtime: PythonRuntime;
  beforeAll(async () => {
    runtime = await createCpython({ python: 'python3', pool: true }).catch(() =>
      createPyodide({ pool: true }),
    );
  });
  afterAll(() => runtime.close());

  it('has each way to end as often, each row once, half of each from held-back programs', () => {
    for (const exit of EXITS) {
      const own = rows.filter((row) => row.exit === exit);
      expect(own).toHaveLength(rows.length / EXITS.length);
      expect(own.filter(({ from }) => /^(?:generated|endless)\//.test(from))).toHaveLength(own.length / 2);
    }
    expect(new Set(rows.map(({ code, calls }) => `${code}\n${calls[0]}`)).size).toBe(rows.length);
    expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
    for (const { exit, exception } of rows) expect(exception !== undefined).toBe(exit === 'error');
  });

  it('is what its seed gives', async () => {
    const sources = exitSources(SEED, 6);
    const held = new Set(sources.map(({ id }) => id));
    const made = (await Promise.all(sources.map((source) => exitsOf(source, SEED, runtime)))).flat();
    const committed = lines.filter((_, i) => held.has(rows[i]!.from));
    expect(committed.length).toBeGreaterThan(6);
    expect(made.map((row) => JSON.stringify(row)).sort()).toEqual(committed.sort());
  });
});
