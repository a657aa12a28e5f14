/**
 * @file Random expressions of a wanted type. Operators keep their precedence, divisors are never the constant 0,
 * powers and repetitions have small constant right sides: values stay short.
 */
import { bool } from './booleans.ts';
import type { Env } from './env.ts';
import { grids, intLists, pairLists, stringLists, tuples } from './lists.ts';
import { floats, integers } from './numbers.ts';
import { literal } from './samples.ts';
import { atom, choose, type Expression, integer, type Option, paren } from './syntax.ts';
import { dictionaries, intDictionaries, intSets, stringDictionaries, stringSets } from './tables.ts';
import { chars, strings } from './texts.ts';
import { charValue, intValue, quote, smallInt, stringValue, type Ty, word } from './values.ts';

/** Source of a random expression; `depth` 0 gives a variable or a literal. */
export const expression = (env: Env, type: Ty, depth: number): string => make(env, type, depth)[0];

/** An operand: in parentheses if its operator binds no tighter than `.`, `[` and calls. */
export const operand = (env: Env, type: Ty, depth: number): string => paren(make(env, type, depth), 16);

/** A condition for `if` and `while`. */
export const condition = (env: Env, depth = 1): string => bool(env, Math.max(1, depth))[0];

export function make(env: Env, type: Ty, depth: number): Expression {
  const { r } = env;
  const names = env.of(type);
  if (depth <= 0) {
    if (names.length) return r.chance(0.9) ? atom(env.recent(names)) : leaf(env, type);
    if (depth < -1 || r.chance(0.35)) return leaf(env, type);
  }
  // Constants alone teach little and are not what people write: without a variable of the type, derive one from another type.
  const all = OPTIONS[type](env, depth - 1);
  const derived = names.length ? all : all.filter(([, , uses]) => uses);
  const options = derived.length ? derived : depth > 0 ? all : [];
  const callable = env.functions.filter((f) => f.result === type);
  if (depth > 0 && callable.length && r.chance(0.45)) {
    const f = r.pick(callable);
    return atom(`${f.name}(${f.params.map((p) => expression(env, p, r.chance(0.7) ? 0 : 1)).join(', ')})`);
  }
  if (!options.length) return names.length ? atom(env.recent(names)) : leaf(env, type);
  return choose(r, options);
}

const leaf = (env: Env, type: Ty): Expression => {
  const { r } = env;
  if (type === 'int') return integer(r.chance(0.6) ? smallInt(r) : intValue(r));
  // Constants in code are shorter and plainer than what it is called with.
  if (type === 'str')
    return atom(quote(r.chance(0.45) ? charValue(r) : r.chance(0.7) ? word(r) : stringValue(r)));
  return atom(literal(r, type));
};

const OPTIONS: Readonly<Record<Ty, (env: Env, depth: number) => Option[]>> = {
  int: integers,
  bool: (env, depth) => [[1, () => bool(env, depth + 1)]],
  float: floats,
  ch: chars,
  str: strings,
  ints: intLists,
  strs: stringLists,
  dsi: dictionaries,
  dii: intDictionaries,
  dss: stringDictionaries,
  seti: intSets,
  sets: stringSets,
  tup: tuples,
  grid: grids,
  pairs: pairLists,
  optional: (env, depth) => [
    [2, () => make(env, 'int', depth)],
    [1, () => atom('None')],
  ],
};

export const ternary = (env: Env, type: Ty): Expression => [
  `${paren(make(env, type, 0), 4)} if ${paren(bool(env, 1), 4)} else ${paren(make(env, type, 0), 3)}`,
  3,
];

/** What to look for in a string: a short constant, or a string at hand. */
export const subText = (env: Env): string =>
  env.r.chance(0.3) && env.of('ch').length
    ? env.recent(env.of('ch'))
    : quote(env.r.chance(0.8) ? charValue(env.r) : word(env.r).slice(0, 2));

/** The inside of a slice. */
export const slice = (r: Env['r']): string =>
  r.weighted([
    [8, `${r.int(1, 3)}:`],
    [8, `:${r.int(1, 4)}`],
    [5, `:-${r.int(1, 2)}`],
    [4, `-${r.int(1, 3)}:`],
    [4, '::2'],
    [4, '::-1'],
    [5, `${r.int(0, 2)}:${r.int(2, 5)}`],
    [2, `${r.int(1, 2)}:-1`],
    [1, `1::2`],
    [1, ':'],
  ]);

/** A random string literal of a flavour that fits constants in code. */
export const constantText = (env: Env): string => quote(env.r.chance(0.5) ? word(env.r) : stringValue(env.r));
