"""Units and names, from the syntax tree (docs/trace.md, "Units"). A part of tracer.py: names that are not defined here come from it and from the parts before."""

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
            self.unit = self.plain = [1] * (lines + 1)
            self.written = ['', '1']
            return
        tree = ast.parse(text, name)
        self.units(tree)
        self.written = list(map(str, range(lines + 1)))
        # The unit of each line, 0 where more must be asked before a `line` there is an event; nothing where a frame's locals may
        # be set from elsewhere.
        self.plain = () if 'f_locals' in text or 'ctypes' in text else [
            0 if unit in self.silent or unit in self.tails else unit for unit in self.unit
        ]
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
            # A tool may have compiled it otherwise (pytest rewrites `assert`): then by place.
            work = [(compile(self.text.strip() if self.name == CALL else self.text, self.name,
                             'eval' if self.name == CALL else 'exec', dont_inherit=True), '')]
            while work:
                outer, prefix = work.pop()
                for inner in outer.co_consts:
                    if type(inner) is types.CodeType:
                        name = prefix + inner.co_name
                        self.qualnames[inner] = self.qualnames[inner.co_name, inner.co_firstlineno] = name
                        work.append((inner, name + ('.<locals>.' if inner.co_flags & OPTIMIZED else '.')))
        return self.qualnames.get(code) or self.qualnames.get((code.co_name, code.co_firstlineno), code.co_name)

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
