import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readTrace } from '../trace/node.ts';
import { loadTree } from './load.ts';
import { buildTree } from './tree.ts';

const FIXTURE = 'test/fixtures/traces/discount.jsonl';
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'npdb-tree-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function lines(): Promise<string[]> {
  const text = await readFile(FIXTURE, 'utf8');
  return text.slice(0, text.indexOf('{"e":"end"')).trimEnd().split('\n');
}

describe('a tree loaded from a file', () => {
  it('is the tree of the trace that the file holds', async () => {
    const trace = await readTrace(FIXTURE);
    const [loaded, built] = [await loadTree(FIXTURE), buildTree(trace)];
    for (const name of ['kind', 'line', 'file', 'frame', 'depth', 'parent'] as const)
      expect([...loaded.tree[name]]).toEqual([...built[name]]);
    expect(loaded.end).toEqual(trace.end);
    for (let at = 0; at < built.size; at++) expect(await loaded.event(at)).toEqual(trace.events[at]);
    await loaded.close();
  });

  it('reads lines that the tracer would write otherwise', async () => {
    const text = await readFile(FIXTURE, 'utf8');
    const path = join(folder, 'spaced.jsonl');
    const spaced = text.split('\n').map((line) => line && JSON.stringify(JSON.parse(line), null, 1));
    await writeFile(path, spaced.map((line) => line.replaceAll('\n', '')).join('\n'));
    const loaded = await loadTree(path);
    expect([...loaded.tree.line]).toEqual((await readTrace(FIXTURE)).events.map((event) => event.l));
    await loaded.close();
  });

  it('refuses a file without an end, one with a frame never called, and one that is not there', async () => {
    const cut = join(folder, 'cut.jsonl');
    await writeFile(cut, `${(await lines()).join('\n')}\n`);
    await expect(loadTree(cut)).rejects.toMatchObject({ code: 'E_TRACE_BROKEN' });
    const odd = join(folder, 'odd.jsonl');
    await writeFile(odd, `${(await lines())[0]}\n{"e":"line","f":7,"l":1}\n`);
    await expect(loadTree(odd)).rejects.toMatchObject({ code: 'E_TRACE' });
    await expect(loadTree(join(folder, 'none'))).rejects.toMatchObject({ code: 'E_FILE' });
  });
});
