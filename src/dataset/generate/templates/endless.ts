/** @file Loops that end for some arguments and for others do not: a step forgotten in a branch, a search that stands still, a cycle of values. */
import { quote, word } from '../values.ts';
import { int, type Make, name } from './template.ts';

export const endless: readonly Make[] = [
  (r) => {
    const f = name(r, 'count_down', 'reduce', 'drain');
    const step = r.int(2, 3);
    return {
      lines: [
        `def ${f}(n):`,
        '    steps = 0',
        `    while n != ${r.pick(['0', '1'])}:`,
        `        n = (n - ${step}) % ${r.int(8, 12)}`,
        ...(r.chance(0.5) ? [] : [`        if n > ${r.int(2, 6)}:`, '            n -= 1']),
        `    return ${r.pick(['n', 'steps', 'n + 1'])}`,
      ],
      call: (q) => `${f}(${int(q, 0, 20)})`,
    };
  },
  (r) => {
    const f = name(r, 'scan', 'count_letters', 'skip');
    const test = r.pick(['isalpha', 'isdigit', 'islower']);
    return {
      lines: [
        `def ${f}(s):`,
        '    i = 0',
        '    count = 0',
        '    while i < len(s):',
        `        if s[i].${test}():`,
        '            count += 1',
        ...r.pick([
          ['            i += 1'],
          ['        else:', `            ${r.pick(['continue', 'count = 0', 'pass'])}`, '        i += 1'],
        ]),
        '    return count',
      ],
      call: (q) => `${f}(${quote(q.pick([word(q), `${word(q)}1`, `${q.int(0, 99)}`, `${word(q)} x`, '']))})`,
    };
  },
  (r) => {
    const f = name(r, 'search', 'bisect', 'find');
    const [lo, hi] = r.pick([
      ['lo', 'hi'],
      ['left', 'right'],
      ['low', 'high'],
    ]);
    return {
      lines: [
        `def ${f}(nums, target):`,
        `    ${lo}, ${hi} = 0, len(nums) - 1`,
        `    while ${lo} ${r.pick(['<', '<='])} ${hi}:`,
        `        mid = (${lo} + ${hi}) // 2`,
        '        if nums[mid] == target:',
        '            return mid',
        '        if nums[mid] < target:',
        `            ${lo} = ${r.pick(['mid', 'mid + 1', 'mid'])}`,
        '        else:',
        `            ${hi} = ${r.pick(['mid', 'mid - 1'])}`,
        '    return -1',
      ],
      call: (q) => {
        const items = Array.from({ length: q.int(1, 6) }, () => q.int(0, 40)).sort((a, b) => a - b);
        return `${f}([${items.join(', ')}], ${q.chance(0.5) ? q.pick(items) : q.int(0, 40)})`;
      },
    };
  },
  (r) => {
    const f = name(r, 'orbit', 'cycle', 'walk');
    return {
      lines: [
        `def ${f}(x, goal):`,
        `    while x != goal:`,
        `        x = (x * ${r.int(2, 5)} + ${r.int(0, 3)}) % ${r.int(7, 13)}`,
        `    return ${r.pick(['x', 'goal * 2', "'done'"])}`,
      ],
      call: (q) => `${f}(${int(q, 0, 9)}, ${int(q, 0, 9)})`,
    };
  },
  (r) => {
    const f = name(r, 'flip', 'toggle', 'settle');
    return {
      lines: [
        `def ${f}(a, b):`,
        `    while a ${r.pick(['!=', '<', '>'])} b:`,
        `        ${r.pick(['a, b = b, a', 'a = -a', 'b = abs(b)', 'a = max(a, b) - a'])}`,
        ...(r.chance(0.5)
          ? [
              `        if a ${r.pick(['<', '>'])} ${r.int(1, 5)}:`,
              `            ${r.pick(['break', 'b = a', 'return b'])}`,
            ]
          : []),
        '    return a',
      ],
      call: (q) => `${f}(${int(q, -6, 9)}, ${int(q, -6, 9)})`,
    };
  },
  (r) => {
    const f = name(r, 'collapse', 'squeeze', 'replace_all');
    const [a, b] = r.pick([
      ['ab', 'b'],
      ['aa', 'aa'],
      ['x', 'x'],
      ['--', '-'],
      ['b', 'ab'.slice(1)],
    ]);
    return {
      lines: [
        `def ${f}(s):`,
        `    while ${quote(a!)} in s:`,
        `        s = s.replace(${quote(a!)}, ${quote(b!)})`,
        '    return s',
      ],
      call: (q) =>
        `${f}(${quote(q.pick([word(q), `${a}${word(q)}`, `${word(q)}${a}`, `${word(q)}--x`, '']))})`,
    };
  },
  (r) => {
    const f = name(r, 'serve', 'rotate', 'schedule');
    return {
      lines: [
        `def ${f}(queue, limit):`,
        '    total = 0',
        '    while queue:',
        '        x = queue.pop(0)',
        `        if x ${r.pick(['>', '>=', '!='])} limit:`,
        `            queue.append(${r.pick(['x', 'x', 'x - 1'])})`,
        ...(r.chance(0.5) ? ['        else:', '            total += x'] : []),
        '    return total',
      ],
      call: (q) =>
        `${f}([${Array.from({ length: q.int(0, 3) }, () => int(q, 0, 6)).join(', ')}], ${int(q, 0, 6)})`,
    };
  },
  (r) => {
    const f = name(r, 'root', 'approach', 'balance');
    return {
      lines: [
        `def ${f}(n):`,
        '    x = n',
        `    while x * x > n:`,
        `        x = (x + n // x) // 2${r.pick(['', ' + 1', ''])}`,
        '    return x',
      ],
      call: (q) => `${f}(${int(q, 0, 60)})`,
    };
  },
];
