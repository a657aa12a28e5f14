/** @file Whole random functions by shape: 1 straight lines, 2 one loop or branch, 3 several blocks; they may call helpers. */

import type { Random } from '../../common/random.ts';
import { accumulation } from './accumulate.ts';
import { type Callable, Env, type Variable } from './env.ts';
import { condition, expression } from './expressions.ts';
import { attempt, guard } from './failures.ts';
import { looseLoop } from './loops.ts';
import { FUNCTION_NAMES, HELPER_NAMES, NAMES } from './names.ts';
import { literal } from './samples.ts';
import { assignment, branch, indent, returned, statement } from './statements.ts';
import type { Ty } from './values.ts';
import { whileLoop } from './whiles.ts';

export interface FunctionText {
  readonly lines: readonly string[];
  readonly callable: Callable;
  readonly paramNames: readonly string[];
}

const PARAM_TYPES: readonly (readonly [number, Ty])[] = [
  [30, 'int'],
  [26, 'str'],
  [24, 'ints'],
  [11, 'strs'],
  [9, 'dsi'],
  [4, 'grid'],
  [3, 'dii'],
  [2, 'dss'],
  [2, 'tup'],
  [2, 'seti'],
  [3, 'float'],
  [3, 'pairs'],
  [1.5, 'optional'],
  [1.5, 'bool'],
  [1, 'sets'],
];

const RESULT_TYPES: readonly (readonly [number, Ty])[] = [
  [24, 'int'],
  [22, 'str'],
  [20, 'ints'],
  [14, 'strs'],
  [10, 'dsi'],
  [6, 'bool'],
  [4, 'dii'],
  [3, 'tup'],
  [2, 'float'],
  [2, 'seti'],
  [2, 'pairs'],
  [2, 'grid'],
  [1.5, 'dss'],
];

function parameters(r: Random, most: number): Variable[] {
  const count = r.weighted<number>([
    [48, 1],
    [38, 2],
    [12, 3],
    [2, 4],
  ]);
  const env = new Env(r);
  return Array.from({ length: Math.min(most, count) }, () => {
    const type = r.weighted(PARAM_TYPES);
    return { name: env.fresh(type, NAMES[type]), type, frozen: false };
  });
}

/** A function of one to three parameters over `helpers` (functions it may call). */
export function randomFunction(
  r: Random,
  level: number,
  helpers: readonly Callable[] = [],
  helper = false,
): FunctionText {
  const params = parameters(r, helper ? 2 : 4);
  const taken = new Set([...params.map((p) => p.name), ...helpers.map((h) => h.name)]);
  const pool = helper ? HELPER_NAMES : FUNCTION_NAMES;
  let name = !helper && r.chance(0.45) ? 'f' : r.pick(pool);
  for (let n = 2; taken.has(name); n++) name = `${name}${n}`;
  taken.add(name);
  let env = new Env(r, params, helpers, taken);
  const lines: string[] = [];
  const add = (made: { readonly lines: readonly string[]; readonly env: Env }) => {
    lines.push(...made.lines);
    env = made.env;
  };
  let result = r.weighted(RESULT_TYPES);
  let value: string | null = null;
  const finish = (names: readonly string[]) => {
    value = r.pick(names);
  };
  if (level === 1) {
    for (
      let n = r.weighted([
        [1, 1],
        [4, 2],
        [4, 3],
        [3, 4],
        [2, 5],
      ]);
      n > 0;
      n--
    )
      add(r.chance(0.55) ? assignment(env) : statement(env));
  } else if (level === 2) {
    if (r.chance(0.25)) add(guard(env, result));
    if (r.chance(0.25)) add(statement(env));
    r.weighted<() => void>([
      [
        9,
        () => {
          add(accumulation(env, result, false));
          if (r.chance(0.75)) finish([env.variables.at(-1)!.name]);
        },
      ],
      [3, () => add(branch(env, (e) => statement(e)))],
      [2, () => add(looseLoop(env))],
      [2, () => add(whileLoop(env))],
      [1.5, () => add(attempt(env))],
      [2, () => branches()],
    ])();
  } else {
    if (r.chance(0.3)) add(guard(env, result));
    for (let n = r.int(1, 2); n > 0; n--) {
      r.weighted<() => void>([
        [7, () => add(accumulation(env, n === 1 ? result : r.weighted(RESULT_TYPES), true))],
        [3, () => add(whileLoop(env))],
        [2, () => add(looseLoop(env))],
        [2, () => add(branch(env, (e) => statement(e)))],
        [1.5, () => add(attempt(env))],
        [3, () => add(assignment(env))],
      ])();
    }
    if (env.of(result).length === 0) add(assignment(env, 1, result));
  }
  function branches(): void {
    lines.push(`if ${condition(env)}:`, `    return ${expression(env, result, 1)}`);
    if (r.chance(0.6)) lines.push(`elif ${condition(env)}:`, `    return ${expression(env, result, 1)}`);
  }
  // Mostly give back what was made or changed.
  if (value === null && r.chance(env.of(result).length ? 0.5 : 0.85)) {
    const bound = env.variables.filter((v) => !params.includes(v) && v.type !== 'ch');
    const touched = params.filter((p) =>
      lines.some((l) => new RegExp(`\\b${p.name}(\\.\\w+\\(|\\[.*\\] [-+]?=|,? [-+*/%]*=)`).test(l)),
    );
    const pool =
      bound.length && r.chance(0.8)
        ? [bound.at(-1)!]
        : touched.length
          ? touched
          : bound.length
            ? bound
            : params;
    const chosen = r.pick(pool);
    result = chosen.type === 'ch' ? 'str' : chosen.type;
    if (r.chance(0.7)) value = chosen.name;
  }
  const changed = lines.some((l) => l.includes('.append(') || l.includes('] ='));
  if (level > 1 && r.chance(0.04)) lines.push(`return (${returned(env, result)}, ${returned(env, 'int')})`);
  else if (changed && r.chance(0.02)) result = 'optional';
  else lines.push(`return ${value ?? returned(env, result)}`);
  const head = `def ${name}(${params.map((p, i) => (i > 0 && i === params.length - 1 && r.chance(0.06) ? `${p.name}=${literal(r, p.type)}` : p.name)).join(', ')}):`;
  return {
    lines: [head, ...indent(lines)],
    callable: { name, params: params.map((p) => p.type), result },
    paramNames: params.map((p) => p.name),
  };
}
