/** @file What can fail: `try` around it, guards that raise or return early. */
import type { Env } from './env.ts';
import { condition, expression } from './expressions.ts';
import { variable } from './loops.ts';
import { literal } from './samples.ts';
import { branch, indent, statement, type Written } from './statements.ts';
import { charValue, quote, type Ty, word } from './values.ts';

const RISKS: readonly (readonly [Ty, Ty, (x: string, key: string, r: Env['r']) => string, string])[] = [
  ['dsi', 'int', (x, key) => `${x}[${key}]`, 'KeyError'],
  ['ints', 'int', (x, _k, r) => `${x}[${r.int(2, 6)}]`, 'IndexError'],
  ['strs', 'str', (x, _k, r) => `${x}[${r.int(1, 4)}]`, 'IndexError'],
  ['str', 'int', (x) => `int(${x})`, 'ValueError'],
  ['ints', 'int', (x, _k, r) => `${x}.index(${r.int(0, 9)})`, 'ValueError'],
  ['int', 'int', (x, _k, r) => `${r.int(10, 100)} // ${x}`, 'ZeroDivisionError'],
  ['ints', 'int', (x) => `max(${x})`, 'ValueError'],
  ['str', 'int', (x, _k, r) => `${x}.index(${quote(charValue(r))})`, 'ValueError'],
];

/** `try` around something that can fail, with its handler; sometimes `else`, `finally`, or a wrong handler. */
export function attempt(env: Env): Written {
  const { r } = env;
  const fits = RISKS.filter(([type]) => env.of(type).length);
  if (!fits.length) return branch(env, (e) => statement(e));
  const [type, gives, risk, error] = r.pick(fits);
  const x = env.recent(env.of(type));
  const key = env.of('str').length ? env.recent(env.of('str')) : quote(word(r));
  const name = env.freshResult(gives);
  const after = env.with(variable(name, gives));
  const caught = r.weighted([
    [8, error],
    [2, 'Exception'],
    [1, `(${error}, TypeError)`],
    [0.6, 'KeyError'],
    [1, `${error} as e`],
  ]);
  const fallback = r.pick([
    `${name} = ${literal(r, gives)}`,
    gives === 'int' ? `${name} = -1` : `${name} = ''`,
    ...(caught.endsWith('as e') && gives === 'str' ? [`${name} = str(e)`] : []),
  ]);
  const lines = ['try:', `    ${name} = ${risk(x, key, r)}`];
  if (r.chance(0.2)) lines.push(...indent(statement(after, false).lines));
  lines.push(`except ${caught}:`, `    ${fallback}`);
  if (r.chance(0.12)) lines.push('else:', ...indent(statement(after, false).lines));
  if (r.chance(0.12)) lines.push('finally:', ...indent(statement(env, false).lines));
  return { lines, env: after };
}

const CHECKS: readonly (readonly [Ty, (x: string, r: Env['r']) => string, (r: Env['r']) => string])[] = [
  [
    'int',
    (x, r) => r.pick([`${x} < 0`, `${x} == 0`, `${x} > ${r.int(20, 90)}`]),
    (r) => r.pick(['negative', 'too large', 'bad value', 'out of range', 'invalid input']),
  ],
  [
    'str',
    (x, r) => r.pick([`not ${x}`, `not ${x}.isalpha()`, `len(${x}) > 8`]),
    (r) => r.pick(['empty', 'bad text', 'too long']),
  ],
  [
    'ints',
    (x, r) => r.pick([`not ${x}`, `len(${x}) < 2`]),
    (r) => r.pick(['empty list', 'no items', 'too short']),
  ],
];

/** A guard that raises or returns early. */
export function guard(env: Env, result: Ty): Written {
  const { r } = env;
  const fits = CHECKS.filter(([type]) => env.of(type).length);
  if (!fits.length || r.chance(0.3)) {
    return { lines: [`if ${condition(env)}:`, `    return ${expression(env, result, 0)}`], env };
  }
  const [type, test, message] = r.pick(fits);
  const x = r.pick(env.of(type));
  const action = r.chance(0.4)
    ? `raise ValueError(${quote(message(r))})`
    : `return ${result === 'int' ? r.pick(['0', '-1', '1']) : literal(r, result)}`;
  return { lines: [`if ${test(x, r)}:`, `    ${action}`], env };
}
