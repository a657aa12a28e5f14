import { existsSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseProgram } from './index.ts';
import type { Program } from './types.ts';

/** What holds for every program, whatever its text; one assertion, since it runs thousands of times. */
function expectSound(p: Program): void {
  const faults: string[] = [];
  const check = (holds: boolean, what: string) => {
    if (!holds) faults.push(what);
  };
  for (const { id } of p.scopes) {
    const lines = p.linesOf(id);
    const all = new Set(lines);
    check(
      lines.every((line, i) => i === 0 || line > (lines[i - 1] as number)),
      `${id}: ascending`,
    );
    check(
      p.entriesOf(id).every((line) => all.has(line)),
      `${id}: entries`,
    );
    const edges = new Set(p.entriesOf(id).map((line) => `0 ${line}`));
    for (const line of lines) {
      const unit = p.unit(id, line);
      check(unit?.line === line && unit.scope === id && unit.endLine >= line, `${id} ${line}: unit`);
      const { normal, exception } = p.successors(id, line);
      for (const next of [...normal, ...exception]) {
        check(all.has(next) && next !== line, `${id} ${line}: successor ${next}`);
        edges.add(`${line} ${next}`);
      }
      check(
        p.callTargets(id, line).every((target) => p.scopes[target]),
        `${id} ${line}: targets`,
      );
    }
    const back = new Set(lines.flatMap((line) => p.predecessors(id, line).map((from) => `${from} ${line}`)));
    check(back.size === edges.size && [...back].every((edge) => edges.has(edge)), `${id}: predecessors`);
  }
  expect({ text: p.text, faults }).toEqual({ text: p.text, faults: [] });
}

const words = fc.constantFrom(
  'x',
  'y',
  '1',
  "'s'",
  'f"{x}"',
  '(',
  ')',
  '[',
  ']',
  '{',
  '}',
  ':',
  ',',
  '.',
  '=',
  ':=',
  '+',
  '*',
  '**',
  '@',
  '->',
  ';',
  '\\',
  '#',
  'if',
  'elif',
  'else',
  'while',
  'for',
  'in',
  'try',
  'except',
  'finally',
  'with',
  'as',
  'match',
  'case',
  '_',
  'def',
  'class',
  'lambda',
  'return',
  'yield',
  'await',
  'async',
  'break',
  'continue',
  'pass',
  'raise',
  'global',
  'nonlocal',
  'del',
  'not',
  'import',
  'from',
  '\n',
  '\n  ',
  '\n    ',
  '\n\t',
  ' ',
  ' ',
  ' ',
  "'''",
  '"',
  'f"{',
  '\r',
  '\f',
  'é',
  '\u0000',
);

/** Valid suites, nested. */
const suite: fc.Arbitrary<string[]> = fc.letrec<{ suite: string[]; statement: string[] }>((tie) => {
  const block = tie('suite').map((lines) => lines.map((line) => `  ${line}`));
  const headed = (head: string, tails: readonly string[] = []) =>
    fc
      .tuple(block, ...tails.map(() => block))
      .map(([first, ...others]) => [
        head,
        ...(first as string[]),
        ...others.flatMap((lines, i) => [tails[i] as string, ...(lines as string[])]),
      ]);
  return {
    suite: fc
      .array(tie('statement'), { minLength: 1, maxLength: 3, depthIdentifier: 's' })
      .map((list) => list.flat()),
    statement: fc.oneof(
      { maxDepth: 4, depthIdentifier: 's' },
      fc.constantFrom<string[]>(
        ['a = b'],
        ['pass'],
        ['return a'],
        ['raise'],
        ['raise E'],
        ['a: int'],
        ['a; b; c'],
        ['f(', '1)'],
        ['if a: b = 1'],
        ['with a: return'],
        ['yield a'],
      ),
      headed('if a:'),
      headed('if a:', ['elif b:', 'else:']),
      headed('with a as b:'),
      headed('try:', ['finally:']),
      headed('try:', ['except A as e:', 'else:', 'finally:']),
      headed('try:', ['except A:', 'except:']),
      headed('try:', ['except* A:', 'except* B:']),
      headed('def f(a, *b):'),
      headed('while a:', ['else:']),
      headed('for a in b:', ['else:']),
      headed('while True:'),
      block.map((lines) => [
        'match a:',
        '  case [b, *_] if c:',
        ...lines.map((l) => `  ${l}`),
        '  case _:',
        '    pass',
      ]),
    ),
  };
}).suite;

describe('any text', () => {
  it('never throws, and what it gives is sound', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc.array(words, { maxLength: 60 }).map((list) => list.join('')),
          fc.array(words, { maxLength: 60 }).map((list) => list.join(' ')),
        ),
        (text) => expectSound(parseProgram(text)),
      ),
      { numRuns: 600 },
    );
  });

  it('reads nested suites without errors', () => {
    fc.assert(
      fc.property(suite, (lines) => {
        const p = parseProgram(['def g():', ...lines.map((line) => `  ${line}`)].join('\n'));
        expect(p.errors).toEqual([]);
        expectSound(p);
      }),
      { numRuns: 60 },
    );
  });

  it.each([
    ['brackets', '('.repeat(5000)],
    ['closed brackets', `${'['.repeat(5000)}${']'.repeat(5000)}`],
    ['operators', `x = ${'-'.repeat(20_000)}1`],
    ['negations', `x = ${'not '.repeat(20_000)}1`],
    ['lambdas', `x = ${'lambda: '.repeat(20_000)}1`],
    ['powers', `x = ${'1 ** '.repeat(20_000)}1`],
    ['conditions', `x = ${'1 if a else '.repeat(20_000)}1`],
    ['attributes', `x = a${'.b'.repeat(20_000)}`],
    ['formatted strings', `x = ${'f"{'.repeat(5000)}`],
    ['indents', Array.from({ length: 2000 }, (_, i) => `${' '.repeat(i)}if x:`).join('\n')],
    ['patterns', `match x:\n  case ${'('.repeat(150)}${')'.repeat(150)}: pass`],
  ])('survives %s without end', (_, text) => {
    expectSound(parseProgram(text));
  });

  it.each([
    ['sums', `x = ${'a + '.repeat(20_000)}a`],
    ['branches', `if a: pass\n${'elif b: pass\n'.repeat(5000)}`],
    ['brackets as deep as CPython goes', `x = ${'('.repeat(190)}1${')'.repeat(190)}`],
    [
      'indents as deep as CPython goes',
      `${Array.from({ length: 95 }, (_, i) => `${' '.repeat(i)}if x:`).join('\n')}\n${' '.repeat(95)}y\n`,
    ],
    ['nothing', ''],
    ['a byte order mark', '\ufeffx = 1\n'],
    ['no last line end', 'if x:\n  y'],
  ])('takes %s', (_, text) => {
    expect(parseProgram(text).errors).toEqual([]);
  });

  it('takes time in proportion to its length', () => {
    const part =
      'def f(a):\n    for b in a:\n        try:\n            c = [d for d in b if g(d)]\n        finally:\n            e = 1\n    return c\n\n';
    const time = (n: number) => {
      const start = process.cpuUsage();
      const p = parseProgram(part.repeat(n));
      for (const { id } of p.scopes) for (const line of p.linesOf(id)) p.successors(id, line);
      const { user, system } = process.cpuUsage(start);
      return user + system;
    };
    time(100);
    const [small, large] = [Math.min(time(200), time(200)), Math.min(time(1600), time(1600))];
    // Eight times the text; a quadratic part would show as sixty-four.
    expect(large / small).toBeLessThan(32);
  });
});

describe('errors', () => {
  it.each([
    ['x = = 1', [1]],
    ['f() = 1', [1]],
    ['1 = x', [1]],
    ['None = x', [1]],
    ['print "x"', [1]],
    ['x +', [1]],
    ['if x\n  y\nz\n', [1]],
    ['if x:\ny\n', [2]],
    ['  x\n', [1]],
    ['if x:\n    y\n  z\n', [3]],
    ['x = (1,\ny = 2\n', [1, 2]],
    ['x = "abc\ny = 1\n', [1]],
    ['x = """abc\n', [1]],
    ["x = f'{'\n", [1]],
    ['return 1\n', [1]],
    ['class A:\n  return 1\n', [2]],
    ['yield 1\n', [1]],
    ['break\n', [1]],
    ['while a:\n  def f():\n    continue\n', [3]],
    ['def f():\n  await x\n', [2]],
    ['nonlocal x\n', [1]],
    ['try:\n  x\ny\n', [3]],
    ['else:\n  x\n', [1]],
    ['def f(x y): pass\n', [1]],
    ['class A(:\n  pass\n', [1]],
    ['a b\nc d\n', [1, 2]],
    ['x = 08\n', [1]],
    ['$\n', [1]],
  ])('%j', (text, lines) => {
    expect(parseProgram(text).errors).toEqual(lines);
  });

  it('keeps the line after a header without a block', () => {
    expect(parseProgram('if x:\ny\nz\n').linesOf(0)).toEqual([2, 3]);
  });

  it('loses only the broken line', () => {
    const p = parseProgram('def f(x):\n  y = = 1\n  return x\nz = f(1)\n');
    expect([p.errors, p.linesOf(0), p.linesOf(1), p.scopes.map((s) => s.qualname)]).toEqual([
      [2],
      [1, 4],
      [3],
      ['<module>', 'f'],
    ]);
  });

  it.each([
    'x = 1.; y = .5e-3j; z = 0xFF_FF + 0o17 + 0b1_0 + 1_000',
    'with (a as b, c as (d, e),): pass\nwith (a): pass\nwith (a, b): pass\nwith (a).b as c.d, e as f[0]: pass',
    'for x in *a, b: pass\nfor x, in y: pass\nfor (x) in y: pass',
    'match x, *y:\n  case {}: pass\n  case C(): pass\n  case []: pass\n  case (): pass\n  case -1 + 2j | "a" "b" | a.b: pass\n  case {a.b: _, 1: x, **r}: pass\n  case *a, b: pass',
    'match = case = type = _ = 1\nmatch(x)\nmatch[1]\nmatch.a\nprint(match, case)\nmatch x:\n  case match: pass',
    'match (n := f()):\n  case 1: pass\nmatch n := f():\n  case 1: pass',
    'type X[T: int, *Ts, **P] = list[T]\ndef f[T](x: T) -> T: ...\nclass A[T](B): ...',
    'def f(a, /, b=1, *args: int, c, d=2, **kw: str) -> (x): pass\nlambda *a, k=1, **b: (yield)\nlambda: 0',
    '@a.b[c](3)\n@(lambda f: f)\n@x if y else z\ndef f(): pass',
    'async def f():\n  async with a as b, c: pass\n  async for x in y: pass\n  return [x async for x in y if await z]',
    'g = (await x for x in y)',
    'x = yield_ = a if b else lambda: c\nx[1:2, ::3, ..., *a] = 1\nx: int; y.z: int = 3; (w): int',
    'del (a, b), [c], d[0], ()\nassert (a, b), c\nraise E from None\nnonlocal_ = 1',
    'from . import a; from .. import b as c; from ...x.y import (d, e as f,); from z import *\nimport a.b.c as d, e',
    'try: a\nexcept* (A, B) as e: b\ntry: a\nexcept (A): b\nexcept: c\nelse: d\nfinally: e',
    'f(*a, *b, c, k=1, **d, **e)\nf(x for x in y)\nf(a)(b)[c].d\nclass A(B, *C, metaclass=M, **k): pass',
    '{**a, "b": 1, c: d}\n{*a, 1}\n[*a, *b]\n{}\n{1: 2 for x in y}\n{1 for x in y}\n(*a, b)',
    'x = not a in b and c not in d or e is not f < g != h',
    'x = f"{a=}{b = !r}{c:{d}.{e}}{{}}" f\'\'\'{\nf\n}\'\'\' rb"\\\\" t"{g}"\n',
    'if x:\n\ty\n\tif z:\n\t\tw\n\n# c\n  # d\nelse:\n        v\n',
    'x = (  # c\n  1  # d\n)\ny = \\\n  2',
    'ﬁ = 1\nµ = é = 名 = 2',
  ])('takes %j', (text) => {
    expect(parseProgram(text).errors).toEqual([]);
  });
});

describe('training programs', () => {
  const path = new URL('../../../shared/data/train/thirty_seconds.jsonl.gz', import.meta.url);

  it.skipIf(!existsSync(path))('are all read, and sound (skipped where they are not at hand)', () => {
    for (const line of gunzipSync(readFileSync(path)).toString().trim().split('\n')) {
      const p = parseProgram((JSON.parse(line) as { code: string }).code);
      expect(p.errors).toEqual([]);
      expectSound(p);
    }
  });
});
