"""Operations: recorded in the order of evaluation, and the run itself is the same with and without them."""

import pytest

from tracing import ROOT, find, Python

PROGRAM = '''
class P:
    def __init__(self, x):
        self.x = x
def twice(a):
    return a * 2
def f(s, d):
    d['k'] = s[1:] + str(len(s))
    n = 0
    n += twice(n + 1)
    p = P(n)
    p.x += 1
    if n > 1 and not s.startswith('b') or n in (1, 2):
        a, b = n, -n
    ys = [y * 2 for y in (a, b) if y != 0]
    t = max(ys, key=lambda v: v % 3)
    return f"{t:>{n}}" if t else super
'''


@pytest.fixture(scope='module')
def runs():
    path = find('3.11')
    if path is None:
        pytest.skip('no Python 3.11')
    python = Python(path)
    yield [python.run(PROGRAM, "f('abc', {})", operations=flag) for flag in (True, False)]


def work(records):
    return {(r['e'], r['l']): ' '.join(a + b for a, b, *_ in r['w']) for r in records if 'w' in r}


def test_in_order(runs):
    seen = work(runs[0])
    assert seen['line', 9] == "s='abc' []:'bc' s='abc' len:3 str:'3' +:'bc3' d={}"
    assert seen['call', 5] == 'n=0 n=0 +:1'
    assert seen['return', 6] == 'a=1'
    assert seen['line', 14].startswith("n=2 >:True s='abc' startswith:False not:True and:True or:True")


def test_inside_a_comprehension_is_marked(runs):
    items = next(r['w'] for r in runs[0] if 'ys' in r.get('set', ()))
    outside = [a + b for a, b, *inside in items if not inside]
    inside = [a + b for a, b, *inside in items if inside]
    assert outside == ['a=2', 'b=-2', '(:(2, -2)']
    assert inside == ['y=2', '!=:True', 'y=2', '*:4', 'y=-2', '!=:True', 'y=-2', '*:-4']


def test_the_run_is_the_same(runs):
    with_operations = [{k: v for k, v in r.items() if k != 'w'} for r in runs[0]]
    assert with_operations == runs[1]
    assert not work(runs[1])
