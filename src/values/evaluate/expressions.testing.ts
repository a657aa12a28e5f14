/** @file Expressions for comparing the evaluator with Python: chosen ones, and generated ones by seed. */

/** Python that binds the names the expressions use. */
export const SETUP = `
import collections, enum
class Color(enum.Enum):
    RED = 1
class Point:
    def __init__(self, x, y):
        self.x, self.y = x, y
class Node:
    def __init__(self, value, next=None):
        self.value, self.next = value, next
    def __len__(self):
        raise RuntimeError('user code')
def double(v):
    return v * 2
n = 7
m = -3
big = 2 ** 70
z = 0
f = 2.5
g = -0.1
nan = float('nan')
inf = float('inf')
t = True
none = None
s = 'hello world'
e = ''
u = 'né😀'
q = "it's"
num = '42'
xs = [3, 1, 2]
ys = [1.5, -2.0, 0.25]
words = ['pear', 'fig', 'apple']
nested = [[1, 2], [3], []]
tup = (1, 'a', None)
d = {'a': 1, 'b': 2}
grid = {(0, 0): 'x', (1, 0): 'y'}
st = {1, 2, 3}
names = {'ann', 'bob'}
fs = frozenset({2, 3})
rng = range(2, 11, 3)
dq = collections.deque([1, 2, 3], maxlen=4)
dd = collections.defaultdict(list, {'k': [1]})
cnt = collections.Counter('abracadabra')
od = collections.OrderedDict(a=1, b=2)
bs = b'ab\\xff'
c = 1 + 2j
p = Point(1, [2, 3])
node = Node(1, Node(2))
node.next.next = node
shared = [xs, xs]
color = Color.RED
err = ValueError('bad', 3)
cls = Point
fun = double
long = list(range(150))
text = 'ab' * 200
`;

export const CHOSEN: readonly string[] = `
1 + 1|n + f|n // m|n % m|m // n|m % 4|-7 // 2|7 // -2|-7 % 3|7.5 // -2|7.5 % -2|-7.5 % 2|0.0 // 5|-0.0 % 3|1e300 * 1e10|2 ** 10|2 ** -1
2 ** 0.5|4 ** 0.5|big * big|big // 3|big % 1000|-big // 7|1 << 70|n >> 1|m >> 1|n & 3|n \\| 8|n ^ 5|~n|~m|+t|-t|t + t|t & False|t \\| 2
1 / 3|1 / 0|1 // 0|1 % 0|1.0 / 0|1.0 // 0|1.0 % 0|0 ** -1|0.0 ** -1|divmod(7, -2)|divmod(7.5, 2)|divmod(1, 0)|divmod(1.0, 0)|10 ** 20|1e16|1e15 + 0.3|123456789 * 1000
abs(m)|abs(g)|abs('a')|round(2.5)|round(3.5)|round(-2.5)|round(2.675, 2)|round(0.125, 2)|round(1234, -2)|round(1250, -2)|round(1e20)|round(2.5, 0)|round(nan)|round(inf)|round('a')
int('42')|int(' -7 ')|int('x')|int('')|int(3.99)|int(-3.99)|int(nan)|int(inf)|int(None)|int('ff', 16)|int('0x1F', 16)|int('101', 2)|int('9', 8)|int(True)|int('1_000')|int([])
float('1.5')|float('nan')|float('-inf')|float('x')|float(n)|float(None)|float(' 1e3 ')|float('1_0.5')|str(n)|str(f)|str(xs)|str(s)|str(None)|repr(s)|repr(q)|repr(tup)|str(d)|str(st)|str(p)|str(1e-7)
bool('')|bool([])|bool(z)|bool(nan)|bool(node)|bool(p)|not xs|not e|n and s|z or e or none|z and 1/0|n or 1/0|1 if n else 1/0|[] or {}|none is None|n is None|none is not None|n is n|xs is xs|[] is []|p is None|t is True
1 < 2 < 3|1 < 3 < 2|3 > n|1 == 1.0|True == 1|'a' < 'b'|'Z' < 'a'|u > 'nz'|[1, 2] < [1, 3]|[1, 2] < [1, 2, 0]|(1, 'a') < (1, 2)|1 < 'a'|None < 1|[1] < (1,)|{1} < {1, 2}|st >= fs|st == {3, 2, 1}|nan == nan|nan != nan|xs == [3, 1, 2]|d == {'b': 2, 'a': 1}
1 == big|big > 1e20|9007199254740993 == 9007199254740992.0|n == '7'|p == p|p == 1|p != None|tup == (1, 'a', None)|[nan] == [nan]|[p] == [p]|xs != ys|fs == {2, 3}|dq == [1, 2, 3]|od == d|cnt == 3|rng == range(2, 11, 3)|bs == b'ab\\xff'|bs < b'b'
'ell' in s|'x' not in s|1 in s|3 in xs|4 in xs|1.0 in xs|'a' in d|3 in st|[] in st|[1] in nested|[] in nested|5 in rng|6 in rng|2 in dq|1 in n|'a' in cnt|None in tup|(0, 0) in grid|p in [p]|p in [1, 2]|99 in long|149 in long|nan in [nan]|1 in None
xs[0]|xs[-1]|xs[3]|xs['a']|xs[1:]|xs[::-1]|xs[5:]|xs[-2:]|xs[::0]|xs[None:2]|xs['a':]|s[0]|s[-1]|s[99]|s[1:4]|s[::-2]|s['a']|s[1.0]|u[1]|u[2]|u[::-1]|tup[1]|tup[9]|tup['x']|d['a']|d['z']|d[[]]|grid[0, 0]|grid[(1, 0)]|grid[2, 2]|n[0]|None[0]|st[0]
rng[1]|rng[-1]|rng[9]|rng[1:]|rng[::-1]|dq[0]|dq[9]|dd['k']|dd['missing']|cnt['a']|cnt['zz']|od['a']|bs[0]|bs[1:]|bs[9]|nested[0][1]|p[0]|p.x|p.y[0]|p.z|long[5]|long[-1]|long[149]|long[200]|long[:3]|text[0]|text[-1]|text[399]|len[0]
len(xs)|len(s)|len(u)|len(d)|len(rng)|len(long)|len(text)|len(n)|len(None)|len(node)|len(dq)|len(cnt)|len()|min(xs)|max(xs)|min(words)|max(words, key=len)|min([], default=5)|max([])|min(1, 2, 0)|max('a', 'b')|max(1, 'a')|min(xs, key=lambda v: -v)|max(d, key=d.get)|max(names)|max(names, key=len)|min(nan, 1)
sum(xs)|sum(ys)|sum([0.1] * 10)|sum([0.1, 0.2, 0.3])|sum(words)|sum([[1], [2]], [])|sum(['a'], '')|sum(st)|sum(x * x for x in xs)|sum(v for v in d.values())|sum([])|sum(range(101))|any(xs)|all(xs)|all([])|any(x > 2 for x in xs)|all(1 / x for x in [1, 0])|any(1 / x for x in [1, 0])|any(1 / x for x in {0, 1})
sorted(xs)|sorted(words)|sorted(words, key=len)|sorted(xs, reverse=True)|sorted(words, key=lambda w: (len(w), w))|sorted([1, 'a'])|sorted(['a', 1, 2])|sorted(d)|sorted(st)|sorted(names)|sorted(names, key=len)|sorted(d.items(), key=lambda kv: -kv[1])|sorted([nan, 1])|sorted(n)|sorted([[2], [1, 5]])|sorted([p, p])|list(reversed(xs))|list(reversed(s))|reversed(xs)|reversed(5)|list(reversed(rng))
list(s)|list(d)|list(st)|list(names)|list(rng)|tuple(xs)|set(xs)|set('aab')|frozenset([2, 1])|dict(a=1)|dict([('x', 1)])|dict(d, c=3)|dict([1])|list(5)|list()|tuple()|set()|dict()|list(map(str, xs))|list(map(lambda a, b: a + b, xs, ys))|list(filter(None, [0, 1, '']))|list(filter(lambda v: v > 1, xs))
list(zip(xs, words))|list(zip(xs, rng, s))|list(enumerate(words))|list(enumerate(words, 1))|dict(zip(words, xs))|zip(xs)|map(str, xs)|range(3)|range(1, 10, 2)|list(range(5, 0, -2))|range(1, 2, 0)|range('a')|range(1.5)|chr(97)|chr(8364)|chr(-1)|ord('a')|ord('')|ord('ab')|ord(5)|hex(255)|bin(10)|oct(8)|hex(-255)|bin('a')|hex(1.5)
[x for x in xs]|[x * 2 for x in xs if x > 1]|[(x, y) for x in xs for y in 'ab' if x > 1]|{x: len(x) for x in words}|{len(w) for w in words}|[k for k, v in d.items()]|[a for a, b in xs]|[x for x in n]|[row[0] for row in nested if row]|[[y for y in row] for row in nested]|[x for x in st]|{x + 1 for x in st}|{x: 1 for x in names}|[i for i in range(200)]|[x for x in [1, 2] for x in [x, x + 10]]|sum(1 for _ in s)
s.upper()|s.title()|s.capitalize()|s.split()|s.split('o')|s.split('o', 1)|s.rsplit('o', 1)|s.split('')|s.replace('l', 'L')|s.replace('l', 'L', 1)|s.replace('', '-')|s.find('o')|s.rfind('o')|s.find('zz')|s.index('zz')|s.count('l')|s.count('')|s.startswith('he')|s.endswith(('x', 'ld'))|s.startswith(5)|s.strip('hd')|'  x '.strip()|' x'.lstrip()|'-'.join(words)|'-'.join(xs)|','.join(str(x) for x in xs)|''.join(names)
s.center(21, '*')|s.center(20)|'ab'.center(5)|'a'.center(4)|s.ljust(13, '.')|s.rjust(13)|num.zfill(5)|'-5'.zfill(4)|s.partition(' ')|s.rpartition('o')|s.partition('zz')|num.isdigit()|s.isalpha()|e.isdigit()|'abc1'.isalnum()|' '.isspace()|'Abc'.istitle()|'ABC'.isupper()|'a1'.islower()|'x_1'.isidentifier()|u.upper()|s.removeprefix('he')|s.removesuffix('ld')|'a\\nb'.splitlines()|s.swapcase()|s.casefold()|s.encode()|u.encode()|s.foo|s.foo()|'{} {}'.format(1, 'a')|'{0} {0!r}'.format('x')|'{a:>5}'.format(a=3)|'{}'.format()|'{:.2f}'.format(g)
xs.index(1)|xs.index(9)|xs.count(3)|xs.copy()|xs.append(4)|xs.pop()|xs.sort()|xs.foo|tup.index('a')|tup.index(9)|tup.count(1)|d.get('a')|d.get('z')|d.get('z', 0)|d.keys()|d.values()|d.items()|list(d.items())|d.copy()|d.pop('a')|d.foo|st \\| {9}|st & fs|st - fs|st ^ {1, 9}|fs \\| {9}|st.union([7])|st.intersection(xs)|st.difference([1], [2])|st.issubset(range(9))|st.issuperset(fs)|st.isdisjoint({9})|st - [1]|d \\| {'c': 3}|d + d|cnt.most_common(2)|cnt.most_common()|cnt.keys()|dq.maxlen
(7).bit_length()|n.real|n.foo|f.is_integer()|(2.0).is_integer()|f.foo|None.foo|c.real|c + 1|c == c|color.name|color.value|color == 1|color is None|err.args|str(err)|type(n)|type(xs)|type(p)|type(n) == int|type(n) is int|type(p).__name__|type(n).__name__|type(None)|isinstance(n, int)|isinstance(t, int)|isinstance(n, (str, int))|isinstance(p, Point)|isinstance(p, int)|isinstance(none, int)|isinstance(dd, dict)|isinstance(xs, list)|isinstance(n, 5)|isinstance(err, Exception)
'a' + 1|1 + 'a'|[1] + (2,)|(1,) + [2]|None + 1|1 - 'a'|'a' - 'b'|'a' * 2.0|'a' * 'b'|[1] * [2]|3 * [0]|xs * 2|[[]] * 3|s * 2|'ab' * -1|2 * tup|{} + {}|d - d|-s|~f|-None|not None|+'a'|xs + ys|tup + (4,)|s + q|bs + b'c'|bs + 's'|p + 1|1 + p|len + 1|1 @ 2|s @ s|f \\| 1|1.5 << 2|1 << -1|xs < n|fun(2)|cls(1, 2)|n()|xs()|s()|None()
f'{n}'|f'{n:>5}|{s!r}'|f'{f:.1f}'|f'{g:+.3e}'|f'{n=}'|f'{s = }'|f'{1/3:.4f}'|f'{big:,}'|f'{n:05d}'|f'{n:b} {n:#x}'|f'{s:*^20}'|f'{xs}'|f'{d["a"]}'|f'{p}'|f'{{}}'|f'{n:{n}}'|f'{1e10}'|f'{0.5:%}'|f'{1234.5:,.2f}'|f'{n:d}{t}'|f'{t:>6}'|f'{s:.3}'|f'{n:.2}'|f'{f:d}'|f'{s:d}'|f'{xs:>5}'|f'{1e100:g}'|f'{0.0001:g} {1e-5:g} {123456789.0:g}'|f'{3.0:.3}'|f'{-0.0:.0f}'|f'{2.5:.0f}'|f'{nan:.1f}{inf:+f}'
'%d' % n|'%s %s' % (s, n)|'%5.2f' % f|'%-5s.' % 'a'|'%05d' % n|'%x' % 255|'%d' % 'a'|'%s' % xs|'%s %s' % s|'%s' % (1, 2)|'%(a)s' % d|'%%'|'%d%%' % n|'%r' % s|'%.3s' % s|'%+d' % n|'%d' % 3.7|'%s' % (tup,)|'%e' % 12345.678|'%g' % 1e-10|'%f' % None|'%' % 1
x|undefined_name + 1|[undefined for x in xs]|len(undefined)|lambda: 1|(lambda a: a + 1)(2)|(lambda a, b=3: a * b)(2)|print(1)|open('x')|__name__|input()|x = 1|1 +|(|for|1 2|'abc|xs[|a b|{1: 2, 3}|[*xs, 4]|(*xs,)|{**d, 'c': 3}|[*n]|{**n}|max(*xs)|{[]: 1}|{1, []}|{xs}|hash('a')|hash([])|id(n)|vars(p)
shared|shared[0]|[xs, xs]|[xs, [xs]]|node.next.value|node.next.next.value|node.next.next is node|node|node.next|node == node|nested * 2|[nested[0], nested]|text|text + 'x'|long + [1]|list(range(101))|[long]|'x' * 301|[[[[[[[[[[1]]]]]]]]]]|[0] * 500|[[0] * 50] * 12|2 ** 2000|2 ** 3000|{i: i for i in range(120)}|[set() for _ in range(2)]|tuple(range(120))|set(range(120))
callable(len)|callable(n)|callable(p)|pow(2, 10)|pow(3, 4, 5)|pow(2, -1)|ascii('é')|format(3.14159, '.2f')|format(n)|format(s, '>15')|getattr(p, 'x')|any([])|max(xs, ys)|1_000|0xff|0b11 + 0o7|1e3|.5|5.|'a' 'b'|r'\\n'|'\\n'|b'a' b'b'|...|Ellipsis|NotImplemented|True + True|(1,)|()|{}|{1}|1, 2|xs,
`
  .trim()
  .split('\n')
  .flatMap((line) => split(line));

/** `|` separates expressions; `\\|` is Python's operator. */
function split(line: string): string[] {
  return line.split(/(?<!\\)\|/).map((text) => text.replaceAll('\\|', '|').replaceAll('\\\\', '\\'));
}

const ATOMS = [
  '0',
  '1',
  '2',
  '-1',
  '3',
  '7',
  '10',
  '2.5',
  '0.1',
  '-1.5',
  '1e16',
  'True',
  'None',
  "'a'",
  "'abc'",
  "''",
  "'12'",
  '[]',
  '[1, 2]',
  '(1,)',
  '{}',
  "{'a': 1}",
  '{1, 2}',
  'n',
  'm',
  'f',
  'g',
  't',
  'none',
  's',
  'e',
  'q',
  'num',
  'xs',
  'ys',
  'words',
  'nested',
  'tup',
  'd',
  'st',
  'fs',
  'rng',
  'dq',
  'cnt',
  'big',
  'z',
  'p',
  'inf',
  'bs',
  'od',
];
const SMALL = [
  '0',
  '1',
  '2',
  '3',
  '5',
  'n',
  'm',
  't',
  'z',
  'xs',
  'none',
  'f',
  '(n if z else t)',
  'xs[0]',
  'len(s)',
  's',
  'd',
];
const BINARY = [
  '+',
  '-',
  '*',
  '/',
  '//',
  '%',
  '&',
  '|',
  '^',
  '<',
  '<=',
  '>',
  '>=',
  '==',
  '!=',
  'in',
  'not in',
  'and',
  'or',
  '+',
  '*',
  '==',
];
const UNARY = ['-', 'not ', '~', '+'];
const CALLS = [
  'len',
  'str',
  'int',
  'float',
  'bool',
  'list',
  'tuple',
  'set',
  'sorted',
  'sum',
  'min',
  'max',
  'abs',
  'any',
  'all',
  'repr',
  'round',
  'type',
  'dict',
  'ord',
  'chr',
  'hex',
  'frozenset',
];
const METHODS = [
  'upper()',
  'split()',
  "split('a')",
  'count(1)',
  "count('a')",
  'index(1)',
  "index('a')",
  "get('a')",
  'keys()',
  'values()',
  'items()',
  "find('b')",
  "replace('a', 'b')",
  'strip()',
  "startswith('a')",
  'isdigit()',
  'isalpha()',
  'title()',
  'join(words)',
  'copy()',
  'union({5})',
  'bit_length()',
  'real',
  'zfill(4)',
  'x',
  'y',
  'lower()',
  'isupper()',
  "join('xyz')",
];

/** A random expression; the same for the same random numbers. */
export function generate(random: () => number, depth = 3): string {
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;
  const inner = (): string => generate(random, depth - 1);
  if (depth === 0) return pick(ATOMS);
  switch (Math.floor(random() * 16)) {
    case 0:
    case 1:
    case 2:
      return `(${inner()} ${pick(BINARY)} ${inner()})`;
    case 3:
      return `${pick(UNARY)}(${inner()})`;
    case 4:
    case 5:
      return `${pick(CALLS)}(${inner()})`;
    case 6:
      return `(${inner()}).${pick(METHODS)}`;
    case 7:
      return `(${inner()})[${pick([inner(), '0', '-1', '1:', ':2', '::-1', `${inner()}:${inner()}`])}]`;
    case 8:
      return `[${inner()}, ${inner()}]`;
    case 9:
      return `(${inner()} if ${inner()} else ${inner()})`;
    case 10:
      return `[${pick(['v', 'v + v', '(v, n)', 'v == 1', 'str(v)'])} for v in ${inner()}]`;
    case 11:
      return `f"{${pick(['n', 'f', 's', 'xs', 'g', 'none', 't'])}${pick(['', '!r', ':>8', ':.2f', ':05', ':d', ':,', ':e', ':g'])}}"`;
    case 12:
      return `'${pick(['%s', '%d', '%r', '%5.1f', '%s-%s', '%x'])}' % (${inner()})`;
    case 13:
    case 14:
      // No brackets: what binds more tightly is the grammar's to know.
      return Array.from(
        { length: 4 },
        (_, i) =>
          `${i === 0 ? '' : pick([...BINARY, '**', '<<', '>>', 'is', 'is not'])} ${pick(['', '', '-', '~', 'not ', '+'])}${pick(SMALL)}`,
      ).join(' ');
    default:
      return pick(ATOMS);
  }
}
