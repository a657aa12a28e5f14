/** @file The renderer's order of a set's elements: numbers by value, then strings, then the rest by text. */
import { formatValue } from './format.ts';
import type { Value } from './types.ts';

export function sortElements(items: readonly Value[]): Value[] {
  const ranked = items.map((value) => ({ value, rank: rankOf(value), text: formatValue(value) }));
  ranked.sort((a, b) => {
    if (a.rank !== b.rank) return a.rank - b.rank;
    if (a.rank === 0) return compareNumbers(a.value, b.value);
    if (a.value.type === 'str' && b.value.type === 'str') return compareText(a.value.value, b.value.value);
    return compareText(a.text, b.text);
  });
  return ranked.map(({ value }) => value);
}

/** By code point, as Python compares strings. */
export function compareText(a: string, b: string): number {
  const [x, y] = [Array.from(a), Array.from(b)];
  for (let i = 0; i < Math.min(x.length, y.length); i += 1) {
    const difference = (x[i]?.codePointAt(0) ?? 0) - (y[i]?.codePointAt(0) ?? 0);
    if (difference !== 0) return difference;
  }
  return x.length - y.length;
}

function rankOf(value: Value): number {
  if (value.type === 'int' || value.type === 'bool') return 0;
  if (value.type === 'float') return Number.isNaN(value.value) ? 2 : 0;
  return value.type === 'str' ? 1 : 2;
}

function compareNumbers(a: Value, b: Value): number {
  const [x, y] = [numeric(a), numeric(b)];
  return x < y ? -1 : x > y ? 1 : 0;
}

function numeric(value: Value): number | bigint {
  return value.type === 'int' || value.type === 'float'
    ? value.value
    : value.type === 'bool' && value.value
      ? 1
      : 0;
}
