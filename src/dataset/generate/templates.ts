/**
 * @file Programs whose shape random statements do not reach: recursion, classes, closures, generators, exceptions that cross
 * frames, mutable state shared by callers. Each is a small family: constants, names and branches vary with the seed.
 */
import type { Random } from '../random.ts';
import { indent } from './statements.ts';
import { literal, quote, stringValue, type Ty, word } from './values.ts';

export interface Template {
  readonly lines: readonly string[];
  readonly call: (r: Random) => string;
}

type Make = (r: Random) => Template;
const int = (r: Random, low: number, high: number) => String(r.int(low, high));
const args =
  (name: string, ...types: readonly Ty[]) =>
  (r: Random) =>
    `${name}(${types.map((t) => literal(r, t)).join(', ')})`;
const name = (r: Random, ...names: readonly string[]) => (r.chance(0.25) ? 'f' : r.pick(names));

const recursion: readonly Make[] = [
  (r) => {
    const f = name(r, 'factorial', 'fact', 'product');
    const n = r.pick(['n', 'x', 'k']);
    return {
      lines: [
        `def ${f}(${n}):`,
        `    if ${n} ${r.pick(['<= 1', '== 0', '< 2'])}:`,
        `        return ${r.pick(['1', '1', '2'])}`,
        `    return ${r.pick([`${n} * ${f}(${n} - 1)`, `${f}(${n} - 1) * ${n}`, `${n} + ${f}(${n} - 1)`])}`,
      ],
      call: (q) => `${f}(${int(q, 0, 6)})`,
    };
  },
  (r) => {
    const f = name(r, 'fib', 'fibonacci', 'seq');
    return {
      lines: [
        `def ${f}(n):`,
        `    if n ${r.pick(['< 2', '<= 1'])}:`,
        `        return ${r.pick(['n', '1', 'n'])}`,
        `    return ${f}(n - 1) ${r.pick(['+', '+', '-'])} ${r.pick(['', '2 * '])}${f}(n - 2)`,
      ],
      call: (q) => `${f}(${int(q, 0, 5)})`,
    };
  },
  (r) => {
    const f = name(r, 'gcd', 'hcf', 'reduce');
    const swap = r.chance(0.5);
    return {
      lines: [
        `def ${f}(a, b):`,
        ...(swap
          ? ['    if b == 0:', '        return a', `    return ${f}(b, a % b)`]
          : ['    while b:', '        a, b = b, a % b', '    return a']),
      ],
      call: (q) => `${f}(${int(q, 2, 120)}, ${int(q, 1, 60)})`,
    };
  },
  (r) => {
    const f = name(r, 'reverse', 'rev', 'flip');
    return {
      lines: [
        `def ${f}(s):`,
        `    if ${r.pick(['not s', 'len(s) <= 1', "s == ''"])}:`,
        '        return s',
        `    return ${r.pick([`${f}(s[1:]) + s[0]`, `s[-1] + ${f}(s[:-1])`])}`,
      ],
      call: (q) => `${f}(${quote(stringValue(q).slice(0, 6))})`,
    };
  },
  (r) => {
    const f = name(r, 'power', 'pow_', 'exp');
    return {
      lines: [
        `def ${f}(base, n):`,
        '    if n == 0:',
        '        return 1',
        ...(r.chance(0.5)
          ? ['    if n % 2 == 0:', `        half = ${f}(base, n // 2)`, '        return half * half']
          : []),
        `    return base * ${f}(base, n - 1)`,
      ],
      call: (q) => `${f}(${int(q, -3, 6)}, ${int(q, 0, 6)})`,
    };
  },
  (r) => {
    const f = name(r, 'flatten', 'flat', 'unnest');
    return {
      lines: [
        `def ${f}(items):`,
        '    result = []',
        '    for x in items:',
        '        if isinstance(x, list):',
        `            result.extend(${f}(x))`,
        '        else:',
        `            result.append(x${r.pick(['', '', ' * 2', ' + 1'])})`,
        '    return result',
      ],
      call: (q) =>
        `${f}([${Array.from({ length: q.int(1, 3) }, () => (q.chance(0.5) ? int(q, 0, 9) : q.chance(0.7) ? `[${int(q, 0, 9)}, ${int(q, 0, 9)}]` : `[[${int(q, 0, 9)}], ${int(q, 0, 9)}]`)).join(', ')}])`,
    };
  },
  (r) => {
    const f = name(r, 'total', 'sum_list', 'add_all');
    return {
      lines: [
        `def ${f}(xs):`,
        '    if not xs:',
        `        return ${r.pick(['0', '0', '1'])}`,
        `    return ${r.pick([`xs[0] + ${f}(xs[1:])`, `${f}(xs[:-1]) + xs[-1]`, `max(xs[0], ${f}(xs[1:]))`])}`,
      ],
      call: (q) => `${f}([${Array.from({ length: q.int(0, 4) }, () => int(q, -5, 20)).join(', ')}])`,
    };
  },
  (r) => {
    const f = name(r, 'is_palindrome', 'check', 'palin');
    return {
      lines: [
        `def ${f}(s):`,
        '    if len(s) < 2:',
        '        return True',
        '    if s[0] != s[-1]:',
        '        return False',
        `    return ${f}(s[1:-1])`,
      ],
      call: (q) =>
        `${f}(${quote(q.pick(['level', 'noon', 'abca', 'abba', 'abcba', 'a', '', 'ab', stringValue(q).slice(0, 6)]))})`,
    };
  },
  (r) => {
    const f = name(r, 'digits', 'digit_sum', 'count_digits');
    const b = r.pick(['10', '10', '2']);
    return {
      lines: [
        `def ${f}(n):`,
        `    if n < ${b}:`,
        `        return ${r.pick(['n', '1'])}`,
        `    return ${r.pick([`n % ${b} + `, '1 + '])}${f}(n // ${b})`,
      ],
      call: (q) => `${f}(${int(q, 0, 9999)})`,
    };
  },
  (r) => {
    const f = name(r, 'search', 'binary_search', 'find');
    return {
      lines: [
        `def ${f}(arr, target):`,
        '    lo, hi = 0, len(arr) - 1',
        '    while lo <= hi:',
        '        mid = (lo + hi) // 2',
        '        if arr[mid] == target:',
        '            return mid',
        '        if arr[mid] < target:',
        '            lo = mid + 1',
        '        else:',
        '            hi = mid - 1',
        '    return -1',
      ],
      call: (q) => {
        const xs = Array.from({ length: q.int(2, 7) }, () => q.int(0, 30)).sort((a, b) => a - b);
        return `${f}([${xs.join(', ')}], ${q.chance(0.7) ? q.pick(xs) : q.int(0, 30)})`;
      },
    };
  },
  (r) => {
    const f = name(r, 'bubble', 'sort_list', 'bubble_sort');
    return {
      lines: [
        `def ${f}(a):`,
        '    n = len(a)',
        '    for i in range(n):',
        '        for j in range(n - i - 1):',
        `            if a[j] ${r.pick(['>', '<'])} a[j + 1]:`,
        '                a[j], a[j + 1] = a[j + 1], a[j]',
        '    return a',
      ],
      call: (q) => `${f}([${Array.from({ length: q.int(2, 4) }, () => int(q, 0, 30)).join(', ')}])`,
    };
  },
  (r) => {
    const f = name(r, 'merge', 'merge_lists', 'combine');
    return {
      lines: [
        `def ${f}(a, b):`,
        '    result = []',
        '    i = j = 0',
        '    while i < len(a) and j < len(b):',
        `        if a[i] ${r.pick(['<', '<='])} b[j]:`,
        '            result.append(a[i])',
        '            i += 1',
        '        else:',
        '            result.append(b[j])',
        '            j += 1',
        `    ${r.pick(['return result + a[i:] + b[j:]', 'result.extend(a[i:])\n    result.extend(b[j:])\n    return result'])}`,
      ].flatMap((l) => l.split('\n')),
      call: (q) => {
        const xs = () =>
          Array.from({ length: q.int(1, 4) }, () => q.int(0, 20))
            .sort((a, b) => a - b)
            .join(', ');
        return `${f}([${xs()}], [${xs()}])`;
      },
    };
  },
  (r) => {
    const f = name(r, 'collatz', 'steps', 'chain');
    return {
      lines: [
        `def ${f}(n):`,
        '    steps = 0',
        '    while n != 1:',
        '        if n % 2 == 0:',
        '            n //= 2',
        '        else:',
        '            n = 3 * n + 1',
        '        steps += 1',
        '    return steps',
      ],
      call: (q) => `${f}(${int(q, 1, 12)})`,
    };
  },
  (r) => {
    const f = name(r, 'is_prime', 'prime', 'check');
    return {
      lines: [
        `def ${f}(n):`,
        '    if n < 2:',
        '        return False',
        `    for i in range(2, ${r.pick(['n', 'int(n ** 0.5) + 1', 'n // 2 + 1'])}):`,
        '        if n % i == 0:',
        '            return False',
        '    return True',
      ],
      call: (q) => `${f}(${int(q, 0, 30)})`,
    };
  },
  (r) => {
    const f = name(r, 'permute', 'subsets', 'combos');
    return {
      lines: [
        `def ${f}(items):`,
        '    if not items:',
        '        return [[]]',
        `    rest = ${f}(items[1:])`,
        `    return rest + [[items[0]] + r for r in rest]`,
      ],
      call: (q) => `${f}([${Array.from({ length: q.int(0, 3) }, () => int(q, 1, 9)).join(', ')}])`,
    };
  },
  (r) => {
    const f = name(r, 'even', 'is_even', 'parity');
    return {
      lines: [
        `def ${f}(n):`,
        '    if n == 0:',
        '        return True',
        '    return odd(n - 1)',
        '',
        '',
        'def odd(n):',
        '    if n == 0:',
        '        return False',
        `    return ${f}(n - 1)`,
      ],
      call: (q) => `${f}(${int(q, 0, 6)})`,
    };
  },
]; // prettier-ignore

const balanced: Make = (r) => {
  const f = name(r, 'balanced', 'check', 'valid');
  return {
    lines: [
      `def ${f}(s):`,
      '    stack = []',
      "    pairs = {')': '(', ']': '['}",
      '    for c in s:',
      "        if c in '([':",
      '            stack.append(c)',
      '        elif c in pairs:',
      '            if not stack or stack.pop() != pairs[c]:',
      '                return False',
      `    return ${r.pick(['not stack', 'len(stack) == 0', 'stack == []'])}`,
    ],
    call: (q) =>
      `${f}(${quote(q.pick(['()', '([])', '(()', ')(', '(a[b])', '[(])', '[]()', ''].concat(Array.from({ length: 3 }, () => Array.from({ length: q.int(2, 5) }, () => q.pick(['(', ')', '[', ']'])).join('')))))})`,
  }; // prettier-ignore
};

const closures: readonly Make[] = [
  (r) => {
    const [f, g] = [name(r, 'make_adder', 'outer', 'build'), r.pick(['inner', 'add', 'g', 'step'])];
    const k = r.pick(['n', 'k', 'a']);
    return {
      lines: [
        `def ${f}(${k}, x):`,
        `    def ${g}(v):`,
        `        return v ${r.pick(['+', '*', '-'])} ${k}`,
        `    return ${r.pick([`${g}(${g}(x))`, `${g}(x)`, `[${g}(i) for i in range(x)]`])}`,
      ],
      call: (q) => `${f}(${int(q, 1, 9)}, ${int(q, 0, 4)})`,
    };
  },
  (r) => {
    const f = name(r, 'counter', 'outer', 'tally');
    return {
      lines: [
        `def ${f}(n):`,
        '    count = 0',
        '    def inc(by):',
        '        nonlocal count',
        `        count += by${r.pick(['', ' * 2'])}`,
        '        return count',
        `    for i in range(n):`,
        `        inc(${r.pick(['i', '1', '2', 'i + 1'])})`,
        '    return count',
      ],
      call: (q) => `${f}(${int(q, 0, 4)})`,
    };
  },
  (r) => {
    const f = name(r, 'apply', 'compose', 'twice');
    return {
      lines: [
        `def ${f}(x):`,
        `    g = lambda v: v ${r.pick(['+', '*', '-'])} ${r.int(2, 5)}`,
        `    h = lambda v: v ${r.pick(['* 2', '- 1', '% 7', '** 2'])}`,
        `    y = g(x)`,
        `    return ${r.pick(['h(y)', 'h(g(y))', 'g(h(x)) + y', '(y, h(y))'])}`,
      ],
      call: args(f, 'int'),
    };
  },
  (r) => {
    const f = name(r, 'ranked', 'order', 'arrange');
    return {
      lines: [
        `def ${f}(items):`,
        '    def key(x):',
        `        return ${r.pick(['x % 3', '-x', 'x % 10', 'abs(x - 5)'])}`,
        `    return sorted(items, key=key${r.pick(['', ', reverse=True'])})`,
      ],
      call: (q) => `${f}([${Array.from({ length: q.int(1, 4) }, () => int(q, 0, 30)).join(', ')}])`,
    };
  },
  (r) => {
    const f = name(r, 'evens', 'gen', 'numbers');
    return {
      lines: [
        `def ${f}(n):`,
        `    ${r.pick(['i = 0', 'i = 1', 'i = 2'])}`,
        '    while i < n:',
        '        yield i',
        `        i += ${r.int(1, 3)}`,
        '',
        '',
        'def main(n):',
        ...indent(
          r.pick([
            ['total = 0', `for v in ${f}(n):`, '    total += v', 'return total'],
            [`return list(${f}(n))`],
            [`return sum(${f}(n))`],
            [`g = ${f}(n)`, 'first = next(g, None)', 'rest = list(g)', 'return first, rest'],
          ]),
        ),
      ],
      call: (q) => `main(${int(q, 0, 7)})`,
    };
  },
  (r) => {
    const f = name(r, 'memo_fib', 'memo', 'cached');
    return {
      lines: [
        'cache = {}',
        '',
        '',
        `def ${f}(n):`,
        '    if n in cache:',
        '        return cache[n]',
        '    if n < 2:',
        `        return ${r.pick(['n', '1'])}`,
        `    cache[n] = ${f}(n - 1) + ${f}(n - 2)`,
        '    return cache[n]',
      ],
      call: (q) => `${f}(${int(q, 0, 6)})`,
    };
  },
  (r) => {
    const f = name(r, 'update', 'run', 'record');
    const L = r.pick(['LIMIT', 'BASE', 'SIZE', 'K']);
    return {
      lines: [
        `${L} = ${r.int(2, 20)}`,
        'log = []',
        '',
        '',
        `def ${f}(values):`,
        '    for v in values:',
        `        if v ${r.pick(['>', '<'])} ${L}:`,
        `            log.append(v${r.pick(['', ` - ${L}`])})`,
        `    return ${r.pick(['log', 'len(log)', 'sum(log)'])}`,
      ],
      call: args(f, 'ints'),
    };
  },
]; // prettier-ignore

const classes: readonly Make[] = [
  (r) => {
    const C = r.pick(['Counter', 'Account', 'Tank', 'Box', 'Wallet']);
    const a = r.pick(['value', 'count', 'balance', 'total']);
    const m = r.pick(['add', 'deposit', 'increase', 'put']);
    return {
      lines: [
        `class ${C}:`,
        `    def __init__(self, ${a}${r.pick(['', '=0'])}):`,
        `        self.${a} = ${a}`,
        '',
        `    def ${m}(self, n):`,
        ...(r.chance(0.5)
          ? [
              `        if n < 0:`,
              `            ${r.pick(["raise ValueError('negative')", 'return self', `return self.${a}`])}`,
            ]
          : []),
        `        self.${a} ${r.pick(['+=', '-=', '*='])} n`,
        `        return self.${a}`,
        '',
        '',
        'def run(start, amounts):',
        `    obj = ${C}(start)`,
        '    for n in amounts:',
        `        obj.${m}(n)`,
        `    return obj.${a}`,
      ],
      call: (q) =>
        `run(${int(q, 0, 20)}, [${Array.from({ length: q.int(1, 3) }, () => int(q, q.chance(0.15) ? -5 : 0, 12)).join(', ')}])`,
    };
  },
  (r) => {
    const C = r.pick(['Stack', 'Queue', 'Bag', 'Pile']);
    const [put, take] = r.pick([
      ['push', 'pop'],
      ['add', 'take'],
      ['enqueue', 'dequeue'],
    ]) as [string, string];
    const from = r.pick(['', '0']);
    return {
      lines: [
        `class ${C}:`,
        '    def __init__(self):',
        '        self.items = []',
        '',
        `    def ${put}(self, x):`,
        '        self.items.append(x)',
        '',
        `    def ${take}(self):`,
        ...r.pick([
          ['        if not self.items:', '            return None'],
          ['        if not self.items:', "            raise IndexError('empty')"],
          [],
        ]),
        `        return self.items.pop(${from})`,
        '',
        '',
        'def f(xs, k):',
        `    s = ${C}()`,
        '    for x in xs:',
        `        s.${put}(x)`,
        '    out = []',
        '    for _ in range(k):',
        `        out.append(s.${take}())`,
        '    return out',
      ],
      call: (q) =>
        `f([${Array.from({ length: q.int(1, 3) }, () => int(q, 0, 9)).join(', ')}], ${int(q, 0, 3)})`,
    };
  },
  (r) => {
    const C = r.pick(['Point', 'Vector', 'Pair']);
    const m = r.pick([
      ['dist', 'abs(self.x) + abs(self.y)'],
      ['dot', 'self.x * self.y'],
      ['norm', 'self.x ** 2 + self.y ** 2'],
    ] as const);
    return {
      lines: [
        `class ${C}:`,
        '    def __init__(self, x, y):',
        '        self.x = x',
        '        self.y = y',
        '',
        ...(r.chance(0.5)
          ? ['    def __add__(self, other):', `        return ${C}(self.x + other.x, self.y + other.y)`, '']
          : []),
        `    def ${m[0]}(self):`,
        `        return ${m[1]}`,
        '',
        '',
        'def f(a, b):',
        `    p = ${C}(a, b)`,
        `    q = ${C}(b, ${r.int(0, 5)})`,
        `    ${r.pick(['p.x += q.y', 'q.x = p.y', 'p, q = q, p', 'p.y -= 1'])}`,
        `    return p.${m[0]}() ${r.pick(['+', '-', '<'])} q.${m[0]}()`,
      ],
      call: (q) => `f(${int(q, -5, 9)}, ${int(q, -5, 9)})`,
    };
  },
  (r) => {
    const [A, B, C] = r.pick([
      ['Animal', 'Dog', 'Cat'],
      ['Shape', 'Square', 'Circle'],
      ['Base', 'Left', 'Right'],
    ]) as [string, string, string];
    const m = r.pick(['speak', 'area', 'value', 'kind']);
    return {
      lines: [
        `class ${A}:`,
        '    def __init__(self, n):',
        '        self.n = n',
        '',
        `    def ${m}(self):`,
        `        return ${r.pick(['0', 'self.n', '-1'])}`,
        '',
        '',
        `class ${B}(${A}):`,
        `    def ${m}(self):`,
        `        return self.n ${r.pick(['* 2', '+ 1', '** 2'])}`,
        '',
        '',
        `class ${C}(${A}):`,
        ...r.pick([['    pass'], [`    def ${m}(self):`, `        return super().${m}() + ${r.int(1, 9)}`]]),
        '',
        '',
        'def f(n):',
        `    items = [${r
          .sample([A, B, C], 2)
          .map((k) => `${k}(n)`)
          .join(', ')}]`,
        `    return [x.${m}() for x in items]`,
      ],
      call: args('f', 'int'),
    };
  },
  (r) => {
    const f = name(r, 'to_list', 'walk', 'collect');
    return {
      lines: [
        'class Node:',
        '    def __init__(self, val, next=None):',
        '        self.val = val',
        '        self.next = next',
        '',
        '',
        `def ${f}(values):`,
        '    head = None',
        `    for v in ${r.pick(['values', 'reversed(values)'])}:`,
        '        head = Node(v, head)',
        '    out = []',
        '    while head:',
        '        out.append(head.val)',
        '        head = head.next',
        '    return out',
      ],
      call: (q) => `${f}([${Array.from({ length: q.int(0, 3) }, () => int(q, 0, 9)).join(', ')}])`,
    };
  },
]; // prettier-ignore

const errors: readonly Make[] = [
  (r) => {
    const f = name(r, 'safe_div', 'divide', 'ratio');
    return {
      lines: [
        `def ${f}(a, b):`,
        '    try:',
        `        result = a ${r.pick(['//', '%', '/'])} b`,
        '    except ZeroDivisionError:',
        `        ${r.pick(['return None', 'result = 0', "return 'error'", 'result = -1'])}`,
        ...(r.chance(0.3) ? ['    else:', '        result += 1'] : []),
        ...(r.chance(0.3) ? ['    finally:', `        a = ${r.int(0, 3)}`] : []),
        '    return result',
      ],
      call: (q) => `${f}(${int(q, 0, 50)}, ${q.chance(0.35) ? '0' : int(q, 1, 9)})`,
    };
  },
  (r) => {
    const f = name(r, 'parse', 'to_int', 'convert');
    return {
      lines: [
        `def ${f}(items):`,
        '    out = []',
        '    for s in items:',
        '        try:',
        '            out.append(int(s))',
        `        except ValueError${r.pick(['', ' as e'])}:`,
        `            ${r.pick(['out.append(None)', 'continue', 'out.append(-1)', 'break'])}`,
        '    return out',
      ],
      call: (q) =>
        `${f}([${Array.from({ length: q.int(1, 4) }, () => quote(q.chance(0.6) ? int(q, 0, 99) : word(q))).join(', ')}])`,
    };
  },
  (r) => {
    const E = r.pick(['ValueError', 'KeyError', 'RuntimeError', 'TypeError']);
    const g = r.pick(['check', 'validate', 'inner', 'g']);
    const f = name(r, 'run', 'main', 'process');
    const caught = r.weighted([
      [4, E],
      [2, 'Exception'],
      [1, 'IndexError'],
    ]);
    return {
      lines: [
        `def ${g}(x):`,
        `    if x ${r.pick(['< 0', '> 10', '% 2', '== 3'])}:`,
        `        raise ${E}(${r.pick(["'bad'", 'x', "f'bad {x}'", "'odd'"])})`,
        `    return x ${r.pick(['+ 1', '* 2', '- 1'])}`,
        '',
        '',
        `def ${f}(x):`,
        '    try:',
        `        y = ${g}(x)`,
        `    except ${caught}${r.pick([' as e', ''])}:`,
        `        y = ${r.pick(['-1', '0', 'None', '100'])}`,
        ...(r.chance(0.25) ? ['    finally:', '        x = 0'] : []),
        `    return ${r.pick(['y', '[x, y]', '(y, x)'])}`,
      ],
      call: (q) => `${f}(${int(q, -5, 15)})`,
    };
  },
  (r) => {
    const f = name(r, 'lookup', 'get', 'fetch');
    return {
      lines: [
        `def ${f}(d, key):`,
        ...r.pick([
          [`    return d[key]`],
          [
            '    try:',
            '        return d[key]',
            '    except KeyError:',
            `        return ${r.pick(['None', '0', 'key'])}`,
          ],
          ['    if key not in d:', '        raise KeyError(key)', '    return d[key]'],
        ]),
      ],
      call: (q) =>
        `${f}({${quote('a')}: ${int(q, 0, 9)}, ${quote(word(q))}: ${int(q, 0, 99)}}, ${quote(q.chance(0.6) ? 'a' : word(q))})`,
    };
  },
  (r) => {
    const f = name(r, 'at', 'nth', 'pick');
    return {
      lines: [
        `def ${f}(xs, i):`,
        `    value = xs[i]`,
        `    return value ${r.pick(['* 2', '+ 1', '- xs[0]'])}`,
      ],
      call: (q) =>
        `${f}([${Array.from({ length: q.int(1, 4) }, () => int(q, 0, 20)).join(', ')}], ${int(q, -3, 4)})`,
    };
  },
  (r) => {
    const f = name(r, 'first_match', 'find_item', 'locate');
    return {
      lines: [
        `def ${f}(xs, t):`,
        '    for i, x in enumerate(xs):',
        `        if x ${r.pick(['==', '>', '>='])} t:`,
        `            ${r.pick(['break', 'return i'])}`,
        ...r.pick([['    else:', '        return -1', '    return i'], ['    return None']]),
      ],
      call: (q) =>
        `${f}([${Array.from({ length: q.int(1, 4) }, () => int(q, 0, 9)).join(', ')}], ${int(q, 0, 9)})`,
    };
  },
  (r) => {
    const f = name(r, 'verify', 'checked', 'average');
    return {
      lines: [
        `def ${f}(xs):`,
        `    assert ${r.pick(['xs', 'len(xs) > 1'])}${r.pick([", 'empty'", ''])}`,
        '    total = 0',
        '    for x in xs:',
        '        total += x',
        `    return total ${r.pick(['/', '//'])} len(xs)`,
      ],
      call: args(f, 'ints'),
    };
  },
]; // prettier-ignore

/** One program of a template, drawn with the seed. */
export const template = (r: Random): Template =>
  r.pick(
    r.weighted<readonly Make[]>([
      [10, [...recursion, balanced]],
      [6, closures],
      [8, classes],
      [6, errors],
    ]),
  )(r); // prettier-ignore
