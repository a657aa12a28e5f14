/** @file `acc = []`, a loop that fills it: the heart of most real functions. */
import { Env } from './env.ts';
import { condition, expression, operand } from './expressions.ts';
import { header, variable } from './loops.ts';
import { indent, statement, type Written } from './statements.ts';
import { charValue, quote, type Ty } from './values.ts';

/** One line that adds what the loop has found to the accumulator. */
export function accumulate(env: Env, name: string, type: Ty): readonly string[] {
  const { r } = env;
  const int = (d = 1) => expression(env, 'int', r.chance(0.6) ? 0 : d);
  const str = (d = 1) => expression(env, 'str', r.chance(0.5) ? 0 : d);
  switch (type) {
    case 'int':
      return [
        r.weighted([
          [8, `${name} += ${int()}`],
          [4, `${name} += 1`],
          [2, `${name} -= ${int()}`],
          [2, `${name} = ${r.pick(['max', 'min'])}(${name}, ${int()})`],
          [1, `${name} = (${name} * ${r.int(2, 31)} + ${int(0)}) % ${r.int(7, 101)}`],
          [1, `${name} ^= ${int(0)}`],
        ]),
      ];
    case 'float':
      return [
        `${name} += ${r.pick([`${operand(env, 'int', 0)} / ${r.int(2, 4)}`, `${operand(env, 'int', 0)} * 0.5`, int(0)])}`,
      ];
    case 'str':
      return [
        r.weighted([
          [9, `${name} += ${str()}`],
          [3, `${name} = ${str(0)} + ${name}`],
          [1, `${name} += ${str(0)} + ${quote(charValue(r))}`],
          [1, `${name} += str(${int(0)})`],
        ]),
      ];
    case 'bool':
      return [`${name} = ${r.pick(['True', 'False', `not ${name}`])}`];
    case 'ints':
      return [
        r.weighted([
          [10, `${name}.append(${int()})`],
          [1, `${name}.insert(0, ${int(0)})`],
          [1, `${name} += [${int(0)}]`],
          [1, `${name}.append(${name}[-1] + ${int(0)} if ${name} else ${int(0)})`],
        ]),
      ];
    case 'strs':
      return [
        r.weighted([
          [10, `${name}.append(${str()})`],
          [2, `${name}.insert(0, ${str(0)})`],
          [1, `${name}.append(str(${int(0)}))`],
        ]),
      ];
    case 'dsi': {
      const key = str(0);
      return r.weighted([
        [5, [`${name}[${key}] = ${name}.get(${key}, 0) + ${r.chance(0.7) ? '1' : int(0)}`]],
        [4, [`if ${key} in ${name}:`, `    ${name}[${key}] += 1`, 'else:', `    ${name}[${key}] = 1`]],
        [4, [`${name}[${key}] = ${int()}`]],
        [1, [`${name}.setdefault(${key}, ${int(0)})`]],
        [1, [`if ${key} not in ${name}:`, `    ${name}[${key}] = 0`, `${name}[${key}] += ${int(0)}`]],
      ]);
    }
    case 'dii': {
      const key = int(1);
      return r.chance(0.6)
        ? [`${name}[${key}] = ${name}.get(${key}, 0) + 1`]
        : [`${name}[${key}] = ${int()}`];
    }
    case 'dss':
      return [`${name}[${str(0)}] = ${str()}`];
    case 'seti':
      return [`${name}.${r.chance(0.85) ? 'add' : 'discard'}(${int()})`];
    case 'sets':
      return [`${name}.add(${str(0)})`];
    case 'tup':
      return [`${name} = ${name} + (${int(0)},)`];
    case 'grid':
      return [`${name}.append([${int(0)}, ${int(1)}])`];
    case 'pairs':
      return [`${name}.append((${str(0)}, ${int(0)}))`];
    default:
      return [`${name} = ${expression(env, type, 0)}`];
  }
}

export const START: Partial<Record<Ty, readonly string[]>> = {
  int: ['0', '0', '0', '1'],
  float: ['0.0'],
  str: ["''", "''", "''", "'-'"],
  bool: ['False', 'True'],
  ints: ['[]'],
  strs: ['[]'],
  dsi: ['{}'],
  dii: ['{}'],
  dss: ['{}'],
  seti: ['set()'],
  sets: ['set()'],
  tup: ['()'],
  grid: ['[]'],
  pairs: ['[]'],
};

/** `acc = []`, a loop that fills it: the heart of most real functions. */
export function accumulation(env: Env, type: Ty, deep: boolean): Written {
  const { r } = env;
  const name = env.freshResult(type);
  const before = env.with(variable(name, type));
  // Not over the accumulator itself: it is still empty.
  const head = header(env);
  const inner = before
    .freeze(...head.over)
    .looping()
    .with(...head.loop);
  const body: string[] = [];
  // Expressions inside should use what the loop yields, not the accumulator.
  const seen = inner.freeze(name);
  if (r.chance(deep ? 0.3 : 0.15))
    body.push(
      `if ${condition(seen)}:`,
      indent([
        r.weighted([
          [5, 'continue'],
          [3, 'break'],
        ]),
      ])[0]!,
    );
  let env2 = seen;
  if (r.chance(0.3)) {
    const made = statement(env2, false);
    body.push(...made.lines);
    env2 = made.env;
  }
  const add = () => accumulate(env2, name, type);
  if (r.chance(deep ? 0.65 : 0.45)) {
    body.push(`if ${condition(env2, r.int(1, 2))}:`, ...indent(add()));
    if (r.chance(0.2)) body.push(`elif ${condition(env2)}:`, ...indent(add()));
    if (r.chance(0.4)) body.push('else:', ...indent(r.chance(0.75) ? add() : statement(inner, false).lines));
  } else if (deep && r.chance(0.3)) {
    const nested = header(
      new Env(
        r,
        env2.variables.filter((v) => v.name !== name),
        env2.functions,
        env2.taken,
        true,
      ),
    );
    const deeper = env2.freeze(...nested.over).with(...nested.loop);
    const line = accumulate(deeper, name, type);
    body.push(nested.line, ...indent(r.chance(0.5) ? [`if ${condition(deeper)}:`, ...indent(line)] : line));
  } else body.push(...add());
  const lines = [`${name} = ${r.pick(START[type] ?? ['None'])}`, head.line, ...indent(body)];
  if (r.chance(0.03) && body.some((l) => l.includes('break')))
    lines.push('else:', ...indent(accumulate(before, name, type)));
  return { lines, env: before };
}
