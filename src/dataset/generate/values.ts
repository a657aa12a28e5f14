/**
 * @file Types of the generated programs and their atoms. Small numbers, short words and random letters:
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

/** A float as `repr` writes it. */
export const floatText = (r: Random): string =>
  r
    .weighted<() => string>([
      [5, () => `${r.int(-5, 30)}.${r.pick(['0', '5', '25', '75', '1', '2', '4', '8'])}`],
      [3, () => `${r.int(0, 99)}.${r.int(1, 99)}`.replace(/0+$/, '')],
      [2, () => `${r.int(0, 9)}.0`],
    ])()
    .replace(/\.$/, '.0');

/** Items of one flavour per list, as in real data: small, repeated, or wide numbers. */
export function intItems(r: Random, count: number): number[] {
  const flavour = r.weighted<() => number>([
    [40, () => r.int(0, 9)],
    [15, () => r.int(1, 4)],
    [20, () => r.int(10, 99)],
    [15, () => r.int(-9, 9)],
    [10, () => intValue(r)],
  ]);
  return Array.from({ length: count }, () => flavour());
}
