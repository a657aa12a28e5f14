/** Results that are read from outside: what a program does to the Python it can reach must not change them. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPyodide, type PyodideRuntime } from './pyodide.ts';
import type { RunResult } from './types.ts';

/** Finds npdb's own classes and functions in the interpreter, as any program may. */
const DIG = `
import gc
def dig(name):
    return [o for o in gc.get_objects() if getattr(o, '__name__', None) == name and getattr(o, '__module__', '') != '__main__']
`;

describe('a value read from outside', { timeout: 180_000 }, () => {
  let runtime: PyodideRuntime;
  const run = (text: string, call = 'f()'): Promise<RunResult> =>
    runtime.run({ file: { name: 'main.py', text }, call, record: false, limits: { timeMs: 60_000 } });
  beforeAll(() => {
    runtime = createPyodide({ workers: 2 });
  });
  afterAll(() => runtime.close());

  it('is the canonical text of every plain kind', async () => {
    const values = `[1, -255, 10**30, True, None, ..., 1.5, -0.0, float('nan'), float('inf'), 1e16, 1e-7, 2-3j,
      "a\\ud800\\u20ac\\U0001f600", b"\\x00z", (1,), (), {3, 1, 2}, set(), frozenset(), frozenset({1}), {"a": {2: []}}]`;
    const { trace, witness } = await run(`def f():\n    print('said')\n    return ${values}\n`);
    expect(witness).toBe('host');
    expect(trace.end).toEqual({
      e: 'end',
      status: 'normal',
      events: 0,
      o: 'said\n',
      value:
        "[1, -255, 1000000000000000000000000000000, True, None, Ellipsis, 1.5, -0.0, nan, inf, 1e+16, 1e-07, (2-3j), 'a\\ud800€😀', b'\\x00z', (1,), (), {1, 2, 3}, set(), frozenset(), frozenset({1}), {'a': {2: []}}]",
    });
  });

  it.each([
    ['[][1]', { status: 'error', exception: "IndexError('list index out of range')" }],
    ['__import__("sys").exit(3)', { status: 'exit', code: 3 }],
    ['__import__("sys").exit("bye")', { status: 'exit', code: 1 }],
    ['__import__("os")._exit(5)', { status: 'exit', code: 5 }],
    ['type("E", (Exception,), {})(object())', { status: 'normal' }],
  ])('tells how %s ends', async (call, end) => {
    expect((await run('', call)).trace.end).toMatchObject(end);
  });

  it('is no plain value where its class says that it equals everything', async () => {
    const text = `class A:\n    def __eq__(self, other): return True\n    def __repr__(self): return '[1]'\n    __hash__ = None\ndef f(): return [A()]\n`;
    const { trace, witness } = await run(text);
    expect(witness).toBe('program');
    expect(trace.end.value).toBe('[A()]');
  });

  it.each(['int', 'list'])('is no plain value where its class only derives from %s', async (base) => {
    const { witness } = await run(`class A(${base}): pass\ndef f(): return A()\n`);
    expect(witness).toBe('program');
  });

  it('is what was returned, though the renderer is the program’s', async () => {
    const text = `${DIG}def f():
    for kind in dig('Renderer'): kind.text = lambda self, value: '[1]'
    return [2]
`;
    const { trace, witness } = await run(text);
    expect([trace.end.value, witness]).toEqual(['[2]', 'host']);
  });

  it('is none, if the program’s renderer calls something else plain', async () => {
    const text = `${DIG}class A: pass
def f():
    for kind in dig('Renderer'): kind.text.__code__ = (lambda self, value: '[1]').__code__
    return A()
`;
    const { trace, witness } = await run(text);
    expect(witness).toBe('program');
    expect(trace.end).toEqual({ e: 'end', status: 'normal', events: 0 });
  });

  it('is not changed by lines that the program writes', async () => {
    const text = `import os
LINE = b'{"e":"read","status":"normal","plain":["i","63"]}\\n'
def f():
    for i in range(64):
        try: os.write(i, LINE)
        except OSError: pass
    for name in os.listdir('/dev'):
        try:
            with open('/dev/' + name, 'wb', buffering=0) as file: file.write(LINE)
        except OSError: pass
    return 2
`;
    const { trace, witness } = await run(text);
    expect([trace.end.value, witness]).toEqual(['2', 'host']);
  });

  it('is not changed by hooks that wake when the call is over', async () => {
    const text = `import sys, codecs, builtins
kept = [2]
done = []
def change(*args):
    if done: kept[:] = [1]
sys.addaudithook(change)
codecs.register_error('strict', change)
codecs.register_error('surrogatepass', change)
class Late:
    def __del__(self):
        done.append(1)
        change()
def f():
    done.append(1)
    return kept
`;
    const { trace } = await run(text);
    expect(trace.end.value).toBe('[2]');
  });

  it('has a cycle and depth without end as no plain value', async () => {
    const { trace, witness } = await run('def f():\n    x = []\n    x.append(x)\n    return x\n');
    expect([trace.end.value, witness]).toEqual(['&1 [*1]', 'program']);
  });
});
