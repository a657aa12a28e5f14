import { describe, expect, it } from 'vitest';
import { parseProgram } from './index.ts';

/** Qualified names that a line of the module may call. */
function targets(text: string, line: number, scope = 0): string[] {
  const p = parseProgram(text);
  expect(p.errors).toEqual([]);
  return p.callTargets(scope, line).map((id) => p.scopes[id]?.qualname ?? '?');
}

describe('call targets', () => {
  it('are exact where a name can only mean one function', () => {
    const text = 'def f(): pass\ndef g(): pass\nx = f()\ny = 1\n';
    expect(targets(text, 3)).toEqual(['f']);
    expect(targets(text, 4)).toEqual([]);
    expect(targets(text, 1)).toEqual([]);
  });

  it('are all functions used as values where a callee is not certain', () => {
    const text = 'def f(): pass\ndef g(): pass\nh = g\nh()\nxs.sort(key=lambda x: x)\n';
    expect(targets(text, 4)).toEqual(['g', '<lambda>']);
    expect(targets(text, 5)).toEqual(['g', '<lambda>']);
  });

  it('do not trust a name that is bound twice, decorated or passed in', () => {
    expect(targets('def f(): pass\ndef g(): pass\nf = g\nf()\n', 4)).toContain('g');
    expect(targets('def d(f):\n  def w(): pass\n  return w\n@d\ndef f(): pass\nf()\n', 6)).toEqual([
      'd.<locals>.w',
      'f',
    ]);
    expect(targets('def f(g):\n  g()\ndef h(): pass\nf(h)\n', 2, 1)).toEqual(['h']);
    expect(targets('def f(): pass\ndef h():\n  global f\n  f = k\ndef k(): pass\nf()\n', 6)).toEqual([
      'f',
      'k',
    ]);
  });

  const cls = `
class A:
    def __init__(self): pass
    def __add__(self, o): pass
    def __getitem__(self, i): pass
    def __len__(self): pass
    def __enter__(self): pass
    def __exit__(self, *a): pass
    def __str__(self): pass
    def __getattr__(self, n): pass
    def m(self): pass
    @property
    def p(self): pass
a = A()
a + a
a[0]
if a: pass
with a: pass
f'{a}'
a.p
a.m()
for x in a: pass
a.q = 1
`;
  it.each([
    ['construction', 14, 'A.__init__'],
    ['operators', 15, 'A.__add__'],
    ['subscripts', 16, 'A.__getitem__'],
    ['tests', 17, 'A.__len__'],
    ['with, entry', 18, 'A.__enter__'],
    ['with, exit', 18, 'A.__exit__'],
    ['formatting', 19, 'A.__str__'],
    ['properties', 20, 'A.p'],
    ['methods by name', 21, 'A.m'],
    ['iteration', 22, 'A.__getitem__'],
    ['missing attributes', 20, 'A.__getattr__'],
  ])('reach methods by %s', (_, line, name) => {
    expect(targets(cls, line)).toContain(name);
  });

  it('keep tests, formats and attributes to the methods they run', () => {
    expect(targets(cls, 17)).toEqual(['A.__len__']);
    expect(targets(cls, 19)).toEqual(['A.__len__', 'A.__str__']);
    expect(targets(cls, 23)).toEqual(['A.__getattr__']);
  });

  it('reach the body of a class from its statement, generators from where they are run', () => {
    expect(targets('class A:\n  x = 1\n', 1)).toEqual(['A']);
    const text = 'def g():\n  yield 1\nx = g()\nfor y in x: pass\nz = 1\n';
    expect([targets(text, 3), targets(text, 4), targets(text, 5)]).toEqual([[], ['g'], []]);
  });

  it('reach what a generator expression calls from where it is consumed', () => {
    const text = 'def f(x): pass\ng = (f(x) for x in a)\nfor y in g: pass\n';
    expect(targets(text, 3)).toEqual(['f']);
  });

  it('reach everything once a program looks names up itself', () => {
    expect(targets("def f(): pass\ngetattr(m, 'f')()\n", 2)).toEqual(['f']);
  });
});
