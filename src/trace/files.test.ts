import { mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readTrace, readTraces, TraceWriter, writeTrace } from './files.ts';
import { TRACE_VERSION, type Trace, type TraceEvent } from './types.ts';

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'npdb-test-'));
});
afterAll(() => rm(dir, { recursive: true }));

function made(id: string, count: number): Trace {
  const events: TraceEvent[] = [{ e: 'call', f: 0, l: 1, fn: '<module>', k: 'module' }];
  for (let i = 1; i < count; i++) events.push({ e: 'line', f: 0, l: (i % 7) + 1, set: { i: `${i * 7919}` } });
  return {
    header: {
      e: 'header',
      version: TRACE_VERSION,
      python: '3.11.7',
      implementation: 'cpython',
      hashSeed: '0',
      limits: { events: 100_000, timeMs: 1000, memoryMb: 256, outputBytes: 0 },
      values: { items: 100, chars: 300, depth: 8, leaves: 400 },
      files: [{ name: 'main.py', text: 'π = 1\n' }],
      id,
    },
    events,
    end: { e: 'end', status: 'normal', events: count },
  };
}

async function all(path: string): Promise<{ readonly ids: (string | undefined)[]; readonly error: unknown }> {
  const ids: (string | undefined)[] = [];
  try {
    for await (const trace of readTraces(path)) ids.push(trace.header.id);
    return { ids, error: null };
  } catch (error) {
    return { ids, error };
  }
}

describe('trace files', () => {
  it.each(['t.jsonl', 't.jsonl.gz'])('come back as written: %s', async (name) => {
    const path = join(dir, name);
    await writeTrace(path, made('a', 5000));
    expect(await readTrace(path)).toEqual(made('a', 5000));
    const magic = (await readFile(path)).readUInt16BE(0) === 0x1f8b;
    expect(magic).toBe(name.endsWith('.gz'));
    expect((await readdir(dir)).filter((file) => file.endsWith('.part'))).toEqual([]);
  });

  it('are told by content, not by name', async () => {
    const path = join(dir, 'renamed.txt');
    await writeTrace(join(dir, 'x.gz'), made('x', 3));
    await writeFile(path, await readFile(join(dir, 'x.gz')));
    expect((await readTrace(path)).header.id).toBe('x');
  });

  it('are readable up to the last written trace before they are closed', async () => {
    const path = join(dir, 'open.jsonl.gz');
    const writer = new TraceWriter(path, true);
    await writer.write(made('a', 50));
    await writer.write(made('b', 50));
    expect((await all(path)).ids).toEqual(['a', 'b']);
    await writer.close();
    expect(await all(path)).toEqual({ ids: ['a', 'b'], error: null });
  });

  it.each(['cut.jsonl', 'cut.jsonl.gz'])(
    'give every whole trace before the place they were cut: %s',
    async (name) => {
      const path = join(dir, name);
      const writer = new TraceWriter(path, name.endsWith('.gz'));
      for (const id of ['a', 'b', 'c']) await writer.write(made(id, 2000));
      await writer.close();
      const { length } = await readFile(path);
      await truncate(path, length - 400);
      const { ids, error } = await all(path);
      expect(ids).toEqual(['a', 'b']);
      expect(error).toMatchObject({ code: 'E_TRACE_BROKEN', message: expect.stringContaining(path) });
    },
  );

  it('give every whole trace before damaged data', async () => {
    const path = join(dir, 'damaged.jsonl.gz');
    const writer = new TraceWriter(path, true);
    for (const id of ['a', 'b', 'c']) await writer.write(made(id, 2000));
    await writer.close();
    const bytes = await readFile(path);
    bytes.fill(0xff, bytes.length - 3000, bytes.length - 2000);
    await writeFile(path, bytes);
    const { ids, error } = await all(path);
    expect(ids).toEqual(['a', 'b']);
    expect(error).toMatchObject({ code: 'E_TRACE_BROKEN', message: expect.stringMatching(/line \d+/) });
  });

  it('say what is wrong with a path', async () => {
    expect((await all(join(dir, 'none'))).error).toMatchObject({ code: 'E_FILE', exit: 3 });
    await expect(writeTrace(join(dir, 'no', 'folder.gz'), made('a', 1))).rejects.toMatchObject({
      code: 'E_WRITE',
    });
  });
});
