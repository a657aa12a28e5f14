import { describe, expect, it } from 'vitest';
import { parseProgram } from '../source/index.ts';
import type { TraceEvent } from '../trace/types.ts';
import { advance, nextFrame, topOf } from './advance.ts';
import type { State } from './types.ts';

type Event = Omit<TraceEvent, 'e' | 'f' | 'l'>;
const event = (e: TraceEvent['e'], f: number, l: number, rest: Event = {}): TraceEvent => ({
  e,
  f,
  l,
  ...rest,
});

/** All states of the events; `code` gives scopes, loops and handlers. */
function fold(code: string, events: readonly TraceEvent[]): State[] {
  const programs = [parseProgram(code, 'main.py')];
  const states: State[] = [];
  for (const next of events) states.push(advance(states[states.length - 1] ?? null, next, { programs }));
  return states;
}

const frames = (state: State) => state.stack.map((frame) => frame.id);
const module = event('call', 0, 1, { fn: '<module>', k: 'module' });

describe('the stack', () => {
  const code = 'def f(x):\n    return g(x)\ndef g(x):\n    return x\nf(1) + g(2)';
  const states = fold(code, [
    module,
    event('line', 0, 5),
    event('call', 1, 1, { p: 0, fn: 'f', set: { x: '1' } }),
    event('line', 1, 2),
    event('call', 2, 3, { p: 1, fn: 'g', set: { x: '1' } }),
    event('line', 2, 4),
    event('return', 2, 4, { v: '1' }),
    event('return', 1, 2, { v: '1' }),
    event('call', 3, 3, { p: 0, fn: 'g', set: { x: '2' } }),
    event('line', 3, 4),
    event('return', 3, 4, { v: '2', o: 'hello\n' }),
    event('return', 0, 5, { v: 'None' }),
  ]);

  it('holds the frames from the outermost to the current one', () => {
    expect(states.map(frames)).toEqual([
      [0],
      [0],
      [0, 1],
      [0, 1],
      [0, 1, 2],
      [0, 1, 2],
      [0, 1, 2],
      [0, 1],
      [0, 3],
      [0, 3],
      [0, 3],
      [0],
    ]);
  });
  it('knows each frame’s function, scope and line', () => {
    const { stack } = states[5]!;
    expect(stack.map(({ fn, line }) => [fn, line])).toEqual([
      ['<module>', 5],
      ['f', 2],
      ['g', 4],
    ]);
    expect(stack.map(({ scope }) => scope)).toEqual([0, 1, 2]);
  });
  it('tells a line what its finished calls gave, until the line is left', () => {
    expect(states.map((state) => state.stack[0]!.returned)).toEqual([
      ...Array(8).fill([]),
      ...Array(3).fill(['1']),
      ['1', '2'],
    ]);
    expect(topOf(states[7]!).returned).toEqual(['1']);
  });
  it('carries values and output of the event', () => {
    expect(states[10]).toMatchObject({ kind: 'return', value: '2', out: 'hello\n' });
    expect(states[11]!.out).toBeUndefined();
  });
  it('counts frame numbers', () => {
    expect(nextFrame(states[0]!)).toBe(1);
    expect(nextFrame(states[11]!)).toBe(4);
    const { beyond: _, ...alone } = states[4]!;
    expect(nextFrame(alone)).toBe(3);
  });
  it('never changes an earlier state', () => {
    const again = advance(states[3]!, event('line', 1, 3, { set: { x: '9' } }), { programs: [] });
    expect(topOf(again).locals.get('x')).toBe('9');
    expect(topOf(states[3]!).locals.get('x')).toBe('1');
  });
});

describe('names', () => {
  const states = fold('def f(a):\n    pass', [
    event('call', 0, 1, { fn: 'f', set: { a: '[]' }, g: { N: '1' }, a: [['a', 'b']] }),
    event('line', 0, 2, { set: { b: '[]', c: '1' } }),
    event('line', 0, 3, { set: { a: '[2]' }, del: ['c'], g: { M: '5' }, a: [] }),
    event('line', 0, 4),
  ]);
  it('are set, changed and deleted by each event', () => {
    expect(states.map((state) => Object.fromEntries(topOf(state).locals))).toEqual([
      { a: '[]' },
      { a: '[]', b: '[]', c: '1' },
      { a: '[2]', b: '[]' },
      { a: '[2]', b: '[]' },
    ]);
    expect(topOf(states[3]!).locals).toBe(topOf(states[2]!).locals);
  });
  it('are kept at module level as the frame last saw them', () => {
    expect(Object.fromEntries(topOf(states[3]!).globals)).toEqual({ N: '1', M: '5' });
  });
  it('are grouped by the object they share', () => {
    expect(states.map((state) => topOf(state).aliases)).toEqual([[['a', 'b']], [['a', 'b']], [], []]);
  });
});

describe('loops', () => {
  const code = [
    'for i in range(2):', // 1
    '    while i:', // 2
    '        i -= 1', // 3
    '    else:',
    '        x = 1', // 5
    'for i in y:', // 6
    '    pass', // 7
    'x = 2', // 8
  ].join('\n');
  const walk = (lines: readonly number[]) =>
    fold(code, [module, ...lines.map((line) => event('line', 0, line))])
      .slice(1)
      .map((state) =>
        topOf(state)
          .loops.map(({ line, count }) => `${line}x${count}`)
          .join(' '),
      );

  it('count their header’s visits, the outermost first', () => {
    expect(walk([1, 2, 3, 2, 3, 2, 5, 1, 2, 5, 1, 6, 7, 6, 8])).toEqual([
      '1x1',
      '1x1 2x1',
      '1x1 2x1',
      '1x1 2x2',
      '1x1 2x2',
      '1x1 2x3',
      '1x1',
      '1x2',
      '1x2 2x1',
      '1x2',
      '1x3',
      '6x1',
      '6x1',
      '6x2',
      '',
    ]);
  });
  it('begin again when they are entered again', () => {
    expect(walk([6, 7, 8, 6, 7])).toEqual(['6x1', '6x1', '', '6x1', '6x1']);
  });
  it('know what they go over once the header has worked it out, until they are left', () => {
    const states = fold(code, [
      module,
      event('line', 0, 6),
      event('line', 0, 7, {
        w: [
          ['y=', "'ab'"],
          ['iter:', "'ab'"],
        ],
      }),
      event('line', 0, 6),
      event('line', 0, 8),
    ]);
    expect(states.slice(1).map((state) => topOf(state).loops)).toEqual([
      [{ line: 6, count: 1 }],
      [{ line: 6, count: 1, over: "'ab'" }],
      [{ line: 6, count: 2, over: "'ab'" }],
      [],
    ]);
  });
});

describe('a generator', () => {
  const code = 'def g(n):\n    a = yield n\n    return a\nx = g(1)\nnext(x)\nnext(x)';
  const states = fold(code, [
    module,
    event('line', 0, 5),
    event('call', 1, 1, { p: 0, fn: 'g', k: 'generator', set: { n: '1' } }),
    event('line', 1, 2),
    event('yield', 1, 2, { v: '1' }),
    event('line', 0, 6),
    event('resume', 1, 2, { p: 0 }),
    event('line', 1, 3, { set: { a: 'None' } }),
    event('exception', 1, 3, { v: 'StopIteration()' }),
    event('exception', 0, 6, { v: 'StopIteration()' }),
  ]);

  it('gets its own frame back when it is resumed', () => {
    expect(states.map(frames)).toEqual([[0], [0], [0, 1], [0, 1], [0, 1], [0], [0, 1], [0, 1], [0, 1], [0]]);
    expect(states[6]!.stack[1]).toMatchObject({ id: 1, fn: 'g', kind: 'generator', line: 2 });
    expect(Object.fromEntries(topOf(states[7]!).locals)).toEqual({ n: '1', a: 'None' });
  });
  it('gives the line that runs it what it yields', () => {
    const same = fold(code, [
      module,
      event('line', 0, 5),
      event('call', 1, 1, { p: 0, fn: 'g' }),
      event('yield', 1, 2, { v: '1' }),
      event('resume', 1, 2, { p: 0 }),
      event('yield', 1, 2, { v: '2' }),
      event('return', 0, 5, { v: 'None' }),
    ]);
    expect(topOf(same[6]!).returned).toEqual(['1', '2']);
    expect(same[4]!.stack[0]!.returned).toEqual(['1']);
  });
  it('leaves the last hundred values with a line that takes more', () => {
    let state = states[2]!;
    for (let i = 0; i < 250; i++) {
      state = advance(state, event('yield', 1, 2, { v: `${i}` }), { programs: [] });
      state = advance(state, event('resume', 1, 2, { p: 0 }), { programs: [] });
    }
    const { returned } = state.stack[0]!;
    expect([returned.length, returned[0], returned[99]]).toEqual([100, '150', '249']);
  });
  it('is remembered by each branch of a walk on its own', () => {
    const programs = [parseProgram(code, 'main.py')];
    const other = advance(states[5]!, event('line', 0, 4), { programs });
    expect(frames(advance(other, event('resume', 1, 2, { p: 0 }), { programs }))).toEqual([0, 1]);
    expect(topOf(advance(other, event('resume', 1, 2, { p: 0 }), { programs })).known).toBe(true);
  });
  it('is unknown where the walk began after it', () => {
    const { beyond: _, ...alone } = states[5]!;
    const resumed = advance(alone, event('resume', 7, 2, { p: 0 }), { programs: [] });
    expect(topOf(resumed)).toMatchObject({ id: 7, known: false });
  });
  it('can be one of thousands', () => {
    let state: State | null = advance(null, module, { programs: [] });
    for (let f = 1; f <= 5000; f++) {
      state = advance(state, event('call', f, 1, { p: 0, fn: 'g', set: { n: `${f}` } }), { programs: [] });
      state = advance(state, event('yield', f, 2), { programs: [] });
    }
    state = advance(state, event('resume', 1234, 2, { p: 0 }), { programs: [] });
    expect(topOf(state).locals.get('n')).toBe('1234');
  });
});

describe('a pending exception', () => {
  const pending = (code: string, events: readonly TraceEvent[]) =>
    fold(code, [module, ...events])
      .slice(1)
      .map((state) => topOf(state).pending ?? '-');
  const line = (l: number) => event('line', 0, l);
  const raise = (l: number, v = 'E()') => event('exception', 0, l, { v });

  it('lasts while it is handled', () => {
    const code = 'try:\n    f()\nexcept A:\n    pass\nexcept B:\n    x = 1\n    y = 2\nz = 3';
    expect(pending(code, [line(1), line(2), raise(2), line(3), line(5), line(6), line(7), line(8)])).toEqual([
      '-',
      '-',
      'E()',
      'E()',
      'E()',
      'E()',
      'E()',
      '-',
    ]);
  });
  it('lasts through `finally` and what it raises again', () => {
    const code = [
      'try:', // 1
      '    try:', // 2
      '        f()', // 3
      '    finally:',
      '        x = 1', // 5
      '        y = 2', // 6
      'except E:', // 7
      '    z = 3', // 8
      'w = 4', // 9
    ].join('\n');
    expect(pending(code, [line(3), raise(3), line(5), line(6), line(7), line(8), line(9)])).toEqual([
      '-',
      'E()',
      'E()',
      'E()',
      'E()',
      'E()',
      '-',
    ]);
    expect(pending(code, [line(3), line(5), line(6), line(9)])).toEqual(['-', '-', '-', '-']);
  });
  it('lasts on the way out of `with`, and is over where `with` swallows it', () => {
    const code = 'try:\n    with a:\n        f()\n    x = 1\nexcept E:\n    y = 2';
    expect(pending(code, [line(2), line(3), raise(3), line(2), line(5), line(6)]).slice(2)).toEqual([
      'E()',
      'E()',
      'E()',
      'E()',
    ]);
    expect(pending(code, [line(2), line(3), raise(3), line(2), line(4)]).slice(2)).toEqual([
      'E()',
      'E()',
      '-',
    ]);
  });
  it('is the last one of nested handlers', () => {
    const code =
      'try:\n    f()\nexcept E:\n    try:\n        g()\n    except E:\n        x = 1\n    y = 2\nz = 3';
    const seen = pending(code, [
      line(2),
      raise(2, 'A()'),
      line(3),
      line(4),
      line(5),
      raise(5, 'B()'),
      line(6),
      line(7),
      line(8),
    ]);
    expect(seen).toEqual(['-', 'A()', 'A()', 'A()', 'A()', 'B()', 'B()', 'B()', '-']);
  });
});

describe('threads', () => {
  const states = fold('x = 1', [
    module,
    event('line', 0, 1),
    event('call', 1, 5, { fn: 'work', t: 1 }),
    event('line', 0, 2),
    event('line', 1, 6),
    event('call', 2, 8, { p: 1, fn: 'g', t: 1 }),
    event('call', 3, 9, { p: 0, fn: 'h' }),
    event('return', 2, 8, { v: '1' }),
    event('return', 3, 9, { v: '3' }),
    event('return', 1, 6, { v: '2' }),
    event('return', 0, 2, { v: 'None' }),
  ]);
  it('have a stack each', () => {
    expect(states.map(frames)).toEqual([[0], [0], [1], [0], [1], [1, 2], [0, 3], [1, 2], [0, 3], [1], [0]]);
    expect(states.map((state) => topOf(state).thread)).toEqual([0, 0, 1, 0, 1, 1, 0, 1, 0, 1, 0]);
  });
  it('are each given their own calls’ values', () => {
    expect(topOf(states[9]!).returned).toEqual(['1']);
    expect(topOf(states[10]!).returned).toEqual(['3']);
  });
});

describe('a broken trace', () => {
  it('is refused where an event’s frame was never called', () => {
    expect(() => fold('', [module, event('line', 3, 1)])).toThrow(
      expect.objectContaining({ code: 'E_TRACE' }),
    );
    expect(() => fold('', [event('line', 0, 1)])).toThrow(expect.objectContaining({ code: 'E_TRACE' }));
  });
});
