/** @file What is set, and asked of a caller, in a recorded run: real at this state, or an error that says why not. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCpython, createPyodide, type PythonRuntime } from '../python/index.ts';
import { RecordedDebugger } from './recorded.ts';
import { start } from './start.ts';

const text = `def g(items):
    items.append(2)
    return 0
def f(n):
    xs = [1]
    if n:
        g(xs)
    return xs
`;
const call = 'f(1)';

describe('a recorded run', () => {
  let runtime: PythonRuntime;
  beforeAll(async () => {
    runtime = await createCpython({ python: 'python3' }).catch(() => createPyodide());
  });
  afterAll(() => runtime.close());

  /** `again`: the text that any run but the first one is of, as if time or threads had decided otherwise. */
  const open = (again = text) => {
    let runs = 0;
    const lent: PythonRuntime = {
      ...runtime,
      run(request, options) {
        runs += 1;
        const file = { name: 'main.py', text: runs === 1 ? text : again };
        return runtime.run({ ...request, file }, options);
      },
      close: async () => {},
    };
    const { programs, entry } = start(text, call);
    const request = { file: { name: 'main.py', text }, call };
    return RecordedDebugger.start({ programs, runtime: lent, request, entry });
  };

  it('has a caller’s values as they are now, which its callee changed', async () => {
    const debug = await open();
    await debug.act({ type: 'breakpoint', line: 3 });
    expect(await debug.evaluate('items')).toEqual({ type: 'value', value: '[1, 2]', predicted: false });
    expect(await debug.evaluate('xs', 1)).toEqual({ type: 'value', value: '[1, 2]', predicted: false });
    expect(await debug.evaluate('items', 1)).toMatchObject({ type: 'error' });
  });

  it('sets where the run comes to the same point again', async () => {
    const debug = await open();
    await debug.act({ type: 'breakpoint', line: 6 });
    await debug.set({ name: 'n', value: '0' });
    await debug.act({ type: 'step_into' });
    expect(debug.current.outcome).toMatchObject({ type: 'state', state: { kind: 'line' } });
    expect(debug.trace.events[debug.at!]!.l).toBe(8);
  });

  it('has a name that an edit made, though a builtin has it too', async () => {
    const debug = await open();
    await debug.act({ type: 'breakpoint', line: 2 });
    await debug.set({ name: 'len', value: '5' });
    await debug.act({ type: 'breakpoint', line: 8 });
    expect(await debug.evaluate('len')).toMatchObject({ type: 'value', value: '5' });
  });

  it('sets nothing where it comes there by another course', async () => {
    const debug = await open(text.replace('if n:', 'if not n:'));
    await debug.act({ type: 'breakpoint', line: 2 });
    const before = debug.current;
    await expect(debug.set({ name: 'items', value: '[]' })).rejects.toMatchObject({ code: 'E_COURSE' });
    expect(debug.current).toBe(before);
  });
});
