import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NpdbError } from '../common/errors.ts';
import { formatValue } from './format.ts';
import { formatFloat } from './number.ts';
import { parseValue } from './parse.ts';
import { anyValue, CANONICAL } from './samples.testing.ts';

describe('parseValue and formatValue', () => {
  it.each(CANONICAL)('read and write back %s', (text) => {
    expect(formatValue(parseValue(text))).toBe(text);
  });

  it('give back any value', () => {
    fc.assert(
      fc.property(anyValue, (value) => {
        const text = formatValue(value);
        expect(parseValue(text)).toEqual(value);
        expect(formatValue(parseValue(text))).toBe(text);
      }),
      { numRuns: 500 },
    );
  });

  it('tell kinds apart', () => {
    expect(parseValue('{}').type).toBe('dict');
    expect(parseValue('set()')).toEqual({ type: 'set', items: [] });
    expect(parseValue('(1+2j)').type).toBe('complex');
    expect(parseValue('nan').type).toBe('float');
    expect(parseValue('nan(x=1)')).toMatchObject({ type: 'call', name: 'nan' });
    expect(parseValue("<Op.LT: '<'>")).toEqual({ type: 'opaque', text: "Op.LT: '<'" });
    expect(parseValue('&3 A(1, x=*3, ...+2)')).toMatchObject({ anchor: 3, cut: 2, args: [{ type: 'int' }] });
  });

  it.each([
    ['', 0],
    ['[1, 2', 5],
    ['[1,2]', 2],
    ['(1)', 2],
    ['{1: 2, 3}', 8],
    ["'a", 2],
    ['<a', 2],
    ['f(x=1, 2)', 7],
    ['&1 (1,)', 7],
    ['[1]]', 3],
    ["'\\q'", 2],
    ["b'é'", 1],
    ['foo', 0],
    ['-0', 0],
    ['01', 1],
  ])('say where %j stops being a value', (text, position) => {
    expect(() => parseValue(text)).toThrow(NpdbError);
    expect(() => parseValue(text)).toThrow(new RegExp(` at ${position}, `));
  });

  it('refuse hostile nesting instead of overflowing', () => {
    expect(() => parseValue('['.repeat(100_000))).toThrow(/nested/);
  });

  it.fails('keep two lone surrogates that would pair up: a JavaScript string cannot hold them', () => {
    expect(formatValue(parseValue("'\\ud83d\\ude00'"))).toBe("'\\ud83d\\ude00'");
  });
});

describe('formatFloat', () => {
  it.each([
    [1, '1.0'],
    [-0, '-0.0'],
    [0.1 + 0.2, '0.30000000000000004'],
    [1e16, '1e+16'],
    [1e15, '1000000000000000.0'],
    [0.0001, '0.0001'],
    [0.00001, '1e-05'],
    [1.5e300, '1.5e+300'],
    [5e-324, '5e-324'],
    [123456789.125, '123456789.125'],
  ])('writes %d as %s', (value, text) => {
    expect(formatFloat(value)).toBe(text);
  });
});
