import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareValues, pythonEqual } from './compare.ts';
import { diffValues } from './diff.ts';
import { formatValue } from './format.ts';
import { label, resolve } from './graph.ts';
import { parseValue } from './parse.ts';
import { toRepr } from './repr.ts';
import { anyValue } from './samples.testing.ts';

const equal = (a: string, b: string) => pythonEqual(parseValue(a), parseValue(b));

describe('pythonEqual', () => {
  it.each([
    ['1', '1.0'],
    ['True', '1'],
    ['0.0', '-0.0'],
    ['1', '(1+0j)'],
    ['[1, 2.0]', '[True, 2]'],
    ["{'a': 1, 'b': 2}", "{'b': 2, 'a': 1.0}"],
    ['{1, 2}', '{2.0, True}'],
    ['{1}', 'frozenset({1})'],
    ["defaultdict(<class 'int'>, {'a': 1})", "{'a': 1}"],
    ['deque([1])', 'deque([1], maxlen=2)'],
    ['9007199254740993', '9007199254740993'],
    ['frozenset({frozenset({1})})', '{frozenset({True})}'],
    ['&1 [[2], 3]', '[[2], 3]'],
    ['[&1 [2], *1]', '[[2], [2]]'],
    ['OrderedDict({1: 2, 3: 4})', '{3: 4, 1: 2}'],
  ])('%s == %s', (a, b) => {
    expect(equal(a, b)).toBe(true);
    expect(equal(b, a)).toBe(true);
  });

  it.each([
    ['nan', 'nan'],
    ['[nan]', '[nan]'],
    ['1', "'1'"],
    ['[1]', '(1,)'],
    ['9007199254740993', '9007199254740992.0'],
    ['1e+16', '10000000000000001'],
    ['{1: 2}', '{1: 3}'],
    ['{1}', '{1, 2}'],
    ['None', '0'],
    ["'a'...+200", "'a'...+201"],
    ["'a'...+200", "'b'...+200"],
    ['[1, ...+3]', '[2, ...+3]'],
    ['OrderedDict({1: 2, 3: 4})', 'OrderedDict({3: 4, 1: 2})'],
    ["b'a'", "'a'"],
    ['deque([1])', '[1]'],
  ])('%s != %s', (a, b) => {
    expect(equal(a, b)).toBe(false);
    expect(equal(b, a)).toBe(false);
  });

  it.each([
    ['Point(x=1)', 'Point(x=1)'],
    ['Point(x=1)', '3'],
    ["'a'...+200", "'a'...+200"],
    ['[1, ...+3]', '[1, ...+3]'],
    ['[...]', '[1]'],
    ['<Color.RED: 1>', '1'],
    ["Decimal('1')", "Decimal('1.0')"],
    ['&1 [*1]', '&1 [*1]'],
    ['[Point()]', '[Point()]'],
  ])('cannot tell %s and %s', (a, b) => {
    expect(equal(a, b)).toBe('unknown');
  });

  it('is known false as soon as a known part differs', () => {
    expect(equal('[Point(), 1]', '[Point(), 2]')).toBe(false);
  });

  it('compares texts', () => {
    expect(compareValues('nan', 'nan')).toBe('same');
    expect(compareValues('1', 'True')).toBe('equal');
    expect(compareValues('1', '2')).toBe('different');
    expect(compareValues('A()', 'B()')).toBe('unknown');
  });
});

describe('labels', () => {
  it('become identity and back', () => {
    for (const text of [
      '&1 [*1]',
      '[&1 [], *1]',
      '&1 Node(next=&2 Node(next=*1), prev=*2)',
      "{'a': &1 {}, 'b': [*1]}",
    ])
      expect(formatValue(label(resolve(parseValue(text))))).toBe(text);
  });

  it('leave values without labels alone', () => {
    fc.assert(
      fc.property(anyValue, (value) => {
        const text = formatValue(value);
        if (/[&*]/.test(text)) return;
        expect(formatValue(label(resolve(value)))).toBe(text);
      }),
    );
  });

  it.each([
    ['[&1 [2], *1]', '[[2], [2]]'],
    ['&1 [*1]', '[[...]]'],
    ["&1 {'a': *1}", "{'a': {...}}"],
    ['&1 Node(next=*1)', 'Node(next=Node(...))'],
    ['&1 [(*1, 1)]', '[([...], 1)]'],
    ['[1, ...+2]', '[1, ...+2]'],
  ])('toRepr(%s) is %s', (text, repr) => {
    expect(toRepr(parseValue(text))).toBe(repr);
  });

  it('expand to a bounded size', () => {
    let text = '&1 [0, 0]';
    for (let i = 2; i < 60; i += 1) text = `&${i} [${text}, *${i - 1}]`;
    expect(toRepr(parseValue(text)).length).toBeLessThan(300_000);
  });
});

describe('diffValues', () => {
  it.each([
    ['1', '1', ''],
    ['1', '2', '1 -> 2'],
    ["[1, 2, {'k': 1}]", "[1, 2, {'k': 2}]", "[2]['k']: 1 -> 2"],
    ['[1]', '[1, 5]', '[1]: + 5'],
    ["{'a': 1}", '{}', "['a']: - 1"],
    ['{1, 2}', '{2, 3}', '- 1; + 3'],
    ['Point(x=1, y=[0])', 'Point(x=1, y=[3])', '.y[0]: 0 -> 3'],
    ['deque([1])', 'deque([2])', '[0]: 1 -> 2'],
    ['[1, 2, 3, 4, 5]', '[5, 4, 3, 2, 1]', '[0]: 1 -> 5; [1]: 2 -> 4; [3]: 4 -> 2; and 1 more'],
    ["{'a': 1, 'b': 2}", "{'b': 2, 'a': 1}", "{'a': 1, 'b': 2} -> {'b': 2, 'a': 1}"],
    ['A(x=1)', 'B(x=1)', 'A(x=1) -> B(x=1)'],
  ])('%s to %s: %s', (a, b, line) => {
    expect(diffValues(a, b)).toBe(line);
  });

  it('is short for any two values, and empty only for equal texts', () => {
    fc.assert(
      fc.property(anyValue, anyValue, (a, b) => {
        const [x, y] = [formatValue(a), formatValue(b)];
        const line = diffValues(x, y);
        expect(line === '').toBe(x === y);
        expect(Array.from(line).length).toBeLessThan(600);
      }),
    );
  });
});
