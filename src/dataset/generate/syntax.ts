/** @file Expressions as text with their binding strength, and weighted choices of them. */
import type { Env } from './env.ts';
import type { Ty } from './values.ts';

/** Text and binding strength: 16 atom or call, 15 `**`, 14 unary, 13 `*`, 12 `+`, 11 `<<`, 10 `&`, 9 `^`, 8 `|`, 7 compare, 6 not, 5 and, 4 or, 3 if-else, 2 lambda. */
export type Expression = readonly [text: string, strength: number];

export const atom = (text: string): Expression => [text, 16];

export const paren = ([text, strength]: Expression, atLeast: number): string =>
  strength < atLeast ? `(${text})` : text;

export const binary = (a: Expression, operator: string, b: Expression, strength: number): Expression => [
  `${paren(a, strength)} ${operator} ${paren(b, strength + 1)}`,
  strength,
];

export const integer = (n: number): Expression => [String(n), n < 0 ? 14 : 16];

/** `uses`: it reads a variable for certain. */
export type Option = readonly [weight: number, make: () => Expression, uses?: true];

export const choose = (r: Env['r'], options: readonly Option[]): Expression =>
  r.weighted(options.map(([weight, build]) => [weight, build] as const))();

export const has = (
  env: Env,
  weight: number,
  types: readonly Ty[],
  build: (name: string) => Expression,
): Option[] => {
  const names = env.of(...types);
  return names.length ? [[weight, () => build(env.recent(names)), true]] : [];
};
