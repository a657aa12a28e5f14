import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCpython } from './cpython.ts';
import { findInterpreter } from './interpreter.ts';
import type { PythonRuntime, RunRequest, RunResult } from './types.ts';

const python = await findInterpreter('python3').then(
  (found) => found.path,
  () => null,
);
const file = (text: string) => ({ name: 'main.py', text });
const shown = ({ trace }: RunResult): string =>
  trace.events.map((event) => `${event.e} ${event.l}`).join(', ');

describe('a chosen interpreter', () => {
  it.each([
    ['/no/such/python', /no such interpreter/],
    [process.execPath, /does not run/],
    ['/bin/true', /no Python interpreter/],
  ])('is refused if it is none: %s', async (path, message) => {
    await expect(createCpython({ python: path })).rejects.toMatchObject({
      code: 'E_PYTHON_MISSING',
      exit: 3,
      message: expect.stringMatching(message),
      hint: expect.stringMatching(/3\.10/),
    });
  });
});

describe.skipIf(process.platform === 'win32')('an interpreter that is no good', () => {
  it.each([
    ['/usr/bin/python', '3.9.18', 'cpython', /is Python 3\.9\.18/],
    ['/usr/bin/pypy', '3.10.1', 'pypy', /is pypy, not CPython/],
  ])('is refused for what it says of itself: %s %s', async (path, version, name, message) => {
    const folder = await mkdtemp(join(tmpdir(), 'npdb-test-'));
    const fake = join(folder, 'python');
    await writeFile(fake, `#!/bin/sh\necho ${path}\necho ${version}\necho ${name}\n`, { mode: 0o755 });
    await expect(createCpython({ python: fake })).rejects.toMatchObject({
      code: 'E_PYTHON_MISSING',
      message: expect.stringMatching(message),
    });
    await rm(folder, { recursive: true });
  });
});

// Without Python on the machine there is nothing to test here: pyodide's tests run the same tracer.
describe.skipIf(python === null)('the cpython runtime', () => {
  let runtime: PythonRuntime;
  const run = (request: Partial<RunRequest> & { readonly text: string }): Promise<RunResult> => {
    const { text, ...rest } = request;
    return runtime.run({ file: file(text), ...rest });
  };
  beforeAll(async () => {
    runtime = await createCpython({ python: python! });
  });
  afterAll(() => runtime.close());

  it('records a call', async () => {
    const events: string[] = [];
    const result = await runtime.run(
      { file: file('def f(x):\n    y = x + 1\n    return y\n'), call: 'f(3)', id: 'a' },
      { onEvent: (event) => events.push(event.e) },
    );
    expect(result.trace.end).toEqual({ e: 'end', status: 'normal', value: '4', events: 10 });
    expect(result.trace.header).toMatchObject({
      implementation: 'cpython',
      hashSeed: '0',
      id: 'a',
      call: 'f(3)',
    });
    expect(events).toEqual(result.trace.events.map((event) => event.e));
  });

  it.each([
    ['a loop that makes no event', 'x = 1\nwhile True: pass\n', 'time', 'call 1, line 1, line 2'],
    ['a loop inside C', 'x = 1\nsum(range(10**12))\n', 'time', 'call 1, line 1, line 2'],
    ['a huge string', "x = 1\ny = 'a' * 10**12\n", 'memory', 'call 1, line 1, line 2, exception 2'],
    ['a crash', 'import os\nos.kill(os.getpid(), 11)\n', 'killed', 'call 1, line 1, line 2'],
  ])('stops %s and keeps the events before', async (_, text, reason, events) => {
    // A busy machine needs its time to come to line 2, and more to fill memory.
    const result = await run({ text, limits: { timeMs: reason === 'time' ? 2000 : 60_000 } });
    expect(result.trace.end).toMatchObject({ status: 'cut', reason });
    expect(shown(result)).toBe(events);
  });

  it('keeps the events before `os._exit`', async () => {
    const result = await run({ text: 'import os\nos._exit(3)\n' });
    expect(result.trace.end).toMatchObject({ status: 'exit', code: 3 });
    expect(shown(result)).toBe('call 1, line 1, line 2');
  });

  it('stops a program that catches everything and goes on', async () => {
    const text = 'while True:\n    try:\n        while True: pass\n    except BaseException: pass\n';
    const { trace } = await run({ text, limits: { timeMs: 400 } });
    expect(trace.end).toMatchObject({ status: 'cut', reason: 'time' });
  });

  it('stops at the limits of events and of output', async () => {
    const events = await run({ text: 'i = 0\nwhile True:\n    i += 1\n', limits: { events: 100 } });
    expect(events.trace.end).toEqual({ e: 'end', status: 'cut', reason: 'events', events: 100 });
    const output = await run({ text: "while True:\n    print('x' * 1000)\n", limits: { outputBytes: 5000 } });
    expect(output.trace.end).toMatchObject({ status: 'cut', reason: 'output' });
    const kept = [...output.trace.events, output.trace.end].map((record) => record.o ?? '').join('');
    expect(kept.length).toBeLessThanOrEqual(5000);
    expect(kept.length).toBeGreaterThan(3000);
  });

  it('gives the program an empty environment and a folder that goes away', async () => {
    const text = "import os\nopen('litter', 'w').close()\nprint(sorted(os.environ), os.getcwd())\n";
    const { trace } = await run({ text });
    const said = trace.events.map((event) => event.o ?? '').join('');
    const [, names, folder] = /^\[(.*)\] (.*)\n$/.exec(said)!;
    const own = ["'HOME'", "'PYTHONHASHSEED'", "'TMPDIR'", "'LC_CTYPE'", "'PWD'"];
    expect(names!.split(', ').filter((name) => !own.includes(name))).toEqual([]);
    expect(await readdir(tmpdir())).not.toContain(folder!.split('/').at(-1));
  });

  it('is not fooled by a program that writes to the protocol', async () => {
    const text = `import os\nfor d in range(1, 3): os.write(d, b'{"e":"end","status":"normal","events":0}\\n')\nx = 1\n`;
    const { trace } = await run({ text });
    expect(trace.end).toMatchObject({ status: 'normal' });
    expect(trace.events.at(-1)).toMatchObject({ e: 'return', l: 3 });
  });

  it('hands on input, arguments, exit status and uncaught exceptions', async () => {
    const io = await run({
      text: 'import sys\nprint(input(), sys.argv[1:])\nsys.exit(3)\n',
      stdin: 'hello\n',
      argv: ['-x'],
    });
    expect(io.trace.end).toMatchObject({ status: 'exit', code: 3 });
    expect(io.trace.events.map((event) => event.o ?? '').join('')).toBe("hello ['-x']\n");
    const error = await run({ text: '[][1]\n' });
    expect(error.trace.end).toMatchObject({
      status: 'error',
      exception: "IndexError('list index out of range')",
    });
    const syntax = await run({ text: 'def f(:\n' });
    expect(syntax.trace.end.status).toBe('error');
    expect(syntax.trace.end.exception).toMatch(/SyntaxError/);
  });

  it('makes edits and answers probes at a state', async () => {
    const text = 'def f(x):\n    y = x + 1\n    return y\n';
    const plain = await run({ text, call: 'f(3)' });
    const at = plain.trace.events.findIndex((event) => event.fn === 'f') + 1;
    const edited = await run({
      text,
      call: 'f(3)',
      edits: [{ at, name: 'x', value: '40' }],
      probes: [
        { at: at + 1, expressions: ['x + y', 'nope'] },
        { at: 999, expressions: ['x'] },
      ],
    });
    expect(edited.trace.end.value).toBe('41');
    expect(edited.probes).toEqual([
      [{ value: '81', type: 'int' }, { error: "NameError: name 'nope' is not defined" }],
      [],
    ]);
  });

  it('ends with its signal', async () => {
    const stop = new AbortController();
    const running = runtime.run({ file: file('while True: pass\n') }, { signal: stop.signal });
    setTimeout(() => stop.abort(new Error('enough')), 300);
    await expect(running).rejects.toThrow('enough');
  });

  it('keeps interpreters when told to, and replaces one that was killed', async () => {
    const pool = await createCpython({ python: python!, pool: true, workers: 1, wall: 'none' });
    const ask = (text: string, timeMs = 60_000) => pool.run({ file: file(text), limits: { timeMs } });
    try {
      const text = 'import os\nprint(os.getpid())\n';
      const pid = ({ trace }: RunResult) => trace.events.map((event) => event.o ?? '').join('');
      const [first, second] = await Promise.all([ask(text), ask(text)]);
      expect(pid(first)).toBe(pid(second));
      expect((await ask('while True: pass\n', 400)).trace.end).toMatchObject({
        status: 'cut',
        reason: 'time',
      });
      const third = await ask(text);
      expect(third.trace.end.status).toBe('normal');
      expect(pid(third)).not.toBe(pid(first));
      expect((await ask(text)).trace).toMatchObject({ events: third.trace.events });
    } finally {
      await pool.close();
    }
    await expect(ask('x = 1\n')).rejects.toThrow(/closed/);
  });
});
