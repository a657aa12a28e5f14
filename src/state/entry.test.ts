import { describe, expect, it } from 'vitest';
import { parseProgram } from '../source/index.ts';
import { initialState } from './entry.ts';

const enter = (code: string, call: string) => initialState(parseProgram(code, 'main.py'), call);
const top = (code: string, call: string) => enter(code, call).stack[0]!;
const locals = (code: string, call: string) => Object.fromEntries(top(code, call).locals);
const failure = (code: string, call: string) => {
  try {
    enter(code, call);
  } catch (error) {
    return error;
  }
  throw new Error(`${call} was accepted`);
};

describe('the entry state of a call with literal arguments', () => {
  const code = 'import os\n\ndef f(x, y=2):\n    return x + y\n';

  it('is the call state of the function, alone on the stack', () => {
    const state = enter(code, ' f([1, "a"]) ');
    expect(state.kind).toBe('call');
    expect(state.stack).toHaveLength(1);
    expect(state.stack[0]).toMatchObject({ id: 0, file: 0, fn: 'f', line: 3, thread: 0, known: true });
    expect(Object.fromEntries(state.stack[0]!.locals)).toEqual({ x: "[1, 'a']", y: '2' });
  });

  it('binds as Python does', () => {
    const g = 'def g(a, /, b: int = 1, *rest, c=(0x10, -2.50), d, **kw): pass';
    expect(locals(g, 'g(1, 2, 3, 4, d=None, z=5, a=6)')).toEqual({
      a: '1',
      b: '2',
      c: '(16, -2.5)',
      d: 'None',
      rest: '(3, 4)',
      kw: "{'z': 5, 'a': 6}",
    });
    expect([...top(g, 'g(*[1, 2], **{"d": 3})').locals]).toEqual([
      ['a', '1'],
      ['b', '2'],
      ['rest', '()'],
      ['c', '(16, -2.5)'],
      ['d', '3'],
      ['kw', '{}'],
    ]);
    expect(locals('def f(a, b=dict, *, c=a): pass', 'f(1, 2, c=3)')).toEqual({ a: '1', b: '2', c: '3' });
    expect(locals('def f(a=lambda x, y=(1, 2): x, b=3): pass', 'f(1)')).toEqual({ a: '1', b: '3' });
  });

  it('shows large arguments as a trace would', () => {
    expect(locals(code, `f("${'a'.repeat(301)}", ${'9'.repeat(641)})`)).toEqual({
      x: `'${'a'.repeat(300)}'...+1`,
      y: '<int 641 digits>',
    });
    expect(locals(code, `f([${'1, '.repeat(101)}], [[[[[[[[[1]]]]]]]]])`)).toEqual({
      x: `[${'1, '.repeat(100)}...+1]`,
      y: '[[[[[[[[...]]]]]]]]',
    });
  });

  it('knows the literals that the module assigns once and the function names', () => {
    const module = [
      'N = 3',
      'M = 4',
      'T: str = "a"  # note',
      'L = [1]',
      'S = [2]',
      'UNUSED = 5',
      'C = 0',
      'M += 1',
      'S.append(3)',
      'for i in range(N): print(N)',
      'def f(x):',
      '    return N, M, T, L, S, C, x',
      'def g():',
      '    global C',
      '    C += 1',
    ].join('\n');
    expect(Object.fromEntries(top(module, 'f(1)').globals)).toEqual({ N: '3', T: "'a'", L: '[1]' });
  });
});

describe('a call that has to be computed first', () => {
  const code = [
    'import functools',
    'def f(x, y=len([])): return x',
    'def gen(): yield 1',
    'async def co(): pass',
    '@functools.cache',
    'def cached(n): return n',
    'class A: pass',
    'if 1:',
    '    def maybe(): pass',
    'def twice(): pass',
    'twice = f',
    'def plain(x): return x',
    'print(plain(x=1))',
  ].join('\n');

  it.each([
    'f(1)',
    'plain(f(1, 2))',
    'plain(1) + 1',
    'gen()',
    'co()',
    'cached(1)',
    'A()',
    'A().m(1)',
    'maybe()',
    'twice()',
    'print(plain(1))',
    '(lambda: plain(1))()',
    'plain(1)[0]',
  ])('begins on the call expression’s line: %s', (call) => {
    const state = enter(code, call);
    expect(state.kind).toBe('line');
    expect(state.stack).toHaveLength(1);
    expect(state.stack[0]).toMatchObject({ file: 1, fn: '<call>', line: 1, scope: 0 });
  });
  it('begins in the function where nothing has to be', () => {
    expect(enter(code, 'f(1, 2)').kind).toBe('call');
    expect(enter(code, 'plain(x=1)').kind).toBe('call');
  });
});

describe('bad calls', () => {
  it.each(['', 'f', '1 + ', 'f(', '[1, 2]', 'x = f(1)', 'f(1); f(2)', 'import os'])(
    '%s is no call',
    (call) => {
      expect(failure('def f(x): pass', call)).toMatchObject({ code: 'E_CALL' });
    },
  );
  it('name a function that is not there', () => {
    expect(failure('def f(x): pass\nclass A: pass', 'g(1)')).toMatchObject({
      code: 'E_FUNCTION',
      hint: 'It defines: f, A.',
    });
    expect(enter('from os import *', 'getcwd()').kind).toBe('line');
  });
  // Every message as CPython 3.11 gives it.
  it.each([
    ['x', 'f()', "f() missing 1 required positional argument: 'x'"],
    ['x, y', 'f()', "f() missing 2 required positional arguments: 'x' and 'y'"],
    ['x, y, z', 'f()', "f() missing 3 required positional arguments: 'x', 'y', and 'z'"],
    ['*, x, y', 'f(y=1)', "f() missing 1 required keyword-only argument: 'x'"],
    ['', 'f(1)', 'f() takes 0 positional arguments but 1 was given'],
    ['x', 'f(1, 2)', 'f() takes 1 positional argument but 2 were given'],
    ['x, y=1', 'f(1, 2, 3)', 'f() takes from 1 to 2 positional arguments but 3 were given'],
    ['x=1', 'f(1, 2)', 'f() takes from 0 to 1 positional arguments but 2 were given'],
    [
      'x, *, k=1',
      'f(1, 2, k=3)',
      'f() takes 1 positional argument but 2 positional arguments (and 1 keyword-only argument) were given',
    ],
    ['x', 'f(1, x=2)', "f() got multiple values for argument 'x'"],
    ['x', 'f(1, z=2)', "f() got an unexpected keyword argument 'z'"],
    ['x, /', 'f(x=1)', "f() got some positional-only arguments passed as keyword arguments: 'x'"],
    ['x, y, /', 'f(y=1, x=2)', "f() got some positional-only arguments passed as keyword arguments: 'x, y'"],
  ])('do not fit: def f(%s), %s', (parameters, call, message) => {
    const error = failure(`def f(${parameters}): pass`, call);
    expect(error).toMatchObject({ code: 'E_ARGUMENTS', message: expect.stringContaining(message) });
  });
});
