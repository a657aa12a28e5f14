/** @file Lists, tuples, lists of lists and of pairs: literals, slices, sorts, comprehensions. */
import type { Env } from './env.ts';
import { make, slice } from './expressions.ts';
import { comprehension, ELEMENTS, TESTS } from './numbers.ts';
import { atom, binary, has, type Option } from './syntax.ts';
import { charValue, quote } from './values.ts';

export function intLists(env: Env, depth: number): Option[] {
  const { r } = env;
  const ints = () => make(env, 'ints', 0);
  const int = () => make(env, 'int', depth);
  return [
    [3, () => atom('[]')],
    [8, () => atom(`[${Array.from({ length: r.int(1, 3) }, () => int()[0]).join(', ')}]`)],
    [8, () => binary(ints(), '+', r.chance(0.5) ? atom(`[${int()[0]}]`) : ints(), 12)],
    [
      2,
      () =>
        binary(
          atom(`[${r.int(0, 1)}]`),
          '*',
          atom(env.of('int').length && r.chance(0.3) ? env.recent(env.of('int')) : String(r.int(2, 5))),
          13,
        ),
    ],
    [
      5,
      () =>
        atom(
          `list(range(${r.weighted([
            [4, String(r.int(2, 7))],
            [3, `${r.int(1, 3)}, ${r.int(4, 8)}`],
            [2, `${r.int(0, 2)}, ${r.int(6, 12)}, ${r.int(2, 3)}`],
            [1, `${r.int(5, 8)}, ${r.int(0, 2)}, -1`],
          ])}))`,
        ),
    ],
    ...has(env, 12, ['ints'], (x) => atom(`${x}[${slice(r)}]`)),
    ...has(env, 4, ['ints'], (x) => atom(`${x}[::-1]`)),
    ...has(env, 12, ['ints'], (x) =>
      atom(
        `sorted(${x}${r.weighted([
          [6, ''],
          [3, ', reverse=True'],
          [2, ', key=lambda x: -x'],
          [2, ', key=abs'],
          [1, `, key=lambda v: v % ${r.int(2, 5)}`],
        ])})`,
      ),
    ),
    ...has(env, 18, ['ints'], (x) => atom(`[${comprehension(env, x)}]`)),
    ...has(env, 3, ['ints'], (x) => atom(`list(map(lambda x: ${r.pick(ELEMENTS)}, ${x}))`)),
    ...has(env, 3, ['ints'], (x) => atom(`list(filter(lambda x: ${r.pick(TESTS)}, ${x}))`)),
    ...has(env, 3, ['ints'], (x) =>
      atom(
        r.pick([`list(reversed(${x}))`, `list(set(${x}))`, `sorted(set(${x}))`, `${x}.copy()`, `list(${x})`]),
      ),
    ),
    ...has(env, 3, ['ints'], (x) =>
      atom(
        `[${r.pick(['a + b', 'a - b', 'a * b', 'max(a, b)', 'b - a'])} for a, b in zip(${x}, ${r.chance(0.5) ? `${x}[1:]` : ints()[0]})]`,
      ),
    ),
    ...has(env, 3, ['ints'], (x) =>
      atom(
        `[${r.pick(['i', 'i * v', 'i + v'])} for i, v in enumerate(${x})${r.chance(0.5) ? ` if v ${r.pick(['>', '<', '!='])} ${r.int(0, 9)}` : ''}]`,
      ),
    ),
    ...has(env, 3, ['ints'], (x) => {
      const y = ints()[0];
      return atom(`[x for x in ${x} if x ${r.pick(['in', 'not in'])} ${y}]`);
    }),
    ...has(env, 3, ['str'], (x) => atom(`[ord(c)${r.pick(['', " - ord('a')", ' - 97'])} for c in ${x}]`)),
    ...has(env, 3, ['str'], (x) => atom(`[int(c) for c in ${x} if c.isdigit()]`)),
    ...has(env, 2, ['str'], (x) =>
      atom(`[i for i, c in enumerate(${x}) if c ${r.pick(['==', '!='])} ${quote(charValue(r))}]`),
    ),
    ...has(env, 6, ['strs'], (x) =>
      atom(
        `[len(${r.pick(['w', 's', 'word'])}) for ${'w'} in ${x}]`.replace(
          /len\((\w+)\) for w/,
          'len($1) for $1',
        ),
      ),
    ),
    ...has(env, 6, ['dsi', 'dii'], (x) => atom(`list(${x}.values())`)),
    ...has(env, 3, ['dii'], (x) => atom(r.pick([`list(${x}.keys())`, `list(${x})`, `sorted(${x})`]))),
    ...has(env, 4, ['seti'], (x) => atom(`${r.pick(['sorted', 'list'])}(${x})`)),
    ...has(env, 4, ['grid'], (x) =>
      atom(
        r.pick([
          `${x}[0]`,
          `${x}[-1]`,
          `[sum(row) for row in ${x}]`,
          `[x for row in ${x} for x in row]`,
          `[row[0] for row in ${x}]`,
        ]),
      ),
    ),
    ...has(env, 2, ['tup'], (x) => atom(`list(${x})`)),
    ...has(env, 2, ['pairs'], (x) =>
      atom(`[${r.pick(['v for _, v', 'p[1] for p', 'b * 2 for a, b'])} in ${x}]`),
    ),
  ];
}

const WORD_MAPS: readonly string[] = [
  'w.upper()',
  'w[::-1]',
  'w + w',
  'w.capitalize()',
  'w[0]',
  'w.lower()',
  "w + '!'",
  'w[:2]',
  'w.strip()',
  'w.title()',
];

const WORD_TESTS: readonly string[] = [
  'len(w) > 3',
  "'a' in w",
  'w',
  'w.isalpha()',
  "w.startswith('a')",
  'len(w) % 2 == 0',
  'w != w[::-1]',
  'len(w) < 5',
];

export function stringLists(env: Env, depth: number): Option[] {
  const { r } = env;
  const plain = () => make(env, 'str', Math.min(depth, 1));
  return [
    [2, () => atom('[]')],
    [6, () => atom(`[${Array.from({ length: r.int(1, 3) }, () => plain()[0]).join(', ')}]`)],
    ...has(env, 14, ['str'], (x) =>
      atom(
        `${x}.split(${r.weighted([
          [5, ''],
          [2, "' '"],
          [2, "','"],
          [1, "'-'"],
          [1, quote(charValue(r))],
        ])})`,
      ),
    ),
    ...has(env, 8, ['str'], (x) => atom(`list(${x})`)),
    ...has(env, 6, ['str'], (x) =>
      atom(
        `[c for c in ${x} if ${r.pick(['c.isalpha()', "c not in 'aeiou'", 'c.isupper()', "c != ' '", 'c.isdigit()'])}]`,
      ),
    ),
    ...has(env, 3, ['str'], (x) =>
      atom(`[${x}[i:i + ${r.int(2, 3)}] for i in range(0, len(${x}), ${r.int(1, 3)})]`),
    ),
    ...has(env, 6, ['strs'], (x) =>
      atom(
        `sorted(${x}${r.weighted([
          [5, ''],
          [4, ', key=len'],
          [2, ', reverse=True'],
          [1, ', key=lambda w: w[-1:]'],
          [1, ', key=lambda s: (len(s), s)'],
          [1, ', key=str.lower'],
        ])})`,
      ),
    ),
    ...has(env, 8, ['strs'], (x) => atom(`[${r.pick(WORD_MAPS)} for w in ${x}]`)),
    ...has(env, 6, ['strs'], (x) =>
      atom(`[${r.chance(0.7) ? 'w' : r.pick(WORD_MAPS)} for w in ${x} if ${r.pick(WORD_TESTS)}]`),
    ),
    ...has(env, 5, ['strs'], (x) => atom(`${x}[${slice(r)}]`)),
    ...has(env, 3, ['strs'], (x) => binary(atom(x), '+', atom(`[${plain()[0]}]`), 12)),
    ...has(env, 5, ['dsi', 'dss'], (x) =>
      atom(r.pick([`list(${x}.keys())`, `list(${x})`, `sorted(${x})`, `[k for k in ${x}]`])),
    ),
    ...has(env, 3, ['dsi'], (x) =>
      atom(`[k for k, v in ${x}.items() if v ${r.pick(['>', '<', '==', '>='])} ${r.int(0, 20)}]`),
    ),
    ...has(env, 3, ['dss'], (x) => atom(`list(${x}.values())`)),
    ...has(env, 4, ['ints'], (x) => atom(r.pick([`[str(x) for x in ${x}]`, `list(map(str, ${x}))`]))),
    ...has(env, 2, ['sets'], (x) => atom(`sorted(${x})`)),
    ...has(env, 2, ['pairs'], (x) => atom(`[k for k, _ in ${x}]`)),
  ];
}

export function tuples(env: Env, depth: number): Option[] {
  const { r } = env;
  const int = () => make(env, 'int', depth)[0];
  return [
    [10, () => atom(`(${int()}, ${int()}${r.chance(0.2) ? `, ${int()}` : ''})`)],
    ...has(env, 5, ['ints'], (x) =>
      atom(
        r.pick([`tuple(${x})`, `(min(${x}), max(${x}))`, `(len(${x}), sum(${x}))`, `tuple(sorted(${x}))`]),
      ),
    ),
    ...has(env, 4, ['int'], (x) => atom(`divmod(${x}, ${r.int(2, 10)})`)),
    ...has(env, 3, ['tup'], (x) => (r.chance(0.5) ? atom(`${x}[${slice(r)}]`) : [`${x} + (${int()},)`, 12])),
  ];
}

export function grids(env: Env, _depth: number): Option[] {
  const { r } = env;
  return [
    [3, () => atom(`[[${r.int(0, 1)}] * ${r.int(2, 3)} for _ in range(${r.int(2, 3)})]`)],
    ...has(env, 8, ['grid'], (x) =>
      atom(
        r.pick([
          `[row[:] for row in ${x}]`,
          `[row[::-1] for row in ${x}]`,
          `[list(r) for r in zip(*${x})]`,
          `[[x * 2 for x in row] for row in ${x}]`,
          `${x}[::-1]`,
          `[sorted(row) for row in ${x}]`,
          `[[row[i] for row in ${x}] for i in range(len(${x}[0]))]`,
        ]),
      ),
    ),
    ...has(env, 4, ['ints'], (x) =>
      atom(
        r.pick([
          `[${x}[i:i + 2] for i in range(0, len(${x}), 2)]`,
          `[[v, v * 2] for v in ${x}]`,
          `[[v] for v in ${x}]`,
          `[${x}, ${x}[::-1]]`,
        ]),
      ),
    ),
  ];
}

export function pairLists(env: Env, _depth: number): Option[] {
  return [
    [1, () => atom('[]')],
    ...has(env, 6, ['dsi'], (x) =>
      atom(
        env.r.pick([
          `list(${x}.items())`,
          `sorted(${x}.items(), key=lambda x: x[1])`,
          `sorted(${x}.items(), key=lambda kv: (-kv[1], kv[0]))`,
          `[(k, v) for k, v in ${x}.items() if v > ${env.r.int(0, 9)}]`,
        ]),
      ),
    ),
    ...has(env, 4, ['strs'], (x) =>
      atom(env.r.pick([`[(w, len(w)) for w in ${x}]`, `[(w, i) for i, w in enumerate(${x})]`])),
    ),
    ...has(env, 3, ['pairs'], (x) =>
      atom(env.r.pick([`sorted(${x}, key=lambda p: p[1])`, `${x}[::-1]`, `sorted(${x})`])),
    ),
  ];
}
