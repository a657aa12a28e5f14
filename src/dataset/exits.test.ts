import { describe, expect, test } from 'vitest';
import { parseProgram } from '../source/index.ts';
import { withoutProgress } from './exits.ts';

describe('loops that forget to go on', () => {
  test('lose a statement that changes what the loop tests, one at a time', () => {
    const code =
      'def f(n, k):\n    c = 0\n    while n > k:\n        n -= 1\n        k += c\n        c += 1\n    return c\n';
    expect(withoutProgress(code)).toEqual([code.replace('n -= 1', 'pass'), code.replace('k += c', 'pass')]);
  });

  test('or become a while without its last line', () => {
    const code =
      'def f(n):\n    for i in range(1, n):\n        if i == 3:\n            return i\n    return 0\n';
    expect(withoutProgress(code)).toEqual([code.replace('for i in range(1, n):', 'i = 1\n    while i < n:')]);
  });

  test('stay valid programs; without a loop there is nothing to change', () => {
    const code =
      'def f(s):\n    i = 0\n    while i < len(s):\n        for j in range(i):\n            i += j\n        i = i + 1\n    return i\n';
    const made = withoutProgress(code);
    expect(made).toHaveLength(3);
    for (const text of made) expect(parseProgram(text, 'main.py').errors, text).toEqual([]);
    expect(withoutProgress('def f(x):\n    x += 1\n    return x\n')).toEqual([]);
  });
});
