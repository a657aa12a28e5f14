/** @file The recorded engine against CPython's own `bdb`: a small seeded sample (`npm run verify -- differential` runs all). */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCpython } from '../python/cpython.ts';
import type { PythonRuntime } from '../python/types.ts';
import { compare } from './compare.ts';
import { type Driver, startDriver } from './driver.ts';
import { play } from './play.ts';
import { randomProgram } from './programs.ts';
import { check, LIMITS, type Subject } from './suite.ts';
import type { Command } from './types.ts';

const CASES = new URL('../../test/fixtures/cases/', import.meta.url);

const python = (() => {
  try {
    return execFileSync('python3', ['--version'], { encoding: 'utf8' });
  } catch {
    return null;
  }
})();

/** Cases of every kind; the others, and more sequences, in `verify`. */
const SAMPLE = ['s03', 's04', 's07', 's13', 's16', 's34', 's36', 's43'];
const RANDOM = [1, 2, 3];

describe.skipIf(!python)('the recorded engine and bdb (needs python3)', () => {
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

  const cases = readdirSync(CASES).filter((name) => SAMPLE.some((id) => name.startsWith(id)));
  const subjects: Subject[] = [
    ...cases.map((name) => ({ id: name, text: readFileSync(new URL(name, CASES), 'utf8') })),
    ...RANDOM.map((seed) => ({ id: `random ${seed}`, text: randomProgram(seed) })),
    { id: 'a call', text: 'def g(n):\n    for i in range(n):\n        yield i\n', call: 'list(g(3))' },
  ];

  it.each(subjects.map((subject) => [subject.id, subject] as const))(
    'stop alike in %s',
    async (_, subject) => {
      const options = { driver, runtime, sequences: 4, motions: 25, edits: 0, seed: 'test' };
      const { stops, unexplained } = await check(subject, options);
      expect(unexplained).toEqual([]);
      expect(stops).toBeGreaterThan(4);
    },
  );

  const both = async (text: string, commands: readonly Command[]) => {
    const asked = { id: 'test', text, commands };
    const bdb = await driver.drive(asked);
    const npdb = await play(asked, { runtime, limits: LIMITS });
    return { bdb, npdb, ...compare(bdb, npdb) };
  };

  it('finds a difference where there is one', async () => {
    const asked = { id: 'test', text: 'x = 1\ny = x\n', commands: [['step']] as Command[] };
    const bdb = await driver.drive(asked);
    const other = await play({ ...asked, text: 'x = 2\ny = x\n' }, { runtime, limits: LIMITS });
    expect(compare(bdb, other).parting).toMatchObject({
      at: 1,
      part: 'locals x',
      bdb: '1 at line <module>:2',
    });
  });

  it('set locals, nonlocals and globals, and go on with them', async () => {
    const text = [
      'total = 0',
      'def outer(n):',
      '    free = 1',
      '    def inner(m):',
      '        nonlocal free',
      '        global total',
      '        m = m + 0',
      '        free = free + m',
      '        total = total + free',
      '        return m',
      '    got = inner(n)',
      '    return got, free, total',
      'end = outer(2)',
      '',
    ].join('\n');
    const commands: Command[] = [
      ['break', 8],
      ['continue'],
      ['set', 'm', '10'],
      ['set', 'free', '100'],
      ['set', 'total', '1000'],
      ...Array<Command>(10).fill(['step']),
    ];
    const { npdb, parting } = await both(text, commands);
    expect(parting).toBeNull();
    expect(npdb.stops.at(-1)).toMatchObject({ value: 'None', locals: { end: '(10, 110, 1110)' } });
  });

  it('go on alike after the recursion limit', async () => {
    const text =
      'import sys\nsys.setrecursionlimit(60)\ndef f(n):\n    return f(n + 1)\ntry:\n    f(1)\nexcept RecursionError:\n    caught = 1\nend = caught\n';
    const { npdb, parting, ended } = await both(text, Array<Command>(250).fill(['step']));
    expect({ parting, ended }).toEqual({ parting: null });
    expect(npdb.end.exit).toBe('normal');
    expect(npdb.stops.filter(({ kind }) => kind === 'exception').length).toBeGreaterThan(50);
    expect(npdb.stops.at(-1)!.locals.caught).toBe('1');
  });

  it("show a caller's values as they are, not as it was last seen with them", async () => {
    const text = [
      'def f(items):',
      '    items.append(2)',
      '    return 0',
      'def g():',
      '    xs = [1]',
      '    count = 0',
      '    def h():',
      '        nonlocal count',
      '        count = 5',
      '        return f(xs)',
      '    h()',
      '    return xs, count',
      'g()',
      '',
    ].join('\n');
    const commands: Command[] = [
      ['break', 3],
      ['continue'],
      ['print', 'items'],
      ['print', 'xs', 1],
      ['print', 'xs', 2],
      ['print', '(count, len(xs), missing)', 2],
      ['print', 'count', 2],
      ['print', 'g', 9],
    ];
    const { bdb, npdb, parting } = await both(text, commands);
    expect(parting).toBeNull();
    expect(bdb.stops[1]!.printed).toEqual(npdb.stops[1]!.printed);
    expect(npdb.stops[1]!.printed!.slice(0, 5)).toEqual(['[1, 2]', '[1, 2]', '[1, 2]', '! NameError', '5']);
  });
});
