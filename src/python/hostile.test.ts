/** Programs that attack the run itself, in both runtimes: each ends as it should, and the next request is answered. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCpython } from './cpython.ts';
import { HOSTILE, NATIVE } from './hostile.testing.ts';
import { findInterpreter } from './interpreter.ts';
import { createPyodide } from './pyodide.ts';
import type { PythonRuntime } from './types.ts';

const python = await findInterpreter('python3').then(
  (found) => found.path,
  () => null,
);

const all = process.env.NPDB_HOSTILE === 'all';

describe.each([
  {
    name: 'pyodide',
    programs: HOSTILE.filter(({ often }) => often || all),
    open: async () => createPyodide({ workers: 1 }),
  },
  ...(python
    ? [{ name: 'cpython', programs: [...HOSTILE, ...NATIVE], open: () => createCpython({ python }) }]
    : []),
])('$name outlives', { timeout: 120_000 }, ({ open, programs }) => {
  let runtime: PythonRuntime;
  beforeAll(async () => {
    runtime = await open();
  });
  afterAll(() => runtime.close());

  it.each(programs)('$name', async ({ text, ends, limits }) => {
    // What does not run into its time must not do so on a busy machine either.
    const { trace } = await runtime.run({
      file: { name: 'main.py', text },
      limits: { timeMs: 60_000, ...limits },
    });
    const { status, reason, code } = trace.end;
    expect(ends).toContainEqual({
      status,
      ...(reason === undefined ? {} : { reason }),
      ...(code === undefined ? {} : { code }),
    });
  });

  it('all of it, and answers the next request', async () => {
    const { trace } = await runtime.run({ file: { name: 'main.py', text: 'x = 1\n' }, call: 'x + 1' });
    expect(trace.end).toMatchObject({ status: 'normal', value: '2' });
  });
});
