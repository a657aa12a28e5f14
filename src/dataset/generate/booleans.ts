/** @file Conditions: comparisons, membership, predicates of strings, `and`, `or`, `not`. */
import type { Env } from './env.ts';
import { make, subText } from './expressions.ts';
import { other, TESTS } from './numbers.ts';
import { atom, binary, choose, type Expression, has, integer, paren } from './syntax.ts';
import { charValue, intValue, quote } from './values.ts';

export function bool(env: Env, depth: number): Expression {
  const { r } = env;
  const int = (d: number) => make(env, 'int', env.of('int').length ? d : Math.max(d, 1));
  const less = depth - 1;
  if (depth <= 0) return env.of('bool').length ? atom(env.recent(env.of('bool'))) : compare(env, 0);
  return choose(r, [
    [26, () => compare(env, less)],
    [
      9,
      () =>
        binary(
          binary(
            int(0),
            '%',
            integer(
              r.weighted([
                [6, 2],
                [3, 3],
                [1, 5],
              ]),
            ),
            13,
          ),
          r.pick(['==', '==', '!=']),
          integer(r.int(0, 1)),
          7,
        ),
    ],
    [5, () => binary(bool(env, less), 'and', bool(env, less), 5)],
    [4, () => binary(bool(env, less), 'or', bool(env, less), 4)],
    [3, () => [`not ${paren(bool(env, less), 6)}`, 6]],
    [
      2,
      () => {
        const v = int(0);
        return [`${integer(r.int(0, 3))[0]} <${r.pick(['', '='])} ${paren(v, 8)} < ${r.int(5, 20)}`, 7];
      },
    ],
    ...has(env, 10, ['str'], (x) =>
      atom(
        `${x}.${r.pick(['isdigit', 'isalpha', 'isupper', 'islower', 'isalnum', 'isspace', 'isdigit', 'isalpha'])}()`,
      ),
    ),
    ...has(env, 5, ['str'], (x) => atom(`${x}.${r.pick(['startswith', 'endswith'])}(${subText(env)})`)),
    ...has(env, 9, ['str'], (x) => [`${quote(charValue(r))} ${r.pick(['in', 'in', 'not in'])} ${x}`, 7]),
    ...has(env, 6, ['ch'], (x) => [
      `${x} ${r.pick(['in', 'in', 'not in'])} ${quote(r.pick(['aeiou', 'abc', '0123456789', '.,!', 'AEIOU', 'xyz', '()']))}`,
      7,
    ]),
    ...has(env, 6, ['ch'], (x) => [`${x} ${r.pick(['==', '==', '!='])} ${quote(charValue(r))}`, 7]),
    ...has(env, 8, ['ints', 'seti', 'dii'], (x) => [
      `${paren(int(0), 8)} ${r.pick(['in', 'in', 'not in'])} ${x}`,
      7,
    ]),
    ...has(env, 7, ['strs', 'dsi', 'sets', 'dss'], (x) => [
      `${make(env, 'str', 0)[0]} ${r.pick(['in', 'in', 'not in'])} ${x}`,
      7,
    ]),
    ...has(env, 5, ['ints', 'str', 'strs', 'dsi'], (x) =>
      binary(
        atom(`len(${x})`),
        r.pick(['>', '<', '==', '>=', '%']).replace('%', '>'),
        integer(r.int(0, 5)),
        7,
      ),
    ),
    ...has(env, 2, ['ints', 'strs', 'str', 'dsi'], (x) => (r.chance(0.5) ? atom(x) : [`not ${x}`, 6])),
    ...has(env, 4, ['ints'], (x) => atom(`${r.pick(['any', 'all'])}(${r.pick(TESTS)} for x in ${x})`)),
    ...has(env, 2, ['str'], (x) =>
      atom(`${r.pick(['any', 'all'])}(c.${r.pick(['isdigit', 'isalpha', 'isupper'])}() for c in ${x})`),
    ),
    ...has(env, 2, ['str'], (x) => [`${x} == ${x}[::-1]`, 7]),
    ...has(env, 8, ['optional'], (x) => [`${x} is ${r.pick(['None', 'not None'])}`, 7]),
    ...has(env, 5, ['bool'], (x) => (r.chance(0.6) ? atom(x) : [`not ${x}`, 6])),
  ]);
}

/** A comparison whose two sides are not the same constant. */
function compare(env: Env, depth: number): Expression {
  const { r } = env;
  if (env.of('int').length === 0 && env.of('str').length && r.chance(0.7)) {
    const x = env.recent(env.of('str'));
    return r.chance(0.5)
      ? binary(atom(`len(${x})`), r.pick(['>', '<', '>=', '==']), integer(r.int(1, 8)), 7)
      : [`${x}${r.pick(['[0]', '[-1]', ''])} ${r.pick(['==', '!=', '<', '>'])} ${quote(charValue(r))}`, 7];
  }
  if (env.of('int').length === 0) {
    const sized = env.of('ints', 'strs', 'dsi', 'dii', 'dss', 'grid', 'tup', 'pairs', 'seti', 'sets');
    if (sized.length && r.chance(0.6)) {
      return binary(
        atom(`len(${env.recent(sized)})`),
        r.pick(['>', '<', '>=', '==', '%']).replace('%', '!='),
        integer(r.int(1, 6)),
        7,
      );
    }
  }
  const left = make(env, 'int', depth);
  const right = r.chance(0.5) ? integer(r.chance(0.7) ? r.int(0, 10) : intValue(r)) : other(env, left);
  return binary(
    left,
    r.weighted([
      [6, '>'],
      [6, '<'],
      [5, '=='],
      [2, '!='],
      [3, '>='],
      [3, '<='],
    ]),
    right,
    7,
  );
}
