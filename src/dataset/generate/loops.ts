/** @file `for` loops: headers over anything at hand. What is iterated over is frozen inside, so every loop has an end. */
import type { Env, Variable } from './env.ts';
import { branch, indent, statement, type Written } from './statements.ts';
import type { Ty } from './values.ts';

export const variable = (name: string, type: Ty, frozen = false): Variable => ({ name, type, frozen });

export interface Header {
  readonly line: string;
  readonly loop: readonly Variable[];
  /** Collections iterated over. */
  readonly over: readonly string[];
}

export interface Header {
  readonly line: string;
  readonly loop: readonly Variable[];
  /** Collections iterated over. */
  readonly over: readonly string[];
}

/** A `for` header over something at hand. */
export function header(env: Env): Header {
  const { r } = env;
  const free = (names: readonly string[]) => names.find((n) => !env.taken.has(n)) ?? env.fresh('int', names);
  const options: [number, () => Header][] = [];
  const on = (weight: number, types: readonly Ty[], make: (x: string) => Omit<Header, 'over'>) => {
    const names = env.of(...types).filter((n) => !env.variables.some((v) => v.name === n && v.type === 'ch'));
    if (names.length)
      options.push([
        weight,
        () => {
          const x = env.recent(names);
          return { ...make(x), over: [x] };
        },
      ]);
  };
  const index = () =>
    free(
      r.pick([
        ['i', 'j', 'k'],
        ['i', 'idx', 'j'],
        ['j', 'i', 'k'],
      ]),
    );
  const item = () =>
    free(
      r.pick([
        ['x', 'num', 'v'],
        ['num', 'n', 'x'],
        ['v', 'x', 'item'],
        ['n', 'x', 'val'],
        ['item', 'x', 'e'],
      ]),
    );
  const char = () =>
    free(
      r.pick([
        ['c', 'ch', 'char'],
        ['ch', 'c', 'letter'],
        ['char', 'c', 'ch'],
      ]),
    );
  const text = () =>
    free(
      r.pick([
        ['w', 'word', 's'],
        ['word', 'w', 'item'],
        ['item', 'name', 'w'],
      ]),
    );
  options.push([
    4,
    () => {
      const i = index();
      return { line: `for ${i} in range(${r.int(2, 6)}):`, loop: [variable(i, 'int', true)], over: [] };
    },
  ]);
  on(7, ['int'], (x) => {
    const i = index();
    return {
      line: `for ${i} in range(${r.pick([x, `1, ${x} + 1`, `abs(${x}) % ${r.int(4, 8)}`, `${x} % ${r.int(3, 9)}`, `min(${x}, ${r.int(3, 6)})`])}):`,
      loop: [variable(i, 'int', true)],
    };
  });
  on(22, ['ints', 'tup'], (x) => {
    const v = item();
    return {
      line: `for ${v} in ${r.weighted([
        [8, x],
        [1, `${x}[1:]`],
        [1, `reversed(${x})`],
        [1, `${x}[::-1]`],
        [1, `sorted(${x})`],
      ])}:`,
      loop: [variable(v, 'int')],
    };
  });
  on(22, ['str'], (x) => {
    const c = char();
    return {
      line: `for ${c} in ${r.weighted([
        [9, x],
        [1, `${x}[::-1]`],
        [1, `${x}.lower()`],
        [1, `reversed(${x})`],
      ])}:`,
      loop: [variable(c, 'ch')],
    };
  });
  on(14, ['strs'], (x) => {
    const w = text();
    return { line: `for ${w} in ${x}:`, loop: [variable(w, 'str')] };
  });
  on(6, ['str'], (x) => {
    const w = text();
    return { line: `for ${w} in ${x}.split(${r.pick(['', "' '", "','"])}):`, loop: [variable(w, 'str')] };
  });
  on(8, ['ints'], (x) => {
    const i = index();
    const v = item();
    return {
      line: `for ${i}, ${v} in enumerate(${x}):`,
      loop: [variable(i, 'int', true), variable(v, 'int')],
    };
  });
  on(8, ['str'], (x) => {
    const i = index();
    const c = char();
    return {
      line: `for ${i}, ${c} in enumerate(${x}):`,
      loop: [variable(i, 'int', true), variable(c, 'ch')],
    };
  });
  on(5, ['strs'], (x) => {
    const i = index();
    const w = text();
    return {
      line: `for ${i}, ${w} in enumerate(${x}${r.chance(0.2) ? ', 1' : ''}):`,
      loop: [variable(i, 'int', true), variable(w, 'str')],
    };
  });
  on(8, ['ints', 'str', 'strs'], (x) => {
    const i = index();
    return {
      line: `for ${i} in range(len(${x})${r.chance(0.1) ? ' - 1' : ''}):`,
      loop: [variable(i, 'int', true)],
    };
  });
  on(12, ['dsi'], (x) => {
    const k = free(['k', 'key', 'name']);
    const v = free(['v', 'value', 'val']);
    return { line: `for ${k}, ${v} in ${x}.items():`, loop: [variable(k, 'str'), variable(v, 'int')] };
  });
  on(5, ['dsi', 'dss'], (x) => {
    const k = free(['k', 'key', 'name']);
    return {
      line: `for ${k} in ${r.pick([x, `${x}.keys()`, `sorted(${x})`, `list(${x})`])}:`,
      loop: [variable(k, 'str')],
    };
  });
  on(8, ['dii'], (x) => {
    const k = free(['k', 'key', 'a']);
    const v = free(['v', 'value', 'b']);
    return { line: `for ${k}, ${v} in ${x}.items():`, loop: [variable(k, 'int'), variable(v, 'int')] };
  });
  on(8, ['dss'], (x) => {
    const k = free(['k', 'key', 'name']);
    const v = free(['v', 'value', 'val']);
    return { line: `for ${k}, ${v} in ${x}.items():`, loop: [variable(k, 'str'), variable(v, 'str')] };
  });
  on(12, ['grid'], (x) => {
    const row = free(['row', 'line', 'r']);
    return { line: `for ${row} in ${x}:`, loop: [variable(row, 'ints')] };
  });
  on(10, ['pairs'], (x) => {
    const k = free(['name', 'k', 'key']);
    const v = free(['v', 'value', 'count']);
    return { line: `for ${k}, ${v} in ${x}:`, loop: [variable(k, 'str'), variable(v, 'int')] };
  });
  const lists = env.of('ints');
  if (lists.length > 1) {
    const [a, b] = r.sample(lists, 2) as [string, string];
    options.push([
      10,
      () => {
        const u = free(['x', 'a', 'u']);
        const v = free(['y', 'b', 'v']);
        return {
          line: `for ${u}, ${v} in zip(${a}, ${b}):`,
          loop: [variable(u, 'int'), variable(v, 'int')],
          over: [a, b],
        };
      },
    ]);
  }
  on(4, ['seti'], (x) => {
    const v = item();
    return { line: `for ${v} in sorted(${x}):`, loop: [variable(v, 'int')] };
  });
  const made = r.weighted(options)();
  for (const v of made.loop) env.taken.add(v.name);
  return made;
}

/** A loop over random simple statements: less tidy, like code met in the wild. */
export function looseLoop(env: Env): Written {
  const head = header(env);
  const inner = env
    .freeze(...head.over)
    .looping()
    .with(...head.loop);
  const body: string[] = [];
  for (let n = env.r.int(1, 2); n > 0; n--) {
    body.push(
      ...(env.r.chance(0.4) ? branch(inner, (e) => statement(e, false)) : statement(inner, false)).lines,
    );
  }
  return { lines: [head.line, ...indent(body)], env };
}
