import { describe, expect, it } from 'vitest';
import { parseProgram } from './index.ts';

/** Unit number of each physical line, 0 for none. */
const unitsOf = (text: string) => {
  const p = parseProgram(text);
  expect(p.errors).toEqual([]);
  return p.lines.map((_, i) => p.unitAt(i + 1)?.line ?? 0);
};

describe('units', () => {
  it.each([
    ['a simple statement over several lines', 'x = (\n  1,\n  2)\ny\n', [1, 1, 1, 4]],
    ['a header up to its colon', 'if (a and\n    b\n):\n  c\n', [1, 1, 1, 4]],
    ['spans that share a line, transitively', 'a; b = (\n1); c = [\n2]\nd\n', [1, 1, 1, 4]],
    ['a body that begins on the line of the colon', 'if (a\n): b = (\n1)\nc\n', [1, 1, 1, 4]],
    [
      'decorators with the definition, named by it',
      '@a(\n1)\n@b\ndef f(\n  x\n): pass\n',
      [4, 4, 4, 4, 4, 4],
    ],
    ['a class on one line', 'class A: x = 1\n', [1]],
    [
      'no unit for else, finally, blanks and comments',
      'try:\n  a\nexcept A:\n  b\nelse:\n  c\nfinally:\n\n  # d\n  e\n',
      [1, 2, 3, 4, 0, 6, 0, 0, 0, 10],
    ],
    ['else with its body on the same line', 'if a: b\nelse: c\n', [1, 2]],
    ['case with pattern and guard', 'match (\na):\n  case [\n    b] if (\n    b): c\n', [1, 1, 3, 3, 3]],
    ['strings over lines', 'x = """a\nb\n"""\ny\n', [1, 1, 1, 4]],
    ['formatted strings over lines', "x = f'''{\na\n}'''\ny\n", [1, 1, 1, 4]],
    ['continued lines', 'x = 1 + \\\n  2\ny\n', [1, 1, 3]],
    ['a lambda in its statement', 'f = (lambda:\n  1)\n', [1, 1]],
    ['all kinds of line ends', 'a\r\nb\rc\n\r\nd', [1, 2, 3, 0, 5]],
  ])('%s', (_, text, expected) => {
    expect(unitsOf(text)).toEqual(expected);
  });

  it('carries the text as written, with the indentation of its first line', () => {
    const p = parseProgram('if a:\n    x = [\n  1]\n');
    expect(p.unit(0, 2)).toEqual({ line: 2, endLine: 3, scope: 0, text: '    x = [\n  1]' });
  });

  it('knows the last line of a loop body, not of its else', () => {
    const p = parseProgram('for x in a:\n  while b:\n    c\n\n  else:\n    d\nelse:\n  e\nf\n');
    expect([p.unit(0, 1)?.loopEnd, p.unit(0, 2)?.loopEnd, p.unit(0, 3)?.loopEnd]).toEqual([6, 3, undefined]);
  });

  it('is one unit for each scope that runs it', () => {
    const p = parseProgram('def f(x=lambda: 1): return x\n');
    expect(p.units.map((u) => [u.line, p.scopes[u.scope]?.name])).toEqual([
      [1, '<module>'],
      [1, '<lambda>'],
      [1, 'f'],
    ]);
    expect(p.unitAt(1)?.scope).toBe(p.scopes.findIndex((s) => s.name === 'f'));
  });

  it('keeps statements that are no events as units', () => {
    const p = parseProgram('def f():\n  "doc"\n  global a\n  b: int\n  c = 1\n');
    expect(p.units.filter((u) => u.scope === 1).map((u) => u.line)).toEqual([2, 3, 4, 5]);
    expect(p.linesOf(1)).toEqual([5]);
  });
});
