import { describe, expect, it } from 'vitest';
import { parseProgram } from './index.ts';

const scopesOf = (text: string) => {
  const p = parseProgram(text);
  expect(p.errors).toEqual([]);
  return new Map(p.scopes.map((s) => [s.qualname, s]));
};

describe('names', () => {
  it('finds every way to bind', () => {
    const text = `
def f(a, /, b, *c, d=1, **e):
    g = h, [i, *j] = 1
    k += 1
    l: int
    for m, (n, o) in a: pass
    with a as p, b as (q, r.s): pass
    try: pass
    except E as t: pass
    import u.v, w as x
    from y import z as aa, bb
    if (cc := 1): pass
    match a:
        case [dd, *ee] | {'k': ff, **gg} | C(hh, x=ii) as jj: pass
        case _: pass
    def kk(): pass
    class ll: pass
    del mm
`;
    const expected = 'a b c d e g h i j k l m n o p q t u x aa bb cc dd ee ff gg hh ii jj kk ll mm'.split(
      ' ',
    );
    expect(scopesOf(text).get('f')?.names).toEqual(expected);
    expect(scopesOf(text).get('f')?.params).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  it('keeps comprehension targets out and walrus targets in', () => {
    const f = scopesOf(
      'def f(xs):\n  return [(y := x, z) for x in xs if (w := x)], {k: v for k, v in g}\n',
    ).get('f');
    expect([f?.names, f?.globals]).toEqual(
      [['xs', 'w', 'y'].sort(), ['g', 'z']].map((l) => expect.arrayContaining(l)),
    );
    expect(f?.names).toHaveLength(3);
  });

  it('passes free names through functions, past classes', () => {
    const scopes = scopesOf(`
def f(a):
    b = c = 1
    class C:
        b = 2
        def m(self):
            def deep():
                return a + b + d
            return deep
    def g():
        nonlocal c
        c = 2
    return lambda: (g, C)
d = 1
`);
    expect(scopes.get('f.<locals>.C.m')).toMatchObject({
      names: ['self', 'deep', 'a', 'b'],
      free: ['a', 'b'],
    });
    expect(scopes.get('f.<locals>.C.m.<locals>.deep')).toMatchObject({ names: ['a', 'b'], globals: ['d'] });
    expect(scopes.get('f.<locals>.g')).toMatchObject({ names: ['c'], free: ['c'], globals: [] });
    expect(scopes.get('f.<locals>.<lambda>')).toMatchObject({ names: ['g', 'C'], kind: 'lambda' });
    expect(scopes.get('f.<locals>.C')?.names).toEqual(['b', 'm']);
  });

  it('gives `global` names to the module', () => {
    const scopes = scopesOf('def f():\n  global x, g\n  x = 1\n  def g(): pass\n');
    expect(scopes.get('<module>')?.names).toEqual(['f', 'x', 'g']);
    expect(scopes.get('f')).toMatchObject({ names: [], globals: ['x', 'g'] });
    // A global function's qualified name has no prefix.
    expect(scopes.has('g')).toBe(true);
  });

  it('mangles private names', () => {
    const scopes = scopesOf('class _A:\n  def __m(self, __x, __y__):\n    __z = _B__w\n');
    expect(scopes.get('_A.__m')?.names).toEqual(['self', '_A__x', '__y__', '_A__z']);
    expect(scopes.get('_A')?.names).toEqual(['_A__m']);
  });

  it('names scopes as CPython does, without comprehensions', () => {
    const text = `
class A:
    def m(self):
        return [lambda: {(lambda: 1) for x in self} for y in self], (lambda: 2 for z in self)
    x = [lambda: 3 for y in ()]
async def f():
    yield lambda: (yield)
`;
    const scopes = [...parseProgram(text).scopes].map((s) => `${s.qualname}:${s.line}`);
    expect(scopes).toEqual([
      '<module>:1',
      'A:2',
      'A.m:3',
      'A.m.<locals>.<lambda>:4',
      'A.m.<locals>.<lambda>.<locals>.<lambda>:4',
      'A.m.<locals>.<lambda>:4',
      'A.<lambda>:5',
      'f:6',
      'f.<locals>.<lambda>:7',
    ]);
    expect(scopesOf(text).get('f')).toMatchObject({ generator: true, async: true, parent: 0 });
    expect(scopesOf(text).get('f.<locals>.<lambda>')).toMatchObject({ generator: true, async: false });
  });

  it('finds the scope of a call, lambdas of one line by their locals', () => {
    const p = parseProgram('@d\ndef f(): pass\nx = lambda a: 1, lambda b: 2\n');
    expect(p.scopeFor('f', 2)).toBe(1);
    expect(p.scopeFor('f', 1)).toBe(-1);
    expect(p.scopesAt(3)).toEqual([2, 3]);
    expect([
      p.scopeFor('<lambda>', 3),
      p.scopeFor('<lambda>', 3, ['a']),
      p.scopeFor('<lambda>', 3, ['b']),
    ]).toEqual([2, 2, 3]);
  });

  it('reads names inside formatted strings, nested ones too', () => {
    const p = parseProgram(`x = f"{a!r:>{b}} {c["d"]} {{e}} {f'{g}'} \\N{BULLET}" rf'\\{h}'\n`);
    expect([p.errors, p.scopes[0]?.globals]).toEqual([[], ['a', 'b', 'c', 'g', 'h']]);
  });

  it('knows what the library puts into the namespace of an enumeration', () => {
    expect(
      scopesOf('class A(Enum):\n  x = 1\nclass B(A):\n  y = 1\nclass C:\n  z = 1\n').get('B')?.names,
    ).toContain('_generate_next_value_');
  });

  it('calls the module of a call expression by its own name', () => {
    const p = parseProgram('f(lambda x: x)', '<call>');
    expect(p.scopes.map((s) => s.qualname)).toEqual(['<call>', '<lambda>']);
    expect([p.linesOf(0), p.entriesOf(0), p.successors(0, 1).returns]).toEqual([[1], [1], true]);
  });
});
