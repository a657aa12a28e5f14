import { quote, word } from '../values.ts';
import { args, int, type Make, name } from './template.ts';

export const errors: readonly Make[] = [
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
];
