/** @file `pp`: a value over several lines where one is too narrow, as Python's `pprint` lays it out. */
import { parseValue } from '../../../values/parse.ts';
import { toRepr } from '../../../values/repr.ts';
import type { Value } from '../../../values/types.ts';

const WIDTH = 80;

/** The lines of a value's text; a value that fits is one line. */
export function prettyLines(text: string, width = WIDTH): string[] {
  const expanded = parseValue(toRepr(parseValue(text)));
  return laidOut(sorted(expanded), 0, 0, width).split('\n');
}

/** Keys and members in order, as `pprint` shows them; where they are of several kinds they stay as they are. */
function sorted(value: Value): Value {
  if (value.type === 'list' || value.type === 'tuple') return { ...value, items: value.items.map(sorted) };
  if (value.type === 'set') return { ...value, items: inOrder(value.items.map(sorted), (item) => item) };
  if (value.type !== 'dict') return value;
  const entries = value.entries.map(([key, held]) => [key, sorted(held)] as const);
  return { ...value, entries: inOrder(entries, ([key]) => key) };
}

function inOrder<T>(all: readonly T[], key: (one: T) => Value): readonly T[] {
  const plain = all.map((one) => {
    const value = key(one);
    return value.type === 'str' || value.type === 'int' || value.type === 'float' ? value.value : null;
  });
  const kinds = new Set(
    plain.map((one) => (one === null ? 'other' : typeof one === 'string' ? 'text' : 'number')),
  );
  if (kinds.size !== 1 || kinds.has('other')) return all;
  const order = [...all.keys()].sort((a, b) => (plain[a]! < plain[b]! ? -1 : plain[a]! > plain[b]! ? 1 : 0));
  return order.map((index) => all[index]!);
}

/** `indent`: the column the value begins at. `after`: columns that what follows it on its last line takes. */
function laidOut(value: Value, indent: number, after: number, width: number): string {
  const flat = toRepr(value);
  if (indent + flat.length + after <= width) return flat;
  switch (value.type) {
    case 'list':
      return within('[', ']', items(value.items, value.cut), indent, after, width);
    case 'tuple':
      return within(
        '(',
        value.items.length === 1 && !value.cut ? ',)' : ')',
        items(value.items, value.cut),
        indent,
        after,
        width,
      );
    case 'set':
      return value.items.length === 0
        ? flat
        : within('{', '}', items(value.items, value.cut), indent, after, width);
    case 'dict':
      return within('{', '}', entries(value), indent, after, width);
    default:
      return flat;
  }
}

type Part = (indent: number, after: number, width: number) => string;

function items(values: readonly Value[], cut?: number): Part[] {
  const parts = values.map(
    (value): Part =>
      (indent, after, width) =>
        laidOut(value, indent, after, width),
  );
  return cut ? [...parts, () => `...+${cut}`] : parts;
}

function entries(value: Value & { type: 'dict' }): Part[] {
  const parts = value.entries.map(
    ([key, held]): Part =>
      (indent, after, width) => {
        const name = `${toRepr(key)}: `;
        return name + laidOut(held, indent + name.length, after, width);
      },
  );
  return value.cut ? [...parts, () => `...+${value.cut}`] : parts;
}

/** One part a line, in one column after the bracket. */
function within(
  open: string,
  close: string,
  parts: Part[],
  indent: number,
  after: number,
  width: number,
): string {
  const inner = indent + open.length;
  const last = parts.length - 1;
  const lines = parts.map((part, i) => part(inner, i === last ? close.length + after : 1, width));
  return open + lines.join(`,\n${' '.repeat(inner)}`) + close;
}
