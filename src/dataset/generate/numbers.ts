/** @file Numbers: arithmetic, lengths, counts, look-ups; comprehensions over numbers. */
import { bool } from './booleans.ts';
import type { Env } from './env.ts';
import { make, subText, ternary } from './expressions.ts';
import { literal } from './samples.ts';
import { atom, binary, type Expression, has, integer, type Option, paren } from './syntax.ts';
import { intValue, smallInt } from './values.ts';

export function integers(env: Env, depth: number): Option[] {
  const { r } = env;
  const int = () => make(env, 'int', depth);
  const near = (): Expression => (env.of('int').length ? make(env, 'int', 0) : integer(intValue(r)));
  return [
    [
      26,
      () => {
        const left = int();
        return binary(left, '+', other(env, left), 12);
      },
    ],
    [
      20,
      () => {
        const left = int();
        return binary(left, '-', other(env, left), 12);
      },
    ],
    [14, () => binary(int(), '*', integer(smallInt(r)), 13)],
    [
      4,
      () => {
        const left = near();
        return binary(left, '*', other(env, left), 13);
      },
    ],
    [9, () => binary(int(), '//', integer(r.int(2, 10)), 13)],
    [12, () => binary(int(), '%', integer(r.int(2, 12)), 13)],
    [
      2,
      () => {
        const left = near();
        return binary(left, r.pick(['//', '%']), other(env, left), 13);
      },
    ],
    [
      4,
      () => [
        `${paren(near(), 16)} ** ${r.weighted([
          [8, 2],
          [2, 3],
        ])}`,
        15,
      ],
    ],
    [2, () => [`-${paren(near(), 15)}`, 14]],
    [
      6,
      () => {
        const left = near();
        return atom(`abs(${binary(left, '-', other(env, left), 12)[0]})`);
      },
    ],
    [
      6,
      () => {
        const left = int();
        return atom(`${r.pick(['min', 'max'])}(${left[0]}, ${other(env, left)[0]})`);
      },
    ],
    [2, () => atom(`divmod(${near()[0]}, ${r.int(2, 10)})[${r.int(0, 1)}]`)],
    [2, () => binary(near(), r.pick(['&', '|', '^']), near(), 10)],
    [2, () => binary(near(), r.pick(['<<', '>>']), integer(r.int(1, 3)), 11)],
    [4, () => ternary(env, 'int')],
    [1, () => atom(`pow(${near()[0]}, 2)`)],
    [1, () => atom(`int(${bool(env, 1)[0]})`)],
    ...has(env, 16, ['str', 'ints', 'strs', 'dsi', 'dii', 'seti', 'grid', 'tup'], (x) => atom(`len(${x})`)),
    ...has(env, 10, ['ints', 'tup'], (x) => atom(`sum(${x}${r.chance(0.15) ? `[${r.int(1, 2)}:]` : ''})`)),
    ...has(env, 9, ['ints', 'tup'], (x) => atom(`${r.pick(['max', 'min'])}(${x})`)),
    ...has(env, 14, ['ints', 'tup'], (x) =>
      atom(
        `${x}[${r.weighted([
          [5, '0'],
          [5, '-1'],
          [2, '1'],
          [1, '-2'],
          [1, '2'],
        ])}]`,
      ),
    ),
    ...has(env, 4, ['ints'], (x) => atom(`${x}[len(${x}) // 2]`)),
    ...has(env, 7, ['str'], (x) => atom(`${x}.count(${subText(env)})`)),
    ...has(env, 6, ['str'], (x) => atom(`${x}.${r.pick(['find', 'find', 'rfind'])}(${subText(env)})`)),
    ...has(env, 2, ['str'], (x) => atom(`${x}.index(${x}[-1])`)),
    ...has(env, 5, ['ints', 'tup'], (x) => atom(`${x}.count(${near()[0]})`)),
    ...has(env, 2, ['ints'], (x) => atom(`${x}.index(${r.pick([`${x}[-1]`, `max(${x})`, `min(${x})`])})`)),
    ...has(env, 7, ['dsi'], (x) =>
      atom(`${x}.get(${make(env, 'str', 0)[0]}, ${r.pick(['0', '0', '-1', '1'])})`),
    ),
    ...has(env, 4, ['dii'], (x) => atom(`${x}.get(${near()[0]}, ${r.pick(['0', '-1', '1'])})`)),
    ...has(env, 5, ['dsi', 'dii'], (x) => atom(`${r.pick(['sum', 'max', 'min', 'sum'])}(${x}.values())`)),
    ...has(env, 5, ['ch'], (x) =>
      r.chance(0.5)
        ? atom(`ord(${x})`)
        : binary(atom(`ord(${x})`), '-', atom(r.pick(["ord('a')", '97', "ord('A')", "ord('0')"])), 12),
    ),
    ...has(env, 5, ['ints'], (x) => atom(`sum(${comprehension(env, x, 'x')})`)),
    ...has(env, 3, ['str'], (x) =>
      atom(
        `sum(1 for c in ${x} if ${r.pick(['c.isalpha()', 'c.isdigit()', "c in 'aeiou'", 'c.isupper()', "c == ' '"])})`,
      ),
    ),
    ...has(env, 3, ['ints', 'str', 'strs'], (x) => atom(`len(set(${x}))`)),
    ...has(env, 3, ['strs'], (x) => atom(`len(${x}[${r.pick(['0', '-1'])}])`)),
    ...has(env, 4, ['grid'], (x) =>
      atom(r.pick([`${x}[0][0]`, `sum(${x}[0])`, `len(${x}[0])`, `sum(sum(row) for row in ${x})`])),
    ),
    ...has(env, 2, ['float'], (x) => atom(`${r.pick(['int', 'round'])}(${x})`)),
    ...has(env, 2, ['bool'], (x) => atom(`int(${x})`)),
  ];
}

export const ELEMENTS: readonly string[] = [
  'x * 2',
  'x + 1',
  'x ** 2',
  'x - 1',
  'x % 3',
  'abs(x)',
  'x * x',
  'x // 2',
  '-x',
  'x + 10',
  'x',
];

export const TESTS: readonly string[] = [
  'x > 0',
  'x % 2 == 0',
  'x % 2',
  'x < 5',
  'x > 3',
  'x % 2 == 1',
  'x != 0',
  'x >= 10',
  'x % 3 == 0',
];

/** `x * 2 for x in xs if x > 0` over a list of numbers, under any variable name. */
export function comprehension(env: Env, over: string, element?: string): string {
  const { r } = env;
  const name = r.weighted([
    [6, 'x'],
    [3, 'n'],
    [2, 'num'],
    [2, 'i'],
    [1, 'v'],
  ]);
  const rename = (text: string) => text.replaceAll(/\bx\b/g, name);
  const scalars = env.of('int').filter((v) => v !== name);
  const test =
    scalars.length && r.chance(0.3)
      ? `x ${r.pick(['>', '<', '!=', '=='])} ${r.pick(scalars)}`
      : r.pick(TESTS);
  const item =
    element ??
    (scalars.length && r.chance(0.25) ? `x ${r.pick(['+', '-', '*'])} ${r.pick(scalars)}` : r.pick(ELEMENTS));
  const guard = item === 'x' || r.chance(0.35) ? ` if ${rename(test)}` : '';
  return `${rename(item)} for ${name} in ${over}${guard}`;
}

/** A number that is not written like `left`: `x - x` and `x > x` are not what people write. */
export function other(env: Env, left: Expression): Expression {
  for (let tries = 0; tries < 4; tries++) {
    const right = make(env, 'int', 0);
    if (right[0] !== left[0] && !(Number.isFinite(+left[0]) && Number.isFinite(+right[0]))) return right;
  }
  return integer(smallInt(env.r));
}

export function floats(env: Env, depth: number): Option[] {
  const { r } = env;
  const number = () =>
    make(env, env.of('float').length && r.chance(0.7) ? 'float' : 'int', Math.min(depth, 0));
  return [
    [8, () => binary(number(), '/', integer(r.pick([2, 4, 5, 10, 3, 8, 100])), 13)],
    [6, () => binary(number(), '*', atom(r.pick(['0.5', '1.5', '0.1', '2.0', '0.25', '1.1'])), 13)],
    [5, () => binary(number(), r.pick(['+', '-']), atom(literal(r, 'float').replace(/^-/, '')), 12)],
    [
      6,
      () =>
        atom(`round(${binary(number(), '/', integer(r.int(2, 9)), 13)[0]}, ${r.pick(['2', '1', '2', '3'])})`),
    ],
    [2, () => atom(`float(${make(env, 'int', 0)[0]})`)],
    ...has(env, 6, ['ints'], (x) => [`sum(${x}) / len(${x})`, 13]),
  ];
}
