import { quote, stringValue } from '../values.ts';
import { int, type Make, name } from './template.ts';

export const recursion: readonly Make[] = [
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
];

export const balanced: Make = (r) => {
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
  };
};
