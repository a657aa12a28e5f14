/** @file Each difference from `bdb` that is on purpose (FEATURES.md), by a small program that shows it. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCpython } from '../python/cpython.ts';
import type { PythonRuntime } from '../python/types.ts';
import { compare } from './compare.ts';
import { type Driver, startDriver } from './driver.ts';
import { play } from './play.ts';
import { LIMITS } from './suite.ts';
import type { Command } from './types.ts';

const python = (() => {
  try {
    return execFileSync('python3', ['--version'], { encoding: 'utf8' });
  } catch {
    return null;
  }
})();
const minor = Number(/ 3\.(\d+)/.exec(python ?? '')?.[1] ?? 0);

const steps = (n: number): Command[] => Array<Command>(n).fill(['step']);

interface Example {
  readonly rule: string;
  readonly text: string;
  readonly commands: readonly Command[];
  /** Minor versions of Python 3 that show it. */
  readonly from?: number;
  readonly to?: number;
  /** Where the engine is after the last command. */
  readonly at?: string;
}

const GENERATOR = 'def g():\n    yield 1\n    yield 2\nfor v in g():\n    pass\nend = 1\n';

const EXAMPLES: readonly Example[] = [
  {
    rule: 'same-statement',
    text: 'x = max(\n    1,\n    2)\ny = 2\n',
    commands: steps(1),
    at: 'line <module>:4',
  },
  {
    rule: 'breakpoint-in-statement',
    text: 'n = 0\nwhile n < 3: n += 1\nend = n\n',
    commands: [['break', 2], ['continue'], ['continue']],
    at: 'end',
  },
  {
    rule: 'until-in-statement',
    text: 'for i in (1, 2):\n    a = [\n        i,\n        2]\nend = 1\n',
    commands: [['step'], ['until']],
    at: 'line <module>:5',
  },
  {
    rule: 'until-in-statement',
    text: 'def d(f):\n    return f\n@d\ndef f(): pass\n@d\ndef g(): pass\n',
    commands: [['until', 3]],
    at: 'line <module>:4',
  },
  {
    rule: 'comprehension-frame',
    text: 'x = [v for v in (1, 2)]\ny = 1\n',
    commands: steps(1),
    to: 11,
    at: 'line <module>:2',
  },
  {
    rule: 'comprehension-target',
    text: 'def f():\n    v = 1\n    return [1 // v for v in (0,)]\nf()\n',
    commands: steps(5),
    from: 12,
  },
  { rule: 'declaration', text: 'x = 0\ny: int\nz = 1\n', commands: steps(1), at: 'line <module>:3' },
  { rule: 'class-header', text: 'class A:\n    x = 1\n', commands: steps(2), at: 'line A:2' },
  {
    rule: 'phantom-case-line',
    text: 'def f(x):\n    match x:\n        case int():\n            if x > 5:\n                x = 0\n    return x\nf(1)\n',
    commands: steps(8),
    to: 10,
  },
  {
    rule: 'iterator-end',
    text: 'class C:\n    def __iter__(self):\n        return self\n    def __next__(self):\n        raise StopIteration\nfor v in C():\n    pass\nend = 1\n',
    commands: [['break', 6], ['continue'], ...steps(7)],
    at: 'line <module>:8',
  },
  {
    rule: 'closing',
    text: 'def g():\n    yield 1\ni = g()\nnext(i)\ni.close()\nend = 1\n',
    commands: [['break', 5], ['continue'], ['step']],
    to: 12,
    at: 'line <module>:6',
  },
  {
    rule: 'unwinding',
    text: 'def f():\n    1 // 0\ntry:\n    f()\nexcept ZeroDivisionError:\n    pass\n',
    commands: [['break', 2], ['continue'], ['step'], ['step']],
    at: 'exception <module>:4',
  },
  {
    rule: 'generator-yield',
    text: GENERATOR,
    commands: [['break', 2, { temporary: true }], ['continue'], ['next']],
    at: 'yield g:2',
  },
  {
    rule: 'generator-end',
    text: GENERATOR,
    commands: [['break', 2, { temporary: true }], ['continue'], ['return']],
    at: 'return g:3',
  },
  {
    rule: 'generator-stop-elsewhere',
    text: 'def g():\n    try:\n        h()\n    except StopIteration:\n        pass\n    yield 1\ndef h():\n    raise StopIteration\nlist(g())\n',
    commands: [['break', 3], ['continue'], ['break', 8], ['continue'], ['delete', 2], ['return'], ['return']],
  },
  {
    rule: 'caller-beyond-library',
    text: 'import re\ndef f(m):\n    return "b"\nx = re.sub("a", f, "a")\ny = 1\n',
    commands: [['break', 3], ['continue'], ['return'], ['return']],
  },
  {
    rule: 'recursion-limit',
    // The library's frames take the room that each side has beyond the limit; an older Python ends the recording there.
    text: [
      'import functools, sys',
      'sys.setrecursionlimit(150)',
      'deep = 0',
      ...Array<string>(4).fill('@functools.singledispatch'),
      'def f(n):',
      '    global deep',
      '    deep = n',
      '    f(n + 1)',
      'try:',
      '    f(1)',
      'except RecursionError:',
      '    pass',
      'end = 1',
      '',
    ].join('\n'),
    from: 13,
    commands: Array<Command>(9).fill(['next']),
  },
];

const shows = ({ from = 0, to = 99 }: Example) => minor >= from && minor <= to;

describe.skipIf(!python)('on purpose (needs python3)', () => {
  let driver: Driver;
  let runtime: PythonRuntime;
  beforeAll(async () => {
    driver = await startDriver('python3');
    runtime = await createCpython({ pool: true, workers: 1, wall: 'none' });
  });
  afterAll(async () => {
    await driver.close();
    await runtime.close();
  });

  it.each(EXAMPLES.filter(shows).map((example) => [example.rule, example] as const))(
    '%s',
    async (rule, example) => {
      const asked = { id: rule, text: example.text, commands: example.commands };
      const [bdb, npdb] = [await driver.drive(asked), await play(asked, { runtime, limits: LIMITS })];
      const { parting, rules, ended } = compare(bdb, npdb);
      expect(parting).toBeNull();
      expect([...Object.keys(rules), ended]).toContain(rule);
      const last = npdb.stops.at(-1)!;
      if (example.at === 'end') expect(npdb.end.exit).toBe('normal');
      else if (example.at) expect(`${last.kind} ${last.fn}:${last.line}`).toBe(example.at);
    },
  );
});

it('are all tabled, each with its reason', async () => {
  const features = readFileSync(new URL('../../FEATURES.md', import.meta.url), 'utf8');
  const page = readFileSync(new URL('../../scripts/differential-page.mjs', import.meta.url), 'utf8');
  for (const { rule } of EXAMPLES) {
    expect(features).toContain(`| \`${rule}\` |`);
    expect(page).toMatch(new RegExp(`^  '?${rule}'?:`, 'm'));
  }
});
