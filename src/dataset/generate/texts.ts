/** @file Strings: methods, slices, joins, formats; single characters. */
import type { Env } from './env.ts';
import { make, slice, subText, ternary } from './expressions.ts';
import { atom, binary, has, integer, type Option } from './syntax.ts';
import { charValue, quote, word } from './values.ts';

export function chars(env: Env, _depth: number): Option[] {
  const { r } = env;
  return [
    ...has(env, 6, ['str'], (x) => atom(`${x}[${r.pick(['0', '-1', '0', '1'])}]`)),
    ...has(env, 3, ['ch'], (x) => atom(`chr(ord(${x}) + ${r.int(1, 3)})`)),
    ...has(env, 2, ['int'], (x) => atom(`chr(97 + ${x} % 26)`)),
    ...has(env, 3, ['ch'], (x) => atom(`${x}.${r.pick(['upper', 'lower', 'swapcase'])}()`)),
    ...has(env, 2, ['int'], (x) => atom(`str(${x})[-1]`)),
  ];
}

const UNARY: readonly (readonly [number, string])[] = [
  [10, 'upper()'],
  [10, 'lower()'],
  [7, 'strip()'],
  [3, 'lstrip()'],
  [3, 'rstrip()'],
  [4, 'title()'],
  [5, 'capitalize()'],
  [4, 'swapcase()'],
];

export function strings(env: Env, depth: number): Option[] {
  const { r } = env;
  const str = () => make(env, 'str', depth);
  const plain = () => make(env, 'str', 0);
  const number = () => (env.of('int').length ? env.recent(env.of('int')) : String(r.int(0, 9)));
  return [
    [14, () => binary(str(), '+', plain(), 12)],
    [6, () => binary(plain(), '+', atom(quote(charValue(r))), 12)],
    [4, () => binary(plain(), '*', integer(r.int(2, 3)), 13)],
    [4, () => atom(`str(${make(env, 'int', depth)[0]})`)],
    [3, () => ternary(env, 'str')],
    [
      5,
      () =>
        atom(
          r.weighted([
            [5, `f'{${strName(env)}}${r.pick([':', '-', ' ', '=', ', ', '_'])}{${number()}}'`],
            [2, `f'${word(r)} {${strName(env)}}'`],
            [2, `'{} {}'.format(${strName(env)}, ${number()})`],
            [2, `'%s%s' % (${strName(env)}, ${number()})`],
            [1, `f'{${number()}:0${r.int(2, 4)}d}'`],
          ]),
        ),
    ],
    ...has(env, 10, ['ch'], (x) =>
      atom(
        r.pick([
          `${x}.upper()`,
          `${x}.lower()`,
          `${x}.swapcase()`,
          `chr(ord(${x}) + ${r.int(1, 3)})`,
          `chr((ord(${x}) - 97 + ${r.int(1, 13)}) % 26 + 97)`,
          `str(ord(${x}))`,
        ]),
      ),
    ),
    ...has(env, 2, ['int'], (x) => atom(`chr(${r.pick(['97', "ord('a')", '65'])} + ${x} % 26)`)),
    ...has(env, 26, ['str'], (x) => atom(`${x}.${r.weighted(UNARY)}`)),
    ...has(env, 12, ['str'], (x) => atom(`${x}[${slice(r)}]`)),
    ...has(env, 5, ['str'], (x) => atom(`${x}[::-1]`)),
    ...has(env, 10, ['str'], (x) =>
      atom(
        `${x}.replace(${subText(env)}, ${r.chance(0.3) ? "''" : quote(r.chance(0.8) ? charValue(r) : word(r))})`,
      ),
    ),
    ...has(env, 3, ['str'], (x) =>
      atom(
        `${x}.${r.pick(['strip', 'lstrip', 'rstrip'])}(${quote(r.pick(['a', '!', '-', ' ', '.', '#', 'abc', '0']))})`,
      ),
    ),
    ...has(env, 2, ['str'], (x) => atom(`${x}.zfill(${r.int(3, 8)})`)),
    ...has(env, 3, ['str'], (x) =>
      atom(
        `${x}.${r.pick(['center', 'ljust', 'rjust'])}(${r.int(4, 12)}${r.chance(0.6) ? `, ${quote(r.pick(['*', '-', '.', '0', '#', ' ']))}` : ''})`,
      ),
    ),
    ...has(env, 2, ['str'], (x) =>
      atom(
        `${x}.${r.pick(['partition', 'rpartition'])}(${quote(r.pick([' ', '-', 'a', ',']))})[${r.pick(['0', '-1'])}]`,
      ),
    ),
    ...has(env, 2, ['str'], (x) =>
      atom(
        `${x}.${r.pick(['removeprefix', 'removesuffix'])}(${quote(r.chance(0.5) ? charValue(r) : word(r).slice(0, 2))})`,
      ),
    ),
    ...has(env, 8, ['strs'], (x) => atom(`${quote(r.pick(['', ' ', ',', '-', ', ', '', ' ']))}.join(${x})`)),
    ...has(env, 6, ['strs'], (x) => atom(`${x}[${r.pick(['0', '-1', '1'])}]`)),
    ...has(env, 3, ['str'], (x) =>
      atom(`''.join(${r.pick([`sorted(${x})`, `reversed(${x})`, `sorted(set(${x}))`])})`),
    ),
    ...has(env, 5, ['str'], (x) =>
      atom(
        `''.join(${r.pick(['c.upper()', 'c', 'c', 'c * 2', 'c.lower()'])} for c in ${x} if ${r.pick(['c.isalpha()', "c != ' '", "c not in 'aeiou'", 'not c.isdigit()', "c > 'c'"])})`,
      ),
    ),
    ...has(env, 3, ['dss'], (x) => atom(`${x}.get(${plain()[0]}, ${quote(r.chance(0.5) ? '' : word(r))})`)),
    ...has(env, 3, ['ints'], (x) =>
      atom(
        `${quote(r.pick(['', ' ', ',', '-']))}.join(${r.pick([`map(str, ${x})`, `str(x) for x in ${x}`, `[str(v) for v in ${x}]`])})`,
      ),
    ),
    ...has(env, 2, ['strs'], (x) => atom(`max(${x}, key=len)`)),
  ];
}

/** A variable to show in a format; `0` if there is none at all. */
const strName = (env: Env): string => {
  const names = env.of('str').length ? env.of('str') : env.variables.map((v) => v.name);
  return names.length ? env.recent(names) : '0';
};
