/** @file Dictionaries and sets. */
import type { Env } from './env.ts';
import { make } from './expressions.ts';
import { comprehension } from './numbers.ts';
import { literal } from './samples.ts';
import { atom, has, type Option } from './syntax.ts';
import { quote, word } from './values.ts';

export function dictionaries(env: Env, depth: number): Option[] {
  const { r } = env;
  return [
    [3, () => atom('{}')],
    [3, () => atom(`{${quote(word(r))}: ${make(env, 'int', depth)[0]}}`)],
    ...has(env, 4, ['strs'], (x) =>
      atom(`{${r.pick(['w: len(w)', 'w: 0', `w: ${x}.count(w)`])} for w in ${x}}`),
    ),
    ...has(env, 3, ['str'], (x) => atom(`{c: ${x}.count(c) for c in ${x}}`)),
    ...has(env, 3, ['strs'], (x) =>
      env.of('ints').length
        ? atom(`dict(zip(${x}, ${env.recent(env.of('ints'))}))`)
        : atom(`dict.fromkeys(${x}, ${r.int(0, 3)})`),
    ),
    ...has(env, 4, ['strs'], (x) => atom(`{w: i for i, w in enumerate(${x})}`)),
    ...has(env, 6, ['dsi'], (x) =>
      atom(
        `{k: ${r.pick(['v * 2', 'v + 1', 'v', 'v // 2', '-v'])} for k, v in ${x}.items()${r.chance(0.4) ? ` if v ${r.pick(['>', '<'])} ${r.int(0, 20)}` : ''}}`,
      ),
    ),
    ...has(env, 4, ['dsi'], (x) =>
      atom(
        r.pick([
          `dict(sorted(${x}.items()))`,
          `dict(sorted(${x}.items(), key=lambda x: x[1]))`,
          `${x}.copy()`,
          `dict(${x})`,
          `{**${x}}`,
        ]),
      ),
    ),
    ...has(env, 2, ['pairs'], (x) => atom(`dict(${x})`)),
  ];
}

export function intDictionaries(env: Env, depth: number): Option[] {
  const { r } = env;
  return [
    [3, () => atom('{}')],
    [2, () => atom(`{${r.int(0, 9)}: ${make(env, 'int', depth)[0]}}`)],
    ...has(env, 4, ['ints'], (x) =>
      atom(`{${r.pick(['x: x * x', `x: ${x}.count(x)`, 'x: x % 3', 'x: 0', 'x: -x'])} for x in ${x}}`),
    ),
    ...has(env, 4, ['ints'], (x) => atom(`{${r.pick(['i: v', 'v: i'])} for i, v in enumerate(${x})}`)),
    ...has(env, 3, ['dii'], (x) => atom(`{v: k for k, v in ${x}.items()}`)),
    [2, () => atom(`{i: i ** 2 for i in range(${r.int(2, 5)})}`)],
  ];
}

export function stringDictionaries(env: Env, _depth: number): Option[] {
  const { r } = env;
  return [
    [3, () => atom('{}')],
    ...has(env, 4, ['dss'], (x) =>
      atom(
        r.pick([`{v: k for k, v in ${x}.items()}`, `{k.upper(): v for k, v in ${x}.items()}`, `{**${x}}`]),
      ),
    ),
    ...has(env, 3, ['strs'], (x) =>
      atom(
        r.pick([`{w: w.upper() for w in ${x}}`, `{w: w[::-1] for w in ${x}}`, `dict(zip(${x}, ${x}[1:]))`]),
      ),
    ),
  ];
}

export function intSets(env: Env, _depth: number): Option[] {
  const { r } = env;
  const sets = env.of('seti');
  return [
    [2, () => atom('set()')],
    ...has(env, 8, ['ints'], (x) => atom(r.chance(0.7) ? `set(${x})` : `{${comprehension(env, x)}}`)),
    ...has(env, 6, ['seti'], (x) => [
      `${x} ${r.pick(['&', '|', '-', '^'])} ${sets.length > 1 ? r.pick(sets) : literal(r, 'seti')}`,
      r.chance(1) ? 8 : 8,
    ]),
    ...has(env, 2, ['seti'], (x) =>
      atom(
        `${x}.${r.pick(['union', 'intersection', 'difference'])}(${r.pick(sets.length ? sets : ['[1, 2]'])})`,
      ),
    ),
  ];
}

export function stringSets(env: Env, _depth: number): Option[] {
  return [
    [2, () => atom('set()')],
    ...has(env, 6, ['strs', 'str'], (x) => atom(`set(${x})`)),
    ...has(env, 3, ['strs'], (x) => atom(`{w.lower() for w in ${x}}`)),
  ];
}
