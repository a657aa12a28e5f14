import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalLiteral } from './literal.ts';
import { toRepr } from './repr.ts';
import { anyValue } from './samples.testing.ts';

describe('canonicalLiteral', () => {
  it.each([
    ['1', '1'],
    [' -1 ', '-1'],
    ['1_000', '1000'],
    ['0xFF', '255'],
    ['0o17', '15'],
    ['0b1_0', '2'],
    ['00', '0'],
    ['1.', '1.0'],
    ['.5', '0.5'],
    ['1e5', '100000.0'],
    ['1E22', '1e+22'],
    ['1_0.5e1_0', '105000000000.0'],
    ['-0.0', '-0.0'],
    ['+3', '3'],
    ['--3', '3'],
    ['1+2j', '(1+2j)'],
    ['-2.5j', '(-0-2.5j)'],
    ['1 - 2J', '(1-2j)'],
    ['0j', '0j'],
    ["'a'", "'a'"],
    ['"a"', "'a'"],
    ['"it\'s"', `"it's"`],
    ["'''a\nb'''", "'a\\nb'"],
    ['"""a"b"""', `'a"b'`],
    ["r'\\n'", "'\\\\n'"],
    ["b'a\\x00'", "b'a\\x00'"],
    ["rb'\\x'", "b'\\\\x'"],
    ["u'x'", "'x'"],
    ["'a' 'b' \"c\"", "'abc'"],
    ["b'a' b'b'", "b'ab'"],
    ["'\\u00e9\\N'", null],
    ["'\\x41\\101\\q'", "'AA\\\\q'"],
    ["'a\\\nb'", "'ab'"],
    ["'\\U0001f600'", "'😀'"],
    ["'\\x4'", null],
    ['[1, 2,]', '[1, 2]'],
    ['[]', '[]'],
    ['()', '()'],
    ['(1)', '1'],
    ['(1,)', '(1,)'],
    ['1, 2', '(1, 2)'],
    ['1,', '(1,)'],
    ['{3, 1, 2, 1}', '{1, 2, 3}'],
    ["{'b', 'a', 2, None}", "{2, 'a', 'b', None}"],
    ['{1: 2, 1.0: 3}', '{1: 3}'],
    ['{}', '{}'],
    ['{True, 1}', '{True}'],
    ['set()', 'set()'],
    ['set([2, 1])', '{1, 2}'],
    ['frozenset({1})', 'frozenset({1})'],
    ['frozenset()', 'frozenset()'],
    ["float('nan')", 'nan'],
    ["float('-inf')", '-inf'],
    ['[\n  1,\n  2,  # two\n]', '[1, 2]'],
    ["{'a': [1, (2, {'b': None})], 'c': True}", "{'a': [1, (2, {'b': None})], 'c': True}"],
    ['1,\n2', '(1, 2)'],
    ['None', 'None'],
    ['Ellipsis', 'Ellipsis'],
    // no literals
    ['', null],
    ['x', null],
    ['f(1)', null],
    ['1 + 1', null],
    ['[x]', null],
    ['{[]: 1}', null],
    ['{{}}', null],
    ['01', null],
    ['1__0', null],
    ["'a' b'b'", null],
    ['x = 1', null],
    ['1; 2', null],
    ['1), (2', null],
    ['...', null],
    ['[1, ...+98]', null],
    ["f'{x}'", null],
    ["float('x')", null],
    ['1 2', null],
    ["'a", null],
    ['[1', null],
    ['{1: 2, 3}', null],
    ['(yield)', null],
    ["b'é'", null],
    ['[*[1]]', null],
  ] as const)('%j is %s', (source, text) => {
    expect(canonicalLiteral(source)).toBe(text);
  });

  it('cuts a long literal as a trace does', () => {
    expect(canonicalLiteral(`[${'1,'.repeat(150)}]`)).toBe(`[${'1, '.repeat(100)}...+50]`);
    expect(canonicalLiteral(`'${'a'.repeat(310)}'`)).toBe(`'${'a'.repeat(300)}'...+10`);
    expect(canonicalLiteral('[[[[[[[[[1]]]]]]]]]')).toBe('[[[[[[[[...]]]]]]]]');
    expect(canonicalLiteral(`1${'0'.repeat(700)}`)).toBe('<int 701 digits>');
  });

  it('reads back what it writes', () => {
    fc.assert(
      fc.property(anyValue, (value) => {
        const text = canonicalLiteral(toRepr(value));
        // A complex number with a negative zero has a text that Python itself reads as another number.
        if (text === null || text.includes('...') || /-0[-+j]/.test(text)) return;
        expect(canonicalLiteral(text)).toBe(text);
      }),
    );
  });

  it('reads no hostile nesting', () => {
    expect(canonicalLiteral(`${'['.repeat(5000)}${']'.repeat(5000)}`)).toBeNull();
    expect(canonicalLiteral('-'.repeat(5000) + 1)).toBeNull();
  });
});
