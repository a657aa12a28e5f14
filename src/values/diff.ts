/** @file Where two values part, in one short line: `[2]['k']: 1 -> 2; [4]: + 5`. */
import { formatValue } from './format.ts';
import { parseValue } from './parse.ts';
import type { Value } from './types.ts';

export interface DiffOptions {
  /** Differences shown; the rest are counted. Default 3. */
  readonly shown?: number;
  /** Characters of each value shown. Default 40. */
  readonly width?: number;
}

/** Empty if the texts are the same. Length is bounded by the options. Throws `E_VALUE` for a text that is no value. */
export function diffValues(a: string, b: string, options: DiffOptions = {}): string {
  if (a === b) return '';
  const shown = options.shown ?? 3;
  const found: Difference[] = [];
  // Beyond this many differences only the fact matters.
  differences(parseValue(a), parseValue(b), '', found, shown + 100);
  const lines = found.slice(0, shown).map((difference) => line(difference, options.width ?? 40));
  const more = found.length - shown;
  return lines.join('; ') + (more > 0 ? `; and ${more >= 100 ? '100 or more' : more} more` : '');
}

interface Difference {
  readonly path: string;
  /** Absent: only in the other. */
  readonly from?: Value;
  readonly to?: Value;
}

function differences(a: Value, b: Value, path: string, found: Difference[], limit: number): void {
  if (found.length >= limit || formatValue(a) === formatValue(b)) return;
  const pairs = inner(a, b);
  if (pairs === undefined) {
    found.push({ path, from: a, to: b });
    return;
  }
  const before = found.length;
  for (const { step, from, to } of pairs) {
    if (from !== undefined && to !== undefined) differences(from, to, path + step, found, limit);
    else if (found.length < limit)
      found.push({
        path: path + step,
        ...(from === undefined ? {} : { from }),
        ...(to === undefined ? {} : { to }),
      });
  }
  // Only order, labels or cut marks differ.
  if (found.length === before) found.push({ path, from: a, to: b });
}

interface Pair {
  readonly step: string;
  readonly from: Value | undefined;
  readonly to: Value | undefined;
}

/** The parts of two values of one kind, side by side. */
function inner(a: Value, b: Value): Pair[] | undefined {
  if ((a.type === 'list' && b.type === 'list') || (a.type === 'tuple' && b.type === 'tuple'))
    return byIndex(a.items, b.items, (i) => `[${i}]`);
  if (a.type === 'set' && b.type === 'set') {
    const keyed = (items: readonly Value[]): Map<string, Value> =>
      new Map(items.map((item) => [formatValue(item), item]));
    return byName(keyed(a.items), keyed(b.items), () => '');
  }
  if (a.type === 'dict' && b.type === 'dict') {
    const keyed = (value: typeof a): Map<string, Value> =>
      new Map(value.entries.map(([key, item]) => [formatValue(key), item]));
    return byName(keyed(a), keyed(b), (key) => `[${short(key, 30)}]`);
  }
  if (a.type !== 'call' || b.type !== 'call' || a.name !== b.name) return undefined;
  const step = (i: number): string => (a.args.length === 1 && b.args.length === 1 ? '' : `(${i})`);
  return [
    ...byIndex(a.args, b.args, step),
    ...byName(new Map(a.fields), new Map(b.fields), (name) => `.${name}`),
  ];
}

function byIndex(a: readonly Value[], b: readonly Value[], step: (i: number) => string): Pair[] {
  return Array.from({ length: Math.max(a.length, b.length) }, (_, i) => ({
    step: step(i),
    from: a[i],
    to: b[i],
  }));
}

function byName(
  a: ReadonlyMap<string, Value>,
  b: ReadonlyMap<string, Value>,
  step: (name: string) => string,
): Pair[] {
  return [...new Set([...a.keys(), ...b.keys()])].map((name) => ({
    step: step(name),
    from: a.get(name),
    to: b.get(name),
  }));
}

function line({ path, from, to }: Difference, width: number): string {
  const change =
    from === undefined
      ? `+ ${short(formatValue(to as Value), width)}`
      : to === undefined
        ? `- ${short(formatValue(from), width)}`
        : between(formatValue(from), formatValue(to), width);
  return path === '' ? change : `${short(path, 80)}: ${change}`;
}

/** Long texts are shown from a little before they part. */
function between(a: string, b: string, width: number): string {
  let same = 0;
  while (same < a.length && a[same] === b[same]) same += 1;
  const start = Math.max(a.length, b.length) <= width || same < width / 2 ? 0 : same - 8;
  const lead = start > 0 ? '…' : '';
  return `${lead}${short(a.slice(start), width)} -> ${lead}${short(b.slice(start), width)}`;
}

function short(text: string, width: number): string {
  const characters = Array.from(text);
  return characters.length <= width ? text : `${characters.slice(0, width - 1).join('')}…`;
}
