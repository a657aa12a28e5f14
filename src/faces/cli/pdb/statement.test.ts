import { describe, expect, it } from 'vitest';
import { readStatement } from './statement.ts';

describe('a line of Python', () => {
  it.each([
    ['x = 3', 'x', '3'],
    ['n_items=[1, 2]', 'n_items', '[1, 2]'],
    ['x += 1', 'x', 'x + (1)'],
    ['x //= y or 2', 'x', 'x // (y or 2)'],
    ['x <<= 1', 'x', 'x << (1)'],
    ['f = lambda a=1: a', 'f', 'lambda a=1: a'],
    ['x = y == 3', 'x', 'y == 3'],
    ["x = 'a; b = c'", 'x', "'a; b = c'"],
  ])('%s sets a name', (line, name, value) => {
    expect(readStatement(line)).toEqual({ type: 'assign', name, value });
  });

  it.each([
    'p.x = 3',
    'xs[0] = 8',
    'a, b = 1, 2',
    'x: int = 3',
    'x = 1; y = 2',
    'del x',
    'import os',
    'for x in xs: pass',
    'prices.append(4)',
    'xs.pop()',
    'a.b[0].sort()',
    'len(xs.pop())',
    'x = xs.pop()',
    '(x := 3)',
  ])('%s is refused', (line) => {
    expect(readStatement(line).type).toBe('other');
  });

  it.each([
    'x',
    'x == 3',
    'x <= 3',
    'f(a=1)',
    'lambda a=1: a',
    '"x = 3"',
    "'a'.join(xs)",
    'sorted(xs).pop()',
    'imported',
    'xs.index(3)',
    '"xs.pop()"',
    '{"a": 1}["a"]',
  ])('%s is an expression', (line) => {
    expect(readStatement(line).type).toBe('expression');
  });
});
