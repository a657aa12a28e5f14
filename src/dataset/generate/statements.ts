/**
 * @file Random simple statements: assignments, augmented ones, calls of mutating methods, item assignment, unpacking. Each gives its
 * lines and the environment after it.
 */
import type { Env } from './env.ts';
import { condition, constantText, expression, slice } from './expressions.ts';
import { applied } from './operations/apply.ts';
import { charValue, quote, smallInt, type Ty, word } from './values.ts';

export interface Written {
  readonly lines: readonly string[];
  readonly env: Env;
}

type Make = () => Written;

/** Which types a new variable has: those that a value at hand leads to come first. */
const targetType = (env: Env): Ty => {
  const weights: [number, Ty][] = [
    [8, 'int'],
    [env.of('str').length ? 10 : 2, 'str'],
    [env.of('ints', 'grid', 'tup', 'dii').length ? 9 : 2, 'ints'],
    [env.of('strs', 'str').length ? 7 : 1, 'strs'],
    [2, 'bool'],
    [env.of('float').length ? 4 : 0.7, 'float'],
    [env.of('strs', 'dsi').length ? 3 : 0.7, 'dsi'],
    [1, 'dii'],
    [env.of('ints', 'seti').length ? 2 : 0.3, 'seti'],
    [1.5, 'tup'],
    [env.of('grid').length ? 3 : 0.3, 'grid'],
    [env.of('pairs', 'dsi').length ? 2 : 0.2, 'pairs'],
    [env.of('dss').length ? 3 : 0.3, 'dss'],
  ];
  return env.r.weighted(weights);
};

/** `name = expression`, a new variable or (a third of the time) one that exists. */
export function assignment(env: Env, depth = env.r.chance(0.7) ? 1 : 2, type: Ty = targetType(env)): Written {
  const value = expression(env, type, depth);
  const old = env.mutable(type);
  if (old.length && env.r.chance(0.35)) {
    const name = env.recent(old);
    if (value !== name)
      return { lines: [`${name} = ${value}`], env: env.with({ name, type, frozen: false }) };
  }
  const name = env.r.chance(0.5) ? env.fresh(type) : env.freshResult(type);
  return { lines: [`${name} = ${value}`], env: env.with({ name, type, frozen: false }) };
}

/** A statement that changes something that is already there, or binds several names at once. */
export function statement(env: Env, grow = !env.inLoop): Written {
  const { r } = env;
  if (r.chance(0.35)) {
    const made = applied(env);
    if (made) return made;
  }
  const options: [number, Make][] = [[env.inLoop ? 2 : 10, () => assignment(env)]];
  const on = (weight: number, types: readonly Ty[], make: (name: string) => string | readonly string[]) => {
    const names = env.mutable(...types);
    if (!names.length) return;
    options.push([
      weight,
      () => {
        const made = make(env.recent(names));
        return { lines: typeof made === 'string' ? [made] : made, env };
      },
    ]);
  };
  const int = (d = 0) => expression(env, 'int', d);
  on(
    12,
    ['int'],
    (x) =>
      `${x} ${r.weighted([
        [10, '+='],
        [6, '-='],
      ])} ${r.chance(0.5) ? smallInt(r) : int(1)}`,
  );
  on(3, ['int'], (x) => `${x} ${r.pick(['*=', '//=', '%='])} ${r.int(2, 9)}`);
  on(4, ['str'], (x) => `${x} += ${r.chance(0.5) ? quote(charValue(r)) : expression(env, 'str', 0)}`);
  on(2, ['str'], (x) => `${x} = ${expression(env, 'str', 1)}`);
  on(2, ['float'], (x) => `${x} ${r.pick(['+=', '*=', '-=', '/='])} ${r.pick(['0.5', '2', '1.5', '10'])}`);
  on(12, ['ints'], (x) => `${x}.append(${int(1)})`);
  on(5, ['ints'], (x) => r.pick([`${x}.pop()`, `${x}.pop(0)`, `${x}.pop()`, `${x}.pop(-1)`]));
  on(5, ['ints'], (x) => `${x}.insert(${r.pick(['0', '0', '1', `len(${x})`, '-1', '2'])}, ${int()})`);
  on(4, ['ints'], (x) =>
    r.pick([`${x}.reverse()`, `${x}.sort()`, `${x}.sort(reverse=True)`, `${x}.sort(key=abs)`]),
  );
  on(5, ['ints'], (x) => `${x}[${r.pick(['0', '-1', '1', '0'])}] ${r.pick(['=', '=', '+='])} ${int(1)}`);
  on(2, ['ints'], (x) => `${x}[0], ${x}[-1] = ${x}[-1], ${x}[0]`);
  on(2, ['ints'], (x) => `del ${x}[${r.pick(['0', '-1', '0', ':1', '1:3'])}]`);
  on(1, ['ints'], (x) => `${x}[${slice(r).replace(/^(-?\d*):(-?\d*):.*$/, '$1:')}] = [${int()}, ${int()}]`);
  on(3, ['ints'], (x) => {
    const v = int();
    return [`if ${v} in ${x}:`, `    ${x}.remove(${v})`];
  });
  on(1, ['ints'], (x) => `${x}.remove(${r.pick([`${x}[0]`, `min(${x})`, `max(${x})`, int()])})`);
  on(1, ['ints', 'strs', 'dsi'], (x) => `${x}.clear()`);
  on(9, ['strs'], (x) => `${x}.append(${expression(env, 'str', r.int(0, 1))})`);
  on(3, ['strs'], (x) =>
    r.pick([`${x}.pop()`, `${x}.pop(0)`, `${x}.reverse()`, `${x}.sort()`, `${x}.sort(key=len)`]),
  );
  on(3, ['strs'], (x) => `${x}.insert(${r.pick(['0', '1', '-1'])}, ${constantText(env)})`);
  on(3, ['strs'], (x) => `${x}[${r.pick(['0', '-1', '0'])}] = ${expression(env, 'str', 1)}`);
  on(9, ['dsi'], (x) => `${x}[${expression(env, 'str', 0)}] = ${int(1)}`);
  on(4, ['dsi'], (x) => {
    const k = expression(env, 'str', 0);
    return `${x}[${k}] = ${x}.get(${k}, 0) + ${r.chance(0.7) ? '1' : int()}`;
  });
  on(3, ['dsi'], (x) =>
    r.pick([`${x}.pop(${expression(env, 'str', 0)}, None)`, `${x}.pop(${quote(word(r))}, 0)`]),
  );
  on(2, ['dsi'], (x) => `${x}.setdefault(${expression(env, 'str', 0)}, ${int()})`);
  on(
    2,
    ['dsi'],
    (x) =>
      `${x}.update({${quote(word(r))}: ${int()}${r.chance(0.4) ? `, ${quote(word(r))}: ${r.int(0, 50)}` : ''}})`,
  );
  on(2, ['dsi'], (x) => {
    const k = expression(env, 'str', 0);
    return [`if ${k} in ${x}:`, `    ${r.pick([`del ${x}[${k}]`, `${x}[${k}] += 1`, `${x}.pop(${k})`])}`];
  });
  on(1, ['dsi', 'dii'], (x) => [`if ${x}:`, `    ${x}.popitem()`]);
  on(7, ['dii'], (x) => `${x}[${int()}] = ${int(1)}`);
  on(3, ['dii'], (x) => {
    const k = int();
    return `${x}[${k}] = ${x}.get(${k}, 0) + 1`;
  });
  on(5, ['dss'], (x) => `${x}[${expression(env, 'str', 0)}] = ${expression(env, 'str', r.int(0, 1))}`);
  on(
    6,
    ['seti'],
    (x) =>
      `${x}.${r.weighted([
        [6, 'add'],
        [3, 'discard'],
      ])}(${int(r.int(0, 1))})`,
  );
  on(
    4,
    ['sets'],
    (x) =>
      `${x}.${r.weighted([
        [6, 'add'],
        [3, 'discard'],
      ])}(${expression(env, 'str', 0)})`,
  );
  on(2, ['seti'], (x) => `${x}.update(${expression(env, 'ints', 0)})`);
  on(4, ['grid'], (x) =>
    r.pick([
      `${x}[0][0] = ${int()}`,
      `${x}[-1][0] += ${r.int(1, 5)}`,
      `${x}[0].append(${int()})`,
      `${x}.append([${int()}, ${int()}])`,
      `${x}[0], ${x}[-1] = ${x}[-1], ${x}[0]`,
    ]),
  );
  on(3, ['pairs'], (x) => `${x}.append((${expression(env, 'str', 0)}, ${int()}))`);
  if (grow) {
    on(4, ['ints'], (x) =>
      `${x}${r.pick(['.extend(', ' += '])}[${int()}, ${int()}]`.replace(/extend\((.*)$/, 'extend($1)'),
    );
    on(2, ['strs'], (x) => `${x}.extend(${expression(env, 'strs', r.int(0, 1))})`);
    options.push([3, () => unpacking(env)]);
  }
  const ints = env.mutable('int');
  if (ints.length > 1) {
    const [a, b] = r.sample(ints, 2) as [string, string];
    options.push([
      5,
      () => ({
        lines: [
          r.pick([
            `${a}, ${b} = ${b}, ${a}`,
            `${a}, ${b} = ${b}, ${a} + ${b}`,
            `${a}, ${b} = ${b}, ${a} % ${r.int(2, 9)}`,
          ]),
        ],
        env,
      }),
    ]);
  }
  return r.weighted(options)();
}

function unpacking(env: Env): Written {
  const { r } = env;
  const make = (...types: Ty[]) => types.map((type) => ({ name: env.fresh(type), type, frozen: false }));
  const options: [number, Make][] = [
    [
      4,
      () => {
        const v = make('int', 'int');
        return {
          lines: [
            `${v[0]!.name}, ${v[1]!.name} = ${expression(env, 'int', 1)}, ${expression(env, 'int', 1)}`,
          ],
          env: env.with(...v),
        };
      },
    ],
    [
      2,
      () => {
        const v = make('int', 'int');
        return {
          lines: [`${v[0]!.name}, ${v[1]!.name} = divmod(${expression(env, 'int', 0)}, ${r.int(2, 10)})`],
          env: env.with(...v),
        };
      },
    ],
  ];
  const lists = env.of('ints');
  if (lists.length) {
    options.push([
      2,
      () => {
        const v = make('int', 'ints');
        return { lines: [`${v[0]!.name}, *${v[1]!.name} = ${r.pick(lists)}`], env: env.with(...v) };
      },
    ]);
  }
  return r.weighted(options)();
}

/** The expression of a `return`: mostly what was bound last, sometimes more. */
export function returned(env: Env, type: Ty): string {
  const names = env.of(type);
  if (names.length && env.r.chance(0.75)) return env.recent(names);
  return expression(env, type, 1);
}

export const indent = (lines: readonly string[]): string[] => lines.map((line) => `    ${line}`);

/** `if` with branches of simple statements; names bound only inside a branch do not survive it. */
export function branch(env: Env, body: (env: Env) => Written): Written {
  const { r } = env;
  const inner = () => body(env.freeze()).lines;
  const lines = [`if ${condition(env, r.int(1, 2))}:`, ...indent(inner())];
  if (r.chance(0.25)) lines.push(`elif ${condition(env)}:`, ...indent(inner()));
  if (r.chance(0.55)) lines.push('else:', ...indent(inner()));
  return { lines, env };
}
