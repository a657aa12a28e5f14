"""Frames, and the short way: a `line`, `call` or `return` that nothing special hangs on is written here, with as few steps as
can be. Whatever is not plain goes the long way (`recorder.py`), which decides alike; the stream is the same either way.
A part of tracer.py: names that are not defined here come from it and from the parts before.

What is known of a name is a list: [its value if that cannot change behind our back or is a container with a trail, else `NOTHING`;
its text; its `id`, 0 for an atom; the trail (of what cannot be kept `fields_of`), None for an atom; the name as JSON with its colon].
"""

NOTHING = object()
ATOMIC = frozenset((int, float, str, bool, bytes, complex, NoneType))
MUTABLE = frozenset((list, dict, set, bytearray, deque, defaultdict, OrderedDict))
Function = types.FunctionType


# Of these only the name is shown.
NAMED = {
    kind: type_dict(kind)['__qualname__'].__get__
    for kind in (types.GeneratorType, types.CoroutineType, types.AsyncGeneratorType, Function)
}
FIELD_NAMES, OBJECTS = {}, 64


def is_atomic(kind):
    # A class with a metaclass is hashed and compared by it.
    return type(kind) is type and kind in ATOMIC


def unchanged(trail):
    """Whether containers still hold the very objects that they held, so that their text is the same. All are exact
    builtin containers of atoms and of each other: no code of the program's runs, none of its objects is kept alive."""
    for container, items, values, size in trail:
        if len(container) != size or not all(map(is_same, container, items)):
            return False
        if values is not None and not all(map(is_same, container.values(), values)):
            return False
    return True


def fields_of(value, kind):
    """What the text of a plain object was made of, if all its attributes are atoms, or of one that only its class and name tell; else
    None. The object itself is not kept alive by it."""
    if type(kind) is type and kind in NAMED:
        getter = NAMED[kind]
        return kind, getter, getter(value), -1, ()
    shape = SHAPES.get(id(kind))
    if shape is not None and shape.tag == 'opaque':
        return kind, None, None, -1, ()
    if shape is None or shape.tag != 'instance' or shape.slots or shape.hides or shape.getter is None:
        return None
    stored = shape.getter(value)
    if type(stored) is not dict or len(stored) > 20:
        return None
    keys, values = tuple(stored), tuple(stored.values())
    if all(type(key) is str for key in keys) and all(is_atomic(type(value)) for value in values):
        return kind, shape.getter, stored, len(keys), (*keys, *values)
    return None


def same_fields(fields, value):
    kind, getter, stored, size, parts = fields
    if type(value) is not kind:
        return False
    if size < 0:
        return getter is None or getter(value) is stored
    return getter(value) is stored and len(stored) == size and all(map(is_same, chain(stored, stored.values()), parts))


def settled(known, value):
    """Whether a value that can change by itself is known as it is."""
    if value is known[0]:
        return known[3] is None or unchanged(known[3])
    if known[0] is not NOTHING or known[3] is None or known[2] != id(value):
        return False
    return same_fields(known[3], value)


def object_text(value, kind, renderer):
    """`(text, fields_of)` of a plain object, without a renderer's bookkeeping; None for all others. The last ones are kept: each frame
    that sees an object asks for its text."""
    made = renderer.objects.get(id(value))
    if made is not None and same_fields(made[1], value):
        return made
    fields = fields_of(value, kind)
    if fields is None or not 0 <= fields[3] <= renderer.most:
        return None
    texts, size, parts = [], fields[3], fields[4]
    for name, item in zip(parts[:size], parts[size:]):
        label = FIELD_NAMES.get(name)
        if label is None:
            if len(FIELD_NAMES) > 10_000:
                FIELD_NAMES.clear()
            label = FIELD_NAMES[name] = field_name(name) + '='
        texts.append(label + (repr(item) if type(item) is int and -HUGE < item < HUGE else renderer.text(item)))
    if len(renderer.objects) >= OBJECTS:
        renderer.objects.clear()
    made = renderer.objects[id(value)] = f'{type_name(kind)}({", ".join(texts)})', fields
    return made


def learn_value(known, value, renderer):
    """Updates what is known of a name that has another value, or a changed one. True if the text differs."""
    kind = type(value)
    if type(kind) is type and kind in ATOMIC:
        text = renderer.text(value)
        known[0], known[2], known[3] = value, 0, None
    elif id(kind) in SHAPES and (made := object_text(value, kind, renderer)) is not None:
        text, known[3] = made
        known[0], known[2] = NOTHING, id(value)
    else:
        text = renderer.text(value)
        trail = renderer.trail
        known[0], known[2] = value if trail or kind is range else NOTHING, id(value)
        known[3] = trail or (() if kind is range else fields_of(value, kind))
    if text == known[1]:
        return False
    known[1] = text
    return True


class Frame:
    """One recorded frame. It lives in the frame's own `f_trace`, so it goes when the frame goes."""

    __slots__ = ('recorder', 'id', 'code', 'plain', 'unit', 'seen', 'globals', 'aliases', 'last', 'lasti', 'exception',
                 'held', 'thread', 'depth', 'parent', 'begun', 'head', 'wide', 'narrow', 'mark')

    def trace(self, frame, event, arg):
        """The frame's own trace function. None leaves it in place."""
        recorder = self.recorder
        if not recorder.calm and (recorder.waiting is not self or not recorder.resumed(self, frame, event)):
            return recorder.local(self, frame, event, arg)
        try:
            if event == 'line':
                try:
                    unit = self.plain[frame.f_lineno]
                except (IndexError, TypeError):
                    unit = 0
                if unit:
                    before = self.unit
                    if unit == before and self.last != 'call':
                        recorder.raw = raw = recorder.raw + 1
                        if not raw & 63:
                            recorder.pause()
                        return None
                    if self.mark == recorder.events:
                        # Nothing has run since the call.
                        text = ''
                    else:
                        text = self.brief(frame) if self.narrow else self.changes(frame)
                    if text is not None:
                        self.unit, self.last = unit, 'line'
                        text = f'{self.head}{self.code.written[unit]}{text}}}'
                        recorder.events = events = recorder.events + 1
                        recorder.put(text)
                        if events >= recorder.cap:
                            recorder.pause()
                        return None
            elif event == 'return' and self.last == 'line' and (kind := self.leaves(frame, arg)):
                text = self.brief(frame) if self.narrow else self.changes(frame)
                if text is not None:
                    self.last = kind
                    value = f'"{arg!r}"' if type(arg) is int and -HUGE < arg < HUGE else quote(recorder.render(arg))
                    text = f'{{"e":"{kind}","f":{self.id},"l":{self.unit}{text},"v":{value}}}'
                    recorder.events = events = recorder.events + 1
                    recorder.put(text)
                    if events >= recorder.cap:
                        recorder.pause()
                    return None
        except BaseException as error:
            recorder.failed(frame, error)
            raise
        return recorder.local(self, frame, event, arg)

    def brief(self, frame):
        """`changes` where all values are atoms, mostly of numbers and of one name."""
        code = self.code
        name = code.bindings[self.unit]
        if name is None:
            return ''
        if type(name) is not str:
            return self.changes(frame)
        now, seen = frame.f_locals, self.seen
        if name not in seen:
            if len(now) == len(seen) + 1 and name in now and name not in code.risky:
                value = now[name]
                if type(value) is int and -HUGE < value < HUGE:
                    text, prefix = repr(value), code.prefixes[name]
                    seen[name] = [value, text, 0, None, prefix]
                    text = f',"set":{{{prefix}"{text}"}}'
                    return text + self.outer(frame) if code.globals else text
            return self.changes(frame, now)
        if len(now) != len(seen):
            return self.changes(frame, now)
        known, text = seen[name], ''
        try:
            value = now[name]
        except KeyError:
            return None
        if value is not known[0]:
            if type(value) is int and -HUGE < value < HUGE:
                known[0], text = value, repr(value)
                if text == known[1]:
                    text = ''
                else:
                    known[1] = text
                    text = f',"set":{{{known[4]}"{text}"}}'
            else:
                return self.changes(frame, now)
        return text + self.outer(frame) if code.globals else text

    def outer(self, frame):
        """`g`: what global names this code names are bound to, if any is bound to data."""
        space = frame.f_globals
        for name in self.code.globals:
            if name in space and (kind := type(space[name])) is not Function and kind is not type:
                return self.recorder.global_changes(self, frame)
        return ''

    def leaves(self, frame, arg):
        """What a `return` event is: `return` or `yield` where it is that and nothing else (no unwinding, no lost line), else ''."""
        code, at = self.code, frame.f_lasti
        if not code.returns or at < 0 or arg is None and at == self.lasti:
            return ''
        op, line = code.bytes[at], frame.f_lineno
        if op in RETURNS:
            return 'return' if line is not None and line < len(self.plain) and self.plain[line] == self.unit else ''
        return 'yield' if code.generator and op in SUSPENDS and self.unit not in code.targets else ''

    def number(self, number):
        self.id, self.head = number, f'{{"e":"line","f":{number},"l":'

    def begin(self, frame):
        """The text of a call's event; None where its names need more thought."""
        code = self.code
        if code.module and not code.is_call:
            # One that is imported: its namespace is not made of locals.
            return None
        text = f'{{"e":"call","f":{self.id},"l":{code.line}{code.head_file},"p":{self.parent.id}{code.head}'
        if self.thread:
            text += ',"t":%d' % self.thread
        now = frame.f_locals
        if PY313:
            now = dict(now.items())
        if now:
            for name in code.risky:
                if name in now:
                    return None
            names = list(now)
            if len(names) > 1 and names != code.arguments:
                order, late = code.order, len(code.order)
                names.sort(key=lambda n: (order.get(n, late), n))
            values, seen, prefixes, wide = [], self.seen, code.prefixes, False
            for name in names:
                value = now[name]
                if type(value) is int and -HUGE < value < HUGE:
                    shown, prefix = repr(value), prefixes[name]
                    seen[name] = [value, shown, 0, None, prefix]
                    values.append(f'{prefix}"{shown}"')
                else:
                    known = self.add(name, value)
                    values.append(known[4] + quote(known[1]))
                    wide = wide or known[2]
                wide = wide or name not in code.fast
            text += ',"set":{%s}' % ','.join(values)
            if wide:
                self.widen()
        self.narrow = not self.wide and bool(code.bindings)
        if code.globals:
            text += self.outer(frame)
        if len(self.wide) > 1:
            text += self.recorder.alias_changes(self, now)
        return text + '}'

    def add(self, name, value):
        known = self.seen[name] = [NOTHING, None, 0, None, self.code.prefixes[name]]
        learn_value(known, value, self.recorder.renderer)
        return known

    def ordered(self, names, now):
        """New names, arguments first."""
        order, late = self.code.order, len(self.code.order)
        return sorted((name for name in now if name in names), key=lambda n: (order.get(n, late), n))

    def widen(self):
        """Notes which names' values can change by themselves."""
        fast = self.code.fast
        self.wide = wide = {name: known for name, known in self.seen.items() if known[2] or name not in fast}
        self.narrow = not wide and bool(self.code.bindings)

    def changes(self, frame, now=None):
        """`set`, `g`, `a` where no name came or went; else None, and what was found until then is kept in `begun`. Looked at are
        the names that may have another value: those that the unit binds, and those whose value can change by itself."""
        code, seen = self.code, self.seen
        if code.module:
            # The module has its own way; a call expression has no names.
            return '' if code.is_call else None
        if now is None:
            now = frame.f_locals
        more = len(now) - len(seen)
        if more:
            for name in code.risky:
                if name in now:
                    more -= 1
            if more < 0 or more and not code.bindings:
                return None
        found, fresh, texts, rebound, renderer = [], [], '', False, self.recorder.renderer
        try:
            for name in code.names(self.unit) if code.bindings else seen:
                if name in seen:
                    known, value = seen[name], now[name]
                elif name in now and name not in code.risky:
                    fresh.append(name)
                    continue
                else:
                    continue
                if known[2] or value is known[0]:
                    # What can change by itself comes after.
                    continue
                if type(value) is int and -HUGE < value < HUGE:
                    known[0], text = value, repr(value)
                    if text != known[1]:
                        known[1] = text
                        found.append(name)
                        texts = f'{texts},{known[4]}"{text}"'
                    continue
                if learn_value(known, value, renderer):
                    found.append(name)
                    texts = f'{texts},{known[4]}{quote(known[1])}'
                if known[2]:
                    rebound = True
            for name, known in self.wide.items():
                value, fields = now[name], known[3]
                if value is known[0]:
                    if fields is None or unchanged(fields):
                        continue
                elif fields is not None and known[0] is NOTHING and known[2] == id(value) and same_fields(fields, value):
                    continue
                before, was = known[2], known[0] is NOTHING
                if learn_value(known, value, renderer):
                    found.append(name)
                    texts = f'{texts},{known[4]}{quote(known[1])}'
                if known[2] != before or was is not (known[0] is NOTHING):
                    rebound = True
            if len(fresh) != more:
                # One has gone as well.
                raise KeyError
        except KeyError:
            self.begun = found, rebound
            return None
        for name in fresh if more < 2 else self.ordered(fresh, now):
            known = self.add(name, now[name])
            found.append(name)
            texts = f'{texts},{known[4]}{quote(known[1])}'
            rebound = rebound or bool(self.wide) or known[2] or name not in code.fast
        if found:
            if len(found) > 1:
                texts = ''.join(f',{known[4]}{quote(known[1])}' for name, known in seen.items() if name in found)
            texts = f',"set":{{{texts[1:]}}}'
        if code.globals:
            texts += self.outer(frame)
        if rebound:
            self.widen()
            texts += self.recorder.alias_changes(self, now)
        return texts
