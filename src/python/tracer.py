"""npdb's tracer: runs a program and writes its canonical event stream, one JSON object a line.

Standard library only; CPython 3.10-3.14 and Pyodide. The rules of the stream, its units and the value table
are in `docs/trace.md`; the record shapes in `src/trace/types.ts`; a request in `src/python/types.ts`.

    python tracer.py           serves one request after another, a JSON line each, on stdin (trusted programs)
    python tracer.py --once    serves one and ends the process with it

The program under trace is not trusted: none of its code runs while a value is read (no `__repr__`, `__eq__`,
`__getattr__`, ...), and everything the tracer calls is bound before the program starts.
"""

import builtins

# Functions look builtins up here, fixed when they are made: a program that replaces `len` replaces its own.
__builtins__ = dict(vars(builtins))

import _thread
import ast
import collections
import enum
import functools
import io
import itertools
import json
import linecache
import opcode
import operator
import os
import random
import sys
import threading
import time
import tokenize
import types
import warnings

VERSION = 1
MAIN, CALL = 'main.py', '<call>'
PY311 = sys.version_info >= (3, 11)
PY312 = sys.version_info >= (3, 12)
PY313 = sys.version_info >= (3, 13)
quote = json.encoder.encode_basestring_ascii
# The program may replace these in their modules.
set_trace, get_trace, set_profile = sys.settrace, sys.gettrace, sys.setprofile
set_limit, leave_process, monotonic = sys.setrecursionlimit, os._exit, time.monotonic
is_same, islice, repeat, chain = operator.is_, itertools.islice, itertools.repeat, itertools.chain
to_json, join_thread, process_id, sleep = json.dumps, threading.Thread.join, os.getpid, time.sleep

# ---------------------------------------------------------------------------
# Values (docs/trace.md, "Values")

raw_name = type.__dict__['__name__'].__get__
raw_qualname = type.__dict__['__qualname__'].__get__
type_mro = type.__dict__['__mro__'].__get__
module_dict = types.ModuleType.__dict__['__dict__'].__get__
type_dict = type.__dict__['__dict__'].__get__
GetSet, Member = types.GetSetDescriptorType, types.MemberDescriptorType
deque, defaultdict, OrderedDict = collections.deque, collections.defaultdict, collections.OrderedDict
NoneType = type(None)
COMPREHENSIONS = ('<listcomp>', '<setcomp>', '<dictcomp>', '<genexpr>')
# Their own `repr`, run by the library, of the exact type only.
PLAIN_REPR = {
    'decimal': ('Decimal',),
    'fractions': ('Fraction',),
    'datetime': ('datetime', 'date', 'time', 'timedelta', 'timezone'),
    'uuid': ('UUID',),
    'pathlib': ('PosixPath', 'PurePosixPath', 'WindowsPath', 'PureWindowsPath'),
}
BUILTIN_BASES = (list, dict, set, frozenset, tuple, str, bytes, bytearray, int, float, complex, deque)
# Types of the library that have another name where they are made otherwise.
SAME_TYPE = {
    'str_ascii_iterator': 'str_iterator', 'odict_iterator': 'dict_keyiterator',
}
# What a class body leaves in its namespace, by version.
CLASS_INTERNALS = frozenset(
    '__annotations__ __annotate__ __annotate_func__ __conditional_annotations__ __classcell__ __classdict__ '
    '__classdictcell__ __firstlineno__ __static_attributes__ __type_params__'.split()
)


NAMED_SCOPES = frozenset(('<locals>', '<lambda>', '<module>', '<genexpr>', '<listcomp>', '<setcomp>', '<dictcomp>'))
KNOWN_NAMES = {}


def plain_qualname(name):
    """A name as a value's text may hold it: an exact string, of identifiers; rule 12: without comprehensions."""
    if type(name) is not str:
        # A subclass of `str` would run its own methods.
        name = str.__str__(name) if issubclass(type(name), str) else '_'
    known = KNOWN_NAMES.get(name)
    if known is not None:
        return known
    plain = name
    if '<' in name:
        for part in COMPREHENSIONS:
            # Up to 3.11 a lambda or function in a comprehension lies in `<listcomp>.`, in a generator expression
            # on every version.
            plain = plain.replace(part + '.<locals>.', '').replace(part + '.', '')
    plain = '.'.join(
        part if part.isidentifier() or part in NAMED_SCOPES else ''.join(c if c.isalnum() else '_' for c in part) or '_'
        for part in plain.split('.')
    )
    if len(KNOWN_NAMES) > 10_000:
        KNOWN_NAMES.clear()
    KNOWN_NAMES[name] = plain
    return plain


def type_name(kind):
    name = plain_qualname(raw_name(kind))
    return name if '.' not in name else name.rpartition('.')[2]


def field_name(name):
    return name if name.isidentifier() else plain_qualname(name).replace('.', '_').replace('<', '_').replace('>', '_')


class Renderer:
    """One value's text. It costs what is shown, not what there is; but sets are sorted whole."""

    __slots__ = ('items', 'chars', 'depth', 'leaves', 'budget', 'parts', 'seen', 'shared', 'trail')

    def __init__(self, limits):
        self.items, self.chars = limits['items'], limits['chars']
        self.depth, self.leaves = limits['depth'], limits['leaves']

    def text(self, value):
        """Afterwards `trail` holds what the text was made of, for `unchanged`; None if it cannot say."""
        kind = type(value)
        self.trail = None
        # Most values are one of these; they need no bookkeeping.
        if kind is int and -1000000 < value < 1000000 or value is None or kind is bool or kind is float:
            return repr(value)
        if kind is str and len(value) <= self.chars:
            return repr(value)
        self.budget, self.parts, self.seen, self.shared = self.leaves, [], {}, []
        self.trail = []
        try:
            self.put(value, 1)
        except RecursionError:
            raise
        except Exception:
            self.trail = None
            return '<unreadable %s>' % type_name(type(value))
        if self.shared:
            # Anchors are numbered in order of appearance; `shared` holds [first place, place of each alias ...].
            for number, places in enumerate(sorted(self.shared), 1):
                self.parts[places[0]] = '&%d ' % number
                for place in places[1:]:
                    self.parts[place] = '*%d' % number
        return ''.join(self.parts)

    def put(self, value, depth):
        kind = type(value)
        self.budget -= 1
        # Only `is`: `in` and `==` would ask a metaclass.
        if kind is int:
            self.parts.append(repr(value) if -1000000 < value < 1000000 else self.integer(value))
        elif kind is str:
            size = len(value)
            self.parts.append(repr(value) if size <= self.chars else self.cut(value, size))
        elif kind is float or kind is bool or value is None:
            self.parts.append(repr(value))
        elif kind is bytes:
            size = len(value)
            self.parts.append(repr(value) if size <= self.chars else self.cut(value, size))
        elif kind is list:
            if self.first(value):
                if self.trail is not None:
                    self.trail.append((value, tuple(value[: self.items + 1]), None, len(value)))
                self.sequence('[', list.__iter__(value), len(value), ']', depth)
        elif kind is tuple:
            if depth == 1:
                # Kept, so that no other one can get its `id`.
                self.trail.append((value, (), None, len(value)))
            self.sequence('(', tuple.__iter__(value), len(value), ',)' if len(value) == 1 else ')', depth)
        elif kind is dict:
            if self.first(value):
                if self.trail is not None:
                    count = self.items + 1
                    keys, values = tuple(islice(value, count)), tuple(islice(value.values(), count))
                    self.trail.append((value, keys, values, len(value)))
                self.mapping(value, depth)
        elif kind is set or kind is frozenset:
            if kind is frozenset or self.first(value):
                if self.trail is not None:
                    self.trail.append((value, tuple(value), None, len(value)))
                self.set(value, depth, 'frozenset' if kind is frozenset else '')
        elif kind is complex:
            self.parts.append(repr(value))
        elif kind is type or issubclass(kind, type):
            name = plain_qualname(raw_qualname(value))
            self.trail = None
            # Classes on some versions, special forms on others.
            special = name in ('Any', 'Annotated') and module_of(value) == 'typing'
            self.parts.append('<typing %s>' % name if special else "<class '%s'>" % name)
        else:
            self.other(value, kind, depth)

    def cut(self, value, size):
        return '%r...+%d' % (value[: self.chars], size - self.chars)

    def integer(self, value):
        bits = int.bit_length(value)
        if bits <= 2126:
            return int.__repr__(value)
        digits = int((bits - 1) * 0.30102999566398120) + 1
        if bits < 100_000 and abs(value) >= 10**digits:
            digits += 1
        return '<int %d digits>' % digits if digits > 640 else int.__repr__(value)

    def first(self, value):
        """Notes a mutable object; False (and an alias is put) if it is already in this text."""
        key = id(value)
        places = self.seen.get(key)
        if places is None:
            self.seen[key] = [len(self.parts)]
            self.parts.append('')
            return True
        if len(places) == 1:
            self.shared.append(places)
        places.append(len(self.parts))
        self.parts.append('')
        return False

    def sequence(self, opening, values, size, closing, depth):
        parts = self.parts
        if size and (depth > self.depth or self.budget <= 0):
            parts.append('...')
            return
        parts.append(opening)
        self.elements(values, size, depth)
        parts.append(closing)

    def elements(self, values, size, depth):
        parts, items, inner = self.parts, self.items, depth + 1
        for i, item in enumerate(values):
            if i:
                parts.append(', ')
            if i >= items or self.budget <= 0:
                parts.append('...+%d' % (size - i))
                return
            self.put(item, inner)

    def mapping(self, value, depth):
        parts = self.parts
        size = dict.__len__(value)
        if size and (depth > self.depth or self.budget <= 0):
            parts.append('...')
            return
        parts.append('{')
        values = dict.items(value)
        if issubclass(type(value), OrderedDict) and all(is_plain(k) for k in dict.__iter__(value)):
            # Its own order is kept by hash: no key of the program's may be asked for it.
            values = OrderedDict.items(value)
        elif size and type(first := next(dict.__iter__(value))) is str and first == '__module__':
            values = [(k, v) for k, v in values if type(k) is not str or k not in CLASS_INTERNALS]
            size = len(values)
        inner = depth + 1
        for i, (key, item) in enumerate(values):
            if i:
                parts.append(', ')
            if i >= self.items or self.budget <= 0:
                parts.append('...+%d' % (size - i))
                break
            self.put(key, inner)
            parts.append(': ')
            self.put(item, inner)
        parts.append('}')

    def set(self, value, depth, name):
        base = set if issubclass(type(value), set) else frozenset
        size = base.__len__(value)
        if size == 0:
            self.parts.append('%s()' % (name or 'set'))
            return
        if depth > self.depth or self.budget <= 0:
            self.parts.append('...')
            return
        shown = self.smallest(value, base)
        self.parts.append(name + '({' if name else '{')
        self.elements(shown, size, depth)
        if size > len(shown) and not self.parts[-1].startswith('...+'):
            self.parts.append(', ...+%d' % (size - len(shown)))
        self.parts.append('})' if name else '}')

    def smallest(self, value, base):
        """The elements shown, sorted. Large sets are mostly of one kind, and then take no step of ours each."""
        each = base.__iter__
        for kind in (int, str):
            if all(map(is_same, map(type, each(value)), repeat(kind))):
                return sorted(each(value))[: self.items]
        if all(map(is_same, map(type, each(value)), repeat(tuple))):
            if all(map(is_same, map(type, chain.from_iterable(each(value))), repeat(int))):
                return sorted(each(value), key=repr)[: self.items]
        ordered = sorted(map(self.order, each(value)), key=lambda o: o[:3])
        return [o[3] for o in ordered[: self.items]]

    def order(self, value):
        """A sort key for set elements that runs none of their code: numbers, strings, the rest by text."""
        kind = type(value)
        if kind is int or kind is bool or kind is float and value == value:
            return (0, value, '', value)
        if kind is str:
            return (1, 0, value, value)
        inner = Renderer({'items': 20, 'chars': 100, 'depth': 3, 'leaves': 40})
        text = inner.text(value)
        if inner.trail is None and not is_plain(value):
            self.trail = None
        elif inner.trail and self.trail is not None:
            self.trail += inner.trail
        return (2, 0, text, value)

    def other(self, value, kind, depth):
        """Everything that is not an exact builtin: by type, never by asking the object."""
        parts, name = self.parts, type_name(kind)
        # What follows may change without a trail, and must not be kept alive by one.
        self.trail = None
        if kind is types.FunctionType:
            parts.append('<function %s>' % plain_qualname(value.__qualname__))
        elif kind is types.MethodType:
            function = value.__func__
            if type(function) is types.FunctionType or type(function) is types.BuiltinFunctionType:
                named = function.__qualname__
            else:
                named = type_name(type(function))
            parts.append('<bound method %s>' % plain_qualname(named))
        elif kind is types.BuiltinFunctionType:
            own = value.__self__
            what = 'function' if own is None or type(own) is types.ModuleType else 'method'
            parts.append('<built-in %s %s>' % (what, plain_qualname(value.__name__)))
        elif kind is types.ModuleType:
            parts.append("<module '%s'>" % plain_qualname((module_dict(value) or {}).get('__name__')))
        elif kind is types.GeneratorType or kind is types.CoroutineType or kind is types.AsyncGeneratorType:
            parts.append('<%s %s>' % (name, plain_qualname(value.__qualname__)))
        elif kind is type(...) or kind is type(NotImplemented):
            parts.append(repr(value))
        elif kind is range:
            step = '' if value.step == 1 else ', %d' % value.step
            parts.append('range(%s, %s%s)' % (self.integer(value.start), self.integer(value.stop), step))
        elif kind is slice:
            parts.append('slice(')
            self.elements(iter((value.start, value.stop, value.step)), 3, depth)
            parts.append(')')
        elif kind is bytearray:
            if self.first(value):
                size = len(value)
                parts.append('bytearray(%s)' % (repr(bytes(value)) if size <= self.chars
                                                else self.cut(bytes(value[: self.chars]), size)))
        elif type(kind) is type and kind in DICT_VIEWS:
            size = len(value)
            parts.append(name + '(')
            self.sequence('[', iter(value), size, ']', depth + 1)
            parts.append(')')
        elif kind is deque:
            if self.first(value):
                self.deque(value, depth)
        elif kind is defaultdict:
            if self.first(value):
                parts.append('defaultdict(')
                self.put(defaultdict.default_factory.__get__(value), depth + 1)
                parts.append(', ')
                self.mapping(value, depth)
                parts.append(')')
        else:
            self.shaped(value, shape_of(kind), name, depth)

    def shaped(self, value, shape, name, depth):
        """An object of a class that is not an exact builtin."""
        tag, kind = shape.tag, shape.kind
        if tag == 'opaque':
            self.parts.append('<%s>' % shape.text)
        elif tag == 'typing':
            self.parts.append('<typing %s>' % self.typing_name(value, kind, name))
        elif tag == 'enum':
            self.member(value, shape)
        elif tag == 'library':
            self.library(value, kind, name, depth)
        elif not self.first(value):
            pass
        elif tag == 'instance':
            self.call(name, (), shape.shown(value), depth)
        elif tag == 'exception':
            self.call(name, arguments_of(value, kind), shape.shown(value), depth)
        elif tag == 'builtin':
            self.builtin_subclass(value, shape, name, depth)
        elif tag == 'inherits':
            self.library_subclass(value, shape, name, depth)
        else:
            words = {k: v for k, v in partial.keywords.__get__(value).items() if type(k) is str}
            self.call(name, (partial.func.__get__(value), *partial.args.__get__(value)), words, depth)

    def library(self, value, kind, name, depth):
        """As the class itself writes it, but for parts that may be of the program's classes."""
        parts = self.parts
        if name == 'Fraction':
            fields = shape_of(kind).fields(value)
            self.call(name, (fields.get('_numerator'), fields.get('_denominator')), {}, depth)
        elif name == 'UUID':
            number = shape_of(kind).fields(value).get('int')
            if type(number) is not int:
                raise TypeError
            digits = '%032x' % number
            groups = (digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:])
            parts.append("UUID('%s')" % '-'.join(groups))
        elif name == 'timezone':
            # `timezone.utc` is one object.
            if value is kind.utc:
                parts.append('datetime.timezone.utc')
            else:
                arguments = kind.__getinitargs__(value)
                parts.append('datetime.timezone(')
                self.elements(iter(arguments), len(arguments), depth)
                parts.append(')')
        elif (name == 'datetime' or name == 'time') and kind.tzinfo.__get__(value) is not None:
            # Not by `replace`, which a subclass could see.
            words = ('year month day ' if name == 'datetime' else '') + 'hour minute second microsecond fold'
            bare = kind(**{word: getattr(kind, word).__get__(value) for word in words.split()})
            parts.append(kind.__repr__(bare)[:-1] + ', tzinfo=')
            self.put(kind.tzinfo.__get__(value), depth + 1)
            parts.append(')')
        else:
            parts.append(type_dict(kind)['__repr__'](value) if '__repr__' in type_dict(kind) else kind.__repr__(value))

    def library_subclass(self, value, shape, name, depth):
        """The text of the library's class, under the name of the program's, and then its own attributes."""
        start, base = len(self.parts), shape.base
        if type_name(base) in PLAIN_REPR['pathlib']:
            # Its `repr` asks the object for its `str`.
            self.parts.append('%s(' % name)
            fields = {}
        else:
            self.library(value, base, type_name(base), depth)
            self.parts[start] = name + self.parts[start][self.parts[start].index('(') :]
            self.parts[-1] = self.parts[-1][:-1]
            fields = {k: v for k, v in shape.fields(value).items() if k[:1] != '_' and k not in ('int', 'is_safe')}
        self.fields(fields.items(), len(fields), depth, True)
        self.parts.append(')')

    def deque(self, value, depth):
        self.parts.append('deque(')
        self.sequence('[', deque.__iter__(value), deque.__len__(value), ']', depth)
        size = deque.maxlen.__get__(value)
        self.parts.append(')' if size is None else ', maxlen=%d)' % size)

    def member(self, value, shape):
        fields = shape.fields(value)
        label, inner = fields.get('_name_'), fields.get('_value_')
        if label is None and not PY311 and type(inner) is int:
            label = self.flags(shape, inner)
        text = type_name(shape.kind)
        if type(label) is str:
            text += '.' + '|'.join(map(field_name, label.split('|')))
        shown = Renderer({'items': 20, 'chars': 100, 'depth': 3, 'leaves': 40}).text(inner)
        self.parts.append('<%s: %s>' % (text, shown))

    def flags(self, shape, number):
        """The name of combined flags, which they have themselves from 3.11."""
        members = type_dict(shape.kind).get('_member_map_')
        found = []
        for name, member in dict.items(members) if type(members) is dict else ():
            bit = shape.fields(member).get('_value_')
            if type(bit) is int and bit > 0 and bit & (bit - 1) == 0 and bit & number:
                found.append(name)
        return '|'.join(found) or None

    def call(self, name, args, fields, depth):
        """`Name(args, field=value)`."""
        if (args or fields) and (depth > self.depth or self.budget <= 0):
            self.parts.append('...')
            return
        self.parts.append(name + '(')
        if args:
            self.elements(args, len(args), depth)
        self.fields(fields.items(), len(fields), depth, bool(args))
        self.parts.append(')')

    def fields(self, pairs, size, depth, comma):
        parts = self.parts
        for i, (name, item) in enumerate(pairs):
            if comma or i:
                parts.append(', ')
            if i >= self.items or self.budget <= 0:
                parts.append('...+%d' % (size - i))
                return
            parts.append(field_name(name) + '=')
            self.put(item, depth + 1)

    def typing_name(self, value, kind, name):
        """Annotations differ in their insides from version to version; their name does not."""
        if kind is types.GenericAlias:
            return type_name(type(value).__origin__.__get__(value))
        if kind is types.UnionType:
            return 'Union'
        fields = shape_of(kind).fields(value)
        origin = fields.get('__origin__')
        if origin is not None and module_of(type(origin)) == 'typing' and type(origin) is not kind:
            # `Optional[int]`, `Literal['a']`: from 3.14 an `Optional` is a `Union`.
            return self.typing_name(origin, type(origin), name)
        label = fields.get('_name') or fields.get('__name__') or fields.get('__forward_arg__')
        if label is None and type(type(origin)) is type and issubclass(type(origin), type):
            label = type_name(origin)
        own = type_dict(kind).get('__name__')
        if label is None and (type(own) is Member or type(own) is GetSet):
            label = own.__get__(value)
        return label if type(label) is str else name

    def builtin_subclass(self, value, shape, name, depth):
        parts, base = self.parts, shape.base
        fields = shape.shown(value)
        if shape.names is not None:
            if depth > self.depth or self.budget <= 0:
                parts.append('...')
                return
            parts.append(name + '(')
            self.fields(zip(shape.names, tuple.__iter__(value)), len(shape.names), depth, False)
            parts.append(')')
            return
        parts.append(name + '(')
        if base is dict:
            self.mapping(value, depth)
        elif base is set or base is frozenset:
            self.set(value, depth, '')
        elif base is list or base is tuple:
            size = base.__len__(value)
            closing = ']' if base is list else ',)' if size == 1 else ')'
            self.sequence('[' if base is list else '(', base.__iter__(value), size, closing, depth)
        elif base is deque:
            self.sequence('[', deque.__iter__(value), deque.__len__(value), ']', depth)
        elif base is int:
            parts.append(self.integer(int.__index__(value)))
        elif base is float:
            parts.append(float.__repr__(value))
        elif base is complex:
            parts.append(complex.__repr__(value))
        else:
            exact = base.__getitem__(value, slice(0, self.chars))
            cut = base.__len__(value) - self.chars
            exact = bytes(exact) if base is bytearray else exact
            parts.append(base.__repr__(exact) if base is not bytearray else repr(exact))
            if cut > 0:
                parts.append('...+%d' % cut)
        self.fields(fields.items(), len(fields), depth, True)
        parts.append(')')


class Shape:
    """What an object of a class is shown as, worked out once for each class."""

    __slots__ = ('kind', 'tag', 'base', 'text', 'names', 'getter', 'slots', 'hides')

    def __init__(self, kind):
        mro, module = type_mro(kind), module_of(kind)
        top = module.partition('.')[0]
        self.kind, self.base, self.text, self.names = kind, None, None, None
        self.lay_out(mro)
        modules = [module_of(base).partition('.')[0] for base in mro if base is not object]
        self.hides = 'queue' if 'queue' in modules else 'opaque' if not OPAQUE.isdisjoint(modules) else None
        if is_library(kind):
            self.tag = 'library'
        elif any(base is enum.Enum for base in mro):
            self.tag = 'enum'
        elif issubclass(kind, BaseException):
            self.tag = 'exception'
        elif any(issubclass(kind, base) for base in BUILTIN_BASES):
            self.tag, self.base = 'builtin', next(base for base in BUILTIN_BASES if issubclass(kind, base))
            names = next((type_dict(b)['_fields'] for b in mro if '_fields' in type_dict(b)), None)
            if self.base is tuple and type(names) is tuple and all(type(n) is str for n in names):
                self.names = names
        elif any(is_library(base) for base in mro):
            self.tag, self.base = 'inherits', next(base for base in mro if is_library(base))
        elif top in ('typing', 'annotationlib') or kind is types.GenericAlias or kind is types.UnionType:
            self.tag = 'typing'
        elif kind is partial:
            self.tag = 'partial'
        elif kind is not object and not any(python_made(base) for base in mro) or top in OPAQUE:
            name = type_name(kind)
            self.tag, self.text = 'opaque', 'HASH' if module in HASHES else SAME_TYPE.get(name, name)
        else:
            self.tag = 'instance'

    def lay_out(self, mro):
        """Where attributes lie: the object's `__dict__`, then its slots as the program wrote them."""
        self.getter, self.slots = None, []
        for base in mro:
            getter = type_dict(base).get('__dict__')
            if (type(getter) is GetSet or base is Namespace) and base is not type:
                self.getter = getter.__get__
                break
        for base in mro:
            space = type_dict(base)
            declared = space.get('__slots__')
            if declared is None:
                continue
            names = [n for n, slot in space.items() if type(slot) is Member]
            if (type(declared) is tuple or type(declared) is list) and all(type(n) is str for n in declared):
                # The class keeps them sorted.
                private = '_' + type_name(base).lstrip('_')
                order = {(private + n if n[:2] == '__' and n[-2:] != '__' else n): i for i, n in enumerate(declared)}
                names.sort(key=lambda n: order.get(n, len(order)))
            self.slots += [(name, space[name].__get__) for name in names]

    def fields(self, value):
        """Attributes, without asking the object."""
        found = {}
        stored = self.getter(value) if self.getter is not None else None
        if type(stored) is dict:
            found = {k: v for k, v in stored.items() if type(k) is str}
        for name, get in self.slots:
            if name not in found:
                try:
                    found[name] = get(value)
                except AttributeError:
                    pass
        return found

    def shown(self, value):
        """Of objects of the library and of classes made from them only what is not its machinery."""
        found = self.fields(value)
        if self.hides == 'queue':
            return {k: v for k, v in found.items() if k in ('maxsize', 'queue', 'unfinished_tasks')}
        if self.hides == 'opaque':
            return {k: v for k, v in found.items() if k[:1] != '_'}
        return found


SHAPES = {}


def shape_of(kind):
    # By `id`: a metaclass hashes its classes. The shape holds the class, so that no other one gets its `id`.
    shape = SHAPES.get(id(kind))
    if shape is None:
        shape = SHAPES[id(kind)] = Shape(kind)
    return shape


def is_library(kind):
    """Whether this is the library's own class, not one that bears its name."""
    module, name = module_of(kind), type_name(kind)
    if name not in PLAIN_REPR.get(module.partition('.')[0], ()):
        return False
    # `pathlib` is a package from 3.13 and its classes say `pathlib` or `pathlib._local`.
    space = module_dict(sys.modules[module]) if type(sys.modules.get(module)) is types.ModuleType else {}
    own = type_dict(kind).get('__repr__')
    foreign = type(own) is types.FunctionType and own.__code__.co_filename in (MAIN, CALL)
    return space.get(name) is kind and not foreign


def is_plain(key):
    """Hashed and compared without any of the program's code."""
    kind = type(key)
    if kind is tuple:
        return all(map(is_plain, key))
    return kind is str or kind is int or kind is float or kind is bool or kind is bytes or key is None


def module_of(kind):
    """A class's module, without asking a metaclass."""
    module = type_dict(kind).get('__module__')
    if module is None and type(kind) is type:
        # C types keep it elsewhere, and their dictionary cannot be changed.
        module = kind.__module__
    return module if type(module) is str else ''


def python_made(kind):
    """Whether a `class` statement made it, so that its attributes are the program's, not a C struct's."""
    space = type_dict(kind)
    if kind is object:
        return False
    if '__slots__' in space or '__weakref__' in space and type(space['__weakref__']) is GetSet or kind is Namespace:
        return True
    own = space.get('__dict__')
    return type(own) is GetSet and (own.__doc__ or '').startswith('dictionary for instance variables')


def arguments_of(error, kind):
    """An exception's `args`; where a module was found on this machine is no part of what went wrong."""
    args = BaseException.args.__get__(error)
    if (kind is ImportError or kind is ModuleNotFoundError) and len(args) == 1 and type(args[0]) is str:
        text, found, place = args[0].rpartition(' (')
        if found and (place[:1] in '/\\' or place[1:2] == ':' or place == 'unknown location)'):
            return (text,)
    return args


partial, Namespace = functools.partial, types.SimpleNamespace
# Library modules whose objects are machinery: their insides are of no use to a reader and differ by version.
# Python's own hashes and OpenSSL's.
HASHES = frozenset('_hashlib _md5 _sha1 _sha2 _sha256 _sha512 _sha3 _blake2'.split())
OPAQUE = frozenset(
    'threading _thread asyncio contextlib contextvars functools logging socket subprocess selectors weakref tempfile '
    '__future__ io _pyio codecs ssl sched string unittest concurrent multiprocessing importlib inspect re'.split()
)
DICT_VIEWS = {type({}.keys()): 1, type({}.values()): 1, type({}.items()): 1}

# ---------------------------------------------------------------------------
# Units and names, from the syntax tree (docs/trace.md, "Units")

SIMPLE_SILENT = (ast.Global, ast.Nonlocal)
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


class Source:
    """What the syntax of one file says: its units, and per scope the names that only comprehensions bind."""

    def __init__(self, text, name):
        self.text, self.name = text, name
        lines = text.count('\n') + 2
        self.unit = [0] * (lines + 1)
        self.silent = set()
        self.scopes = {}
        # Units whose end an old interpreter may report without having run them: a case's header and last unit.
        self.tails = set()
        self.qualnames = None
        if name == CALL:
            self.unit = [1] * (lines + 1)
            return
        tree = ast.parse(text, name)
        self.units(tree)
        self.scope(tree, ('<module>', 1))

    # --- units

    def units(self, tree):
        colons, keywords = self.headers()
        spans = []
        docs = set()
        for node in ast.walk(tree):
            if isinstance(node, FUNCTIONS) and ast.get_docstring(node, clean=False) is not None:
                docs.add(node.body[0])
        for node in ast.walk(tree):
            if isinstance(node, ast.match_case):
                start = self.keyword_before(keywords, (node.pattern.lineno, node.pattern.col_offset))
                spans.append((start, colons[start], start[0], node, False))
            elif isinstance(node, (ast.stmt, ast.ExceptHandler)):
                start = (node.lineno, node.col_offset)
                if start in colons and (hasattr(node, 'body') or isinstance(node, ast.Match)):
                    first = start
                    if getattr(node, 'decorator_list', None):
                        decorator = node.decorator_list[0]
                        first = (decorator.lineno, decorator.col_offset - 1)
                    spans.append((first, colons[start], node.lineno, node, False))
                else:
                    silent = isinstance(node, SIMPLE_SILENT) or node in docs
                    silent = silent or (isinstance(node, ast.AnnAssign) and node.value is None)
                    spans.append((start, node.end_lineno, node.lineno, node, silent))
        spans.sort(key=lambda s: s[0])
        number, last, quiet = 0, 0, True
        for (first, _), end, own, _, silent in spans:
            if first > last:
                if number and quiet:
                    self.silent.add(number)
                number, quiet = own, True
            quiet = quiet and silent
            for line in range(max(first, last + 1) if first <= last else first, end + 1):
                self.unit[line] = number
            last = max(last, end)
        if number and quiet:
            self.silent.add(number)
        if not PY312:
            for node in ast.walk(tree):
                if isinstance(node, ast.match_case):
                    self.tails |= {self.unit[node.pattern.lineno], self.unit[node.body[-1].end_lineno]}

    def headers(self):
        """Where each compound statement's header ends: keyword position -> line of its colon."""
        colons, keywords, open_headers, depth, fresh = {}, [], [], 0, True
        lambdas = []
        begins = ('if', 'elif', 'while', 'for', 'with', 'try', 'def', 'class', 'async', 'match', 'except', 'case',
                  'else', 'finally')
        reader = io.StringIO(self.text, newline=None).readline
        previous = ''
        for token in tokenize.generate_tokens(reader):
            kind, string, start = token.type, token.string, token.start
            if kind == tokenize.NAME:
                # The byte offset that `ast` counts in, not the character offset of the tokenizer.
                place = (start[0], len(token.line[: start[1]].encode()) if start[0] == token.end[0] else start[1])
                if fresh and string in begins:
                    open_headers.append((place, depth))
                    keywords.append((place, string))
                elif string in ('def', 'for', 'with') and previous == 'async' and open_headers:
                    pass
                elif string == 'lambda':
                    lambdas.append(depth)
                fresh = False
            elif kind == tokenize.OP:
                if string in '([{':
                    depth += 1
                elif string in ')]}':
                    depth -= 1
                elif string == ':' and lambdas and lambdas[-1] == depth:
                    lambdas.pop()
                elif string == ':' and open_headers and open_headers[-1][1] == depth:
                    colons[open_headers.pop()[0]] = start[0]
                    fresh, previous = True, ':'
                    continue
                elif string == ';' and depth == 0:
                    fresh = True
                    continue
                fresh = False
            elif kind in (tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT):
                if kind == tokenize.NEWLINE:
                    # `match` and `case` that were names open no header.
                    open_headers.clear()
                    lambdas.clear()
                fresh = True
            elif kind not in (tokenize.NL, tokenize.COMMENT):
                fresh = False
            previous = string
        return colons, keywords

    @staticmethod
    def keyword_before(keywords, place):
        found = [p for p, word in keywords if word == 'case' and p < place]
        return found[-1]

    # --- names

    def qualname(self, code):
        """A code's qualified name before 3.11, when it knew only its plain one."""
        if self.qualnames is None:
            self.qualnames = {}
            work = [(compile(self.text.strip() if self.name == CALL else self.text, self.name,
                             'eval' if self.name == CALL else 'exec', dont_inherit=True), '')]
            while work:
                outer, prefix = work.pop()
                for inner in outer.co_consts:
                    if type(inner) is types.CodeType:
                        name = prefix + inner.co_name
                        self.qualnames[inner] = name
                        work.append((inner, name + ('.<locals>.' if inner.co_flags & OPTIMIZED else '.')))
        return self.qualnames.get(code, code.co_name)

    def scope(self, node, key):
        """Fills `scopes[key]` with (names only comprehensions bind, {unit: comprehension targets in it})."""
        bound, targets, by_unit, inner = set(), set(), {}, []
        arguments = getattr(node, 'args', None)
        if isinstance(arguments, ast.arguments):
            for arg in ast.walk(arguments):
                if isinstance(arg, ast.arg):
                    bound.add(arg.arg)
        body = node.body if isinstance(node.body, list) else [node.body]
        work = [(child, False) for child in body]
        while work:
            child, inside = work.pop()
            if isinstance(child, (*FUNCTIONS, ast.ClassDef)):
                bound.add(child.name)
                inner.append(child)
                outer = list(child.decorator_list)
                if isinstance(child, ast.ClassDef):
                    outer += [*child.bases, *(k.value for k in child.keywords)]
                else:
                    outer += [d for d in (*child.args.defaults, *child.args.kw_defaults) if d]
                work += [(o, inside) for o in outer]
                continue
            if isinstance(child, ast.Lambda):
                inner.append(child)
                work += [(d, inside) for d in (*child.args.defaults, *child.args.kw_defaults) if d]
                continue
            if isinstance(child, ast.comprehension):
                names = {n.id for n in ast.walk(child.target) if isinstance(n, ast.Name)}
                targets |= names
                by_unit.setdefault(self.unit[child.target.lineno], set()).update(names)
                work += [(c, inside) for c in (child.iter, *child.ifs)]
                continue
            if isinstance(child, ast.Name) and not isinstance(child.ctx, ast.Load):
                bound.add(child.id)
            elif isinstance(child, (ast.Import, ast.ImportFrom)):
                bound |= {(a.asname or a.name.split('.')[0]) for a in child.names}
            elif isinstance(child, (ast.ExceptHandler, ast.MatchAs, ast.MatchStar)) and child.name:
                bound.add(child.name)
            elif isinstance(child, ast.MatchMapping) and child.rest:
                bound.add(child.rest)
            elif isinstance(child, (ast.Global, ast.Nonlocal)):
                bound |= set(child.names)
            work += [(c, inside) for c in ast.iter_child_nodes(child)]
        # Two lambdas of one line have one key.
        only, units = self.scopes.get(key, (frozenset(), {}))
        for unit, names in units.items():
            by_unit.setdefault(unit, set()).update(names)
        self.scopes[key] = (only | (targets - bound), by_unit)
        for child in inner:
            name = getattr(child, 'name', '<lambda>')
            first = child.decorator_list[0].lineno if getattr(child, 'decorator_list', None) else child.lineno
            self.scope(child, (name, first))


HIDDEN = frozenset(
    '.0 .type_params __class__ __module__ __qualname__ __doc__ __annotations__ __annotate__ __annotate_func__ '
    '__classcell__ __classdict__ __classdictcell__ __conditional_annotations__ __static_attributes__ '
    '__firstlineno__ __type_params__'.split()
)
DROPPED = frozenset((*COMPREHENSIONS, '__annotate__', '<annotations>'))
GENERATOR, COROUTINE, ASYNC_GENERATOR = 0x20, 0x80, 0x200
OPTIMIZED, VARARGS, VARKEYWORDS = 0x1, 0x4, 0x8


def ops(*names):
    return frozenset(opcode.opmap[n] for n in names if n in opcode.opmap)


STOPS = ops('FOR_ITER', 'END_FOR', 'POP_ITER', 'SEND', 'END_SEND', 'YIELD_FROM', 'END_ASYNC_FOR')
RETURNS = ops('RETURN_VALUE', 'RETURN_CONST')
SUSPENDS = ops('YIELD_VALUE', 'RESUME')
YIELD_FROM = ops('YIELD_FROM')
LOAD_CONST = ops('LOAD_CONST')
GLOBALS_SHIFTED = ops('LOAD_GLOBAL') if PY311 else frozenset()
CLEANUPS = ops('NOP', 'JUMP_FORWARD', 'JUMP_ABSOLUTE', 'JUMP_BACKWARD', 'POP_TOP', 'POP_BLOCK', 'LOAD_CONST',
               'RETURN_VALUE')
GLOBALS_PLAIN = ops('STORE_GLOBAL', 'DELETE_GLOBAL') | (frozenset() if PY311 else ops('LOAD_GLOBAL'))
EXTENDED = opcode.EXTENDED_ARG


class Code:
    """What is known of one code object, worked out once."""

    __slots__ = ('file', 'unit', 'silent', 'qualname', 'line', 'kind', 'suspends', 'arguments', 'hidden', 'targets',
                 'bytes', 'globals', 'module', 'is_class', 'asyncgen', 'code', 'tails', 'starts')

    def __init__(self, code, file, source, module):
        self.code = code
        self.file, self.unit, self.silent = file, source.unit, source.silent
        self.module = module
        flags = code.co_flags
        self.suspends = bool(flags & (GENERATOR | COROUTINE | ASYNC_GENERATOR))
        self.asyncgen = bool(flags & ASYNC_GENERATOR)
        self.is_class = not module and not flags & OPTIMIZED
        name = code.co_name
        full = code.co_qualname if PY311 else source.qualname(code)
        self.qualname = CALL if file and module else plain_qualname(full)
        first = code.co_firstlineno
        self.line = 1 if module else (source.unit[first] if first < len(source.unit) else 0) or first
        self.kind = (
            'module' if module and not file
            else 'generator' if flags & GENERATOR
            else 'coroutine' if flags & COROUTINE
            else 'asyncgen' if flags & ASYNC_GENERATOR
            else 'class' if self.is_class
            else 'lambda' if name == '<lambda>'
            else None
        )
        names, count, keywords = code.co_varnames, code.co_argcount, code.co_kwonlyargcount
        order = list(names[:count])
        rest = count + keywords
        if flags & VARARGS:
            order.append(names[rest])
        order += names[count:rest]
        if flags & VARKEYWORDS:
            order.append(names[rest + bool(flags & VARARGS)])
        self.arguments = order
        only, self.targets = source.scopes.get((name, first), (frozenset(), {}))
        # A free variable of the same name is not the target.
        self.hidden = HIDDEN | only.difference(order, code.co_freevars)
        self.bytes = code.co_code
        self.globals = () if module or self.is_class else tuple(sorted(global_names(code)))
        self.tails = source.tails
        self.starts = line_starts(code, self.unit, self.tails) if self.tails else ()

    def phantom(self, unit, at):
        """Up to 3.11 an `if` that is false at the end of a `case` reports the last line of its body."""
        return unit in self.tails and at not in self.starts

    def opcode(self, at):
        """The instruction at `f_lasti`, stepped back over inline caches."""
        code = self.bytes
        if at < 0 or at >= len(code):
            return -1
        if PY311:
            while at > 0 and code[at] == 0:
                at -= 2
        return code[at]


def line_starts(code, unit, tails):
    """Where the units in `tails` really begin: the offsets at which their instructions start to run in order, but for
    places that only clean up."""
    runs, found, visited = [], set(), set()
    for start, end, line in code.co_lines():
        if runs and runs[-1][2] == line:
            runs[-1][1] = end
        else:
            runs.append([start, end, line])
    for start, end, line in runs:
        own = unit[line] if line is not None and line < len(unit) else 0
        if own not in tails:
            continue
        used = {op for op in code.co_code[start:end:2] if op}
        if own not in visited or not used <= CLEANUPS:
            found.add(start)
        visited.add(own)
    return found


def global_names(code):
    """Names that this code, or a comprehension in it, looks up at module level."""
    found, extended, raw = set(), 0, code.co_code
    for at in range(0, len(raw), 2):
        op, arg = raw[at], raw[at + 1] | extended
        if op == EXTENDED:
            extended = arg << 8
            continue
        extended = 0
        if op in GLOBALS_SHIFTED:
            found.add(code.co_names[arg >> 1])
        elif op in GLOBALS_PLAIN:
            found.add(code.co_names[arg])
    for inner in code.co_consts:
        if type(inner) is types.CodeType and inner.co_name in COMPREHENSIONS:
            found |= global_names(inner)
    return found


# ---------------------------------------------------------------------------
# The recorder

ATOMIC = frozenset((int, float, str, bool, bytes, complex, NoneType))
MUTABLE = frozenset((list, dict, set, bytearray, deque, defaultdict, OrderedDict))
NOT_DATA = (types.ModuleType, types.FunctionType, types.BuiltinFunctionType, types.MethodType, type,
            types.GenericAlias, types.UnionType)


NOTHING = object()
INSIDE = ('exception', 'yield', 'resume')


def is_atomic(kind):
    # A class with a metaclass is hashed and compared by it.
    return type(kind) is type and kind in ATOMIC


class Stop(BaseException):
    """Ends the program at a limit, where the process must live on."""


class Frame:
    """One recorded frame. It lives in the frame's own `f_trace`, so it goes when the frame goes."""

    __slots__ = ('recorder', 'id', 'code', 'unit', 'seen', 'globals', 'aliases', 'last', 'lasti', 'exception',
                 'held', 'thread', 'depth', 'parent')

    def trace(self, frame, event, arg):
        return self.recorder.local(self, frame, event, arg)


def unchanged(trail):
    """Whether containers still hold the very objects that they held, so that their text is the same. All are exact
    builtin containers of atoms and of each other: no code of the program's runs, none of its objects is kept alive."""
    for container, items, values, size in trail:
        if len(container) != size or not all(map(is_same, container, items)):
            return False
        if values is not None and not all(map(is_same, container.values(), values)):
            return False
    return True


class Rearm:
    """Runs at the moment at which the interpreter drops a frame's trace function because it raised."""

    __slots__ = ('recorder', 'frame', 'held')

    def __init__(self, recorder, frame, held):
        self.recorder, self.frame, self.held = recorder, frame, held

    def __del__(self):
        set_trace(self.recorder.trace)
        if self.held is not None:
            self.frame.f_trace = self.held


class Recorder:
    def __init__(self, request, emit, hard):
        self.write, self.hard = emit, hard
        limits = request['limits']
        self.max_events, self.seconds = limits['events'], limits['timeMs'] / 1000
        self.max_output, self.output_size = limits['outputBytes'], 0
        self.renderer = Renderer(request['values'])
        self.render = self.renderer.text
        self.events = self.raw = 0
        self.frames = 0
        SHAPES.clear()
        self.codes, self.learned = {}, []
        self.sources = {}
        self.held = []
        self.out, self.err = [], []
        self.stopping = None
        self.exit_code = None
        self.process = process_id()
        # Freed when memory is full, so that the end can still be written.
        self.reserve = bytearray(1 << 18)
        self.here, self.threads = threading.local(), 0
        self.lock = threading.RLock()
        self.recursion = 1000
        self.ended, self.ending = False, threading.Lock()
        self.edits, self.probes = {}, {}
        for edit in request.get('edits') or ():
            self.edits.setdefault(edit['at'], []).append(edit)
        for i, probe in enumerate(request.get('probes') or ()):
            self.probes.setdefault(probe['at'], []).append((i, probe))
        self.deadline = monotonic() + self.seconds

    # --- the trace functions

    def trace(self, frame, event, arg):
        """The global trace function: a frame begins, or goes on after a suspension."""
        code = frame.f_code
        if code.co_filename not in self.sources:
            return None
        # By `id`: hashing a code object reads all of it. `learned` keeps it, so that no other one gets its `id`.
        info = self.codes.get(id(code))
        if info is None:
            info = self.learn(code)
        if info is False or event != 'call':
            return None
        with self.lock:
            try:
                if self.stopping:
                    raise Stop(self.stopping)
                held = frame.f_trace
                known = held.__self__ if type(held) is types.MethodType else None
                if type(known) is Frame:
                    if known.recorder is not self:
                        # A generator that an earlier request left behind is being closed: no part of this run.
                        return None
                    self.hold(known, frame, 'resume')
                    return held
                made = self.enter(frame, info)
                if made is None:
                    raise RecursionError('maximum recursion depth exceeded')
                if info.suspends:
                    self.hold(made, frame, 'call')
                else:
                    self.begin(made, frame)
                return made.trace
            except BaseException as error:
                self.failed(frame, error)
                raise

    def local(self, own, frame, event, arg):
        """A recorded frame's own trace function."""
        if self.ended:
            return None
        with self.lock:
            try:
                self.raw += 1
                if not self.raw & 63 and monotonic() > self.deadline:
                    self.stop('time')
                if self.stopping:
                    raise Stop(self.stopping)
                if event == 'line':
                    code, line = own.code, frame.f_lineno
                    units = code.unit
                    unit = units[line] if line < len(units) else 0
                    if (unit == own.unit and own.last != 'call') or unit == 0:
                        return own.trace
                    if unit in code.silent and (own.last != 'call' or unit != code.line):
                        return own.trace
                    if code.is_class and unit == code.line:
                        return own.trace
                    if code.tails and own.last != 'call' and code.phantom(unit, frame.f_lasti):
                        return own.trace
                    self.line(own, frame, unit)
                elif event == 'exception':
                    self.exception(own, frame, arg)
                elif event == 'return':
                    self.leave(own, frame, arg)
                if self.threads > 1:
                    self.refresh(frame)
                return own.trace
            except BaseException as error:
                self.failed(frame, error)
                raise

    def learn(self, code):
        """Whether this code is the program's (rules 1 and 2); what is known of it, or False."""
        name = code.co_filename
        if code.co_name in DROPPED or code.co_name.startswith('<generic parameters'):
            info = False
        else:
            info = Code(code, 1 if name == CALL else 0, self.sources[name], code.co_name == '<module>')
        self.codes[id(code)] = info
        self.learned.append(code)
        return info

    def parent_of(self, frame):
        back = frame.f_back
        while back is not None:
            held = back.f_trace
            if type(held) is types.MethodType and type(held.__self__) is Frame:
                return held.__self__
            back = back.f_back
        return None

    # --- events

    def enter(self, frame, info):
        """A new frame; None at the recursion limit (rule 13)."""
        parent = self.parent_of(frame)
        depth = parent.depth + 1 if parent else 1
        if depth > self.recursion:
            return None
        own = Frame()
        own.recorder, own.code, own.id = self, info, -1
        own.unit, own.last, own.lasti = info.line, 'call', -1
        own.seen, own.globals, own.aliases = {}, {}, ()
        own.exception, own.held, own.depth, own.parent = None, None, depth, parent
        own.thread = self.thread_number()
        return own

    def thread_number(self):
        here = self.here
        number = getattr(here, 'number', None)
        if number is None:
            # Identifiers of threads that ended are used again; this is not.
            number = here.number = self.threads
            self.threads += 1
            if number == 1 and type(self.write) is Output:
                # Each write lets another thread run: no more of them than there need be.
                self.write.block = BLOCK
        return number

    def begin(self, own, frame):
        own.id = self.frames
        self.frames += 1
        info = own.code
        head = ''
        if info.file:
            head = ',"s":1'
        if own.parent is not None:
            self.release()
            head += ',"p":%d' % own.parent.id
        head += ',"fn":' + quote(info.qualname)
        if info.kind:
            head += ',"k":"%s"' % info.kind
        if own.thread:
            head += ',"t":%d' % own.thread
        own.last = 'call'
        self.emit('call', own, frame, info.line, head)

    def line(self, own, frame, unit):
        self.flush(own, frame)
        own.unit = unit
        own.last = 'line'
        self.emit('line', own, frame, unit)

    def hold(self, own, frame, kind):
        """Rule 5: what may be the closing of a generator without a trace is held back."""
        own.held = [kind]
        own.parent = self.parent_of(frame)
        self.held.append((own, frame))

    def flush(self, own, frame):
        """The frame's held events are real: out with them, and with all held before them."""
        if own.held:
            self.release(own)

    def release(self, until=None):
        """Emits held events in order; those of `until` and before, or all."""
        while self.held:
            own, frame = self.held.pop(0)
            held, own.held = own.held, None
            last = own.last
            if held[0] == 'call':
                self.begin(own, frame)
            else:
                head = '' if own.parent is None else ',"p":%d' % own.parent.id
                own.last = last if last == 'exception' else 'line'
                self.emit('resume', own, frame, own.unit, head)
            if len(held) > 1:
                own.exception = held[1]
                own.last = 'exception'
                self.emit('exception', own, frame, own.unit, '', own.exception)
            if own is until:
                return

    def exception(self, own, frame, arg):
        kind, value = arg[0], arg[1]
        at = frame.f_lasti
        if issubclass(kind, (StopIteration, StopAsyncIteration)) and own.code.opcode(at) in STOPS:
            return
        if own.held and len(own.held) == 1 and kind is GeneratorExit:
            own.held.append(self.render(value))
            own.lasti = at
            return
        self.flush(own, frame)
        self.put_back(own, frame)
        own.lasti = at
        own.exception = self.render(value)
        own.last = 'exception'
        self.emit('exception', own, frame, own.unit, '', own.exception)

    def put_back(self, own, frame):
        """Rule 9: a `line` that the interpreter lost."""
        line = frame.f_lineno
        if line is None or own.code.is_class:
            return
        unit = own.code.unit[line] if line < len(own.code.unit) else 0
        if unit in own.code.tails:
            return
        if unit and (unit != own.unit or own.last == 'call') and unit not in own.code.silent:
            if not (own.code.module and own.last == 'call' and unit == own.unit):
                self.line(own, frame, unit)

    def leave(self, own, frame, value):
        at = frame.f_lasti
        op = own.code.opcode(at)
        if own.held and len(own.held) == 2 and value is None and (
            own.lasti == at or not (op in RETURNS or self.suspension(own.code, at, op))
        ):
            # Closed without a trace (rule 5); a `yield from` unwinds at the instruction that ends it from 3.12.
            self.held = [h for h in self.held if h[0] is not own]
            own.held = None
            return
        self.flush(own, frame)
        unwinding = value is None and own.last == 'exception' and own.lasti == at
        if own.code.suspends and not unwinding and self.suspension(own.code, at, op):
            own.last = 'yield'
            wrapped = own.code.asyncgen and type_name(type(value)) == 'async_generator_wrapped_value'
            shown = None if wrapped else self.render(value)
            self.emit('yield', own, frame, own.unit, '', shown)
            return
        if op in RETURNS and not unwinding:
            self.put_back(own, frame)
            own.last = 'return'
            # A class body with `super()` in it returns a cell, which is nobody's business.
            self.emit('return', own, frame, own.unit, '', 'None' if own.code.is_class else self.render(value))
        elif own.last != 'exception':
            own.last = 'exception'
            self.emit('exception', own, frame, own.unit, '', own.exception or 'Exception()')

    @staticmethod
    def suspension(info, at, op):
        if op in SUSPENDS:
            return True
        if YIELD_FROM and op in LOAD_CONST:
            return at + 2 < len(info.bytes) and info.bytes[at + 2] in YIELD_FROM
        return op in YIELD_FROM

    def emit(self, kind, own, frame, line, head='', value=None):
        """Writes one event, with what changed since the frame's last one."""
        if self.held and kind != 'resume' and own.held is None and any(h[0] is not own for h in self.held):
            self.release()
        if self.events >= self.max_events:
            self.stop('events')
        elif monotonic() > self.deadline:
            self.stop('time')
        if self.stopping:
            raise Stop(self.stopping)
        text = '{"e":"%s","f":%d,"l":%d%s%s' % (kind, own.id, line, head, self.changes(own, frame, kind))
        if value is not None:
            text += ',"v":' + quote(value)
        if self.out:
            text += ',"o":' + quote(''.join(self.out))
            self.out.clear()
        if self.err:
            text += ',"err":' + quote(''.join(self.err))
            self.err.clear()
        index = self.events
        self.events += 1
        self.write(text + '}')
        if index in self.edits or index in self.probes:
            self.intervene(index, frame)

    def changes(self, own, frame, kind):
        """`set`, `del`, `g`, `a`. What is known of a name: (its value if that is an atom, text, id, trail)."""
        info, seen, render, renderer = own.code, own.seen, self.render, self.renderer
        if info.module:
            # A name can be of a class of the program's that looks like a string.
            space = {} if info.file else frame.f_globals.copy()
            now = {k: v for k, v in space.items() if type(k) is str and not (k[:2] == '__' and k[-2:] == '__')}
        else:
            now = dict(frame.f_locals)
            for name in info.hidden & now.keys():
                del now[name]
        # In the middle of a comprehension that is part of the function (from 3.12): its target is not the function's.
        keep = info.targets.get(own.unit, ()) if kind in INSIDE else ()
        changed, fresh, rebound = {}, [], False
        for name, value in now.items():
            before = seen.get(name)
            if before is not None:
                if before[0] is value or before[2] == id(value) and before[3] and unchanged(before[3]):
                    continue
            if name in keep:
                continue
            text = render(value)
            kind = type(value)
            # A class with a metaclass is hashed and compared by it.
            known = (value if type(kind) is type and kind in ATOMIC else NOTHING, text, id(value), renderer.trail)
            if before is None:
                fresh.append(name)
                rebound = True
            else:
                rebound = rebound or before[2] != id(value)
                if before[1] == text:
                    seen[name] = known
                    continue
            changed[name] = known
        gone = [name for name in seen if name not in now and name not in keep]
        result = ''
        if changed:
            if len(fresh) > 1:
                order = {n: i for i, n in enumerate(info.arguments)}
                late = len(order)
                fresh.sort(key=lambda n: (order.get(n, late), n))
            names = [n for n in seen if n in changed] + fresh
            for name in names:
                seen[name] = changed[name]
            result = ',"set":{%s}' % ','.join('%s:%s' % (quote(n), quote(changed[n][1])) for n in names)
        if gone:
            for name in gone:
                del seen[name]
            rebound = True
            result += ',"del":[%s]' % ','.join(map(quote, gone))
        if info.globals:
            result += self.global_changes(own, frame)
        if rebound:
            result += self.alias_changes(own, now)
        return result

    def global_changes(self, own, frame):
        """`g`: module-level data that this code names."""
        space, seen, changed = frame.f_globals, own.globals, []
        for name in own.code.globals:
            if name not in space or name[:2] == '__':
                continue
            value = space[name]
            kind = type(value)
            before = seen.get(name)
            atomic = is_atomic(kind)
            if before is not None and (
                before[0] is value or before[2] == id(value) and before[3] and unchanged(before[3])
            ):
                continue
            if not atomic and (issubclass(kind, NOT_DATA) or module_of(kind) == 'typing'):
                continue
            text = self.render(value)
            if before is None or before[1] != text:
                changed.append('%s:%s' % (quote(name), quote(text)))
            seen[name] = (value if atomic else NOTHING, text, id(value), self.renderer.trail)
        return ',"g":{%s}' % ','.join(changed) if changed else ''

    def alias_changes(self, own, now):
        """`a`: names bound to one and the same mutable object."""
        by_id = {}
        for name in own.seen:
            if name not in now:
                continue
            value = now[name]
            kind = type(value)
            if type(kind) is type and kind in MUTABLE or module_of(kind) == '__main__' and not issubclass(kind, type):
                by_id.setdefault(id(value), []).append(name)
        groups = tuple(sorted(tuple(sorted(g)) for g in by_id.values() if len(g) > 1))
        if groups == own.aliases:
            return ''
        own.aliases = groups
        return ',"a":[%s]' % ','.join('[%s]' % ','.join(map(quote, g)) for g in groups)

    # --- edits and probes

    def intervene(self, index, frame):
        for edit in self.edits.get(index, ()):
            target = self.frame_up(frame, edit.get('up') or 0)
            if target is None:
                continue
            try:
                value = self.evaluate(edit['value'], target)
            except BaseException as error:
                if type(error) is Stop:
                    raise
                # What went wrong shows in a probe of the same expression.
                continue
            self.assign(target, edit['name'], value)
        for i, probe in self.probes.get(index, ()):
            target = self.frame_up(frame, probe.get('up') or 0)
            results = [self.probe(e, target) for e in probe['expressions']] if target is not None else []
            self.write('{"e":"probe","i":%d,"results":[%s]}' % (i, ','.join(results)))
        self.refresh(frame)

    @staticmethod
    def refresh(frame):
        """Up to 3.12 the interpreter writes its copy of the locals back after us, shared cells included: it must not
        undo what happened meanwhile."""
        if not PY313:
            frame.f_locals

    def frame_up(self, frame, up):
        while frame is not None and up > 0:
            frame = frame.f_back
            held = frame.f_trace if frame is not None else None
            if type(held) is types.MethodType and type(held.__self__) is Frame:
                up -= 1
        return frame

    def evaluate(self, expression, frame):
        """In the frame, closures and comprehensions included; tracing is off meanwhile."""
        code = compile(expression.strip(), '<expression>', 'eval', dont_inherit=True)
        space = frame.f_globals
        if frame.f_code.co_name != '<module>':
            space = {**space, **frame.f_locals}
        return eval(code, space)

    def probe(self, expression, frame):
        try:
            value = self.evaluate(expression, frame)
        except BaseException as error:
            if type(error) is Stop:
                raise
            return '{"error":%s}' % quote(message(error))
        text = Renderer({'items': 10_000, 'chars': 100_000, 'depth': 30, 'leaves': 100_000}).text(value)
        return '{"value":%s,"type":%s}' % (quote(text), quote(type_name(type(value))))

    @staticmethod
    def assign(frame, name, value):
        """The name stays local, nonlocal or global as it was."""
        code = frame.f_code
        if not code.co_flags & OPTIMIZED:
            (frame.f_globals if code.co_name == '<module>' else frame.f_locals)[name] = value
        elif name in code.co_varnames or name in code.co_cellvars or name in code.co_freevars:
            frame.f_locals[name] = value
            if not PY313:
                # `f_locals` is a copy; this writes it back.
                import ctypes

                ctypes.pythonapi.PyFrame_LocalsToFast(ctypes.py_object(frame), ctypes.c_int(0))
        else:
            frame.f_globals[name] = value

    # --- limits

    def failed(self, frame, error):
        """An exception leaves the trace function, which switches tracing off and clears the frame's `f_trace`: what
        is freed then switches it on again (rule 13)."""
        if type(error) is MemoryError and not self.stopping:
            self.stop('memory')
        frame.f_trace = Rearm(self, frame, frame.f_trace)

    def stop(self, reason):
        """Ends the run: at once if the process is its own, else by an exception that leaves the program."""
        # Whoever holds the lock for so long is inside one long expression of a probe.
        locked = self.lock.acquire(True, 0.5)
        try:
            self.stopping = self.stopping or reason
            self.reserve = None
            if self.hard:
                self.finish({'status': 'cut', 'reason': self.stopping})
                leave_process(0)
        finally:
            if locked:
                self.lock.release()

    def watch(self):
        """In its own thread: what makes no events (`while True: pass`, a sleep) has a time limit too."""
        while not self.ended:
            left = self.deadline - monotonic()
            if left <= 0:
                self.stop('time')
            sleep(min(max(left, 0.001), 3600))

    def leave_now(self, code=0):
        """The program's `os._exit`."""
        code = int(code)
        if process_id() != self.process:
            # A child that the program forked.
            leave_process(code)
        if self.hard:
            self.finish({'status': 'exit', 'code': code & 255})
            leave_process(0)
        self.stopping, self.exit_code = 'killed', code & 255
        raise Stop('killed')

    def finish(self, end):
        if not self.ending.acquire(False):
            if self.hard:
                # Another thread is writing the end and then ends the process.
                sleep(2)
            return
        self.ended = True
        if self.exit_code is not None:
            end = {'status': 'exit', 'code': self.exit_code}
        record = {'e': 'end', **end, 'events': self.events}
        if self.out:
            record['o'] = ''.join(self.out)
        if self.err:
            record['err'] = ''.join(self.err)
        self.write(to_json(record, separators=(',', ':')))
        self.write(None)
        # What still runs (daemon threads) stops at its next event.
        self.stopping = self.stopping or 'killed'

    def took(self, kept, data):
        """Output of the program; returns how much of it was taken."""
        room = self.max_output - self.output_size
        self.output_size += len(data)
        kept.append(bytes(data[:room] if len(data) > room else data).decode('utf-8', 'replace'))
        if len(data) > room:
            if not self.stopping:
                self.stop('output')
            raise Stop('output')
        return len(data)


def message(error):
    """`NameError: name 'x' is not defined`, by the exception's own arguments."""
    args = BaseException.args.__get__(error)
    name = type_name(type(error))
    if not args:
        return name
    shown = args[0] if len(args) == 1 and type(args[0]) is str and type(error) is not KeyError else None
    if issubclass(type(error), SyntaxError):
        shown = args[0] if type(args[0]) is str else shown
    if shown is None:
        shown = Renderer(DEFAULT_VALUES).text(args[0] if len(args) == 1 else args)
    return '%s: %s' % (name, shown)


# ---------------------------------------------------------------------------
# One run


class Sink(io.RawIOBase):
    """Where the program's stdout or stderr goes."""

    def __init__(self, recorder, kept):
        self.recorder, self.kept = recorder, kept

    def writable(self):
        return True

    def write(self, data):
        return self.recorder.took(self.kept, data)


def stream(recorder, kept):
    return io.TextIOWrapper(Sink(recorder, kept), 'utf-8', 'backslashreplace', newline='\n', write_through=True)


DEFAULT_LIMITS = {'events': 100_000, 'timeMs': 10_000, 'memoryMb': 512, 'outputBytes': 1_000_000}
DEFAULT_VALUES = {'items': 100, 'chars': 300, 'depth': 8, 'leaves': 400}
SOURCES = {}


def source_of(text, name):
    """Programs are often run again with another call: their syntax is read once."""
    key = (text, name)
    if key not in SOURCES:
        if len(SOURCES) > 64:
            SOURCES.clear()
        SOURCES[key] = Source(text, name)
    return SOURCES[key]


def run(request, emit, hard=False):
    """Runs one request; `emit` takes each record's text, and None when it must flush. `hard`: the process is this
    run's own and ends with it at a limit."""
    request = {**request, 'limits': {**DEFAULT_LIMITS, **(request.get('limits') or {})},
               'values': {**DEFAULT_VALUES, **(request.get('values') or {})}}
    text, call = request['file']['text'], request.get('call')
    recorder = Recorder(request, emit, hard)
    files = [{'name': MAIN, 'text': text}] + ([{'name': CALL, 'text': call}] if call is not None else [])
    header = {
        'e': 'header', 'version': VERSION, 'python': '.'.join(map(str, sys.version_info[:3])),
        'implementation': 'pyodide' if sys.platform == 'emscripten' else 'cpython',
        'hashSeed': os.environ.get('PYTHONHASHSEED', 'random'),
        'limits': request['limits'], 'values': request['values'], 'files': files,
    }
    if request.get('id') is not None:
        header['id'] = request['id']
    if call is not None:
        header['call'] = call
    emit(to_json(header, separators=(',', ':')))
    # Whoever reads starts its clock here.
    emit(None)
    kept = keep()
    end = {}
    try:
        end = execute(recorder, request, text, call, lambda: rebuild(kept))
    finally:
        restore(kept)
    recorder.finish(end)


def execute(recorder, request, text, call, built):
    module = types.ModuleType('__main__')
    module.__dict__['__builtins__'] = builtins
    module.__dict__['__file__'] = MAIN
    sys.modules['__main__'] = module
    sys.argv = [MAIN, *(request.get('argv') or ())]
    sys.stdout, sys.stderr = stream(recorder, recorder.out), stream(recorder, recorder.err)
    sys.stdin = io.TextIOWrapper(io.BytesIO((request.get('stdin') or '').encode('utf-8', 'surrogatepass')), 'utf-8')
    sys.__stdin__, sys.__stdout__, sys.__stderr__ = sys.stdin, sys.stdout, sys.stderr
    random.seed(0)
    warnings.simplefilter('ignore')
    # Short threads run through, as they mostly do untraced.
    sys.setswitchinterval(0.05)
    os._exit = recorder.leave_now
    linecache.cache[MAIN] = (len(text), None, text.splitlines(True), MAIN)
    record = request.get('record', True)
    try:
        recorder.sources[MAIN] = source_of(text, MAIN)
        main = compile(text, MAIN, 'exec', dont_inherit=True)
        entry = None
        if call is not None:
            recorder.sources[CALL] = source_of(call, CALL)
            entry = compile(call.strip(), CALL, 'eval', dont_inherit=True)
        if recorder.hard:
            try:
                _thread.start_new_thread(recorder.watch, ())
            except RuntimeError:
                # No threads here; whoever started this process has a clock of its own.
                pass
        if record:
            program_limit(recorder)
            program_trace(recorder)
            threading.settrace(recorder.trace)
            set_trace(recorder.trace)
        threads = threading.enumerate()
        value = None
        try:
            exec(main, module.__dict__)
            if entry is not None:
                value = eval(entry, module.__dict__)
        finally:
            lost = record and get_trace() != recorder.trace
            set_trace(None)
            set_profile(None)
            built()
            if not recorder.stopping:
                join_threads(recorder, threads)
            threading.settrace(None)
        if recorder.stopping:
            return {'status': 'cut', 'reason': recorder.stopping}
        if lost:
            # Only the tracer's own recursion error can do it: the program's `sys.settrace` is not the real one.
            return {'status': 'cut', 'reason': 'recursion'}
        if entry is None:
            return {'status': 'normal'}
        return {'status': 'normal', 'value': recorder.render(value)}
    except Stop as stop:
        return {'status': 'cut', 'reason': recorder.stopping or str(stop)}
    except SystemExit as leave:
        if recorder.stopping:
            return {'status': 'cut', 'reason': recorder.stopping}
        code = SystemExit.code.__get__(leave)
        if code is None or type(code) is int or type(code) is bool:
            return {'status': 'exit', 'code': int(code or 0) & 255}
        recorder.err.append((code if type(code) is str else recorder.render(code)) + '\n')
        return {'status': 'exit', 'code': 1}
    except BaseException as error:
        if recorder.stopping:
            return {'status': 'cut', 'reason': recorder.stopping}
        if issubclass(type(error), MemoryError):
            return {'status': 'cut', 'reason': 'memory', 'exception': 'MemoryError()'}
        return {'status': 'error', 'exception': recorder.render(error)}
    finally:
        set_limit(1000)


def join_threads(recorder, before):
    """As the interpreter does at its end: the threads that the program started and that are no daemons."""
    try:
        started = [t for t in threading.enumerate() if t not in before and not t.daemon]
    except Exception:
        # The program broke the module.
        return
    for thread in started:
        while thread.is_alive():
            join_thread(thread, 0.05)
            if monotonic() > recorder.deadline and not recorder.stopping:
                recorder.stop('time')
            if recorder.stopping:
                return


def program_limit(recorder):
    """Rule 13: the program sees its own recursion limit; the real one leaves room for the tracer."""

    def getrecursionlimit():
        return recorder.recursion

    def setrecursionlimit(limit):
        if type(limit) is not int:
            raise TypeError("'%s' object cannot be interpreted as an integer" % type_name(type(limit)))
        if limit < 1:
            raise ValueError('recursion limit must be greater or equal than 1')
        set_limit(min(limit, 100_000_000) + 200)
        recorder.recursion = limit

    sys.getrecursionlimit, sys.setrecursionlimit = getrecursionlimit, setrecursionlimit
    set_limit(1200)


def program_trace(recorder):
    """Rule 14: the program finds itself untraced, may leave it at that, and ends the trace if it begins its own."""

    def settrace(function):
        if function == recorder.trace:
            # `threading` begins a thread so.
            set_trace(function)
        elif function is not None:
            if not recorder.stopping:
                recorder.stop('settrace')
            raise Stop('settrace')

    sys.settrace, sys.gettrace = settrace, lambda: None


SYS_NAMES = (
    'argv stdin stdout stderr __stdin__ __stdout__ __stderr__ getrecursionlimit setrecursionlimit settrace setprofile '
    'gettrace path modules excepthook displayhook exit'
).split()


def keep():
    """What a program may replace and the next one must find as it was."""
    return (
        {name: getattr(sys, name) for name in SYS_NAMES},
        dict(vars(builtins)),
        dict(sys.modules),
        list(sys.path),
        os.getcwd(),
        list(warnings.filters),
    )


def rebuild(kept):
    vars(builtins).clear()
    vars(builtins).update(kept[1])


def restore(kept):
    names, _, modules, path, folder, filters = kept
    for name, value in names.items():
        setattr(sys, name, value)
    os._exit = leave_process
    rebuild(kept)
    sys.setswitchinterval(0.005)
    sys.path[:] = path
    warnings.filters[:] = filters
    # Modules of the library stay imported: loading them again would cost more than all else.
    sys.modules['__main__'] = modules['__main__']
    try:
        os.chdir(folder)
    except OSError:
        pass


BLOCK = 65_536


class Output:
    """Protocol lines, written in blocks: the rest is written when a block is full, old, or the run ends.
    `at_once`: each line by itself, so that a process killed inside one long operation has lost none."""

    def __init__(self, descriptor, at_once=False):
        self.descriptor, self.lines, self.size, self.at = descriptor, [], 0, monotonic()
        self.block = 0 if at_once else BLOCK
        self.clock, self.os_write, self.process = monotonic, os.write, process_id()

    def __call__(self, line):
        if line is not None:
            self.lines.append(line)
            self.size += len(line)
            if self.size < self.block and self.clock() - self.at < 0.05:
                return
        if not self.lines:
            return
        data = ('\n'.join(self.lines) + '\n').encode('ascii', 'backslashreplace')
        self.lines.clear()
        self.size, self.at = 0, self.clock()
        # A forked child of the program has nothing to say here.
        while data and self.process == process_id():
            data = data[self.os_write(self.descriptor, data) :]


def main():
    once = '--once' in sys.argv
    # What the program reads and writes at descriptors 0 and 1 must not reach the protocol.
    requests, protocol = os.fdopen(os.dup(0), 'rb'), os.dup(1)
    nowhere = os.open(os.devnull, os.O_RDWR)
    os.dup2(nowhere, 0)
    os.dup2(nowhere, 1)
    # Our own folder is no place for the program to import from.
    del sys.path[0]
    output = Output(protocol, at_once=once)
    while True:
        line = requests.readline()
        if not line:
            return
        request = json.loads(line)
        run(request, output, hard=once)
        output(None)
        if once:
            leave_process(0)


if __name__ == '__main__':
    main()
