import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPyodide, type PyodideRuntime } from './pyodide.ts';
import { sandboxFlags } from './sandbox.ts';
import type { RunRequest, RunResult } from './types.ts';

const here = fileURLToPath(import.meta.url);
const file = (text: string) => ({ name: 'main.py', text });
const shown = ({ trace }: RunResult): string =>
  trace.events.map((event) => `${event.e} ${event.l}`).join(', ');
const said = ({ trace }: RunResult): string =>
  [...trace.events, trace.end].map((record) => record.o ?? '').join('');

/** Starting a process takes seconds: what need not have its own shares one, as trusted programs may. */
describe('the pyodide runtime', { timeout: 180_000 }, () => {
  let runtime: PyodideRuntime;
  const run = (text: string, rest: Partial<RunRequest> = {}): Promise<RunResult> =>
    runtime.run({ file: file(text), ...rest });
  beforeAll(async () => {
    runtime = createPyodide({ pool: true, workers: 1 });
    await runtime.prewarm();
  });
  afterAll(() => runtime.close());

  it('records a call', async () => {
    const result = await run('def f(x):\n    y = x + 1\n    return y\n', { call: 'f(3)', id: 'a' });
    expect(result.trace.end).toEqual({ e: 'end', status: 'normal', value: '4', events: 10 });
    expect(result.trace.header).toMatchObject({
      implementation: 'pyodide',
      python: expect.stringMatching(/^3\.14\./),
      hashSeed: '0',
    });
  });

  it('has the hash seed that the header says', async () => {
    const { trace } = await run('import sys\nx = sys.flags.hash_randomization\n');
    expect(trace.events.at(-1)!.set).toEqual({ x: '0' });
  });

  it('stops at the limits of events, output, memory and recursion', async () => {
    const events = await run('i = 0\nwhile True:\n    i += 1\n', { limits: { events: 100 } });
    expect(events.trace.end).toEqual({ e: 'end', status: 'cut', reason: 'events', events: 100 });
    const output = await run("while True:\n    print('x' * 1000)\n", { limits: { outputBytes: 5000 } });
    expect(output.trace.end).toMatchObject({ status: 'cut', reason: 'output' });
    const memory = await run("x = []\nwhile True:\n    x.append('a' * 10**7)\n", {
      limits: { memoryMb: 100 },
    });
    expect(memory.trace.end).toMatchObject({ status: 'cut', reason: 'memory' });
    // 10**12 is more than a 32-bit Python can even ask for.
    const huge = await run("x = 1\ny = 'a' * 10**12\n");
    expect(huge.trace.end.exception).toMatch(/OverflowError|MemoryError/);
    const deep = await run('def f(n):\n    return f(n + 1)\n', { call: 'f(0)' });
    expect(deep.trace.end).toMatchObject({
      status: 'error',
      exception: expect.stringMatching(/^RecursionError/),
    });
  });

  it('stops at the limit of time and keeps the events before', async () => {
    const result = await run('x = 1\nsum(range(10**10))\n', { limits: { timeMs: 3000 } });
    expect(result.trace.end).toMatchObject({ status: 'cut', reason: 'time', events: 3 });
    expect(shown(result)).toBe('call 1, line 1, line 2');
  });

  it('fills no disk and no memory by files and pipes', async () => {
    const full = [
      'f = open("x", "w")\nwhile True: f.write("a" * 10**6)\n',
      'open("y", "w").truncate(10**9)\n',
    ];
    const pipe = 'import os\nr, w = os.pipe()\nwhile True: os.write(w, b"a" * 10**7)\n';
    for (const text of [...full, pipe]) {
      expect((await run(text, { limits: { timeMs: 60_000 } })).trace.end.exception).toMatch(
        /^OSError\(51, 'No space left on device'/,
      );
    }
  });

  it('hands on input, arguments, exit status and uncaught exceptions', async () => {
    const io = await run('import sys\nprint(input(), sys.argv[1:])\nsys.exit(3)\n', {
      stdin: 'hi\n',
      argv: ['-x'],
    });
    expect(io.trace.end).toMatchObject({ status: 'exit', code: 3 });
    expect(said(io)).toBe("hi ['-x']\n");
    expect((await run('[][1]\n')).trace.end).toMatchObject({
      status: 'error',
      exception: "IndexError('list index out of range')",
    });
    expect((await run('import numpy\n')).trace.end.exception).toMatch(/^ModuleNotFoundError/);
  });

  it('makes edits and answers probes at a state', async () => {
    const text = 'def f(x):\n    y = x + 1\n    return y\n';
    const plain = await run(text, { call: 'f(3)' });
    const at = plain.trace.events.findIndex((event) => event.fn === 'f') + 1;
    const edited = await run(text, {
      call: 'f(3)',
      edits: [{ at, name: 'x', value: '40' }],
      probes: [{ at: at + 1, expressions: ['x + y', 'nope'] }],
    });
    expect(edited.trace.end.value).toBe('41');
    expect(edited.probes[0]).toEqual([
      { value: '81', type: 'int' },
      { error: "NameError: name 'nope' is not defined" },
    ]);
  });

  it('runs asyncio without a bridge to an event loop outside', async () => {
    const text =
      'import asyncio\nasync def f(x):\n    await asyncio.sleep(0.01)\n    return x\nasync def main():\n    return await asyncio.gather(f(1), f(2))\n';
    expect((await run(text, { call: 'asyncio.run(main())' })).trace.end.value).toBe('[1, 2]');
  });

  it('does the same again, random numbers included', async () => {
    const text = 'import os, random, uuid\nx = random.random()\ny = {"a", "b", object}\n';
    expect((await run(text)).trace.events).toEqual((await run(text)).trace.events);
  });
});

describe('the walls', { timeout: 180_000 }, () => {
  it('hold in JavaScript too, were it reached', async () => {
    const tries = `
      const name = (f) => { try { f(); return 'done'; } catch (error) { return error.code ?? error.name; } };
      console.log(JSON.stringify({
        code: name(() => ({}).constructor.constructor('return 1')()),
        eval: name(() => (0, eval)('1')),
        read: name(() => require('fs').readFileSync('/etc/hosts')),
        write: name(() => require('fs').writeFileSync('/tmp/npdb-escape', '')),
        child: name(() => require('child_process').execFileSync('/bin/true')),
        worker: name(() => new (require('worker_threads').Worker)('/x.js')),
        binding: name(() => process.binding('fs')),
        proto: String(({}).__proto__),
        environment: Object.keys(process.env).length,
      }));`;
    const flags = [...sandboxFlags([here]), '--input-type=commonjs', '-e', tries];
    const { stdout } = await promisify(execFile)(process.execPath, flags, { env: {} });
    expect(JSON.parse(stdout)).toEqual({
      code: 'EvalError',
      eval: 'EvalError',
      read: 'ERR_ACCESS_DENIED',
      write: 'ERR_ACCESS_DENIED',
      child: 'ERR_ACCESS_DENIED',
      worker: 'ERR_ACCESS_DENIED',
      binding: 'ERR_ACCESS_DENIED',
      proto: 'undefined',
      environment: 0,
    });
  });

  it('refuse to serve where the permission model is off', async () => {
    const sandbox = fileURLToPath(new URL('sandbox.mjs', import.meta.url));
    await expect(promisify(execFile)(process.execPath, [sandbox, '/x', '/y'])).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringContaining('permission model is off'),
    });
  });
});
