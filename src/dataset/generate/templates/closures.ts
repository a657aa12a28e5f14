/** @file Functions in functions: closures, `nonlocal`, lambdas, keys, generators, module-level state. */

import { indent } from '../statements.ts';
import { args, int, type Make, name } from './template.ts';

export const closures: readonly Make[] = [
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
];
