import { describe, expect, test } from 'vitest';
import type { ProgramEntry } from '../programs/types.ts';
import { Forbidden, sift } from './exclude.ts';
import { normalForm } from './normalise.ts';
import { splitAll } from './splits.ts';

const program = (id: string, code: string): ProgramEntry => ({ id, code, calls: ['f(1)'] });

const EVAL = `def f(nums):
    output = []
    for n in nums:
        if n > 3:
            output.append((nums.count(n), n))
    output.sort(reverse=True)
    return output
`;

const RENAMED = `from typing import List


def pairs_of(values: List[int]) -> list:
    """Counts."""
    found = []  # the pairs
    for v in values:
        if v > 3:
            found.append((values.count(v), v))
    found.sort(reverse=True)
    return found
`;

const OTHER = `def g(text):
    total = 0
    for i, c in enumerate(text):
        if c.isdigit():
            total += int(c) * i
        else:
            total -= 1
    return total
`;

describe('normal forms', () => {
  test('names, layout, comments, docstrings, annotations and imports do not count', () => {
    expect(normalForm(RENAMED).program).toEqual(normalForm(EVAL).program);
  });

  test('what the code does counts', () => {
    for (const [from, to] of [
      ['> 3', '>= 3'],
      ['> 3', '> 4'],
      ['reverse=True', 'reverse=False'],
      ['.count', '.index'],
      ['(n)', '(nums)'],
    ] as const) {
      expect(normalForm(EVAL.replace(from, to)).program).not.toEqual(normalForm(EVAL).program);
    }
    expect(normalForm('def f(a):\n    if a:\n        b = 1\n    c = 2\n').program).not.toEqual(
      normalForm('def f(a):\n    if a:\n        b = 1\n        c = 2\n').program,
    );
  });

  test('a builtin that the program rebinds is renamed, one that it does not is kept', () => {
    expect(normalForm('def f(list):\n    return list\n').program).toEqual(
      normalForm('def f(x):\n    return x\n').program,
    );
    expect(normalForm('def f(x):\n    return len(x)\n').program).not.toEqual(
      normalForm('def f(x):\n    return sum(x)\n').program,
    );
  });
});

describe('exclusion', () => {
  const forbidden = new Forbidden([EVAL]);
  const why = (code: string) => sift([program('x', code)], forbidden).excluded[0]?.why;

  test('catches a renamed copy, a copy among other functions, and a changed copy', () => {
    expect(why(RENAMED)).toBe('eval-equal');
    expect(why(`${OTHER}\n\n${RENAMED}`)).toBe('eval-equal');
    expect(why(EVAL.replace('> 3', '> 4'))).toBe('eval-near');
    expect(why(EVAL.replace('    return output', '    print(output)\n    return output'))).toBe('eval-near');
  });

  test('keeps what is only alike in kind', () => {
    expect(why(OTHER)).toBeUndefined();
    expect(
      why(
        'def f(nums):\n    output = []\n    for n in nums:\n        output.append(n * 2)\n    return output\n',
      ),
    ).toBeUndefined();
  });

  test('of equal programs the first stays; near ones stay together in one split', () => {
    const near = OTHER.replace('total -= 1', 'total -= 2');
    const sifted = sift(
      [program('a', OTHER), program('b', OTHER.replaceAll('total', 'sum_')), program('c', near)],
      new Forbidden([]),
    );
    expect(sifted.excluded).toEqual([{ id: 'b', why: 'equal' }]);
    expect(sifted.kept.map((k) => k.entry.id)).toEqual(['a', 'c']);
    expect(sifted.near).toBe(2);
    for (let seed = 0; seed < 60; seed++) {
      const [a, c] = splitAll(sifted.kept, seed, { validation: 0.25, dev: 0.25, test: 0.25 });
      expect(a).toBe(c);
    }
  });
});

test('splits have about their shares and depend on the seed', () => {
  const programs = Array.from({ length: 3000 }, (_, i) => ({
    entry: program(`p${i}`, ''),
    group: i,
    normal: `n${i}`,
  }));
  const shares = { validation: 0.1, dev: 0.2, test: 0.3 };
  const split = splitAll(programs, 1, shares);
  const share = (name: string) => split.filter((s) => s === name).length / split.length;
  expect(share('validation')).toBeCloseTo(0.1, 1);
  expect(share('dev')).toBeCloseTo(0.2, 1);
  expect(share('test')).toBeCloseTo(0.3, 1);
  expect(splitAll(programs, 1, shares)).toEqual(split);
  expect(splitAll(programs, 2, shares)).not.toEqual(split);
});
