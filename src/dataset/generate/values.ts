/**
 * @file Types of the generated programs and literals of them. Small numbers, short words and random letters:
 * what a tiny model has to copy and compute on.
 */
import type { Random } from '../../common/random.ts';

/**
 * `ch`: a string of length 1. `ints`, `strs`: lists. `dsi`: dict from str to int, `dii`, `dss` likewise. `grid`: list of
 * lists of int. `pairs`: list of (str, int). `optional`: int or None.
 */
export type Ty =
  | 'int'
  | 'bool'
  | 'float'
  | 'ch'
  | 'str'
  | 'ints'
  | 'strs'
  | 'dsi'
  | 'dii'
  | 'dss'
  | 'seti'
  | 'sets'
  | 'tup'
  | 'grid'
  | 'pairs'
  | 'optional';

const WORDS =
  'apple banana cat dog egg fish green house ice juice king lemon moon night orange pear queen red sun tree blue water ' +
  'hello world foo bar baz test data key value name first last left right up down open close start stop one two three four ' +
  'five abc xyz python code list item user admin level madam racecar noon book table chair pen paper run jump walk fast slow ' +
  'big small old new hot cold north south east west alpha beta gamma delta mon tue wed thu fri jan feb mar spam eggs ham';
export const WORD_LIST: readonly string[] = WORDS.split(' ');
const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const UPPER = LETTERS.toUpperCase();
const DIGITS = '0123456789';
const MARKS = ' -_,.!?:;/#@*+=()[]{}%$&|~^<>';

/** A Python literal of a string, quoted as `repr` does. */
export function quote(text: string): string {
  const mark = text.includes("'") && !text.includes('"') ? '"' : "'";
  let out = '';
  for (const c of text) {
    if (c === '\\') out += '\\\\';
    else if (c === '\n') out += '\\n';
    else if (c === '\t') out += '\\t';
    else if (c === mark) out += `\\${c}`;
    else out += c;
  }
  return mark + out + mark;
}

const letters = (r: Random, from: string, low: number, high: number): string => {
  let out = '';
  for (let n = r.int(low, high); n > 0; n--) out += from[r.int(0, from.length - 1)];
  return out;
};

export const intValue = (r: Random): number =>
  r.weighted<() => number>([
    [42, () => r.int(0, 9)],
    [30, () => r.int(10, 99)],
    [14, () => -r.int(1, 20)],
    [10, () => r.int(100, 999)],
    [4, () => r.int(1000, 9999)],
  ])();

export const smallInt = (r: Random): number => (r.chance(0.8) ? r.int(1, 5) : r.int(2, 12));

export const word = (r: Random): string => (r.chance(0.6) ? r.pick(WORD_LIST) : letters(r, LETTERS, 1, 6));

export function stringValue(r: Random): string {
  return r.weighted<() => string>([
    [22, () => r.pick(WORD_LIST)],
    [14, () => letters(r, LETTERS, 2, 9)],
    [10, () => letters(r, LETTERS + UPPER, 2, 10)],
    [6, () => letters(r, LETTERS + UPPER + DIGITS, 2, 10)],
    [6, () => letters(r, LETTERS + DIGITS + MARKS + UPPER, 2, 10)],
    [8, () => letters(r, 'abc', 2, 8)],
    [6, () => letters(r, DIGITS, 1, 6)],
    [12, () => Array.from({ length: r.int(2, 4) }, () => word(r)).join(' ')],
    [
      4,
      () =>
        Array.from({ length: r.int(2, 4) }, () => word(r)).join(r.pick([',', '-', ', ', '_', '/', '.', ':'])),
    ],
    [4, () => r.pick(WORD_LIST).replace(/^./, (c) => c.toUpperCase())],
    [3, () => r.pick(WORD_LIST).toUpperCase()],
    [2, () => ` ${word(r)} `],
    [2, () => word(r) + r.pick(['!', '?', '...', '\n', "'s", '##', '  '])],
    [1, () => letters(r, 'aeiouéñü中日', 1, 4)],
    [4, () => ''],
  ])();
}

export const charValue = (r: Random): string =>
  r.weighted<() => string>([
    [60, () => letters(r, LETTERS, 1, 1)],
    [10, () => letters(r, UPPER, 1, 1)],
    [12, () => letters(r, DIGITS, 1, 1)],
    [18, () => r.pick([' ', '-', ',', '.', '!', '_', '*', '#', '/', ':', '+'])],
  ])();

const floatText = (r: Random): string =>
  r
    .weighted<() => string>([
      [5, () => `${r.int(-5, 30)}.${r.pick(['0', '5', '25', '75', '1', '2', '4', '8'])}`],
      [3, () => `${r.int(0, 99)}.${r.int(1, 99)}`.replace(/0+$/, '') + (r.chance(0) ? '' : '')],
      [2, () => `${r.int(0, 9)}.0`],
    ])()
    .replace(/\.$/, '.0');

/** How many items: rarely none, mostly two to six. */
const size = (r: Random): number =>
  r.chance(0.05) ? 0 : r.chance(0.15) ? 1 : r.chance(0.85) ? r.int(2, 6) : r.int(7, 9);

/** Items of one flavour per list, as in real data: small, repeated, or wide numbers. */
function intItems(r: Random, count: number): number[] {
  const flavour = r.weighted<() => number>([
    [40, () => r.int(0, 9)],
    [15, () => r.int(1, 4)],
    [20, () => r.int(10, 99)],
    [15, () => r.int(-9, 9)],
    [10, () => intValue(r)],
  ]);
  return Array.from({ length: count }, () => flavour());
}

const distinct = <T>(items: readonly T[]): T[] => [...new Set(items)];

/** A literal of the type, as Python source. */
export function literal(r: Random, type: Ty): string {
  switch (type) {
    case 'int':
      return String(intValue(r));
    case 'optional':
      return r.chance(0.3) ? 'None' : String(intValue(r));
    case 'bool':
      return r.chance(0.5) ? 'True' : 'False';
    case 'float':
      return floatText(r);
    case 'ch':
      return quote(charValue(r));
    case 'str':
      return quote(stringValue(r));
    case 'ints':
      return `[${intItems(r, size(r)).join(', ')}]`;
    case 'strs': {
      const make = r.chance(0.7) ? () => word(r) : () => (r.chance(0.5) ? charValue(r) : stringValue(r));
      return `[${Array.from({ length: size(r) }, () => quote(make())).join(', ')}]`;
    }
    case 'tup': {
      const items = intItems(r, Math.max(1, size(r)));
      return items.length === 1 ? `(${items[0]},)` : `(${items.join(', ')})`;
    }
    case 'dsi':
      return dict(
        distinct(
          Array.from({ length: Math.min(5, size(r)) }, () =>
            quote(r.chance(0.4) ? letters(r, LETTERS, 1, 1) : word(r)),
          ),
        ),
        () => String(intValue(r)),
      );
    case 'dii':
      return dict(distinct(intItems(r, Math.min(5, size(r)))).map(String), () => String(intValue(r)));
    case 'dss':
      return dict(distinct(Array.from({ length: Math.min(4, size(r)) }, () => quote(word(r)))), () =>
        quote(word(r)),
      );
    case 'seti': {
      const items = distinct(intItems(r, size(r))).sort((a, b) => a - b);
      return items.length ? `{${items.join(', ')}}` : 'set()';
    }
    case 'sets': {
      const items = distinct(Array.from({ length: size(r) }, () => word(r))).sort();
      return items.length ? `{${items.map(quote).join(', ')}}` : 'set()';
    }
    case 'grid': {
      const rows = r.int(1, 3);
      const columns = r.int(1, 4);
      return `[${Array.from({ length: rows }, () => `[${intItems(r, columns).join(', ')}]`).join(', ')}]`;
    }
    case 'pairs':
      return `[${Array.from({ length: Math.min(4, size(r)) }, () => `(${quote(word(r))}, ${intValue(r)})`).join(', ')}]`;
  }
}

const dict = (keys: readonly string[], value: () => string): string =>
  `{${keys.map((key) => `${key}: ${value()}`).join(', ')}}`;
