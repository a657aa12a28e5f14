import { mkdtemp, readFile, rename, rm, truncate, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEFAULT_LIMITS, DEFAULT_VALUES } from '../python/limits.ts';
import type { PythonRuntime } from '../python/types.ts';
import { openTraces, TRACE_VERSION, type Trace, type TraceSetManifest } from '../trace/node.ts';
import { traceSet } from './traceSet.ts';
import type { ProgramEntry } from './types.ts';

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'npdb-test-'));
});
afterAll(() => rm(root, { recursive: true }));

const programs: readonly ProgramEntry[] = Array.from({ length: 7 }, (_, i) => ({
  id: `p/${i}`,
  code: `def f(x):\n    return x + ${i}\n`,
  calls: i === 3 ? [] : ['f(1)', 'f(2)', 'f(3)'],
  expected: i === 3 ? [] : ['=f(1)', null, 'else'],
}));
const total = 6 * 3 + 1;

/** A runtime without Python: the call's "value" is its own text. Notes what it was asked, fails where told to. */
function fake(failAt: string | null = null): PythonRuntime & { readonly asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    name: 'fake',
    protection: 'none',
    close: async () => {},
    run: async (request) => {
      if (request.id === failAt) throw new Error('stopped here');
      asked.push(request.id!);
      const trace: Trace = {
        header: {
          e: 'header',
          version: TRACE_VERSION,
          python: '3.11.7',
          implementation: 'cpython',
          hashSeed: '0',
          limits: { ...DEFAULT_LIMITS, ...request.limits },
          values: { ...DEFAULT_VALUES, ...request.values },
          files: [request.file, ...(request.call ? [{ name: '<call>', text: request.call }] : [])],
          id: request.id!,
          ...(request.call ? { call: request.call } : {}),
        },
        events: [{ e: 'call', f: 0, l: 1, fn: '<module>', k: 'module' }],
        end: { e: 'end', status: 'normal', events: 1, value: `=${request.call}` },
      };
      return { trace, probes: [] };
    },
  };
}

const options = (dir: string) => ({ outDir: join(root, dir), tracesPerShard: 5 });

async function ids(dir: string): Promise<(string | undefined)[]> {
  const found: (string | undefined)[] = [];
  for await (const trace of openTraces(join(root, dir))) found.push(trace.header.id);
  return found;
}

async function shards(dir: string, manifest: TraceSetManifest): Promise<string[]> {
  return Promise.all(
    manifest.shards.map(async ({ file }) => (await readFile(join(root, dir, file))).toString('base64')),
  );
}

describe('a trace set', () => {
  let whole: TraceSetManifest;
  let expected: string[];
  beforeAll(async () => {
    whole = await traceSet(programs, fake(), options('whole'));
    expected = await shards('whole', whole);
  });

  it('holds every call in order, in shards of a fixed size, and says what made it', async () => {
    const found = await ids('whole');
    expect(found).toHaveLength(total);
    expect(found.slice(8, 12)).toEqual(['p/2#2', 'p/3', 'p/4#0', 'p/4#1']);
    expect(whole).toMatchObject({
      complete: true,
      programs: 7,
      traces: total,
      runtime: { python: '3.11.7' },
    });
    expect(whole.shards.map((shard) => [shard.first, shard.traces])).toEqual([
      [0, 5],
      [5, 5],
      [10, 5],
      [15, 4],
    ]);
    expect(whole.shards[0]).toMatchObject({ ends: { normal: 5 }, expected: { stated: 3, same: 2 } });
  });

  it('goes on where it was stopped, runs nothing twice, and ends with the same bytes', async () => {
    await expect(traceSet(programs, fake('p/2#1'), options('stopped'))).rejects.toThrow('stopped here');
    expect(await ids('stopped')).toEqual(['p/0#0', 'p/0#1', 'p/0#2', 'p/1#0', 'p/1#1']);
    const again = fake();
    const done: number[] = [];
    const manifest = await traceSet(programs, again, {
      ...options('stopped'),
      onProgress: (progress) => done.push(progress.kept),
    });
    // Written before the stop: p/1#2 and p/2#0, in a shard that was not complete.
    expect(again.asked[0]).toBe('p/2#1');
    expect(again.asked).toHaveLength(total - 7);
    expect(done.at(-1)).toBe(7);
    expect(await shards('stopped', manifest)).toEqual(expected);
    expect(manifest).toEqual(whole);
  });

  it.each([
    ['cut off', async (path: string) => truncate(path, (await readFile(path)).length - 60)],
    [
      'damaged',
      async (path: string) => {
        const bytes = await readFile(path);
        await writeFile(path, bytes.fill(0, bytes.length >> 1));
      },
    ],
    ['gone', unlink],
    ['left under its old name', (path: string) => rename(path, `${path}.old`)],
    ['no trace file at all', (path: string) => writeFile(path, 'hello')],
  ] as const)('mends a shard that is %s', async (what, harm) => {
    const dir = `harmed ${what}`;
    const before = await traceSet(programs, fake(), options(dir));
    await harm(join(root, dir, before.shards[1]!.file));
    const again = fake();
    const manifest = await traceSet(programs, again, options(dir));
    expect(await shards(dir, manifest)).toEqual(expected);
    expect(manifest).toEqual(whole);
    // Only calls of that shard, and none whose trace was still whole.
    const own = ['p/1#2', 'p/2#0', 'p/2#1', 'p/2#2', 'p/3'];
    expect(own.slice(own.length - again.asked.length)).toEqual(again.asked);
    if (what === 'left under its old name') expect(again.asked).toEqual([]);
    else expect(again.asked.length).toBeGreaterThan(0);
  });

  it('does not take traces made with other limits or from another program', async () => {
    await traceSet(programs, fake(), options('other'));
    await unlink(join(root, 'other', 'manifest.json'));
    const edited = programs.map((program, i) => (i === 1 ? { ...program, code: 'f = abs\n' } : program));
    const again = fake();
    await traceSet(edited, again, options('other'));
    expect(again.asked.filter((id) => id.startsWith('p/1#'))).toEqual(['p/1#0', 'p/1#1', 'p/1#2']);
    expect(again.asked).not.toContain('p/0#0');
    await unlink(join(root, 'other', 'manifest.json'));
    const third = fake();
    await traceSet(edited, third, { ...options('other'), limits: { events: 10 } });
    expect(third.asked).toHaveLength(total);
  });

  it('refuses a folder with another set', async () => {
    const more = { ...options('whole'), calls: 1 };
    await expect(traceSet(programs, fake(), more)).rejects.toMatchObject({ code: 'E_TRACE_SET' });
    expect(await ids('whole')).toHaveLength(total);
  });

  it('stops on a signal with what is written', async () => {
    const stop = new AbortController();
    const run = traceSet(programs, fake(), {
      ...options('aborted'),
      signal: stop.signal,
      onProgress: ({ done }) => done === 6 && stop.abort(new Error('enough')),
    });
    await expect(run).rejects.toThrow('enough');
    expect(await ids('aborted')).toHaveLength(5);
    expect((await traceSet(programs, fake(), options('aborted'))).complete).toBe(true);
  });

  it('takes at most so many calls of each program', async () => {
    await traceSet(programs, fake(), { ...options('first'), calls: 1 });
    expect(await ids('first')).toEqual(['p/0#0', 'p/1#0', 'p/2#0', 'p/3', 'p/4#0', 'p/5#0', 'p/6#0']);
  });
});
