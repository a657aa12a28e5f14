"""Code objects: what the recorder asks of a function's bytecode, worked out once for each. A part of tracer.py: names that are not defined here come from it and from the parts before."""

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
AWAITS, GET_ANEXT = ops('SEND', 'YIELD_FROM'), ops('GET_ANEXT')
RETURNS = ops('RETURN_VALUE', 'RETURN_CONST')
SUSPENDS = ops('YIELD_VALUE', 'RESUME')
YIELD_FROM = ops('YIELD_FROM')
LOAD_CONST = ops('LOAD_CONST')
GLOBALS_SHIFTED = ops('LOAD_GLOBAL') if PY311 else frozenset()
CLEANUPS = ops('NOP', 'JUMP_FORWARD', 'JUMP_ABSOLUTE', 'JUMP_BACKWARD', 'POP_TOP', 'POP_BLOCK', 'LOAD_CONST',
               'RETURN_VALUE')
GLOBALS_PLAIN = ops('STORE_GLOBAL', 'DELETE_GLOBAL') | (frozenset() if PY311 else ops('LOAD_GLOBAL'))
EXTENDED = opcode.EXTENDED_ARG
BINDS = ops('STORE_FAST', 'DELETE_FAST', 'STORE_FAST_MAYBE_NULL', 'LOAD_FAST_AND_CLEAR')
# Two names in one argument.
BINDS_TWO = ops('STORE_FAST_LOAD_FAST', 'STORE_FAST_STORE_FAST')
BINDS_OTHERWISE = frozenset(
    number for name, number in opcode.opmap.items()
    if 'FAST' in name and not name.startswith('LOAD_FAST') and number not in BINDS | BINDS_TWO
)
QUIET = ops(
    *'NOP CACHE RESUME EXTENDED_ARG LOAD_CONST LOAD_SMALL_INT LOAD_FAST LOAD_FAST_CHECK LOAD_FAST_LOAD_FAST LOAD_FAST_BORROW '
    'LOAD_FAST_BORROW_LOAD_FAST_BORROW COMPARE_OP CONTAINS_OP IS_OP BINARY_OP BINARY_SUBSCR UNARY_NOT UNARY_NEGATIVE '
    'UNARY_INVERT UNARY_POSITIVE TO_BOOL COPY SWAP POP_TOP DUP_TOP DUP_TOP_TWO ROT_TWO ROT_THREE NOT_TAKEN RETURN_VALUE '
    'RETURN_CONST'.split(),
    *(name for name in opcode.opmap if 'JUMP' in name or name.startswith('BINARY_') and name != 'BINARY_SLICE'),
)


class Prefixes(dict):
    """A name as a key of JSON."""

    def __missing__(self, name):
        self[name] = text = quote(name) + ':'
        return text


class Code:
    """What is known of one code object, worked out once."""

    __slots__ = ('file', 'unit', 'silent', 'qualname', 'line', 'kind', 'suspends', 'arguments', 'hidden', 'targets',
                 'bytes', 'globals', 'module', 'plain', 'order', 'risky', 'head', 'head_file', 'prefixes', 'returns',
                 'bindings', 'written', 'fast', 'generator', 'is_call', 'is_class', 'asyncgen', 'code', 'tails', 'starts')

    def __init__(self, code, file, source, module):
        self.code = code
        self.file, self.unit, self.silent = file, source.unit, source.silent
        self.module, self.is_call = module, source.name == CALL
        flags = code.co_flags
        self.suspends = bool(flags & (GENERATOR | COROUTINE | ASYNC_GENERATOR))
        self.asyncgen = bool(flags & ASYNC_GENERATOR)
        self.is_class = not module and not flags & OPTIMIZED
        name = code.co_name
        full = code.co_qualname if PY311 else source.qualname(code)
        self.qualname = CALL if self.is_call and module else plain_qualname(full)
        first = code.co_firstlineno
        self.line = 1 if module else (source.unit[first] if first < len(source.unit) else 0) or first
        self.kind = (
            'module' if module and not self.is_call
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
        # A free variable of the same name is not the target. What a tool adds to a function (pytest, to an `assert`)
        # has names that no program can write.
        added = (n for n in code.co_varnames if n[:1] == '@')
        self.hidden = HIDDEN.union(only.difference(order, code.co_freevars), added)
        self.bytes = code.co_code
        self.globals = () if module or self.is_class else tuple(sorted(n for n in global_names(code) if n[:1] != '@'))
        self.tails = source.tails
        self.starts = line_starts(code, self.unit, self.tails) if self.tails else ()
        # For the short way (`frame.py`): lines whose unit can be taken as it is; hidden names that may be there.
        self.plain = () if self.is_class else source.plain
        self.generator = self.kind == 'generator'
        self.returns = not self.is_class and (self.generator or not self.suspends)
        self.order = {n: i for i, n in enumerate(order)}
        self.risky = tuple(self.hidden.intersection((*names, *code.co_cellvars, *code.co_freevars)))
        self.head_file = ',"s":%d' % file if file else ''
        self.head = ',"fn":' + quote(self.qualname) + (',"k":"%s"' % self.kind if self.kind else '')
        self.prefixes, self.written = Prefixes(), source.written
        self.fast = frozenset((*names, *code.co_cellvars, *code.co_freevars))
        self.bindings = bindings(self) if not module and not self.is_class else ()

    def names(self, unit):
        """What `bindings` says of a unit, as a sequence."""
        names = self.bindings[unit]
        return (names,) if type(names) is str else names or ()

    def unit_at(self, frame, own):
        """The unit of a `line` event; 0 if it is none."""
        line = frame.f_lineno
        unit = self.unit[line] if line < len(self.unit) else 0
        if unit in self.silent and (own.last != 'call' or unit != self.line):
            return 0
        if self.is_class and unit == self.line:
            return 0
        if self.tails and own.last != 'call' and self.phantom(unit, frame.f_lasti):
            return 0
        return unit

    def phantom(self, unit, at):
        """Up to 3.11 an `if` that is false at the end of a `case` reports the last line of its body."""
        return unit in self.tails and at not in self.starts

    def uses_up(self, at):
        """Whether the instruction is of an `async for`, for which `StopAsyncIteration` is the end: any other `await` lets
        it through."""
        code = self.bytes
        if at < 0 or self.opcode(at) not in AWAITS:
            return True
        found = 0
        while at > 0:
            at -= 2
            # Back over the inline caches, this instruction and the constant that is sent first.
            if code[at] or not PY311:
                found += 1
                if code[at] in GET_ANEXT:
                    return True
                if found > 2:
                    return False
        return False

    def opcode(self, at):
        """The instruction at `f_lasti`, stepped back over inline caches."""
        code = self.bytes
        if at < 0 or at >= len(code):
            return -1
        if PY311:
            while at > 0 and code[at] == 0:
                at -= 2
        return code[at]


def bindings(info):
    """By unit, the names that its instructions may bind or delete in a function's frame. Those that others bind too (cells), or
    instructions without a unit, are in all. One name is a string, several are a tuple; `None` for a unit whose instructions only
    work something out, which runs no code of the program's where all its locals are atoms. An empty list where it cannot be told."""
    code, found, loud, everywhere = info.code, {}, set(), {*info.code.co_cellvars, *info.code.co_freevars}
    names, raw, extended = code.co_varnames, code.co_code, 0
    for start, end, line in code.co_lines():
        unit = info.plain[line] if line is not None and line < len(info.plain) else 0
        bound = found.setdefault(unit, set())
        for at in range(start, end, 2):
            op, arg = raw[at], raw[at + 1] | extended
            extended = arg << 8 if op == EXTENDED else 0
            if op in QUIET:
                continue
            loud.add(unit)
            if op in BINDS:
                bound.update(names[arg : arg + 1])
            elif op in BINDS_TWO:
                bound.update((*names[arg >> 4 : (arg >> 4) + 1], *names[arg & 15 : (arg & 15) + 1]))
            elif op in BINDS_OTHERWISE:
                return []
    everywhere |= found.pop(0, set())
    table = [tuple(everywhere)] * len(info.unit)
    for unit, bound in found.items():
        names = tuple(bound | everywhere)
        table[unit] = None if not names and unit not in loud else names[0] if len(names) == 1 else names
    return table


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
