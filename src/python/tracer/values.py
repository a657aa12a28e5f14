"""Values (docs/trace.md, "Values"): what each object looks like in a trace. A part of tracer.py: names that are not defined here come from it and from the parts before."""

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


# Beyond so many elements only what is shown of an object is looked at. A set has no order of its own: what is shown of a
# larger one is how many there are, as sorting it would cost more than all else.
LARGE = 1000
ATTRIBUTES = 1000


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


# Numbers below it are shown as they are, without a look at their size.
HUGE = 1 << 62


class Renderer:
    """One value's text. It costs what is shown, not what there is; sets are sorted whole up to `LARGE`."""

    __slots__ = ('items', 'chars', 'depth', 'leaves', 'budget', 'parts', 'seen', 'shared', 'trail', 'large', 'most',
                 'objects')

    def __init__(self, limits):
        self.items, self.chars = limits['items'], limits['chars']
        self.depth, self.leaves = limits['depth'], limits['leaves']
        # Whoever asks for more sees more.
        self.large = max(LARGE, self.items)
        # So many attributes are shown whole; objects whose text was made of theirs (`object_text`).
        self.most = min(self.items, self.leaves - 2) if self.depth > 0 else -1
        self.objects = {}

    def text(self, value):
        """Afterwards `trail` holds what the text was made of, for `unchanged`; None if it cannot say."""
        kind = type(value)
        self.trail = None
        # Most values are one of these; they need no bookkeeping.
        if kind is int:
            # Long ones would take their time to be written out.
            return repr(value) if -HUGE < value < HUGE else self.integer(value)
        if value is None or kind is bool or kind is float:
            return repr(value)
        if kind is str:
            size = len(value)
            return repr(value) if size <= self.chars else self.cut(value, size)
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
            self.parts.append(repr(value) if -HUGE < value < HUGE else self.integer(value))
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
                shown = self.numbers(value, depth)
                if shown is not None:
                    self.parts.append(repr(shown))
                else:
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
        elif (kind is set or kind is frozenset) and len(value) > self.large:
            if self.trail is not None:
                self.trail.append((value, (), None, len(value)))
            self.parts.append('<%s %d elements>' % (type_name(kind), len(value)))
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

    def numbers(self, value, depth):
        """A copy of a list of nothing but short numbers and all of them shown, whose `repr` is its text; else None."""
        if not 4 < len(value) <= self.items or len(value) >= self.budget or depth > self.depth:
            return None
        shown = value[:]
        if shown and all(map(is_same, map(type, shown), repeat(int))) and -HUGE < min(shown) and max(shown) < HUGE:
            self.budget -= len(shown)
            return shown
        return None

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
        if size > self.large:
            # Neither every key is asked for its type, nor is a class body so large.
            pass
        elif issubclass(type(value), OrderedDict) and all(is_plain(k) for k in dict.__iter__(value)):
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
        if size > self.large:
            # Of a subclass.
            self.parts.append('<%s %d elements>' % (type_name(base), size))
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
        if all(map(is_same, map(type, each(value)), repeat(tuple))) and max(map(len, each(value))) <= 1000:
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
            self.call(name, (), shape.shown(value), depth, shape.more(value))
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

    def call(self, name, args, fields, depth, more=0):
        """`Name(args, field=value)`; `more`: fields that are not among those given."""
        if (args or fields) and (depth > self.depth or self.budget <= 0):
            self.parts.append('...')
            return
        self.parts.append(name + '(')
        if args:
            self.elements(args, len(args), depth)
        self.fields(fields.items(), len(fields) + more, depth, bool(args))
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


class FullRenderer(Renderer):
    """A value's text as far as `size` bytes go: items, characters and depth have no other limit but the stack's."""

    __slots__ = ()

    def __init__(self, size):
        Renderer.__init__(self, {'items': size, 'chars': size, 'depth': 100, 'leaves': size})
        self.large = sys.maxsize

    def text(self, value):
        self.budget = self.chars = self.leaves
        # The short ways out of `Renderer.text` keep no account.
        text = Renderer.text(self, (value,))
        return text[1:-2]

    def put(self, value, depth):
        self.chars = max(self.budget, 0)
        Renderer.put(self, value, depth)
        last = self.parts[-1]
        # And two for the comma.
        self.budget -= 1 + (len(last) if last.isascii() else len(last.encode('utf-8', 'surrogatepass')))
