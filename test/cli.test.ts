/** @file The command line as a user meets it: the built program in a child process. */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const npdb = join(root, 'bin', 'npdb.js');

interface Run {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

function run(
  args: readonly string[],
  stdin = '',
  env: Record<string, string> = { NO_COLOR: '1' },
  cwd = root,
): Promise<Run> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [npdb, ...args], {
      cwd,
      env: { ...process.env, ...env },
    });
    let out = '';
    let err = '';
    child.stdout.on('data', (c) => (out += c));
    child.stderr.on('data', (c) => (err += c));
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, out, err }));
    child.stdin.end(stdin);
  });
}

let folder: string;
const file = (name: string, text: string): string => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'npdb-cli-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** One line on stderr, beginning with the code; the status documented for it. */
function failsWith(result: Run, code: string, status: number): void {
  expect(result.err.trim().split('\n')).toHaveLength(1);
  expect(result.err).toMatch(new RegExp(`^${code}: `));
  expect(result.code).toBe(status);
}

describe('bad input gives one line with a stable code, and says what to do', () => {
  it.each([
    ['an unknown verb', ['nonsense'], 'E_VERB', 2],
    ['an unknown option', ['trace', '--nonsense'], 'E_USAGE', 2],
    ['a file that is not there', ['trace', '/no/such.py'], 'E_FILE', 3],
    ['a call that is no call', ['debug', 'examples/discount.py', '3'], 'E_CALL', 2],
    ['a function that does not exist', ['debug', 'examples/discount.py', 'nothing(1)'], 'E_FUNCTION', 2],
    ['arguments that do not fit', ['debug', 'examples/discount.py', 'cut(1)'], 'E_ARGUMENTS', 2],
    [
      'a missing model',
      ['debug', 'examples/discount.py', 'cut(1, 2)', '--model', '/no/model'],
      'E_MODEL_MISSING',
      3,
    ],
    [
      'a missing interpreter',
      ['trace', 'examples/discount.py', '--python', '/no/python'],
      'E_PYTHON_MISSING',
      3,
    ],
    ['a program set that is not there', ['eval', 'next-state', '--programs', '/no/set.jsonl'], 'E_FILE', 3],
    [
      'an action that does not exist',
      ['eval', 'next-state', '--programs', 'examples/programs.jsonl', '--action', 'fly'],
      'E_ACTION',
      2,
    ],
    ['trace: a call that is no call', ['trace', 'examples/discount.py', '3'], 'E_CALL', 2],
    [
      'trace: a function that does not exist',
      ['trace', 'examples/discount.py', 'nothing(1)'],
      'E_FUNCTION',
      2,
    ],
    [
      'trace: a path that cannot be written',
      ['trace', 'examples/discount.py', '-o', '/no/such/x.jsonl', '--python', 'python3'],
      'E_WRITE',
      3,
    ],
    [
      'trace: a folder instead of a file',
      ['trace', 'examples/discount.py', '-o', 'examples', '--python', 'python3'],
      'E_WRITE',
      3,
    ],
    [
      'a program set as the place of generated programs',
      ['dataset', '--programs', 'examples/programs.jsonl', '-o', '/tmp/nothing.jsonl'],
      'E_USAGE',
      2,
    ],
    [
      'a missing model before programs are recorded',
      [
        'eval',
        'next-state',
        '--programs',
        'examples/programs.jsonl',
        '--model',
        '/no/model',
        '--python',
        '/no/python',
      ],
      'E_MODEL_MISSING',
      3,
    ],
    ['nothing to build', ['dataset', '-o', '/tmp/nothing'], 'E_USAGE', 2],
  ] as const)('%s', async (_, args, code, status) => {
    const result = await run([...args]);
    expect(result.err).toMatch(new RegExp(`^${code}: `));
    expect(result.code).toBe(status);
    expect(result.err.trim().split('\n')).toHaveLength(1);
  });

  it('a syntax error, with its line', async () => {
    const bad = file('bad.py', 'def f(x):\n    return x +\n');
    failsWith(await run(['debug', bad, 'f(1)']), 'E_SYNTAX', 2);
    failsWith(await run(['trace', bad]), 'E_SYNTAX', 2);
  });

  it('no evaluation named: the help, then a plain line', async () => {
    const result = await run(['eval']);
    expect(result.err).toContain('next-state');
    expect(result.err.trim().split('\n').at(-1)).toMatch(/^E_USAGE: Which evaluation\?/);
    expect(result.code).toBe(2);
  });

  it('a broken program set, with its line', async () => {
    const set = file('set.jsonl', '{"id": "a", "code": "x = 1", "calls": []}\nnot json\n');
    const result = await run(['eval', 'next-state', '--programs', set]);
    failsWith(result, 'E_PROGRAM_SET', 3);
    expect(result.err).toContain('line 2');
  });
});

describe('npdb trace exits 0 whatever the program does, and says how it ended', () => {
  const python = ['--python', 'python3'];
  const last = (text: string) => JSON.parse(text.trim().split('\n').at(-1)!) as Record<string, unknown>;

  it.each([
    ['imports what is not there', 'import no_such_module\n', { status: 'error' }],
    ['reads stdin that is empty', 'input()\n', { status: 'error' }],
    ['exits', 'import sys\nsys.exit(3)\n', { status: 'exit', code: 3 }],
    ['recurses for ever', 'def f(n):\n    return f(n + 1)\nf(0)\n', { status: 'error' }],
    ['prints without end', 'while True:\n    print("x" * 100000)\n', { status: 'cut', reason: 'output' }],
    ['raises', 'x = 1\nx / 0\n', { status: 'error', exception: "ZeroDivisionError('division by zero')" }],
    ['begins with a byte-order mark', '\uFEFFx = 1\n', { status: 'normal' }],
  ] as const)('a program that %s', async (name, text, end) => {
    const result = await run(['trace', file(`${name.replaceAll(' ', '-')}.py`, text), ...python]);
    expect(result.code).toBe(0);
    expect(last(result.out)).toMatchObject(end);
  });

  it('writes a file whole, and leaves no part', async () => {
    const path = join(folder, 'out.jsonl');
    const result = await run(['trace', 'examples/discount.py', 'cut(3, 1)', '-o', path, ...python]);
    expect(result).toMatchObject({ code: 0, out: '' });
    expect(last(readFileSync(path, 'utf8'))).toMatchObject({ status: 'normal', value: '2' });
    expect(existsSync(`${path}.part`)).toBe(false);
  });

  it('keeps what was written when it is interrupted, and the file that was there', async () => {
    const path = file('kept.jsonl', 'old\n');
    const spin = file('slow.py', 'import time\nn = 0\nwhile True:\n    n += 1\n    time.sleep(0.01)\n');
    const child = spawn(process.execPath, [npdb, 'trace', spin, '-o', path, ...python], { cwd: root });
    const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
    const written = () => existsSync(`${path}.part`) && readFileSync(`${path}.part`, 'utf8') !== '';
    while (!written()) await new Promise((resolve) => setTimeout(resolve, 50));
    child.kill('SIGINT');
    expect(await ended).toBe(130);
    expect(readFileSync(path, 'utf8')).toBe('old\n');
    const [first = ''] = readFileSync(`${path}.part`, 'utf8').split('\n');
    expect(JSON.parse(first)).toHaveProperty('e');
  });

  it('a program that never ends is cut, with its events kept', async () => {
    const path = file('spin.py', 'n = 0\nwhile True:\n    n += 1\n');
    const result = await run(['trace', path, '--events', '50', ...python]);
    expect(result.code).toBe(0);
    expect(result.out.trim().split('\n')).toHaveLength(52);
    expect(last(result.out)).toMatchObject({ status: 'cut', reason: 'events', events: 50 });
    expect(result.err).toContain('cut (events)');
  });
});

describe('entries beyond one file', () => {
  const project = join(root, 'test', 'fixtures', 'package');
  /** Made by `npm test`; pytest is in it. */
  const venv = join(root, '.venv', 'bin', 'python');
  const inProject = (args: readonly string[], stdin = '') => run(args, stdin, { NO_COLOR: '1' }, project);

  it.skipIf(!existsSync(venv))('a pytest test, whose outcome is told', async () => {
    const test = 'tests/test_count.py::test_wrong';
    const result = await inProject(['trace', '--python', venv, '-m', 'pytest', '-q', test]);
    expect(result.err).toContain('npdb: pytest: failed (1 failed)\n');
    expect(result.code).toBe(0);
    const [header, ...events] = result.out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(header.files.map(({ name }: { name: string }) => name)).toContain('tally/count.py');
    expect(events.map(({ fn }) => fn)).toContain('test_wrong');
  });

  it('a script with its modules, arguments and input, debugged across files', async () => {
    const debug = [
      'debug',
      'vote.py',
      '--engine',
      'recorded',
      '--python',
      'python3',
      '-c',
      'b count:6',
      '-c',
      'c',
      '-c',
      'l 6,7',
    ];
    const result = await inProject([...debug, '-c', 'full ballots', '-c', 'q', '--', 'ann', 'bob']);
    expect(result.err).toBe('');
    expect(result.out).toContain('Breakpoint 1 at tally/count.py:6\n> tally/count.py(6)tally()\n');
    expect(result.out).toContain('  6 B->\t    for ballot in ballots:\n');
    expect(result.out).toContain("[Ballot(choices=['ann']), Ballot(choices=['bob'])]\n");
    const input = await inProject(['trace', 'vote.py', '--python', 'python3', '--stdin', '-'], 'x y x\n');
    expect(input.out).toContain('"o":"x\\n"');
  });

  it.each([
    ['a module in the sandbox', ['trace', '--python', 'pyodide', '-m', 'tally'], 'E_PROJECT'],
    ['what is no module', ['trace', '-m', 'a b'], 'E_MODULE'],
    ['a prediction of a module', ['debug', '-m', 'tally'], 'E_USAGE'],
    ['arguments without their dashes', ['trace', 'vote.py', 'f(1)', 'x'], 'E_USAGE'],
  ])('refuses %s', async (_, args, code) => {
    const result = await inProject(args);
    expect(result.err).toContain(`${code}: `);
    expect(result.code).toBe(2);
  });
});

describe('npdb debug --engine recorded', () => {
  const base = [
    'debug',
    'examples/discount.py',
    'total([5, 2, 9], 3)',
    '--engine',
    'recorded',
    '--python',
    'python3',
  ];

  it('is a time-travel debugger: commands by -c, then by stdin', async () => {
    const result = await run([...base, '-c', 'b 11', '-c', 'c'], 'p result\n!result = 50\nn\nrs\nrn\nq\n');
    expect(result.code).toBe(0);
    expect(result.out).toContain('Breakpoint 1 at examples/discount.py:11');
    expect(result.out).toContain('> examples/discount.py(11)total()->50');
    expect(result.out.trim().split('\n').slice(-2)).toEqual([
      '> examples/discount.py(9)total()',
      '-> for price in prices:',
    ]);
  });

  it('evaluates what needs the program by running it again to that state', async () => {
    const result = await run([...base, '-c', 'n', '-c', 'p cut(10, 4)', '-c', 'p nothing', '-c', 'q']);
    expect(result.out).toContain('\n6\n');
    expect(result.out).toContain("*** NameError: name 'nothing' is not defined");
  });

  it('gives one JSON object per command', async () => {
    const result = await run([...base, '--json', '-c', 'n', '-c', 'q']);
    const objects = result.out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(objects[1]).toMatchObject({ command: 'n', position: { id: 1, origin: 'real' } });
  });

  it('tells in JSON why a command failed, and nothing of its own keeping or colours', async () => {
    const result = await run([...base, '--json', '-c', 'n', '-c', 'p nothing', '-c', 'q'], '', {
      FORCE_COLOR: '1',
    });
    const objects = result.out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(objects[1]).not.toHaveProperty('error');
    expect(objects[1].position.outcome.state).not.toHaveProperty('beyond');
    expect(objects[2].error).toEqual({
      code: 'E_EVALUATION',
      message: "NameError: name 'nothing' is not defined",
      hint: '',
    });
    expect(result.out).not.toContain('\\u001b[');
  });

  it('writes no colour codes where nobody looks, and refuses lost statements', async () => {
    const commands = ['n', 'prices.append(4)', 'discount += 1', 'p discount', 'q'].flatMap((c) => ['-c', c]);
    const result = await run([...base, ...commands], '', { FORCE_COLOR: '1' });
    expect(result.out).toContain('*** only NAME = VALUE can change the program\n4');
    expect(result.out).not.toContain('\u001b[');
  });

  it('says which function a function is', async () => {
    const result = await run([...base, '-c', 'whatis cut', '-c', 'q']);
    expect(result.out).toContain('\nFunction cut\n');
  });

  it('shows what the program writes to stderr', async () => {
    const path = file('err.py', 'import sys\nsys.stderr.write("oops\\n")\nx = 1\n');
    const commands = ['n', 'n', 'n', 'q'].flatMap((c) => ['-c', c]);
    const result = await run(['debug', path, '--engine', 'recorded', '--python', 'python3', ...commands]);
    expect(result.out).toContain('\noops\n');
  });

  it('debugs a script', async () => {
    const path = file('script.py', 'x = 1\ny = x + 1\nprint(y)\n');
    const result = await run([
      'debug',
      path,
      '--engine',
      'recorded',
      '--python',
      'python3',
      '-c',
      'n',
      '-c',
      'n',
      '-c',
      'p x',
      '-c',
      'c',
      '-c',
      'q',
    ]);
    expect(result.out).toContain('-> y = x + 1');
    expect(result.out).toContain('The program finished');
  });
});

it("every verb's help begins with an example", async () => {
  for (const args of [
    ['debug'],
    ['demo'],
    ['trace'],
    ['dataset'],
    ['train'],
    ['mcp'],
    ['env'],
    ['eval', 'next-state'],
    ['eval', 'cruxeval'],
  ]) {
    const result = await run([...args, '--help']);
    expect(result.code).toBe(0);
    expect(result.out).toMatch(/^Example:\n {2}npdb /);
  }
});

it('the example programs are what the set says', () => {
  const lines = readFileSync(join(root, 'examples/programs.jsonl'), 'utf8').trim().split('\n');
  const first = JSON.parse(lines[0]!) as { code: string };
  expect(first.code).toBe(readFileSync(join(root, 'examples/discount.py'), 'utf8'));
});
