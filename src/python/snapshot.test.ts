import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPyodide } from './pyodide.ts';
import type { RunResult } from './types.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'npdb-test-'));
});
afterAll(() => rm(folder, { recursive: true }));

const text = `import os, random, sys
def f(x):
    return x, os.urandom(4), random.random(), {'a', 'b'} | {x}, hash('a'), sys.path, os.listdir('/')
`;

async function run(snapshots: string): Promise<RunResult> {
  const runtime = createPyodide({ workers: 1, snapshots });
  try {
    return await runtime.run({ file: { name: 'main.py', text }, call: "f('c')", limits: { timeMs: 60_000 } });
  } finally {
    await runtime.close();
  }
}

async function snapshots(): Promise<string[]> {
  // It is written beside the first run and may come a moment later.
  for (let i = 0; i < 600 && !(await readdir(folder)).some((name) => name.endsWith('.snapshot')); i++) {
    await new Promise((done) => setTimeout(done, 100));
  }
  return readdir(folder);
}

describe('a snapshot of the started interpreter', { timeout: 180_000 }, () => {
  it('is left by the first start, and a program cannot tell that it was used', async () => {
    const slow = await run(folder);
    const [name, ...more] = await snapshots();
    expect(more).toEqual([]);
    expect((await stat(join(folder, name!))).mode & 0o77).toBe(0);
    const fast = await run(folder);
    expect(fast.trace).toEqual(slow.trace);
    expect(fast.trace.end.status).toBe('normal');
  });

  it('that is broken is thrown away', async () => {
    const path = join(folder, (await snapshots())[0]!);
    await writeFile(path, (await readFile(path)).subarray(0, 100_000));
    expect((await run(folder)).trace.end.status).toBe('normal');
    expect(await readdir(folder)).toEqual([]);
  });

  it('is not needed', async () => {
    // No folder can be made below a file.
    await writeFile(join(folder, 'file'), '');
    expect((await run(join(folder, 'file', 'below'))).trace.end.status).toBe('normal');
  });
});
