import { describe, expect, it } from 'vitest';
import { formatValue, parseValue } from '../values/index.ts';
import { isPlain, parseEncoded } from './encoded.ts';

describe('an encoded value', () => {
  it.each([
    [['N'], 'None'],
    [['i', '-1f'], '-31'],
    [['f', '-0'], '-0.0'],
    [['f', 'NaN'], 'nan'],
    [['c', '0', '1.5'], '1.5j'],
    [['b', '00ff'], "b'\\x00\\xff'"],
    [['{', ['s', 'a'], ['[', ['T'], ['F']]], "{'a': [True, False]}"],
    [['>', ['i', '1']], 'frozenset({1})'],
  ])('%j is %s', (encoded, text) => {
    expect(formatValue(parseEncoded(encoded))).toBe(text);
  });

  it.each([[null], [[]], [['?']], [['i', 3]], [['[', 'x']]])('%j is none', (encoded) => {
    expect(() => parseEncoded(encoded)).toThrow('malformed');
  });
});

describe('a plain value', () => {
  it.each(['[1, {2: (3, None)}]', 'frozenset({1})', "{'a'}", '1.5', 'Ellipsis'])('%s is one', (text) => {
    expect(isPlain(parseValue(text))).toBe(true);
  });

  it.each(['A()', '[A(x=1)]', '<function f>', '&1 [*1]', '[1, ...+5]', 'range(0, 3)'])(
    '%s is none',
    (text) => {
      expect(isPlain(parseValue(text))).toBe(false);
    },
  );
});
