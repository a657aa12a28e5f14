import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCpython, createPyodide, type PythonRuntime } from '../python/index.ts';
import { fullValue, requestOf } from './full.ts';
import { RecordedDebugger } from './recorded.ts';
import { start } from './start.ts';

const text = `def f(n):
    xs = list(range(n))
    big = set(xs)
    text = 'é' * n
    loop = [xs]
    loop.append(loop)
    return len(xs)
`;
const call = 'f(2000)';

describe('a value in full', () => {
  let runtime: PythonRuntime;
  let debug: RecordedDebugger;
  beforeAll(async () => {
    runtime = await createCpython({ python: 'python3' }).catch(() => createPyodide());
    const { programs, entry } = start(text, call);
    const lent = { ...runtime, close: async () => {} };
    const request = { file: { name: 'main.py', text }, call };
    debug = await RecordedDebugger.start({ programs, runtime: lent, request, entry });
    await debug.act({ type: 'breakpoint', line: 7 });
  });
  afterAll(() => runtime.close());

  const value = async (expression: string, bytes?: number) => {
    const asked = bytes === undefined ? {} : { bytes };
    const result = await debug.evaluate(expression, 0, { full: true, ...asked });
    return result.type === 'value' ? result.value : result;
  };

  it('has all that the trace cuts', async () => {
    const shown = Array.from({ length: 2000 }, (_, i) => i).join(', ');
    expect(await value('xs')).toBe(`[${shown}]`);
    expect(await value('big')).toBe(`{${shown}}`);
    expect(await value('text')).toBe(`'${'é'.repeat(2000)}'`);
    expect(await value('loop')).toBe(`&1 [[${shown}], *1]`);
    expect(await value('n')).toBe('2000');
    expect(await value('big - set(range(1, 2000))')).toBe('{0}');
    expect(await value('nothing')).toMatchObject({
      type: 'error',
      error: expect.stringMatching(/^NameError/),
    });
  });

  it('stays below its limit, and says that it is cut', async () => {
    const short = await value('xs', 60);
    expect(short).toMatch(/^\[0, 1, 2, .*\.\.\.\+\d+\]$/);
    expect(String(short).length).toBeLessThan(80);
    expect(await value('text', 40)).toMatch(/^'é+'\.\.\.\+19\d\d$/);
  });

  it('can be had from a trace alone', async () => {
    const request = requestOf(debug.trace);
    const at = debug.trace.events.findIndex((event) => event.e === 'return' && event.f > 1);
    expect(await fullValue(runtime, request, at, 'xs', { bytes: 100_000 })).toMatchObject({
      type: 'list',
      value: expect.stringMatching(/ 1999\]$/),
    });
    expect(await fullValue(runtime, request, at, 'xs', { bytes: 10 })).toMatchObject({ cut: true });
    expect(await fullValue(runtime, request, 10_000, 'xs')).toBeNull();
    await expect(fullValue(runtime, request, at, 'xs', { bytes: 0 })).rejects.toMatchObject({
      code: 'E_ARGUMENT',
    });
  });
});
