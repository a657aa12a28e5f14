/**
 * @file Loops, `while`, `try`: every loop has a bound that its body cannot move (the counter and the iterated
 * collection are frozen inside).
 */
import { Env, type Variable } from './env.ts';
import { condition, expression, operand } from './expressions.ts';
import { branch, indent, statement, type Written } from './statements.ts';
import { charValue, literal, quote, type Ty, word } from './values.ts';

const variable = (name: string, type: Ty, frozen = false): Variable => ({ name, type, frozen });

interface Header {
  readonly line: string;
  readonly loop: readonly Variable[];
  /** Collections iterated over. */
  readonly over: readonly string[];
}

/** A `for` header over something at hand. */
function header(env: Env): Header {
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
      ]); // prettier-ignore
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
  ]); // prettier-ignore
  on(7, ['int'], (x) => {
    const i = index();
    return {
      line: `for ${i} in range(${r.pick([x, `1, ${x} + 1`, `abs(${x}) % ${r.int(4, 8)}`, `${x} % ${r.int(3, 9)}`, `min(${x}, ${r.int(3, 6)})`])}):`,
      loop: [variable(i, 'int', true)],
    };
  }); // prettier-ignore
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
  }); // prettier-ignore
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
  }); // prettier-ignore
  on(14, ['strs'], (x) => {
    const w = text();
    return { line: `for ${w} in ${x}:`, loop: [variable(w, 'str')] };
  }); // prettier-ignore
  on(6, ['str'], (x) => {
    const w = text();
    return { line: `for ${w} in ${x}.split(${r.pick(['', "' '", "','"])}):`, loop: [variable(w, 'str')] };
  }); // prettier-ignore
  on(8, ['ints'], (x) => {
    const i = index();
    const v = item();
    return {
      line: `for ${i}, ${v} in enumerate(${x}):`,
      loop: [variable(i, 'int', true), variable(v, 'int')],
    };
  }); // prettier-ignore
  on(8, ['str'], (x) => {
    const i = index();
    const c = char();
    return {
      line: `for ${i}, ${c} in enumerate(${x}):`,
      loop: [variable(i, 'int', true), variable(c, 'ch')],
    };
  }); // prettier-ignore
  on(5, ['strs'], (x) => {
    const i = index();
    const w = text();
    return {
      line: `for ${i}, ${w} in enumerate(${x}${r.chance(0.2) ? ', 1' : ''}):`,
      loop: [variable(i, 'int', true), variable(w, 'str')],
    };
  }); // prettier-ignore
  on(8, ['ints', 'str', 'strs'], (x) => {
    const i = index();
    return {
      line: `for ${i} in range(len(${x})${r.chance(0.1) ? ' - 1' : ''}):`,
      loop: [variable(i, 'int', true)],
    };
  }); // prettier-ignore
  on(12, ['dsi'], (x) => {
    const k = free(['k', 'key', 'name']);
    const v = free(['v', 'value', 'val']);
    return { line: `for ${k}, ${v} in ${x}.items():`, loop: [variable(k, 'str'), variable(v, 'int')] };
  }); // prettier-ignore
  on(5, ['dsi', 'dss'], (x) => {
    const k = free(['k', 'key', 'name']);
    return {
      line: `for ${k} in ${r.pick([x, `${x}.keys()`, `sorted(${x})`, `list(${x})`])}:`,
      loop: [variable(k, 'str')],
    };
  }); // prettier-ignore
  on(8, ['dii'], (x) => {
    const k = free(['k', 'key', 'a']);
    const v = free(['v', 'value', 'b']);
    return { line: `for ${k}, ${v} in ${x}.items():`, loop: [variable(k, 'int'), variable(v, 'int')] };
  }); // prettier-ignore
  on(8, ['dss'], (x) => {
    const k = free(['k', 'key', 'name']);
    const v = free(['v', 'value', 'val']);
    return { line: `for ${k}, ${v} in ${x}.items():`, loop: [variable(k, 'str'), variable(v, 'str')] };
  }); // prettier-ignore
  on(12, ['grid'], (x) => {
    const row = free(['row', 'line', 'r']);
    return { line: `for ${row} in ${x}:`, loop: [variable(row, 'ints')] };
  }); // prettier-ignore
  on(10, ['pairs'], (x) => {
    const k = free(['name', 'k', 'key']);
    const v = free(['v', 'value', 'count']);
    return { line: `for ${k}, ${v} in ${x}:`, loop: [variable(k, 'str'), variable(v, 'int')] };
  }); // prettier-ignore
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
    ]); // prettier-ignore
  }
  on(4, ['seti'], (x) => {
    const v = item();
    return { line: `for ${v} in sorted(${x}):`, loop: [variable(v, 'int')] };
  }); // prettier-ignore
  const made = r.weighted(options)();
  for (const v of made.loop) env.taken.add(v.name);
  return made;
}

/** One line that adds what the loop has found to the accumulator. */
function accumulate(env: Env, name: string, type: Ty): readonly string[] {
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
      ]; // prettier-ignore
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
      ]; // prettier-ignore
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
      ]; // prettier-ignore
    case 'strs':
      return [
        r.weighted([
          [10, `${name}.append(${str()})`],
          [2, `${name}.insert(0, ${str(0)})`],
          [1, `${name}.append(str(${int(0)}))`],
        ]),
      ]; // prettier-ignore
    case 'dsi': {
      const key = str(0);
      return r.weighted([
        [5, [`${name}[${key}] = ${name}.get(${key}, 0) + ${r.chance(0.7) ? '1' : int(0)}`]],
        [4, [`if ${key} in ${name}:`, `    ${name}[${key}] += 1`, 'else:', `    ${name}[${key}] = 1`]],
        [4, [`${name}[${key}] = ${int()}`]],
        [1, [`${name}.setdefault(${key}, ${int(0)})`]],
        [1, [`if ${key} not in ${name}:`, `    ${name}[${key}] = 0`, `${name}[${key}] += ${int(0)}`]],
      ]); // prettier-ignore
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

const START: Partial<Record<Ty, readonly string[]>> = {
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
}; // prettier-ignore

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
    ); // prettier-ignore
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

/** `while` with a counter, by digits, until empty, two pointers, or `while True` and `break`. */
export function whileLoop(env: Env): Written {
  const { r } = env;
  const options: [number, () => Written][] = [];
  const fresh = (names: readonly string[]) => env.fresh('int', names);
  const body = (inner: Env, keep: readonly string[]) => {
    const e = inner.freeze(...keep).looping();
    return r.chance(0.4) ? branch(e, (x) => statement(x, false)).lines : statement(e, false).lines;
  };
  const lists = env.of('ints', 'str', 'strs');
  if (lists.length) {
    options.push([
      8,
      () => {
        const x = env.recent(lists);
        const i = fresh(['i', 'j', 'idx', 'pos']);
        const type = env.variables.find((v) => v.name === x)!.type;
        const out = env.freshResult(type === 'ints' ? 'ints' : 'strs');
        const element = `${x}[${i}]`;
        const after = env.with(variable(out, type === 'ints' ? 'ints' : 'strs'));
        const test =
          type === 'ints'
            ? `${element} ${r.pick(['>', '<', '!='])} ${r.int(0, 9)}`
            : r.pick([
                `${element} != ${quote(charValue(r))}`,
                `${element}.isalpha()`,
                `${element} not in ${out}`,
              ]);
        return {
          lines: [
            `${out} = []`,
            `${i} = 0`,
            `while ${i} < len(${x}):`,
            ...indent([
              ...(r.chance(0.6)
                ? [`if ${test}:`, `    ${out}.append(${element})`]
                : [`${out}.append(${element}${type === 'ints' ? r.pick([' * 2', ' + 1', '']) : ''})`]),
              `${i} += ${r.pick([1, 1, 1, 2])}`,
            ]),
          ],
          env: after,
        };
      },
    ]); // prettier-ignore
    options.push([
      3,
      () => {
        const x = env.recent(lists);
        const i = fresh(['left', 'i', 'lo']);
        const j = fresh(['right', 'j', 'hi']);
        const n = env.freshResult('int');
        return {
          lines: [
            `${i}, ${j} = 0, len(${x}) - 1`,
            `${n} = 0`,
            `while ${i} < ${j}:`,
            ...indent([
              `if ${x}[${i}] ${r.pick(['==', '!=', '<'])} ${x}[${j}]:`,
              `    ${n} += ${r.int(1, 2)}`,
              `${i} += 1`,
              `${j} -= 1`,
            ]),
          ],
          env: env.with(variable(n, 'int')),
        };
      },
    ]); // prettier-ignore
  }
  const ints = env.mutable('int');
  if (ints.length) {
    options.push([
      5,
      () => {
        const n = env.recent(ints);
        const out = env.freshResult('int');
        const base = r.weighted([
          [7, 10],
          [3, 2],
          [1, 3],
        ]); // prettier-ignore
        const digit = `${n} % ${base}`;
        return {
          lines: [
            `${out} = ${r.pick(['0', '0', '1'])}`,
            `while ${n} > 0:`,
            ...indent([
              r.pick([
                `${out} += ${digit}`,
                `${out} = ${out} * 10 + ${digit}`,
                `${out} += 1`,
                `${out} = max(${out}, ${digit})`,
              ]),
              `${n} //= ${base}`,
            ]),
          ],
          env: env.with(variable(out, 'int')),
        };
      },
    ]); // prettier-ignore
    options.push([
      4,
      () => {
        const n = env.recent(ints);
        const i = fresh(['i', 'k', 'step', 'j']);
        const inner = env.freeze(n).with(variable(i, 'int', true));
        return {
          lines: [
            `${i} = ${r.int(0, 1)}`,
            `while ${i} < ${r.chance(0.5) ? `${n} % ${r.int(4, 9)}` : r.int(3, 6)}:`,
            ...indent([...body(inner, [n, i]), `${i} += ${r.int(1, 2)}`]),
          ],
          env: env.with(variable(i, 'int')),
        };
      },
    ]); // prettier-ignore
    options.push([
      3,
      () => {
        const n = env.recent(ints);
        const i = fresh(['count', 'steps', 'tries', 'k']);
        return {
          lines: [
            `${i} = 0`,
            'while True:',
            ...indent([
              `${n} ${r.pick([`-= ${r.int(3, 9)}`, `//= ${r.int(2, 4)}`, `= ${n} * ${r.int(3, 7)} % ${r.int(11, 37)}`])}`,
              `${i} += 1`,
              `if ${n} ${r.pick(['<= 1', '< 5', '% 3 == 0'])} or ${i} >= ${r.int(4, 9)}:`,
              '    break',
            ]),
          ],
          env: env.with(variable(i, 'int')),
        };
      },
    ]); // prettier-ignore
  }
  const queues = env.mutable('ints', 'strs');
  if (queues.length) {
    options.push([
      4,
      () => {
        const q = env.recent(queues);
        const type = env.variables.find((v) => v.name === q)!.type === 'ints' ? 'int' : 'str';
        const item = env.fresh(
          type,
          type === 'int' ? ['x', 'top', 'cur', 'item'] : ['w', 'cur', 'top', 'item'],
        );
        const kind: Ty = r.chance(0.5) ? (type === 'int' ? 'ints' : 'strs') : type;
        const out = env.freshResult(kind);
        const after = env.with(variable(out, kind));
        return {
          lines: [
            `${out} = ${START[kind]![0]}`,
            `while ${q}${r.chance(0.2) ? ` and len(${out === q ? q : q}) > 1` : ''}:`,
            ...indent([
              `${item} = ${q}.pop(${r.pick(['', '0', ''])})`,
              ...(r.chance(0.4)
                ? [`if ${condition(after.freeze(q).with(variable(item, type)))}:`, '    continue']
                : []),
              ...accumulate(env.freeze(q).with(variable(item, type)), out, kind),
            ]),
          ],
          env: after,
        };
      },
    ]); // prettier-ignore
  }
  return options.length ? r.weighted(options)() : looseLoop(env);
}

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
  ]); // prettier-ignore
  const fallback = r.pick([
    `${name} = ${literal(r, gives)}`,
    gives === 'int' ? `${name} = -1` : `${name} = ''`,
    ...(caught.endsWith('as e') && gives === 'str' ? [`${name} = str(e)`] : []),
  ]); // prettier-ignore
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
]; // prettier-ignore

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
