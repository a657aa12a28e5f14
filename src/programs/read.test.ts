import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadPrograms } from './read.ts';

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'npdb-test-'));
});
afterAll(() => rm(dir, { recursive: true }));

const one = {
  id: 'a/1',
  code: 'def f(x):\n    return x\n',
  calls: ['f(1)', 'f("\u2028")'],
  expected: ['1', null],
};
const two = { id: 'a/2', code: 'x = 1\n', calls: [] };

async function set(name: string, lines: readonly unknown[]): Promise<string> {
  const path = join(dir, name);
  const text = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n');
  await writeFile(path, name.endsWith('.gz') ? gzipSync(text) : text);
  return path;
}

describe('a program set', () => {
  it('is read plain and gzipped, blank lines and unknown keys left out', async () => {
    for (const name of ['plain.jsonl', 'packed.jsonl.gz']) {
      const path = await set(name, [{ ...one, note: 'x' }, '', two, '']);
      expect(await loadPrograms([path])).toEqual([one, two]);
    }
  });

  it('can be a file of CRUXEval: the input becomes a call of f', async () => {
    const path = await set('crux.jsonl', [
      { id: 'sample_1', code: 'def f(a, b): ...', input: '(1, ), 2', output: '3' },
    ]);
    expect(await loadPrograms([path])).toEqual([
      { id: 'sample_1', code: 'def f(a, b): ...', calls: ['f((1, ), 2)'], expected: ['3'] },
    ]);
  });

  it.each([
    ['text that is not JSON', '{"id": '],
    ['a list', [1]],
    ['a missing code', { id: 'x', calls: ['f()'] }],
    ['calls that are no list', { id: 'x', code: '', calls: 'f()' }],
    ['a call that is no text', { id: 'x', code: '', calls: [1] }],
    ['too few expected values', { ...one, id: 'x', expected: ['1'] }],
    ['an id that is taken', one],
    ['a CRUXEval line without its output', { id: 'x', code: '', input: '1' }],
  ] as const)('names the line of %s', async (_, line) => {
    const path = await set('bad.jsonl', [one, two, line]);
    await expect(loadPrograms([path])).rejects.toMatchObject({
      code: 'E_PROGRAM_SET',
      message: expect.stringMatching(/line 3 /),
    });
  });

  it('must not share ids with another one, nor be missing', async () => {
    const [a, b] = [await set('a.jsonl', [one]), await set('b.jsonl', [two, one])];
    await expect(loadPrograms([a, b])).rejects.toMatchObject({ code: 'E_PROGRAM_SET' });
    await expect(loadPrograms([join(dir, 'none')])).rejects.toMatchObject({ code: 'E_FILE' });
  });

  it('says so when its compressed data is damaged', async () => {
    const bytes = gzipSync(
      Array.from({ length: 500 }, (_, i) => JSON.stringify({ ...one, id: `${i * 7919}` })).join('\n'),
    );
    const path = join(dir, 'damaged.jsonl.gz');
    await writeFile(path, bytes.fill(0xff, bytes.length >> 1));
    await expect(loadPrograms([path])).rejects.toMatchObject({ code: 'E_PROGRAM_SET' });
  });
});

// The full sets are not part of the repository.
const data = new URL('../../../shared/data/', import.meta.url);
describe.skipIf(!existsSync(data))('the data sets (where they are at hand)', () => {
  it('are read as they are', async () => {
    const path = (name: string): string => new URL(name, data).pathname;
    const crux = await loadPrograms([path('eval/cruxeval.jsonl')]);
    expect([crux.length, crux[0]!.calls]).toEqual([800, ['f([1, 1, 3, 1, 3, 1])']]);
    const mbpp = await loadPrograms([path('train/mbpp.jsonl.gz')]);
    expect([mbpp.length, mbpp.reduce((sum, p) => sum + p.calls.length, 0)]).toEqual([912, 7230]);
  });
});
