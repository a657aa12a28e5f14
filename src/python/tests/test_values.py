"""The value table (docs/trace.md, "Values"): one text for each value, made without running the program's code."""

import pytest

PREAMBLE = '''
import collections, dataclasses, datetime, decimal, enum, fractions, functools, hashlib, io, itertools, pathlib
import queue, random, re, threading, typing, types, uuid
from typing import *
T = TypeVar('T')
class Empty: pass
class Point:
    def __init__(self, x, y): self.x, self.y = x, y
    def move(self): pass
@dataclasses.dataclass
class Data:
    a: int
    b: list
@dataclasses.dataclass(frozen=True)
class Frozen:
    z: int
    a: int
class Slots:
    __slots__ = ('z', 'a', '__private', 'unset')
    def __init__(self): self.z = 1; self.a = 2; self.__private = 3
class Both(Slots):
    __slots__ = ('__dict__', 'b')
    def __init__(self): super().__init__(); self.b = 4; self.c = 5
class L(list): pass
class D(dict): pass
class S(str): pass
class I(int): pass
class F(float): pass
class T2(tuple): pass
class Set(set): pass
class Dec(decimal.Decimal): pass
class Day(datetime.date): pass
def having(value, **attributes):
    for name, item in attributes.items(): setattr(value, name, item)
    return value
NT = collections.namedtuple('NT', 'x y')
class Typed(NamedTuple):
    x: int
    y: int = 2
class Color(enum.Enum): RED = 1; BLUE = 'b'
class Bits(enum.Flag): A = 1; B = 2; C = 4
class Num(enum.IntEnum): ONE = 1
class Gen(Generic[T]): pass
class Err(Exception): pass
class Err2(Exception):
    def __init__(self, code): self.code = code
class Worker(threading.Thread): pass
def f(): pass
def gen(): yield 1
async def coro(): pass
async def agen(): yield 1
def outer():
    def inner(): pass
    class Local: pass
    return inner, Local, Local(), lambda: 0
ring = [1]; ring.append(ring)
one = [1]
node = Point(1, None); node.y = node
worker = having(Worker(), job=3)
def never(c): c.close(); return c
'''

TABLE = [
    ('None', 'None'), ('True', 'True'), ('-5', '-5'), ('1.5', '1.5'), ('1e16', '1e+16'), ('-0.0', '-0.0'),
    ('float("nan")', 'nan'), ('2j', '2j'), ('...', 'Ellipsis'), ('NotImplemented', 'NotImplemented'),
    ('"a\'b\\n\\ud800é"', repr("a'b\n\ud800é")), ('b"a\\xff"', r"b'a\xff'"),
    ('10**639', '1' + '0' * 639), ('10**640', '<int 641 digits>'), ('-10**5000', '<int 5001 digits>'),
    ('[1, "a", []]', "[1, 'a', []]"), ('(1,)', '(1,)'), ('()', '()'), ('{1: {2: ()}}', '{1: {2: ()}}'),
    ('{3, 1, 2}', '{1, 2, 3}'), ('set()', 'set()'), ('frozenset({2, 1})', 'frozenset({1, 2})'),
    ('frozenset()', 'frozenset()'),
    ('{"b", 2, "a", 1.5, None, (2, 1), (10, 0)}', "{1.5, 2, 'a', 'b', (10, 0), (2, 1), None}"),
    ('L([1, 2])', 'L([1, 2])'), ('having(L([1]), a=1)', 'L([1], a=1)'), ('D({1: 2})', 'D({1: 2})'), ('S("a")', "S('a')"),
    ('I(3)', 'I(3)'), ('F(1.5)', 'F(1.5)'), ('T2((1,))', 'T2((1,))'), ('Set({2, 1})', 'Set({1, 2})'),
    ('NT(1, [2])', 'NT(x=1, y=[2])'), ('Typed(1)', 'Typed(x=1, y=2)'),
    ('bytearray(b"a")', "bytearray(b'a')"), ('range(3)', 'range(0, 3)'), ('range(1, 9, 2)', 'range(1, 9, 2)'),
    ('slice(1, None)', 'slice(1, None, None)'), ('memoryview(b"a")', '<memoryview>'),
    ('collections.deque([1], 2)', 'deque([1], maxlen=2)'), ('collections.deque()', 'deque([])'),
    ('collections.defaultdict(int, {1: 2})', "defaultdict(<class 'int'>, {1: 2})"),
    ('collections.Counter("aab")', "Counter({'a': 2, 'b': 1})"),
    ('collections.OrderedDict(b=1, a=2)', "OrderedDict({'b': 1, 'a': 2})"),
    ('(lambda o: (o.move_to_end("b"), o)[1])(collections.OrderedDict(b=1, a=2))', "OrderedDict({'a': 2, 'b': 1})"),
    ('collections.ChainMap({1: 2})', 'ChainMap(maps=[{1: 2}])'),
    ('{1: 2}.keys()', 'dict_keys([1])'), ('{1: 2}.values()', 'dict_values([2])'), ('{1: 2}.items()', 'dict_items([(1, 2)])'),
    ('decimal.Decimal("1.50")', "Decimal('1.50')"), ('fractions.Fraction(2, 4)', 'Fraction(1, 2)'),
    ('datetime.datetime(2020, 1, 2, 3)', 'datetime.datetime(2020, 1, 2, 3, 0)'),
    ('datetime.datetime(2020, 1, 2, tzinfo=datetime.timezone.utc)',
     'datetime.datetime(2020, 1, 2, 0, 0, tzinfo=datetime.timezone.utc)'),
    ('datetime.date(2020, 1, 2)', 'datetime.date(2020, 1, 2)'), ('datetime.time(1, 2)', 'datetime.time(1, 2)'),
    ('datetime.timedelta(hours=1)', 'datetime.timedelta(seconds=3600)'),
    ('uuid.UUID(int=5)', "UUID('00000000-0000-0000-0000-000000000005')"),
    ('pathlib.PurePosixPath("a/b")', "PurePosixPath('a/b')"),
    ('Dec("1.5")', "Dec('1.5')"), ('Day(2020, 1, 2)', 'Day(2020, 1, 2)'),
    ('Point(1, [2])', 'Point(x=1, y=[2])'), ('Empty()', 'Empty()'), ('object()', 'object()'), ('Data(1, [])', 'Data(a=1, b=[])'),
    ('Frozen(1, 2)', 'Frozen(z=1, a=2)'), ('Slots()', 'Slots(z=1, a=2, _Slots__private=3)'),
    ('Both()', 'Both(c=5, b=4, z=1, a=2, _Slots__private=3)'),
    ('types.SimpleNamespace(a=1)', 'SimpleNamespace(a=1)'),
    ('ValueError("bad", 1)', "ValueError('bad', 1)"), ('Err()', 'Err()'), ('Err2(3)', 'Err2(3, code=3)'),
    ('having(KeyError("k"), note=1)', "KeyError('k', note=1)"),
    ('Color.RED', '<Color.RED: 1>'), ('Color.BLUE', "<Color.BLUE: 'b'>"), ('Num.ONE', '<Num.ONE: 1>'),
    ('Bits.A | Bits.C', '<Bits.A|C: 5>'), ('Bits(0)', '<Bits: 0>'), ('re.I', '<RegexFlag.IGNORECASE: 2>'),
    ('f', '<function f>'), ('outer()', "(<function outer.<locals>.inner>, <class 'outer.<locals>.Local'>, Local(), "
                                       '<function outer.<locals>.<lambda>>)'),
    ('Point(1, 2).move', '<bound method Point.move>'), ('len', '<built-in function len>'),
    ('[].append', '<built-in method append>'), ('Point', "<class 'Point'>"), ('type', "<class 'type'>"),
    ('re', "<module 're'>"), ('gen()', '<generator gen>'), ('(x for x in ())', '<generator <genexpr>>'),
    ('never(coro())', '<coroutine coro>'), ('agen()', '<async_generator agen>'),
    ('iter([])', '<list_iterator>'), ('iter("a")', '<str_iterator>'), ('iter("é")', '<str_iterator>'),
    ('iter(range(3))', '<range_iterator>'), ('zip()', '<zip>'), ('itertools.count()', '<count>'),
    ('functools.partial(f, 1, k=2)', 'partial(<function f>, 1, k=2)'), ('functools.lru_cache(f)', '<_lru_cache_wrapper>'),
    ('staticmethod(f)', '<staticmethod>'), ('property()', '<property>'), ('functools.cached_property(f)', '<cached_property>'),
    ('re.compile("a")', '<Pattern>'), ('re.match("a", "a")', '<Match>'), ('threading.Lock()', '<lock>'),
    ('threading.Event()', '<Event>'), ('worker', 'Worker(job=3)'), ('io.StringIO()', '<StringIO>'),
    ('queue.Queue()', 'Queue(maxsize=0, queue=deque([]), unfinished_tasks=0)'), ('hashlib.sha256()', '<HASH>'),
    ('List', '<typing List>'), ('List[int]', '<typing List>'), ('list[int]', '<typing list>'), ('Optional[int]', '<typing Union>'),
    ('int | None', '<typing Union>'), ('Any', '<typing Any>'), ('T', '<typing T>'), ('Gen[int]', '<typing Gen>'),
    ('NewType("N", int)', '<typing N>'), ('Callable[[int], str]', '<typing Callable>'),
    ('ring', '&1 [1, *1]'), ('[one, one, (one,)]', '[&1 [1], *1, (*1,)]'), ('node', '&1 Point(x=1, y=*1)'),
    ('[1, 1, "a", "a", (), ()]', "[1, 1, 'a', 'a', (), ()]"),
    ('[ring, one, one]', '[&1 [1, *1], &2 [1], *2]'),
    ('having(Empty(), **{"a b": 1, "é": 2})', 'Empty(a_b=1, é=2)'),
    ('type("a b\\n>", (), {})', "<class 'a_b__'>"), ('type("a b", (), {})()', 'a_b()'),
]

CUT = [
    ('list(range(100))', str(list(range(100)))), ('list(range(101))', str(list(range(100)))[:-1] + ', ...+1]'),
    ('set(range(1000))', '{' + str(list(range(100)))[1:-1] + ', ...+900}'),
    ('dict.fromkeys(range(102))', str(dict.fromkeys(range(100)))[:-1] + ', ...+2}'),
    ('"x" * 301', repr('x' * 300) + '...+1'), ('b"x" * 300', repr(b'x' * 300)), ('bytearray(400)', "bytearray(%r...+100)" % bytes(300)),
    ('S("x" * 301)', "S(%r...+1)" % ('x' * 300)),
    ('[[[[[[[[[1]]]]]]]]]', '[[[[[[[[...]]]]]]]]'), ('[[[[[[[[[]]]]]]]]]', '[[[[[[[[[]]]]]]]]]'),
    ('having(Empty(), **{"a%d" % i: i for i in range(101)})', 'Empty(' + ', '.join('a%d=%d' % (i, i) for i in range(100)) + ', ...+1)'),
]


def test_table(python):
    expressions = [expression for expression, _ in TABLE]
    records = python.run(PREAMBLE, 'None', limits={'events': 1000})
    assert records[-1]['status'] == 'normal', records[-1]
    last = records[-1]['events'] - 1
    records = python.run(PREAMBLE, 'None', probes=[{'at': last, 'expressions': expressions}], limits={'events': 1000})
    results = next(r for r in records if r['e'] == 'probe')['results']
    got = {e: r.get('value', r.get('error')) for e, r in zip(expressions, results)}
    assert got == dict(TABLE)


@pytest.mark.parametrize('expression, text', CUT, ids=[c[0] for c in CUT])
def test_cut(python, expression, text):
    end = python.run(PREAMBLE, expression, record=False)[-1]
    assert end['value'] == text


def test_leaves_are_counted_over_all_containers(python):
    end = python.run('', '[[0] * 50 for _ in range(50)]', record=False)[-1]
    # 400: the outer list, seven lists of fifty, and what is left for an eighth.
    assert end['value'].count('0,') == 7 * 49 + 41
    assert end['value'].endswith(', ...+9], ...+42]')


def test_other_limits(python):
    limits = {'items': 2, 'chars': 3, 'depth': 2, 'leaves': 100}
    end = python.run('', '["abcd", {1: [2]}, 3]', record=False, values=limits)[-1]
    assert end['value'] == "['abc'...+1, {1: ...}, ...+1]"


MISBEHAVING = '''
%s
sl = slice(b, None, FF(2))
o = OrderedDict(); o[b2] = 1
g = defaultdict(Hashed)
part = __import__('functools').partial(ff0, b, k=b)
st = {Hashed(1), Hashed(2)}
log.clear()
class Named(str):
    def __contains__(self, o): log.append('name contains'); return False
    def __eq__(self, o): log.append('name eq'); return True
    __hash__ = str.__hash__
    def __str__(self): log.append('name str'); return 'x'
ff0.__name__ = ff0.__qualname__ = Named('evil')
E2 = type('E2', (), {}); E2.__name__ = Named('E2')
e2 = E2()
e2.__dict__[Named('key')] = 1
globals()[Named('global')] = 1
def reader():
    return b, part, e2
reader()
result = list(log)
'''


def test_none_of_the_programs_code_runs(python):
    text = MISBEHAVING % HOSTILE
    records = python.run(text, limits={'events': 10_000})
    assert records[-1]['status'] == 'normal', records[-1]
    values = {}
    for record in records:
        if record.get('f') == 0:
            values.update(record.get('set', {}))
    assert values['result'] == '[]'
    assert values['b'] == 'Bad()'
    assert values['bb'] == "[&1 Bad(), *1, <class 'Bad'>]"
    assert values['subs'] == (
        "[S([1, 2]), S({1: 2}), S((1, 2)), S('abc'), S(b'abc'), S(b'abc'), S(3), S(<int 701 digits>), S(1.5), S(1j), "
        'S({1, 2}), S([1, 2]), S({1: 2}), S({1: 2})]'
    )
    assert values['ee'] == 'EvilExc(1, 2)'
    assert values['members'] == "[<Color.RED: 1>, <Text.Q: 'q'>]"
    assert values['vals'] == (
        "[Dec('1.5'), Dt(2020, 1, 1, 0, 0), datetime.datetime(2020, 1, 1, 0, 0, tzinfo=Tz()), Fraction(FF(3), 2), PP()]"
    )
    assert values['part'] == 'partial(<function evil>, &1 Bad(), k=*1)'


HOSTILE = '''
from collections import *
import enum, datetime, decimal, fractions, pathlib
log = []
def bad(name):
    def f(self, *a, **k):
        log.append(name)
        raise RuntimeError(name)
    return f
class Meta(type):
    __name__ = property(bad('m.name')); __module__ = property(bad('m.module')); __mro__ = property(bad('m.mro'))
    __dict__ = property(bad('m.dict')); __repr__ = bad('m.repr')
    def __getattribute__(cls, n): log.append('m.getattribute ' + n); return type.__getattribute__(cls, n)
    def __instancecheck__(cls, o): log.append('instancecheck'); return True
    def __subclasscheck__(cls, o): log.append('subclasscheck'); return True
    def __eq__(cls, o): log.append('m.eq'); return True
    def __hash__(cls): log.append('m.hash'); return 1
NAMES = ('getattr repr str eq hash len iter bool lt contains format getitem index int float next enter reversed '
         'missing abs neg ge call get set_name instancecheck dir sizeof reduce reduce_ex bytes fspath complex').split()
class Bad(metaclass=Meta):
    def __init__(self): object.__setattr__(self, 'a', 1)
    __class__ = property(bad('class')); __dict__ = property(bad('dict'))
    def __getattribute__(self, n): log.append('getattribute ' + n); raise RuntimeError
    for name in NAMES: vars()['__%s__' % name] = bad(name)
b = Bad()
bb = [b, b, Bad]
class Hashed:
    def __init__(self, n): self.n = n
    def __hash__(self): log.append('hash'); return 1
    def __eq__(self, o): log.append('eq'); return self is o
b2 = Hashed(0)
def sub(base, *a):
    class S(base):
        __class__ = property(bad('class'))
        for name in NAMES:
            if name not in ('hash', 'reduce', 'reduce_ex', 'call', 'get'): vars()['__%s__' % name] = bad(name)
        __hash__ = base.__hash__ or bad('hash')
        items = keys = bit_length = append = bad('method')
        def __getattribute__(self, n): log.append('getattribute ' + n); raise RuntimeError
    return S(*a)
subs = [sub(list, [1, 2]), sub(dict, {1: 2}), sub(tuple, (1, 2)), sub(str, 'abc'), sub(bytes, b'abc'), sub(bytearray, b'abc'),
        sub(int, 3), sub(int, 10 ** 700), sub(float, 1.5), sub(complex, 1j), sub(frozenset, {1, 2}), sub(deque, [1, 2]),
        sub(OrderedDict, {1: 2}), sub(defaultdict, list, {1: 2})]
class EvilExc(Exception):
    args = property(bad('args')); __repr__ = bad('repr'); __str__ = bad('str'); __getattribute__ = bad('getattribute')
ee = EvilExc(1, 2)
try: raise ee
except EvilExc: pass
class Color(enum.Enum):
    RED = 1
    def __repr__(self): log.append('enum repr'); return 'x'
    name = property(bad('name')); value = property(bad('value'))
class Text(str, enum.Enum):
    Q = 'q'
    __str__ = bad('s')
members = [Color.RED, Text.Q]
class Dec(decimal.Decimal): __repr__ = bad('repr')
class Dt(datetime.datetime): __repr__ = bad('repr')
class Tz(datetime.tzinfo):
    def utcoffset(self, d): log.append('utcoffset')
    __repr__ = bad('tz repr')
class PP(type(pathlib.Path('a'))): __repr__ = bad('repr'); __str__ = bad('str')
class FF(int): __repr__ = bad('f repr'); __str__ = bad('f str')
fr = fractions.Fraction(1, 2); fr._numerator = FF(3)
vals = [Dec('1.5'), Dt(2020, 1, 1), datetime.datetime(2020, 1, 1, tzinfo=Tz()), fr, PP('a')]
def ff0(): pass
log.clear()
'''
