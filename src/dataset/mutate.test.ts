import { describe, expect, test } from 'vitest';
import { Random } from '../common/random.ts';
import { parseProgram } from '../source/index.ts';
import { mutatedCalls } from './mutate.ts';

const CALLS = [
  'f(3, -4)',
  "f('abc', [1, 2, 3], {'a': 1, 'b': 2})",
  'Solution().solve(nums=[[1, 2], [3]], k=0)',
  'f((1, 2), True, None, 2.5)',
  'f(g(7), "x")',
];

describe('changed calls', () => {
  test('are valid, differ from the given one and from one another, and keep what is called', () => {
    for (const call of CALLS) {
      const made = mutatedCalls(call, 12, new Random('mutate', call));
      expect(made.length).toBeGreaterThan(5);
      expect(new Set([...made, call]).size).toBe(made.length + 1);
      for (const text of made) {
        expect(parseProgram(`${text}\n`, '<call>').errors, text).toEqual([]);
        expect(text.slice(0, call.indexOf('('))).toBe(call.slice(0, call.indexOf('(')));
      }
    }
  });

  test('the same stream gives the same calls; without literals there are none', () => {
    const twice = () => mutatedCalls(CALLS[1]!, 8, new Random('same'));
    expect(twice()).toEqual(twice());
    expect(mutatedCalls('f(x)', 8, new Random('none'))).toEqual([]);
    expect(mutatedCalls(`f([${'1, '.repeat(300)}])`, 8, new Random('long'))).toEqual([]);
  });

  test('change every kind of literal', () => {
    const made = mutatedCalls(CALLS[3]!, 60, new Random('kinds'));
    expect(made.some((text) => text.includes('False'))).toBe(true);
    expect(made.some((text) => !text.includes('2.5'))).toBe(true);
    expect(made.some((text) => !text.includes('(1, 2)'))).toBe(true);
  });
});
