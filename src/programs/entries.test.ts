import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { entryEvent } from '../debugger/entry.ts';
import { RecordedDebugger } from '../debugger/recorded.ts';
import { start } from '../debugger/start.ts';
import { createCpython, createPyodide, type PythonRuntime, type RunRequest } from '../python/index.ts';
import { topOf } from '../state/index.ts';
import { parseTrace, type Trace, traceText } from '../trace/index.ts';
import { moduleRequest, scriptRequest } from './entries.ts';
import { localModules } from './imports.ts';
import { pytestOutcome } from './pytest.ts';

const folder = fileURLToPath(new URL('../../test/fixtures/package', import.meta.url));
const vote = readFileSync(join(folder, 'vote.py'), 'utf8');
/** Made by `npm test`; pytest is in it. */
const venv = fileURLToPath(new URL('../../.venv/bin/python', import.meta.url));
const names = (trace: Trace) => trace.header.files.map(({ name }) => name);
const output = (trace: Trace) => [...trace.events, trace.end].map(({ o }) => o ?? '').join('');
const functions = (trace: Trace) => trace.events.filter((event) => event.e === 'call').map(({ fn }) => fn);

describe('the local modules of a script', () => {
  let home: string;
  beforeAll(() => {
    home = mkdtempSync(join(tmpdir(), 'npdb-modules-'));
    const write = (name: string, text: string) => {
      mkdirSync(dirname(join(home, name)), { recursive: true });
      writeFileSync(join(home, name), text);
    };
    write('one.py', 'import two\nimport os, pkg.deep.leaf as leaf\n');
    write('two.py', 'from pkg import (\n  side,  # a module\n  NAME,\n)\n');
    write('pkg/__init__.py', 'from . import *\nNAME = 1\n');
    write('pkg/side.py', 'from .deep import other\nimport one\n');
    write('pkg/unused.py', '');
    write('pkg/deep/leaf.py', 'from .. import side\n');
    write('pkg/deep/other.py', 'from ..late import x\n');
    write('pkg/late.py', '\uFEFFx = 1\n');
  });
  afterAll(() => rmSync(home, { recursive: true }));

  it('are followed from file to file', () => {
    const found = localModules('try:\n    import one\nexcept ImportError: import zlib\n', home);
    expect(found.map(({ name }) => name)).toEqual([
      'one.py',
      'pkg/__init__.py',
      'pkg/deep/leaf.py',
      'pkg/deep/other.py',
      'pkg/late.py',
      'pkg/side.py',
      'two.py',
    ]);
    expect(found.find(({ name }) => name === 'pkg/late.py')?.text).toBe('x = 1\n');
  });

  it('are none where a script imports the library', () => {
    expect(localModules('import json, re\nfrom os import path\n', home)).toEqual([]);
    expect(scriptRequest('x.py', 'import json\n', 'cpython', { folder: home })).toEqual({
      file: { name: 'main.py', text: 'import json\n' },
    });
  });
});

describe('what pytest made of a run', () => {
  const trace = (code: number, o: string) =>
    ({ events: [{ o: 'x\n' }], end: { status: 'exit', code, o } }) as unknown as Trace;
  it('is read from its exit status and its last line', () => {
    expect(pytestOutcome(trace(1, '.F\n== 1 failed, 1 passed in 0.12s (0:00:01) ==\n'))).toEqual({
      outcome: 'failed',
      summary: '1 failed, 1 passed',
    });
    expect(pytestOutcome(trace(0, '..\n2 passed in 0.12s\n')).summary).toBe('2 passed');
    expect(pytestOutcome(trace(5, '')).outcome).toBe('no tests');
    expect(pytestOutcome({ events: [], end: { status: 'cut' } } as unknown as Trace).outcome).toBe('cut');
  });
});

it('a module must have a name', () => {
  expect(() => moduleRequest("os'); evil('", { folder })).toThrow(
    expect.objectContaining({ code: 'E_MODULE' }),
  );
});

let sandboxed: Trace;
describe('the sandbox', () => {
  let runtime: PythonRuntime;
  beforeAll(() => {
    runtime = createPyodide();
  });
  afterAll(() => runtime.close());

  it('gets copies of the modules that a script can reach', async () => {
    const request = scriptRequest(join(folder, 'vote.py'), vote, 'pyodide', { folder, argv: ['ann'] });
    const { trace } = await runtime.run(request);
    sandboxed = trace;
    expect(names(trace)).toEqual(['vote.py', 'tally/__init__.py', 'tally/ballot.py', 'tally/count.py']);
    expect(output(trace)).toBe('ann\n');
    expect(parseTrace(traceText(trace))).toEqual(trace);
  });

  it('runs nothing where it lies', async () => {
    await expect(runtime.run(moduleRequest('tally', { folder }))).rejects.toMatchObject({
      code: 'E_PROJECT',
      hint: expect.stringContaining('--python'),
    });
  });
});

describe.skipIf(!existsSync(venv))('CPython', () => {
  let runtime: PythonRuntime;
  beforeAll(async () => {
    runtime = await createCpython({ python: venv });
  });
  afterAll(() => runtime.close());
  const run = async (request: RunRequest) => (await runtime.run(request)).trace;
  const script = (argv: readonly string[], stdin?: string) =>
    scriptRequest('vote.py', vote, 'cpython', { folder, argv, ...(stdin === undefined ? {} : { stdin }) });

  it('runs a script where it lies, with its arguments and input, and records its modules', async () => {
    const trace = await run(script(['ann', 'bob', 'ann']));
    expect(names(trace)).toEqual(['vote.py', 'tally/__init__.py', 'tally/ballot.py', 'tally/count.py']);
    expect(output(trace)).toBe('ann\n');
    expect(functions(trace).filter((fn) => fn === '<module>')).toHaveLength(4);
    expect(functions(trace)).toContain('Ballot.__init__');
    expect(output(await run(script([], 'bob bob\n')))).toBe('bob\n');
  });

  it('records the same events as a run from copies', async () => {
    const request = scriptRequest(join(folder, 'vote.py'), vote, 'pyodide', { folder, argv: ['ann'] });
    const copies = await run(request);
    const inPlace = await run(script(['ann']));
    expect(copies.events).toEqual(inPlace.events);
    expect(copies.events).toEqual(sandboxed.events);
    expect(copies.header.files).toEqual(inPlace.header.files);
  });

  it('does not hand on one program’s modules to the next', async () => {
    const pool = await createCpython({ python: venv, pool: true });
    const files = async (text: string) => {
      const modules = [{ name: 'm.py', text }];
      const { trace } = await pool.run({
        file: { name: 'a.py', text: 'import m\nprint(m.x)\n' },
        modules,
      });
      return [...names(trace), output(trace)];
    };
    expect(await files('x = 1\n')).toEqual(['a.py', 'm.py', '1\n']);
    expect(await files('x = 22\n')).toEqual(['a.py', 'm.py', '22\n']);
    await pool.close();
  });

  it('runs a module as `python -m` does', async () => {
    const trace = await run(moduleRequest('tally', { folder, argv: ['x', 'y', 'x'] }));
    expect(trace.end).toMatchObject({ status: 'exit', code: 0 });
    expect(output(trace)).toBe('x\n');
    expect(names(trace)[0]).toBe('<main>');
    expect(names(trace)).toContain('tally/__main__.py');
  });

  it('records a pytest test and what it calls, not pytest', async () => {
    const argv = ['-q', 'tests/test_count.py::test_counts[3]'];
    const trace = await run(moduleRequest('pytest', { folder, argv }));
    expect(pytestOutcome(trace)).toEqual({ outcome: 'passed', summary: '1 passed' });
    expect(names(trace).slice(1)).toEqual([
      'tests/test_count.py',
      'tally/__init__.py',
      'tally/ballot.py',
      'tally/count.py',
    ]);
    const [test] = trace.events.filter((event) => event.e === 'call' && event.fn === 'test_counts');
    expect(test).toMatchObject({ s: 1, p: 0, set: { n: '3' } });
    expect(functions(trace)).toContain('tally');
    // What pytest adds to a rewritten `assert` is none of the program's.
    expect(JSON.stringify(trace.events)).not.toContain('"@py');
  });

  it('says that a test failed, and shows where', async () => {
    const argv = ['-q', 'tests/test_count.py::test_wrong', 'tests/test_count.py::test_tie'];
    const trace = await run(moduleRequest('pytest', { folder, argv }));
    expect(pytestOutcome(trace)).toEqual({ outcome: 'failed', summary: '1 failed, 1 passed' });
    const raised = trace.events.find((event) => event.e === 'exception' && event.l === 32);
    expect(raised?.v).toContain('AssertionError');
  });

  it('records only below the roots', async () => {
    const { trace } = await runtime.run(
      scriptRequest('vote.py', vote, 'cpython', { folder, roots: ['tests'], argv: ['ann'] }),
    );
    expect(names(trace)).toEqual(['vote.py']);
    expect(output(trace)).toBe('ann\n');
  });

  it('can be debugged across files, from any call', async () => {
    const { programs, entry } = start(vote, undefined, 'vote.py');
    const request = script(['ann', 'bob', 'ann']);
    const lent = { ...runtime, close: async () => {} };
    const debug = await RecordedDebugger.start({ programs, runtime: lent, request, entry });
    expect(debug.programs.map(({ name }) => name)).toContain('tally/count.py');
    const file = debug.programs.findIndex(({ name }) => name === 'tally/count.py');
    const { outcome } = await debug.act({ type: 'breakpoint', file, line: 6 });
    expect(outcome.type === 'state' && topOf(outcome.state)).toMatchObject({ file, line: 6, fn: 'tally' });
    expect(outcome.type === 'state' && topOf(outcome.state).loops).toEqual([{ line: 6, count: 1 }]);
    const value = await debug.evaluate('[b.first() for b in ballots]');
    expect(value).toMatchObject({ type: 'value', value: "['ann', 'bob', 'ann']" });

    const at = { fn: 'Ballot.first', nth: 2 };
    const second = await RecordedDebugger.start({ programs, runtime: lent, request, entry: at });
    const first = second.current.outcome;
    expect(first.type === 'state' && first.state.stack).toHaveLength(1);
    expect(first.type === 'state' && topOf(first.state).locals.get('self')).toBe("Ballot(choices=['bob'])");
    expect(entryEvent(second.trace, { fn: 'first', nth: 4 })).toBeNull();
  });
});
