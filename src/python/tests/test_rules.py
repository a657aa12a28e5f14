"""The rules of the event stream (docs/trace.md), by example; the same lines on every version."""

from textwrap import dedent

import pytest
from tracing import shown

EXAMPLES = {
    'a comprehension is no frame, its calls are': (
        '''
        def g(x): return x
        def f(n):
            return [g(i)
                for i in range(n)]
        f(2)
        ''',
        '''
        line f0 <module>:5 f=<function f>
        call f1 f:2 <f0 n=2
        line f1 f:3
        call f2 g:1 <f1 x=0
        line f2 g:1
        return f2 g:1 -> 0
        call f3 g:1 <f1 x=1
        line f3 g:1
        return f3 g:1 -> 1
        return f1 f:3 -> [0, 1]
        return f0 <module>:5 -> None
        ''',
    ),
    'a statement of many lines is one unit, a loop on one line one event': (
        '''
        def f(a):
            b = max(
                a,
                1)
            while b > 1: b -= 1
            return b
        f(3)
        ''',
        '''
        line f0 <module>:7 f=<function f>
        call f1 f:1 <f0 a=3
        line f1 f:2
        line f1 f:5 b=3
        line f1 f:6 b=1
        return f1 f:6 -> 1
        return f0 <module>:7 -> None
        ''',
    ),
    'the end of an iterator is seen where it is raised, not where it is used up': (
        '''
        class It:
            def __iter__(self): return self
            def __next__(self): raise StopIteration
        for v in It():
            pass
        w = 1
        ''',
        '''
        line f0 <module>:4 It=<class 'It'>
        call f2 It.__iter__:2 <f0 self=It()
        line f2 It.__iter__:2
        return f2 It.__iter__:2 -> It()
        call f3 It.__next__:3 <f0 self=It()
        line f3 It.__next__:3
        exception f3 It.__next__:3 -> StopIteration()
        line f0 <module>:6
        return f0 <module>:6 w=1 -> None
        ''',
    ),
    'a stop out of a call stays': (
        '''
        i = iter([])
        try: next(i)
        except StopIteration: pass
        ''',
        '''
        line f0 <module>:2 i=<list_iterator>
        exception f0 <module>:2 -> StopIteration()
        line f0 <module>:3
        return f0 <module>:3 -> None
        ''',
    ),
    'closing a generator without a handler leaves no event': (
        '''
        def g():
            yield 1
        def d():
            yield from g()
        a = g(); next(a)
        a.close()
        b = g()
        b.close()
        c = d(); next(c)
        c.close()
        x = 1
        ''',
        '''
        line f0 <module>:5 d=<function d>
        call f1 g:1 <f0 (generator)
        line f1 g:2
        yield f1 g:2 -> 1
        line f0 <module>:6 a=<generator g>
        line f0 <module>:7
        line f0 <module>:8 b=<generator g>
        line f0 <module>:9
        call f2 d:3 <f0 (generator)
        line f2 d:4
        call f3 g:1 <f2 (generator)
        line f3 g:2
        yield f3 g:2 -> 1
        yield f2 d:4 -> 1
        line f0 <module>:10 c=<generator d>
        line f0 <module>:11
        return f0 <module>:11 x=1 -> None
        ''',
    ),
    'closing a generator with a handler is all there': (
        '''
        def h():
            try:
                yield 1
            finally:
                x = 2
        b = h(); next(b)
        b.close()
        ''',
        '''
        line f0 <module>:6 h=<function h>
        call f1 h:1 <f0 (generator)
        line f1 h:2
        line f1 h:3
        yield f1 h:3 -> 1
        line f0 <module>:7 b=<generator h>
        resume f1 h:3 <f0
        exception f1 h:3 -> GeneratorExit()
        line f1 h:5
        exception f1 h:5 x=2 -> GeneratorExit()
        return f0 <module>:7 -> None
        ''',
    ),
    'a generator yields and resumes': (
        '''
        def g():
            got = yield 1
            return got
        list(g())
        ''',
        '''
        line f0 <module>:4 g=<function g>
        call f1 g:1 <f0 (generator)
        line f1 g:2
        yield f1 g:2 -> 1
        resume f1 g:2 <f0
        line f1 g:3 got=None
        return f1 g:3 -> None
        return f0 <module>:4 -> None
        ''',
    ),
    'output after a resumption is not of it': (
        '''
        def g():
            print((yield 1))
        i = g()
        next(i)
        next(i, None)
        ''',
        '''
        line f0 <module>:3 g=<function g>
        line f0 <module>:4 i=<generator g>
        call f1 g:1 <f0 (generator)
        line f1 g:2
        yield f1 g:2 -> 1
        line f0 <module>:5
        resume f1 g:2 <f0
        return f1 g:2 -> None o='None\\n'
        return f0 <module>:5 -> None
        ''',
    ),
    'a generator closed inside a `with` ends in the exception': (
        '''
        class M:
            def __enter__(self): return self
            def __exit__(self, *a): return False
        def g():
            with M():
                yield 1
        i = g()
        next(i)
        i.close()
        ''',
        '''
        line f0 <module>:1
        call f1 M:1 <f0 (class)
        line f1 M:2
        line f1 M:3 __enter__=<function M.__enter__>
        return f1 M:3 __exit__=<function M.__exit__> -> None
        line f0 <module>:4 M=<class 'M'>
        line f0 <module>:7 g=<function g>
        line f0 <module>:8 i=<generator g>
        call f2 g:4 <f0 (generator)
        line f2 g:5
        call f3 M.__enter__:2 <f2 self=M()
        line f3 M.__enter__:2
        return f3 M.__enter__:2 -> M()
        line f2 g:6
        yield f2 g:6 -> 1
        line f0 <module>:9
        resume f2 g:6 <f0
        exception f2 g:6 -> GeneratorExit()
        line f2 g:5
        call f4 M.__exit__:3 <f2 self=M() a=(<class 'GeneratorExit'>, GeneratorExit(), <traceback>)
        line f4 M.__exit__:3
        return f4 M.__exit__:3 -> False
        exception f2 g:5 -> GeneratorExit()
        return f0 <module>:9 -> None
        ''',
    ),
    'an end that a plain await lets through is an exception': (
        '''
        class A:
            async def __anext__(self): raise StopAsyncIteration
        async def f():
            await A().__anext__()
        try: f().send(None)
        except StopAsyncIteration: pass
        ''',
        '''
        line f0 <module>:1
        call f1 A:1 <f0 (class)
        line f1 A:2
        return f1 A:2 __anext__=<function A.__anext__> -> None
        line f0 <module>:3 A=<class 'A'>
        line f0 <module>:5 f=<function f>
        call f2 f:3 <f0 (coroutine)
        line f2 f:4
        call f3 A.__anext__:2 <f2 (coroutine) self=A()
        line f3 A.__anext__:2
        exception f3 A.__anext__:2 -> StopAsyncIteration()
        exception f2 f:4 -> StopAsyncIteration()
        exception f0 <module>:5 -> StopAsyncIteration()
        line f0 <module>:6
        return f0 <module>:6 -> None
        ''',
    ),
    'what is thrown into a generator': (
        '''
        def g():
            while True:
                try:
                    yield 1
                except ValueError as e:
                    y = 2
        a = g(); next(a)
        a.throw(ValueError('a'))
        try: a.throw(KeyError(1))
        except KeyError: pass
        ''',
        '''
        line f0 <module>:7 g=<function g>
        call f1 g:1 <f0 (generator)
        line f1 g:2
        line f1 g:3
        line f1 g:4
        yield f1 g:4 -> 1
        line f0 <module>:8 a=<generator g>
        resume f1 g:4 <f0
        exception f1 g:4 -> ValueError('a')
        line f1 g:5
        line f1 g:6 e=ValueError('a')
        line f1 g:2 y=2 del e
        line f1 g:3
        line f1 g:4
        yield f1 g:4 -> 1
        line f0 <module>:9
        resume f1 g:4 <f0
        exception f1 g:4 -> KeyError(1)
        line f1 g:5
        exception f1 g:5 -> KeyError(1)
        exception f0 <module>:9 -> KeyError(1)
        line f0 <module>:10
        return f0 <module>:10 -> None
        ''',
    ),
    'an exception that a `finally` lets through comes again at its end': (
        '''
        def f():
            try:
                1 / 0
            finally:
                x = 1
        try: f()
        except ZeroDivisionError: pass
        ''',
        '''
        line f0 <module>:6 f=<function f>
        call f1 f:1 <f0
        line f1 f:2
        line f1 f:3
        exception f1 f:3 -> ZeroDivisionError('division by zero')
        line f1 f:5
        exception f1 f:5 x=1 -> ZeroDivisionError('division by zero')
        exception f0 <module>:6 -> ZeroDivisionError('division by zero')
        line f0 <module>:7
        return f0 <module>:7 -> None
        ''',
    ),
    '`with` is visited again on leaving, and a return in it ends there': (
        '''
        class M:
            def __enter__(self): return 7
            def __exit__(self, *a): return True
        def f():
            with M() as m:
                return m
        def g():
            with M():
                raise KeyError
        f(); g()
        ''',
        '''
        line f0 <module>:10 g=<function g>
        call f2 f:4 <f0
        line f2 f:5
        call f3 M.__enter__:2 <f2 self=M()
        line f3 M.__enter__:2
        return f3 M.__enter__:2 -> 7
        line f2 f:6 m=7
        line f2 f:5
        call f4 M.__exit__:3 <f2 self=M() a=(None, None, None)
        line f4 M.__exit__:3
        return f4 M.__exit__:3 -> True
        return f2 f:5 -> 7
        call f5 g:7 <f0
        line f5 g:8
        call f6 M.__enter__:2 <f5 self=M()
        line f6 M.__enter__:2
        return f6 M.__enter__:2 -> 7
        line f5 g:9
        exception f5 g:9 -> KeyError()
        line f5 g:8
        call f7 M.__exit__:3 <f5 self=M() a=(<class 'KeyError'>, KeyError(), <traceback>)
        line f7 M.__exit__:3
        return f7 M.__exit__:3 -> True
        return f5 g:8 -> None
        return f0 <module>:10 -> None
        ''',
    ),
    'the line after a loop with `break`': (
        '''
        def f(xs):
            for x in xs:
                if x:
                    break
            return 0
        f([0])
        ''',
        '''
        line f0 <module>:6 f=<function f>
        call f1 f:1 <f0 xs=[0]
        line f1 f:2
        line f1 f:3 x=0
        line f1 f:2
        line f1 f:5
        return f1 f:5 -> 0
        return f0 <module>:6 -> None
        ''',
    ),
    'names: arguments as written, then by appearance; comprehension targets are none': (
        '''
        def f(b, a=1, *r, k=2, **m):
            z = [y for y in r]; c = lambda: (a, z)
            del b
            y = 1
            try: [[6][y] for y in (0, 1)]
            except IndexError as e: pass
            return [q for q in r]
        f(9, 8, 7, k=6, l=5)
        ''',
        '''
        line f0 <module>:8 f=<function f>
        call f1 f:1 <f0 b=9 a=8 r=(7,) k=6 m={'l': 5}
        line f1 f:2
        line f1 f:3 c=<function f.<locals>.<lambda>> z=[7]
        line f1 f:4 del b
        line f1 f:5 y=1
        exception f1 f:5 -> IndexError('list index out of range')
        line f1 f:6
        line f1 f:7
        return f1 f:7 -> [7]
        return f0 <module>:8 -> None
        ''',
    ),
    'a class body: no event at its own header, none for bare annotations': (
        '''
        class A:
            x: int
            y: int = 1
        class B: z = 2
        class C:
            """doc"""
            def f(self): return super().f()
        ''',
        '''
        call f1 A:1 <f0 (class)
        line f1 A:3
        return f1 A:3 y=1 -> None
        line f0 <module>:4 A=<class 'A'>
        call f2 B:4 <f0 (class)
        return f2 B:4 z=2 -> None
        line f0 <module>:5 B=<class 'B'>
        call f3 C:5 <f0 (class)
        line f3 C:6
        line f3 C:7
        return f3 C:7 f=<function C.f> -> None
        return f0 <module>:5 C=<class 'C'> -> None
        ''',
    ),
    'decorated, nested, lambda: a definition is one unit at its `def`': (
        '''
        def d(x):
            return lambda f: f
        @d(1)
        @d(
            2)
        def f(a,
              b=2):
            "doc"
            return a
        f(1)
        ''',
        '''
        line f0 <module>:6 d=<function d>
        call f1 d:1 <f0 x=1
        line f1 d:2
        return f1 d:2 -> <function d.<locals>.<lambda>>
        call f2 d:1 <f0 x=2
        line f2 d:2
        return f2 d:2 -> <function d.<locals>.<lambda>>
        call f3 d.<locals>.<lambda>:2 <f0 (lambda) f=<function f>
        line f3 d.<locals>.<lambda>:2
        return f3 d.<locals>.<lambda>:2 -> <function f>
        call f4 d.<locals>.<lambda>:2 <f0 (lambda) f=<function f>
        line f4 d.<locals>.<lambda>:2
        return f4 d.<locals>.<lambda>:2 -> <function f>
        line f0 <module>:10 f=<function f>
        call f5 f:6 <f0 a=1 b=2
        line f5 f:9
        return f5 f:9 -> 1
        return f0 <module>:10 -> None
        ''',
    ),
    'names of functions in comprehensions': (
        '''
        a = [lambda: x for x in range(1)]
        b = [f() for f in a]
        c = list((lambda: i) for i in range(1))
        ''',
        '''
        line f0 <module>:2 a=[<function <lambda>>]
        call f1 <lambda>:1 <f0 (lambda) x=0
        line f1 <lambda>:1
        return f1 <lambda>:1 -> 0
        line f0 <module>:3 b=[0]
        return f0 <module>:3 c=[<function <lambda>>] -> None
        ''',
    ),
    'async: every frame of the chain yields and resumes; an async generator yields no readable value': (
        '''
        import asyncio
        async def ag():
            yield 1
        async def sub(x):
            await asyncio.sleep(0)
            return x
        async def main():
            async for v in ag():
                w = v
            return await sub(2)
        r = asyncio.run(main())
        ''',
        '''
        line f0 <module>:11 main=<function main>
        call f1 main:7 <f0 (coroutine)
        line f1 main:8
        call f2 ag:2 <f1 (asyncgen)
        line f2 ag:3
        yield f2 ag:3
        line f1 main:9 v=1
        line f1 main:8 w=1
        resume f2 ag:3 <f1
        return f2 ag:3 -> None
        line f1 main:10
        call f3 sub:4 <f1 (coroutine) x=2
        line f3 sub:5
        yield f3 sub:5 -> None
        yield f1 main:10 -> None
        resume f1 main:10 <f0
        resume f3 sub:5 <f1
        line f3 sub:6
        return f3 sub:6 -> 2
        return f1 main:10 -> 2
        return f0 <module>:11 r=2 -> None
        ''',
    ),
    'a comprehension that waits or fails shows no element': (
        '''
        import asyncio
        async def sub(v):
            await asyncio.sleep(0)
            return v
        async def main():
            x = 5
            r = [await sub(x) for x in (1,)]
            try: [[6][x] for x in (0, 1)]
            except IndexError: pass
            return (lambda xs: [y for y in xs], lambda y: y)[1](x)
        asyncio.run(main())
        ''',
        '''
        call f1 main:5 <f0 (coroutine)
        line f1 main:6
        line f1 main:7 x=5
        call f2 sub:2 <f1 (coroutine) v=1
        line f2 sub:3
        yield f2 sub:3 -> None
        yield f1 main:7 -> None
        resume f1 main:7 <f0
        resume f2 sub:3 <f1
        line f2 sub:4
        return f2 sub:4 -> 1
        line f1 main:8 r=[1]
        exception f1 main:8 -> IndexError('list index out of range')
        line f1 main:9
        line f1 main:10
        call f3 main.<locals>.<lambda>:10 <f1 (lambda) y=5
        line f3 main.<locals>.<lambda>:10
        return f3 main.<locals>.<lambda>:10 -> 5
        return f1 main:10 -> 5
        return f0 <module>:11 -> None
        ''',
    ),
    'headers end at their colon, whatever colons lie before it': (
        '''
        w = 5; match = {0: 1}
        if f"{w:>{w}}{(lambda q: q)(w):d}" and (lambda: w)() and match.get(0) if 0 else {1: 2}: x = 1
        for k in (lambda a=(1, 2): a)(
                ): y: int = k
        match match:
            case {0: 1, **r} if [w for w in (lambda: [1])()
                                 if w]: z = r
            case _: pass
        case = lambda: (yield)
        class C: a = {1: 2}; b: int = 3
        ''',
        '''
        line f0 <module>:2 match={0: 1} w=5
        line f0 <module>:3 x=1
        call f1 <lambda>:3 <f0 (lambda) a=(1, 2)
        line f1 <lambda>:3
        return f1 <lambda>:3 -> (1, 2)
        line f0 <module>:5 k=2 y=2
        line f0 <module>:6
        call f2 <lambda>:6 <f0 (lambda)
        line f2 <lambda>:6
        return f2 <lambda>:6 -> [1]
        line f0 <module>:9 r={} z={} alias r/z
        line f0 <module>:10 case=<function <lambda>>
        call f3 C:10 <f0 (class)
        return f3 C:10 a={1: 2} b=3 -> None
        return f0 <module>:10 C=<class 'C'> -> None
        ''',
    ),
    'a false `if` at the end of a `case` goes on after the `match`': (
        '''
        def f(o):
            match o:
                case 1:
                    if o > 1:
                        x = 1
                case str() as s:
                    if s:
                        return s
            return 0
        f(1)
        f('')
        ''',
        '''
        line f0 <module>:10 f=<function f>
        call f1 f:1 <f0 o=1
        line f1 f:2
        line f1 f:3
        line f1 f:4
        line f1 f:9
        return f1 f:9 -> 0
        line f0 <module>:11
        call f2 f:1 <f0 o=''
        line f2 f:2
        line f2 f:3
        line f2 f:6
        line f2 f:7 s=''
        line f2 f:9
        return f2 f:9 -> 0
        return f0 <module>:11 -> None
        ''',
    ),
    'the recursion limit is the program\'s own, and the trace goes on after it': (
        '''
        import sys
        def f(n):
            try: return f(n + 1)
            except RecursionError as e:
                sys.setrecursionlimit(1000)
                return (n, sys.getrecursionlimit())
        sys.setrecursionlimit(4)
        f(0)
        ''',
        '''
        line f0 <module>:7 f=<function f>
        line f0 <module>:8
        call f1 f:2 <f0 n=0
        line f1 f:3
        call f2 f:2 <f1 n=1
        line f2 f:3
        call f3 f:2 <f2 n=2
        line f3 f:3
        exception f3 f:3 -> RecursionError('maximum recursion depth exceeded')
        line f3 f:4
        line f3 f:5 e=RecursionError('maximum recursion depth exceeded')
        line f3 f:6
        return f3 f:6 del e -> (2, 1000)
        return f2 f:3 -> (2, 1000)
        return f1 f:3 -> (2, 1000)
        return f0 <module>:8 -> None
        ''',
    ),
    'a name that becomes None, or another object with the same text': (
        '''
        class A: pass
        a = A()
        def f():
            b = [1]; c = [1]
            b = None
            b = ()
            c = [1]
            return a
        f()
        a = None
        f()
        ''',
        '''
        line f0 <module>:9 f=<function f>
        call f2 f:3 <f0 g.a=A()
        line f2 f:4
        line f2 f:5 b=[1] c=[1]
        line f2 f:6 b=None
        line f2 f:7 b=()
        line f2 f:8
        return f2 f:8 -> A()
        line f0 <module>:10
        line f0 <module>:11 a=None
        call f3 f:3 <f0 g.a=None
        line f3 f:4
        line f3 f:5 b=[1] c=[1]
        line f3 f:6 b=None
        line f3 f:7 b=()
        line f3 f:8
        return f3 f:8 -> None
        return f0 <module>:11 -> None
        ''',
    ),
    'data of the module that a function names, and names bound to one object': (
        '''
        total, seen = 0, []
        def add(n):
            global total
            total += n
            seen.append(n)
            return len(seen)
        def two():
            a = b = []
            c = a
            del b
        add(5); two()
        ''',
        '''
        line f0 <module>:11 two=<function two>
        call f1 add:2 <f0 n=5 g.seen=[] g.total=0
        line f1 add:4
        line f1 add:5 g.total=5
        line f1 add:6 g.seen=[5]
        return f1 add:6 -> 1
        call f2 two:7 <f0
        line f2 two:8
        line f2 two:9 a=[] b=[] alias a/b
        line f2 two:10 c=[] alias a/b/c
        return f2 two:10 del b alias a/c -> None
        return f0 <module>:11 seen=[5] total=5 -> None
        ''',
    ),
}


@pytest.mark.parametrize('name', EXAMPLES)
def test_example(python, name):
    text, expected = map(dedent, EXAMPLES[name])
    lines = shown(python.run(text.lstrip('\n')))
    expected = expected.strip().split('\n')
    # Examples begin where they become interesting.
    assert lines[lines.index(expected[0]) :] == expected


def test_the_call_expression_is_a_frame_of_file_1(python):
    records = python.run('def f(x): return x + 1\n', 'f(2) + f(x=3)')
    assert shown(records)[3:] == [
        'call f1 <call>:1',
        'line f1 <call>:1',
        'call f2 f:1 <f1 x=2',
        'line f2 f:1',
        'return f2 f:1 -> 3',
        'call f3 f:1 <f1 x=3',
        'line f3 f:1',
        'return f3 f:1 -> 4',
        'return f1 <call>:1 -> 7',
    ]
    assert records[3]['s'] == 1
    assert records[-1] == {'e': 'end', 'status': 'normal', 'value': '7', 'events': 12}


def test_an_empty_program_is_call_and_return(python):
    assert shown(python.run('# nothing\n')) == ['call f0 <module>:1 (module)', 'return f0 <module>:1 -> None']


def test_threads_have_numbers_and_the_run_waits_for_them(python):
    text = '''
import threading
def work(n):
    return n
ts = [threading.Thread(target=work, args=(i,)) for i in range(2)]
for t in ts:
    t.start()
    t.join()
def late(e):
    e.wait()
    print('late')
e = threading.Event()
threading.Thread(target=late, args=(e,)).start()
e.set()
'''
    lines = shown(python.run(text))
    assert [line for line in lines if ' work:' in line or ' late:11' in line] == [
        'call f1 work:3 t1 n=0',
        'line f1 work:4',
        'return f1 work:4 -> 0',
        'call f2 work:3 t2 n=1',
        'line f2 work:4',
        'return f2 work:4 -> 1',
        'line f3 late:11',
        "return f3 late:11 -> None o='late\\n'",
    ]
