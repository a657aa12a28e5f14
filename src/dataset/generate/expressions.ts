/**
 * @file Random expressions of a wanted type. Operators keep their precedence, divisors are never the constant 0,
 * powers and repetitions have small constant right sides: values stay short.
 */
import type { Env } from './env.ts';
import { charValue, intValue, literal, quote, smallInt, stringValue, type Ty, word } from './values.ts';

/** Text and binding strength: 16 atom or call, 15 `**`, 14 unary, 13 `*`, 12 `+`, 11 `<<`, 10 `&`, 9 `^`, 8 `|`, 7 compare, 6 not, 5 and, 4 or, 3 if-else, 2 lambda. */
type Expression = readonly [text: string, strength: number];

const atom = (text: string): Expression => [text, 16];
const paren = ([text, strength]: Expression, atLeast: number): string =>
  strength < atLeast ? `(${text})` : text;
const binary = (a: Expression, operator: string, b: Expression, strength: number): Expression => [
  `${paren(a, strength)} ${operator} ${paren(b, strength + 1)}`,
  strength,
];
const integer = (n: number): Expression => [String(n), n < 0 ? 14 : 16];

/** `uses`: it reads a variable for certain. */
type Option = readonly [weight: number, make: () => Expression, uses?: true];

/** Source of a random expression; `depth` 0 gives a variable or a literal. */
export const expression = (env: Env, type: Ty, depth: number): string => make(env, type, depth)[0];

/** An operand: in parentheses if its operator binds no tighter than `.`, `[` and calls. */
export const operand = (env: Env, type: Ty, depth: number): string => paren(make(env, type, depth), 16);

/** A condition for `if` and `while`. */
export const condition = (env: Env, depth = 1): string => bool(env, Math.max(1, depth))[0];

function make(env: Env, type: Ty, depth: number): Expression {
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

const choose = (r: Env['r'], options: readonly Option[]): Expression =>
  r.weighted(options.map(([weight, build]) => [weight, build] as const))();

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
}; // prettier-ignore

const has = (
  env: Env,
  weight: number,
  types: readonly Ty[],
  build: (name: string) => Expression,
): Option[] => {
  const names = env.of(...types);
  return names.length ? [[weight, () => build(env.recent(names)), true]] : [];
};

function integers(env: Env, depth: number): Option[] {
  const { r } = env;
  const int = () => make(env, 'int', depth);
  const near = (): Expression => (env.of('int').length ? make(env, 'int', 0) : integer(intValue(r)));
  return [
    [
      26,
      () => {
        const left = int();
        return binary(left, '+', other(env, left), 12);
      },
    ],
    [
      20,
      () => {
        const left = int();
        return binary(left, '-', other(env, left), 12);
      },
    ],
    [14, () => binary(int(), '*', integer(smallInt(r)), 13)],
    [
      4,
      () => {
        const left = near();
        return binary(left, '*', other(env, left), 13);
      },
    ],
    [9, () => binary(int(), '//', integer(r.int(2, 10)), 13)],
    [12, () => binary(int(), '%', integer(r.int(2, 12)), 13)],
    [
      2,
      () => {
        const left = near();
        return binary(left, r.pick(['//', '%']), other(env, left), 13);
      },
    ],
    [
      4,
      () => [
        `${paren(near(), 16)} ** ${r.weighted([
          [8, 2],
          [2, 3],
        ])}`,
        15,
      ],
    ],
    [2, () => [`-${paren(near(), 15)}`, 14]],
    [
      6,
      () => {
        const left = near();
        return atom(`abs(${binary(left, '-', other(env, left), 12)[0]})`);
      },
    ],
    [
      6,
      () => {
        const left = int();
        return atom(`${r.pick(['min', 'max'])}(${left[0]}, ${other(env, left)[0]})`);
      },
    ],
    [2, () => atom(`divmod(${near()[0]}, ${r.int(2, 10)})[${r.int(0, 1)}]`)],
    [2, () => binary(near(), r.pick(['&', '|', '^']), near(), 10)],
    [2, () => binary(near(), r.pick(['<<', '>>']), integer(r.int(1, 3)), 11)],
    [4, () => ternary(env, 'int')],
    [1, () => atom(`pow(${near()[0]}, 2)`)],
    [1, () => atom(`int(${bool(env, 1)[0]})`)],
    ...has(env, 16, ['str', 'ints', 'strs', 'dsi', 'dii', 'seti', 'grid', 'tup'], (x) => atom(`len(${x})`)),
    ...has(env, 10, ['ints', 'tup'], (x) => atom(`sum(${x}${r.chance(0.15) ? `[${r.int(1, 2)}:]` : ''})`)),
    ...has(env, 9, ['ints', 'tup'], (x) => atom(`${r.pick(['max', 'min'])}(${x})`)),
    ...has(env, 14, ['ints', 'tup'], (x) =>
      atom(
        `${x}[${r.weighted([
          [5, '0'],
          [5, '-1'],
          [2, '1'],
          [1, '-2'],
          [1, '2'],
        ])}]`,
      ),
    ),
    ...has(env, 4, ['ints'], (x) => atom(`${x}[len(${x}) // 2]`)),
    ...has(env, 7, ['str'], (x) => atom(`${x}.count(${subText(env)})`)),
    ...has(env, 6, ['str'], (x) => atom(`${x}.${r.pick(['find', 'find', 'rfind'])}(${subText(env)})`)),
    ...has(env, 2, ['str'], (x) => atom(`${x}.index(${x}[-1])`)),
    ...has(env, 5, ['ints', 'tup'], (x) => atom(`${x}.count(${near()[0]})`)),
    ...has(env, 2, ['ints'], (x) => atom(`${x}.index(${r.pick([`${x}[-1]`, `max(${x})`, `min(${x})`])})`)),
    ...has(env, 7, ['dsi'], (x) =>
      atom(`${x}.get(${make(env, 'str', 0)[0]}, ${r.pick(['0', '0', '-1', '1'])})`),
    ),
    ...has(env, 4, ['dii'], (x) => atom(`${x}.get(${near()[0]}, ${r.pick(['0', '-1', '1'])})`)),
    ...has(env, 5, ['dsi', 'dii'], (x) => atom(`${r.pick(['sum', 'max', 'min', 'sum'])}(${x}.values())`)),
    ...has(env, 5, ['ch'], (x) =>
      r.chance(0.5)
        ? atom(`ord(${x})`)
        : binary(atom(`ord(${x})`), '-', atom(r.pick(["ord('a')", '97', "ord('A')", "ord('0')"])), 12),
    ),
    ...has(env, 5, ['ints'], (x) => atom(`sum(${comprehension(env, x, 'x')})`)),
    ...has(env, 3, ['str'], (x) =>
      atom(
        `sum(1 for c in ${x} if ${r.pick(['c.isalpha()', 'c.isdigit()', "c in 'aeiou'", 'c.isupper()', "c == ' '"])})`,
      ),
    ),
    ...has(env, 3, ['ints', 'str', 'strs'], (x) => atom(`len(set(${x}))`)),
    ...has(env, 3, ['strs'], (x) => atom(`len(${x}[${r.pick(['0', '-1'])}])`)),
    ...has(env, 4, ['grid'], (x) =>
      atom(r.pick([`${x}[0][0]`, `sum(${x}[0])`, `len(${x}[0])`, `sum(sum(row) for row in ${x})`])),
    ),
    ...has(env, 2, ['float'], (x) => atom(`${r.pick(['int', 'round'])}(${x})`)),
    ...has(env, 2, ['bool'], (x) => atom(`int(${x})`)),
  ]; // prettier-ignore
}

const ternary = (env: Env, type: Ty): Expression => [
  `${paren(make(env, type, 0), 4)} if ${paren(bool(env, 1), 4)} else ${paren(make(env, type, 0), 3)}`,
  3,
];

/** What to look for in a string: a short constant, or a string at hand. */
const subText = (env: Env): string =>
  env.r.chance(0.3) && env.of('ch').length
    ? env.recent(env.of('ch'))
    : quote(env.r.chance(0.8) ? charValue(env.r) : word(env.r).slice(0, 2));

const ELEMENTS: readonly string[] = [
  'x * 2',
  'x + 1',
  'x ** 2',
  'x - 1',
  'x % 3',
  'abs(x)',
  'x * x',
  'x // 2',
  '-x',
  'x + 10',
  'x',
];
const TESTS: readonly string[] = [
  'x > 0',
  'x % 2 == 0',
  'x % 2',
  'x < 5',
  'x > 3',
  'x % 2 == 1',
  'x != 0',
  'x >= 10',
  'x % 3 == 0',
];

/** `x * 2 for x in xs if x > 0` over a list of numbers, under any variable name. */
function comprehension(env: Env, over: string, element?: string): string {
  const { r } = env;
  const name = r.weighted([
    [6, 'x'],
    [3, 'n'],
    [2, 'num'],
    [2, 'i'],
    [1, 'v'],
  ]); // prettier-ignore
  const rename = (text: string) => text.replaceAll(/\bx\b/g, name);
  const scalars = env.of('int').filter((v) => v !== name);
  const test =
    scalars.length && r.chance(0.3)
      ? `x ${r.pick(['>', '<', '!=', '=='])} ${r.pick(scalars)}`
      : r.pick(TESTS);
  const item =
    element ??
    (scalars.length && r.chance(0.25) ? `x ${r.pick(['+', '-', '*'])} ${r.pick(scalars)}` : r.pick(ELEMENTS));
  const guard = item === 'x' || r.chance(0.35) ? ` if ${rename(test)}` : '';
  return `${rename(item)} for ${name} in ${over}${guard}`;
}

function bool(env: Env, depth: number): Expression {
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
  ]); // prettier-ignore
}

/** A number that is not written like `left`: `x - x` and `x > x` are not what people write. */
function other(env: Env, left: Expression): Expression {
  for (let tries = 0; tries < 4; tries++) {
    const right = make(env, 'int', 0);
    if (right[0] !== left[0] && !(Number.isFinite(+left[0]) && Number.isFinite(+right[0]))) return right;
  }
  return integer(smallInt(env.r));
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
  ); // prettier-ignore
}

function floats(env: Env, depth: number): Option[] {
  const { r } = env;
  const number = () =>
    make(env, env.of('float').length && r.chance(0.7) ? 'float' : 'int', Math.min(depth, 0));
  return [
    [8, () => binary(number(), '/', integer(r.pick([2, 4, 5, 10, 3, 8, 100])), 13)],
    [6, () => binary(number(), '*', atom(r.pick(['0.5', '1.5', '0.1', '2.0', '0.25', '1.1'])), 13)],
    [5, () => binary(number(), r.pick(['+', '-']), atom(literal(r, 'float').replace(/^-/, '')), 12)],
    [
      6,
      () =>
        atom(`round(${binary(number(), '/', integer(r.int(2, 9)), 13)[0]}, ${r.pick(['2', '1', '2', '3'])})`),
    ],
    [2, () => atom(`float(${make(env, 'int', 0)[0]})`)],
    ...has(env, 6, ['ints'], (x) => [`sum(${x}) / len(${x})`, 13]),
  ]; // prettier-ignore
}

function chars(env: Env, _depth: number): Option[] {
  const { r } = env;
  return [
    ...has(env, 6, ['str'], (x) => atom(`${x}[${r.pick(['0', '-1', '0', '1'])}]`)),
    ...has(env, 3, ['ch'], (x) => atom(`chr(ord(${x}) + ${r.int(1, 3)})`)),
    ...has(env, 2, ['int'], (x) => atom(`chr(97 + ${x} % 26)`)),
    ...has(env, 3, ['ch'], (x) => atom(`${x}.${r.pick(['upper', 'lower', 'swapcase'])}()`)),
    ...has(env, 2, ['int'], (x) => atom(`str(${x})[-1]`)),
  ];
}

const UNARY: readonly (readonly [number, string])[] = [
  [10, 'upper()'],
  [10, 'lower()'],
  [7, 'strip()'],
  [3, 'lstrip()'],
  [3, 'rstrip()'],
  [4, 'title()'],
  [5, 'capitalize()'],
  [4, 'swapcase()'],
]; // prettier-ignore

function strings(env: Env, depth: number): Option[] {
  const { r } = env;
  const str = () => make(env, 'str', depth);
  const plain = () => make(env, 'str', 0);
  const number = () => (env.of('int').length ? env.recent(env.of('int')) : String(r.int(0, 9)));
  return [
    [14, () => binary(str(), '+', plain(), 12)],
    [6, () => binary(plain(), '+', atom(quote(charValue(r))), 12)],
    [4, () => binary(plain(), '*', integer(r.int(2, 3)), 13)],
    [4, () => atom(`str(${make(env, 'int', depth)[0]})`)],
    [3, () => ternary(env, 'str')],
    [
      5,
      () =>
        atom(
          r.weighted([
            [5, `f'{${strName(env)}}${r.pick([':', '-', ' ', '=', ', ', '_'])}{${number()}}'`],
            [2, `f'${word(r)} {${strName(env)}}'`],
            [2, `'{} {}'.format(${strName(env)}, ${number()})`],
            [2, `'%s%s' % (${strName(env)}, ${number()})`],
            [1, `f'{${number()}:0${r.int(2, 4)}d}'`],
          ]),
        ),
    ],
    ...has(env, 10, ['ch'], (x) =>
      atom(
        r.pick([
          `${x}.upper()`,
          `${x}.lower()`,
          `${x}.swapcase()`,
          `chr(ord(${x}) + ${r.int(1, 3)})`,
          `chr((ord(${x}) - 97 + ${r.int(1, 13)}) % 26 + 97)`,
          `str(ord(${x}))`,
        ]),
      ),
    ),
    ...has(env, 2, ['int'], (x) => atom(`chr(${r.pick(['97', "ord('a')", '65'])} + ${x} % 26)`)),
    ...has(env, 26, ['str'], (x) => atom(`${x}.${r.weighted(UNARY)}`)),
    ...has(env, 12, ['str'], (x) => atom(`${x}[${slice(r)}]`)),
    ...has(env, 5, ['str'], (x) => atom(`${x}[::-1]`)),
    ...has(env, 10, ['str'], (x) =>
      atom(
        `${x}.replace(${subText(env)}, ${r.chance(0.3) ? "''" : quote(r.chance(0.8) ? charValue(r) : word(r))})`,
      ),
    ),
    ...has(env, 3, ['str'], (x) =>
      atom(
        `${x}.${r.pick(['strip', 'lstrip', 'rstrip'])}(${quote(r.pick(['a', '!', '-', ' ', '.', '#', 'abc', '0']))})`,
      ),
    ),
    ...has(env, 2, ['str'], (x) => atom(`${x}.zfill(${r.int(3, 8)})`)),
    ...has(env, 3, ['str'], (x) =>
      atom(
        `${x}.${r.pick(['center', 'ljust', 'rjust'])}(${r.int(4, 12)}${r.chance(0.6) ? `, ${quote(r.pick(['*', '-', '.', '0', '#', ' ']))}` : ''})`,
      ),
    ),
    ...has(env, 2, ['str'], (x) =>
      atom(
        `${x}.${r.pick(['partition', 'rpartition'])}(${quote(r.pick([' ', '-', 'a', ',']))})[${r.pick(['0', '-1'])}]`,
      ),
    ),
    ...has(env, 2, ['str'], (x) =>
      atom(
        `${x}.${r.pick(['removeprefix', 'removesuffix'])}(${quote(r.chance(0.5) ? charValue(r) : word(r).slice(0, 2))})`,
      ),
    ),
    ...has(env, 8, ['strs'], (x) => atom(`${quote(r.pick(['', ' ', ',', '-', ', ', '', ' ']))}.join(${x})`)),
    ...has(env, 6, ['strs'], (x) => atom(`${x}[${r.pick(['0', '-1', '1'])}]`)),
    ...has(env, 3, ['str'], (x) =>
      atom(`''.join(${r.pick([`sorted(${x})`, `reversed(${x})`, `sorted(set(${x}))`])})`),
    ),
    ...has(env, 5, ['str'], (x) =>
      atom(
        `''.join(${r.pick(['c.upper()', 'c', 'c', 'c * 2', 'c.lower()'])} for c in ${x} if ${r.pick(['c.isalpha()', "c != ' '", "c not in 'aeiou'", 'not c.isdigit()', "c > 'c'"])})`,
      ),
    ),
    ...has(env, 3, ['dss'], (x) => atom(`${x}.get(${plain()[0]}, ${quote(r.chance(0.5) ? '' : word(r))})`)),
    ...has(env, 3, ['ints'], (x) =>
      atom(
        `${quote(r.pick(['', ' ', ',', '-']))}.join(${r.pick([`map(str, ${x})`, `str(x) for x in ${x}`, `[str(v) for v in ${x}]`])})`,
      ),
    ),
    ...has(env, 2, ['strs'], (x) => atom(`max(${x}, key=len)`)),
  ]; // prettier-ignore
}

/** A variable to show in a format; `0` if there is none at all. */
const strName = (env: Env): string => {
  const names = env.of('str').length ? env.of('str') : env.variables.map((v) => v.name);
  return names.length ? env.recent(names) : '0';
};

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
  ]); // prettier-ignore

function intLists(env: Env, depth: number): Option[] {
  const { r } = env;
  const ints = () => make(env, 'ints', 0);
  const int = () => make(env, 'int', depth);
  return [
    [3, () => atom('[]')],
    [8, () => atom(`[${Array.from({ length: r.int(1, 3) }, () => int()[0]).join(', ')}]`)],
    [8, () => binary(ints(), '+', r.chance(0.5) ? atom(`[${int()[0]}]`) : ints(), 12)],
    [
      2,
      () =>
        binary(
          atom(`[${r.int(0, 1)}]`),
          '*',
          atom(env.of('int').length && r.chance(0.3) ? env.recent(env.of('int')) : String(r.int(2, 5))),
          13,
        ),
    ],
    [
      5,
      () =>
        atom(
          `list(range(${r.weighted([
            [4, String(r.int(2, 7))],
            [3, `${r.int(1, 3)}, ${r.int(4, 8)}`],
            [2, `${r.int(0, 2)}, ${r.int(6, 12)}, ${r.int(2, 3)}`],
            [1, `${r.int(5, 8)}, ${r.int(0, 2)}, -1`],
          ])}))`,
        ),
    ],
    ...has(env, 12, ['ints'], (x) => atom(`${x}[${slice(r)}]`)),
    ...has(env, 4, ['ints'], (x) => atom(`${x}[::-1]`)),
    ...has(env, 12, ['ints'], (x) =>
      atom(
        `sorted(${x}${r.weighted([
          [6, ''],
          [3, ', reverse=True'],
          [2, ', key=lambda x: -x'],
          [2, ', key=abs'],
          [1, `, key=lambda v: v % ${r.int(2, 5)}`],
        ])})`,
      ),
    ),
    ...has(env, 18, ['ints'], (x) => atom(`[${comprehension(env, x)}]`)),
    ...has(env, 3, ['ints'], (x) => atom(`list(map(lambda x: ${r.pick(ELEMENTS)}, ${x}))`)),
    ...has(env, 3, ['ints'], (x) => atom(`list(filter(lambda x: ${r.pick(TESTS)}, ${x}))`)),
    ...has(env, 3, ['ints'], (x) =>
      atom(
        r.pick([`list(reversed(${x}))`, `list(set(${x}))`, `sorted(set(${x}))`, `${x}.copy()`, `list(${x})`]),
      ),
    ),
    ...has(env, 3, ['ints'], (x) =>
      atom(
        `[${r.pick(['a + b', 'a - b', 'a * b', 'max(a, b)', 'b - a'])} for a, b in zip(${x}, ${r.chance(0.5) ? `${x}[1:]` : ints()[0]})]`,
      ),
    ),
    ...has(env, 3, ['ints'], (x) =>
      atom(
        `[${r.pick(['i', 'i * v', 'i + v'])} for i, v in enumerate(${x})${r.chance(0.5) ? ` if v ${r.pick(['>', '<', '!='])} ${r.int(0, 9)}` : ''}]`,
      ),
    ),
    ...has(env, 3, ['ints'], (x) => {
      const y = ints()[0];
      return atom(`[x for x in ${x} if x ${r.pick(['in', 'not in'])} ${y}]`);
    }),
    ...has(env, 3, ['str'], (x) => atom(`[ord(c)${r.pick(['', " - ord('a')", ' - 97'])} for c in ${x}]`)),
    ...has(env, 3, ['str'], (x) => atom(`[int(c) for c in ${x} if c.isdigit()]`)),
    ...has(env, 2, ['str'], (x) =>
      atom(`[i for i, c in enumerate(${x}) if c ${r.pick(['==', '!='])} ${quote(charValue(r))}]`),
    ),
    ...has(env, 6, ['strs'], (x) =>
      atom(
        `[len(${r.pick(['w', 's', 'word'])}) for ${'w'} in ${x}]`.replace(
          /len\((\w+)\) for w/,
          'len($1) for $1',
        ),
      ),
    ),
    ...has(env, 6, ['dsi', 'dii'], (x) => atom(`list(${x}.values())`)),
    ...has(env, 3, ['dii'], (x) => atom(r.pick([`list(${x}.keys())`, `list(${x})`, `sorted(${x})`]))),
    ...has(env, 4, ['seti'], (x) => atom(`${r.pick(['sorted', 'list'])}(${x})`)),
    ...has(env, 4, ['grid'], (x) =>
      atom(
        r.pick([
          `${x}[0]`,
          `${x}[-1]`,
          `[sum(row) for row in ${x}]`,
          `[x for row in ${x} for x in row]`,
          `[row[0] for row in ${x}]`,
        ]),
      ),
    ),
    ...has(env, 2, ['tup'], (x) => atom(`list(${x})`)),
    ...has(env, 2, ['pairs'], (x) =>
      atom(`[${r.pick(['v for _, v', 'p[1] for p', 'b * 2 for a, b'])} in ${x}]`),
    ),
  ]; // prettier-ignore
}

const WORD_MAPS: readonly string[] = [
  'w.upper()',
  'w[::-1]',
  'w + w',
  'w.capitalize()',
  'w[0]',
  'w.lower()',
  "w + '!'",
  'w[:2]',
  'w.strip()',
  'w.title()',
];
const WORD_TESTS: readonly string[] = [
  'len(w) > 3',
  "'a' in w",
  'w',
  'w.isalpha()',
  "w.startswith('a')",
  'len(w) % 2 == 0',
  'w != w[::-1]',
  'len(w) < 5',
];

function stringLists(env: Env, depth: number): Option[] {
  const { r } = env;
  const plain = () => make(env, 'str', Math.min(depth, 1));
  return [
    [2, () => atom('[]')],
    [6, () => atom(`[${Array.from({ length: r.int(1, 3) }, () => plain()[0]).join(', ')}]`)],
    ...has(env, 14, ['str'], (x) =>
      atom(
        `${x}.split(${r.weighted([
          [5, ''],
          [2, "' '"],
          [2, "','"],
          [1, "'-'"],
          [1, quote(charValue(r))],
        ])})`,
      ),
    ),
    ...has(env, 8, ['str'], (x) => atom(`list(${x})`)),
    ...has(env, 6, ['str'], (x) =>
      atom(
        `[c for c in ${x} if ${r.pick(['c.isalpha()', "c not in 'aeiou'", 'c.isupper()', "c != ' '", 'c.isdigit()'])}]`,
      ),
    ),
    ...has(env, 3, ['str'], (x) =>
      atom(`[${x}[i:i + ${r.int(2, 3)}] for i in range(0, len(${x}), ${r.int(1, 3)})]`),
    ),
    ...has(env, 6, ['strs'], (x) =>
      atom(
        `sorted(${x}${r.weighted([
          [5, ''],
          [4, ', key=len'],
          [2, ', reverse=True'],
          [1, ', key=lambda w: w[-1:]'],
          [1, ', key=lambda s: (len(s), s)'],
          [1, ', key=str.lower'],
        ])})`,
      ),
    ),
    ...has(env, 8, ['strs'], (x) => atom(`[${r.pick(WORD_MAPS)} for w in ${x}]`)),
    ...has(env, 6, ['strs'], (x) =>
      atom(`[${r.chance(0.7) ? 'w' : r.pick(WORD_MAPS)} for w in ${x} if ${r.pick(WORD_TESTS)}]`),
    ),
    ...has(env, 5, ['strs'], (x) => atom(`${x}[${slice(r)}]`)),
    ...has(env, 3, ['strs'], (x) => binary(atom(x), '+', atom(`[${plain()[0]}]`), 12)),
    ...has(env, 5, ['dsi', 'dss'], (x) =>
      atom(r.pick([`list(${x}.keys())`, `list(${x})`, `sorted(${x})`, `[k for k in ${x}]`])),
    ),
    ...has(env, 3, ['dsi'], (x) =>
      atom(`[k for k, v in ${x}.items() if v ${r.pick(['>', '<', '==', '>='])} ${r.int(0, 20)}]`),
    ),
    ...has(env, 3, ['dss'], (x) => atom(`list(${x}.values())`)),
    ...has(env, 4, ['ints'], (x) => atom(r.pick([`[str(x) for x in ${x}]`, `list(map(str, ${x}))`]))),
    ...has(env, 2, ['sets'], (x) => atom(`sorted(${x})`)),
    ...has(env, 2, ['pairs'], (x) => atom(`[k for k, _ in ${x}]`)),
  ]; // prettier-ignore
}

function dictionaries(env: Env, depth: number): Option[] {
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
  ]; // prettier-ignore
}

function intDictionaries(env: Env, depth: number): Option[] {
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
  ]; // prettier-ignore
}

function stringDictionaries(env: Env, _depth: number): Option[] {
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
  ]; // prettier-ignore
}

function intSets(env: Env, _depth: number): Option[] {
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
  ]; // prettier-ignore
}

function stringSets(env: Env, _depth: number): Option[] {
  return [
    [2, () => atom('set()')],
    ...has(env, 6, ['strs', 'str'], (x) => atom(`set(${x})`)),
    ...has(env, 3, ['strs'], (x) => atom(`{w.lower() for w in ${x}}`)),
  ];
}

function tuples(env: Env, depth: number): Option[] {
  const { r } = env;
  const int = () => make(env, 'int', depth)[0];
  return [
    [10, () => atom(`(${int()}, ${int()}${r.chance(0.2) ? `, ${int()}` : ''})`)],
    ...has(env, 5, ['ints'], (x) =>
      atom(
        r.pick([`tuple(${x})`, `(min(${x}), max(${x}))`, `(len(${x}), sum(${x}))`, `tuple(sorted(${x}))`]),
      ),
    ),
    ...has(env, 4, ['int'], (x) => atom(`divmod(${x}, ${r.int(2, 10)})`)),
    ...has(env, 3, ['tup'], (x) => (r.chance(0.5) ? atom(`${x}[${slice(r)}]`) : [`${x} + (${int()},)`, 12])),
  ]; // prettier-ignore
}

function grids(env: Env, _depth: number): Option[] {
  const { r } = env;
  return [
    [3, () => atom(`[[${r.int(0, 1)}] * ${r.int(2, 3)} for _ in range(${r.int(2, 3)})]`)],
    ...has(env, 8, ['grid'], (x) =>
      atom(
        r.pick([
          `[row[:] for row in ${x}]`,
          `[row[::-1] for row in ${x}]`,
          `[list(r) for r in zip(*${x})]`,
          `[[x * 2 for x in row] for row in ${x}]`,
          `${x}[::-1]`,
          `[sorted(row) for row in ${x}]`,
          `[[row[i] for row in ${x}] for i in range(len(${x}[0]))]`,
        ]),
      ),
    ),
    ...has(env, 4, ['ints'], (x) =>
      atom(
        r.pick([
          `[${x}[i:i + 2] for i in range(0, len(${x}), 2)]`,
          `[[v, v * 2] for v in ${x}]`,
          `[[v] for v in ${x}]`,
          `[${x}, ${x}[::-1]]`,
        ]),
      ),
    ),
  ]; // prettier-ignore
}

function pairLists(env: Env, _depth: number): Option[] {
  return [
    [1, () => atom('[]')],
    ...has(env, 6, ['dsi'], (x) =>
      atom(
        env.r.pick([
          `list(${x}.items())`,
          `sorted(${x}.items(), key=lambda x: x[1])`,
          `sorted(${x}.items(), key=lambda kv: (-kv[1], kv[0]))`,
          `[(k, v) for k, v in ${x}.items() if v > ${env.r.int(0, 9)}]`,
        ]),
      ),
    ),
    ...has(env, 4, ['strs'], (x) =>
      atom(env.r.pick([`[(w, len(w)) for w in ${x}]`, `[(w, i) for i, w in enumerate(${x})]`])),
    ),
    ...has(env, 3, ['pairs'], (x) =>
      atom(env.r.pick([`sorted(${x}, key=lambda p: p[1])`, `${x}[::-1]`, `sorted(${x})`])),
    ),
  ]; // prettier-ignore
}

/** A random string literal of a flavour that fits constants in code. */
export const constantText = (env: Env): string => quote(env.r.chance(0.5) ? word(env.r) : stringValue(env.r));
