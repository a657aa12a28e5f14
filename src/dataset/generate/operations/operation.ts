/**
 * @file What one operation is, and the small language its rows are written in. A row is `[name, operands, text, result]`: the name of
 * what is counted (`.replace`, `len`, `//`, `[n:]`), a letter for each operand, the Python text, a letter for what it gives.
 *
 * In the text `$0`..`$2` are the operands and `$r`, `$q` new variables; `$x` and `$y` loop variables; the other letters draw constants:
 * `$c` character, `$w` word, `$s` separator, `$t` short text, `$n` digit, `$p` 1 to 4, `$m` 2 to 9, `$i` position, `$f` float, `$o` comparison,
 * `$u`/`$U` something made of the number/text `$x`, `$Q`/`$Z` a condition on the number/text `$x`.
 */
import type { Random } from '../../../common/random.ts';
import { charValue, floatText, quote, type Ty, word } from '../values.ts';

export type Row = readonly [name: string, operands: string, text: string, result: string];

/** Letters of types. `?` as a result: of no type the generator goes on with. Empty: the first operand is changed in place. */
export const TYPES: Readonly<Record<string, Ty>> = {
  i: 'int',
  f: 'float',
  b: 'bool',
  s: 'str',
  c: 'ch',
  L: 'ints',
  W: 'strs',
  T: 'tup',
  D: 'dsi',
  E: 'dii',
  F: 'dss',
  S: 'seti',
  X: 'sets',
  G: 'grid',
  P: 'pairs',
  o: 'optional',
  // What stands in a relation to the first operand: a key, a position, a member, a part; N: 0 to 4; d, e: text of digits, list of such.
  k: 'str',
  K: 'int',
  j: 'int',
  m: 'int',
  w: 'str',
  p: 'str',
  N: 'int',
  d: 'str',
  e: 'strs',
};

export interface Operation {
  readonly name: string;
  readonly operands: readonly string[];
  readonly text: string;
  /** Null: changes its first operand. */
  readonly result: Ty | 'other' | null;
}

export const operationsOf = (rows: readonly Row[]): Operation[] =>
  rows.map(([name, operands, text, result]) => ({
    name,
    operands: [...operands],
    text,
    result: result === '' ? null : result === '?' ? 'other' : TYPES[result]!,
  }));

/** Whether it stands as a statement; others are expressions. */
export const isStatement = (operation: Operation): boolean =>
  operation.result === null || operation.text.includes('$r');

/** Whether a constant must not stand for an operand: it is assigned to, or stands within quotes. */
export const namesOnly = (operation: Operation): boolean =>
  operation.name === 'swap' || operation.text.includes("f'");

export interface Filled {
  readonly operands: readonly string[];
  /** Names for `$r` and `$q`. */
  readonly results: readonly string[];
  readonly loop: readonly string[];
}

/** The Python text of an operation. */
export function fill(r: Random, text: string, names: Filled): string {
  return text.replace(/\$(\w)/g, (_, letter: string) => {
    switch (letter) {
      case 'r':
        return names.results[0]!;
      case 'q':
        return names.results[1]!;
      case 'x':
        return names.loop[0]!;
      case 'y':
        return names.loop[1]!;
      case 'u':
      case 'U':
      case 'Q':
      case 'Z':
        return fill(r, r.pick(PARTS[letter]!), names);
      default:
        return names.operands[Number(letter)] ?? CONSTANTS[letter]!(r);
    }
  });
}

const CONSTANTS: Readonly<Record<string, (r: Random) => string>> = {
  c: (r) => quote(charValue(r)),
  w: (r) => quote(word(r)),
  s: (r) => quote(r.weighted(SEPARATORS)),
  t: (r) =>
    quote(
      r.weighted([
        [5, charValue(r)],
        [3, word(r).slice(0, 3)],
        [1, ''],
        [1, word(r)],
      ]),
    ),
  n: (r) => String(r.int(0, 9)),
  p: (r) =>
    String(
      r.weighted([
        [5, 1],
        [4, 2],
        [2, 3],
        [1, 4],
      ]),
    ),
  m: (r) =>
    String(
      r.weighted([
        [5, 2],
        [3, 3],
        [1, 4],
        [2, 5],
        [1, 7],
        [3, 10],
      ]),
    ),
  i: (r) =>
    r.weighted([
      [5, '0'],
      [4, '-1'],
      [3, '1'],
      [1, '2'],
      [1, '-2'],
    ]),
  f: floatText,
  o: (r) => r.weighted(COMPARISONS),
};

const COMPARISONS = [
  [4, '=='],
  [3, '<'],
  [3, '>'],
  [2, '<='],
  [2, '>='],
  [2, '!='],
] as const;

const SEPARATORS = [
  [6, ' '],
  [5, ','],
  [4, ''],
  [3, '-'],
  [3, ', '],
  [2, '_'],
  [1, '/'],
  [1, ':'],
  [1, '.'],
  [1, '\n'],
  [1, 'a'],
] as const;

const PARTS: Readonly<Record<string, readonly string[]>> = {
  u: [
    '$x + $p',
    '$x * $p',
    '$x ** 2',
    '-$x',
    'abs($x)',
    '$x % $m',
    '$x - $p',
    '$x // $m',
    'str($x)',
    '$x * $x',
    '[$x]',
    '($x, $n)',
    '$x > $n',
    'float($x)',
    'max($x, $n)',
  ],
  U: [
    '$x.upper()',
    '$x.lower()',
    '$x * 2',
    '$x + $c',
    '$c + $x',
    'ord($x[0])',
    'len($x)',
    '$x[0]',
    '$x[::-1]',
    '$x.strip()',
    '$x.title()',
    '$x.isalpha()',
    '$x == $c',
    '($x, len($x))',
    "f'{$x}!'",
    '$x.count($c)',
    '$x.swapcase()',
    '$x[-1:]',
  ],
  Q: [
    '$x > $n',
    '$x < $n',
    '$x % 2 == 0',
    '$x % 2',
    '$x % $m == 1',
    '$x != $n',
    '$x == $n',
    '$x >= $n',
    '$x',
    'not $x',
    '0 < $x < $n',
    '$x in ($n, $n)',
    '$x > 0',
    'abs($x) < $n',
  ],
  Z: [
    '$x.isalpha()',
    "$x in 'aeiou'",
    "$x not in 'aeiou'",
    '$x != $c',
    '$x == $c',
    '$x.isdigit()',
    'not $x.isdigit()',
    '$x.isupper()',
    '$x.islower()',
    '$x > $c',
    'len($x) > $p',
    '$x',
    "$x != ' '",
    '$x.isalnum()',
    '$x.startswith($c)',
    '$c in $x',
    '$x.lower() == $c',
  ],
};
