"""Shapes: what objects of a class are shown as, worked out once a class, without running any of its code. A part of tracer.py: names that are not defined here come from it and from the parts before."""

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
            items = stored.items() if len(stored) <= ATTRIBUTES else islice(stored.items(), ATTRIBUTES)
            found = {k: v for k, v in items if type(k) is str}
        for name, get in self.slots:
            if name not in found:
                try:
                    found[name] = get(value)
                except AttributeError:
                    pass
        return found

    def more(self, value):
        """How many attributes `fields` leaves out."""
        stored = self.getter(value) if self.getter is not None else None
        return max(0, len(stored) - ATTRIBUTES) if type(stored) is dict else 0

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
        return len(key) <= 1000 and all(map(is_plain, key))
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
