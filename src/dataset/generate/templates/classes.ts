import { args, int, type Make, name } from './template.ts';

export const classes: readonly Make[] = [
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
];
