"""Operations: the values of a line's sub-expressions in the order in which they are worked out, recorded by rewriting
the syntax tree. For training data: the program runs as it would, but is not guarded against one that looks at its own code.
A part of tracer.py: names that are not defined here come from it and from the parts before.

Each loaded name and each operation becomes `.w(label, expression)`; labels are `name=` of a name, and before a colon the operator,
the method or function called, the attribute, `[]` for a subscript, an opening bracket for a display, `for` for a comprehension,
`f` for an f-string, `iter` for what a `for` statement loops over: its items, as far as they can be told without taking one.
Left out: constants, what is called, and a statement's own value where the next state shows it (that of an
assignment to names, of a `return`).
"""

WORK, PAIR, OVER = '.w', '.p', '.i'
OPERATORS = {
    ast.Add: '+', ast.Sub: '-', ast.Mult: '*', ast.Div: '/', ast.FloorDiv: '//', ast.Mod: '%', ast.Pow: '**',
    ast.MatMult: '@', ast.LShift: '<<', ast.RShift: '>>', ast.BitOr: '|', ast.BitXor: '^', ast.BitAnd: '&',
    ast.Not: 'not', ast.USub: '-', ast.UAdd: '+', ast.Invert: '~', ast.And: 'and', ast.Or: 'or',
    ast.Eq: '==', ast.NotEq: '!=', ast.Lt: '<', ast.LtE: '<=', ast.Gt: '>', ast.GtE: '>=', ast.Is: 'is',
    ast.IsNot: 'is not', ast.In: 'in', ast.NotIn: 'not in',
}
DISPLAYS = {ast.List: '[', ast.Tuple: '(', ast.Set: '{', ast.Dict: '{'}
COMPREHENDED = (ast.ListComp, ast.SetComp, ast.DictComp)
# Their value is that of a part, or they are no operation.
PASSED = (ast.Constant, ast.Starred, ast.Slice, ast.NamedExpr, ast.IfExp, ast.Lambda, ast.GeneratorExp, ast.Await,
          ast.Yield, ast.YieldFrom, ast.FormattedValue)
# Operations kept of one step, and characters of one value: a step with more is too long to be written out.
WORK_ITEMS, WORK_CHARS = 96, 160
# What a loop goes over is told up to so many items.
OVER_ITEMS = 40
ITERATED = frozenset((list, tuple, dict, set, frozenset, bytes, type({}.keys()), type({}.values()), type({}.items())))
REDUCED = frozenset((enumerate, zip, reversed, *(type(iter(empty)) for empty in ([], (), '', range(0))), type(reversed([]))))


def operation(node):
    """The label of a node's value; None: it is no operation."""
    kind = type(node)
    if kind is ast.Name:
        return node.id
    if kind is ast.BinOp or kind is ast.UnaryOp or kind is ast.BoolOp:
        if kind is ast.UnaryOp and type(node.operand) is ast.Constant:
            return None
        return OPERATORS[type(node.op)]
    if kind is ast.Compare:
        return OPERATORS[type(node.ops[0])]
    if kind is ast.Call:
        called = node.func
        return called.attr if type(called) is ast.Attribute else called.id if type(called) is ast.Name else '()'
    if kind is ast.Attribute:
        return node.attr
    if kind is ast.Subscript:
        return '[]'
    if kind in DISPLAYS:
        parts = (*node.keys, *node.values) if kind is ast.Dict else node.elts
        return DISPLAYS[kind] if any(type(part) is not ast.Constant for part in parts) else None
    if kind in COMPREHENDED:
        return 'for'
    return 'f' if kind is ast.JoinedStr else None


def labelled(node):
    label = operation(node)
    return label and label + ('=' if type(node) is ast.Name else ':')


def only_names(target):
    parts = target.elts if type(target) in (ast.Tuple, ast.List) else [target]
    return all(type(part) in (ast.Name, ast.Starred) for part in parts)


class Instrument(ast.NodeTransformer):
    """Rewrites statements; `inside`: within a comprehension, whose operations are many and alike."""

    def __init__(self):
        self.inside = 0

    def call(self, name, node, *arguments):
        made = ast.Call(ast.Name(name, ast.Load()), list(arguments), [])
        return ast.fix_missing_locations(ast.copy_location(made, node))

    def noted(self, node, label):
        label = ast.Constant(label + ' ' if self.inside else label)
        return self.call(WORK, node, label, node)

    def visit(self, node):
        label = labelled(node) if isinstance(node, ast.expr) and not isinstance(node, PASSED) else None
        stored = not isinstance(getattr(node, 'ctx', None), (ast.Load, type(None)))
        made = self.comprehension(node) if isinstance(node, (*COMPREHENDED, ast.GeneratorExp)) else super().visit(node)
        return made if label is None or stored else self.noted(made, label)

    def comprehension(self, node):
        # What is looped over first is worked out outside, once.
        first = node.generators[0]
        over, first.iter = self.visit(first.iter), ast.copy_location(ast.Constant(None), first.iter)
        self.inside += 1
        self.generic_visit(node)
        self.inside -= 1
        first.iter = over
        return node

    def bare(self, node):
        """The parts of an expression, but not its own value."""
        if node is None:
            return None
        made = self.visit(node)
        called = type(made) is ast.Call and type(made.func) is ast.Name and made.func.id == WORK
        return made.args[1] if called and made is not node else made

    def visit_Call(self, node):
        # Not the function or method itself; `super()` needs its name.
        if type(node.func) is ast.Attribute:
            node.func.value = self.visit(node.func.value)
        elif type(node.func) is not ast.Name:
            node.func = self.visit(node.func)
        node.args = [self.visit(part) for part in node.args]
        node.keywords = [self.visit(part) for part in node.keywords]
        return node

    def visit_JoinedStr(self, node):
        for part in node.values:
            if type(part) is ast.FormattedValue:
                part.value = self.visit(part.value)
                if part.format_spec is not None:
                    self.visit_JoinedStr(part.format_spec)
        return node

    def visit_Dict(self, node):
        node.keys = [key and self.visit(key) for key in node.keys]
        node.values = [self.visit(value) for value in node.values]
        return node

    def visit_Expr(self, node):
        node.value = self.bare(node.value)
        return node

    visit_Return = visit_Expr

    def visit_Assign(self, node):
        node.value = (self.bare if all(map(only_names, node.targets)) else self.visit)(node.value)
        node.targets = [self.visit(target) for target in node.targets]
        return node

    def visit_AnnAssign(self, node):
        if node.value is not None:
            node.value = (self.bare if only_names(node.target) else self.visit)(node.value)
        node.target = self.visit(node.target)
        return node

    def visit_AugAssign(self, node):
        target = node.target
        value = self.visit(node.value)
        if type(target) is ast.Name:
            # The old value is loaded first.
            old = ast.copy_location(ast.Name(target.id, ast.Load()), target)
            value = self.call(PAIR, node, self.noted(old, target.id + '='), value)
        node.value, node.target = value, self.visit(target)
        return node

    def visit_For(self, node):
        node.iter, node.target = self.call(OVER, node.iter, self.bare(node.iter)), self.visit(node.target)
        node.body, node.orelse = [[self.visit(part) for part in parts] for parts in (node.body, node.orelse)]
        return node

    def body(self, node):
        node.body = [self.visit(part) for part in node.body]
        return node

    visit_FunctionDef = visit_AsyncFunctionDef = visit_ClassDef = body

    def visit_Lambda(self, node):
        node.body = self.bare(node.body)
        return node

    def visit_match_case(self, node):
        node.guard = node.guard and self.visit(node.guard)
        return self.body(node)

    def visit_Delete(self, node):
        node.targets = [self.visit(target) for target in node.targets]
        return node


def instrumented(text, name, mode):
    tree = ast.parse(text, name, mode)
    if mode == 'eval':
        tree.body = Instrument().bare(tree.body)
    else:
        tree = Instrument().visit(tree)
    return compile(tree, name, mode, dont_inherit=True)


def second(_, value):
    return value


def items_of(value):
    """What looping over a builtin object gives, none of it taken; None where that cannot be told."""
    kind = type(value)
    if kind is range or kind is str:
        return value
    if kind in ITERATED:
        return list(value) if len(value) <= OVER_ITEMS else None
    if kind not in REDUCED:
        return None
    made, arguments, *state = value.__reduce__()
    if kind is enumerate:
        inner = items_of(arguments[0])
        return None if inner is None or kind_is_long(inner) else list(enumerate(inner, arguments[1]))
    if kind is zip:
        parts = [items_of(part) for part in arguments]
        return None if any(part is None or kind_is_long(part) for part in parts) else list(zip(*parts))
    inner = items_of(arguments[0]) if arguments else None
    if inner is None or kind_is_long(inner):
        return None
    if made is reversed:
        return [inner[at] for at in range(state[0] if state else len(inner) - 1, -1, -1)]
    return list(inner)[state[0] if state else 0 :]


def kind_is_long(items):
    return len(items) > OVER_ITEMS


def note_over(recorder, note):
    render, work, written = recorder.render, recorder.work, quote

    def over(value):
        items = items_of(value)
        if items is not None and (type(items) is range or not kind_is_long(items)):
            note('iter:', items)
        return value

    return over


def note_work(recorder):
    """What `.w` is: keeps the operations since the last event in `recorder.work`."""
    render, work, trace, written = recorder.render, recorder.work, get_trace, quote

    def note(label, value):
        if len(work) <= WORK_ITEMS and trace() is not None:
            text = render(value)
            # `<function f>` and the like are no data.
            if len(text) <= WORK_CHARS and not text.startswith('<'):
                work.append('[%s,%s%s]' % (written(label.rstrip()), written(text), ',1' if label[-1] == ' ' else ''))
        return value

    return note
