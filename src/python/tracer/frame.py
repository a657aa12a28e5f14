"""Frames, and the short way: a `line`, `call` or `return` that nothing special hangs on is written here, with as few steps as
can be. Whatever is not plain goes the long way (`recorder.py`), which decides alike; the stream is the same either way.
A part of tracer.py: names that are not defined here come from it and from the parts before.

What is known of a name is a list: [its value if that cannot change behind our back or is a container with a trail, else `NOTHING`;
its text; its `id`, 0 for an atom; the trail, None for an atom; the name as JSON with its colon].
"""

NOTHING = object()
ATOMIC = frozenset((int, float, str, bool, bytes, complex, NoneType))
MUTABLE = frozenset((list, dict, set, bytearray, deque, defaultdict, OrderedDict))
Function = types.FunctionType


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


def learn_value(known, value, renderer):
    """Updates what is known of a name that has another value, or a changed one. True if the text differs."""
    kind = type(value)
    text = renderer.text(value)
    if type(kind) is type and kind in ATOMIC:
        known[0], known[2], known[3] = value, 0, None
    else:
        trail = renderer.trail
        known[0], known[2], known[3] = value if trail else NOTHING, id(value), trail
    if text == known[1]:
        return False
    known[1] = text
    return True


class Frame:
    """One recorded frame. It lives in the frame's own `f_trace`, so it goes when the frame goes."""

    __slots__ = ('recorder', 'id', 'code', 'plain', 'unit', 'seen', 'globals', 'aliases', 'last', 'lasti', 'exception',
                 'held', 'thread', 'depth', 'parent', 'begun', 'keys', 'row')

    def trace(self, frame, event, arg):
        """The frame's own trace function. None leaves it in place."""
        recorder = self.recorder
        if monotonic() >= recorder.due:
            return recorder.local(self, frame, event, arg)
        try:
            if event == 'line':
                try:
                    unit = self.plain[frame.f_lineno]
                except (IndexError, TypeError):
                    unit = 0
                if unit:
                    if unit == self.unit and self.last != 'call':
                        return None
                    text = self.changes(frame)
                    if text is not None:
                        self.unit, self.last = unit, 'line'
                        recorder.lines.append(f'{{"e":"line","f":{self.id},"l":{unit}{text}}}')
                        recorder.events = events = recorder.events + 1
                        if events >= recorder.cap:
                            recorder.full()
                        return None
            elif event == 'return' and self.last == 'line' and self.returns(frame):
                text = self.changes(frame)
                if text is not None:
                    self.last = 'return'
                    value = recorder.render(arg)
                    recorder.lines.append(f'{{"e":"return","f":{self.id},"l":{self.unit}{text},"v":{quote(value)}}}')
                    recorder.events = events = recorder.events + 1
                    if events >= recorder.cap:
                        recorder.full()
                    return None
        except BaseException as error:
            recorder.failed(frame, error)
            raise
        return recorder.local(self, frame, event, arg)

    def returns(self, frame):
        """Whether a `return` event is one and nothing else: no suspension, no unwinding, no lost line."""
        code, line = self.code, frame.f_lineno
        if not code.returns or line is None or code.bytes[frame.f_lasti] not in RETURNS:
            return False
        return line < len(self.plain) and self.plain[line] == self.unit

    def begin(self, frame):
        """The text of a call's event, without its end; None where the names need more thought."""
        code = self.code
        if code.module and not code.is_call:
            # One that is imported: its namespace is not made of locals.
            return None
        text = f'{{"e":"call","f":{self.id},"l":{code.line}{code.head_file},"p":{self.parent.id}{code.head}'
        if self.thread:
            text += ',"t":%d' % self.thread
        now = frame.f_locals
        if now:
            if PY313:
                now = dict(now.items())
            for name in code.risky:
                if name in now:
                    return None
            names = list(now)
            if len(names) > 1 and names != code.arguments:
                order, late = code.order, len(code.order)
                names.sort(key=lambda n: (order.get(n, late), n))
            seen, prefixes, renderer, values = self.seen, code.prefixes, self.recorder.renderer, []
            for name in names:
                known = seen[name] = [NOTHING, None, 0, None, prefixes[name]]
                learn_value(known, now[name], renderer)
                values.append(known[4] + quote(known[1]))
            text += ',"set":{%s}' % ','.join(values)
        if code.globals:
            text += self.recorder.global_changes(self, frame)
        if len(self.seen) > 1:
            text += self.recorder.alias_changes(self, now)
        return text + '}'

    def changes(self, frame):
        """`set`, `g`, `a` where no name came or went; else None, and what was found until then is kept in `begun`."""
        seen, code = self.seen, self.code
        if code.module:
            return None if not code.is_call else ''
        now = frame.f_locals
        if PY313:
            now = dict(now.items())
        more = len(now) - len(seen)
        if more:
            for name in code.risky:
                if name in now:
                    more -= 1
            if more:
                return None
        changed, rebound = '', False
        try:
            for name, known in seen.items():
                value = now[name]
                if value is known[0]:
                    trail = known[3]
                    if trail is None or unchanged(trail):
                        continue
                elif type(value) is int and -1000000 < value < 1000000:
                    known[0] = value
                    if known[2]:
                        rebound, known[2], known[3] = True, 0, None
                    text = repr(value)
                    if text != known[1]:
                        known[1] = text
                        changed = f'{changed},{known[4]}"{text}"'
                    continue
                before = known[2]
                if learn_value(known, value, self.recorder.renderer):
                    changed = f'{changed},{known[4]}{quote(known[1])}'
                if known[2] != before:
                    rebound = True
        except KeyError:
            self.begun = changed, rebound
            return None
        if changed:
            changed = f',"set":{{{changed[1:]}}}'
        if code.globals:
            changed += self.recorder.global_changes(self, frame)
        if rebound:
            changed += self.recorder.alias_changes(self, now)
        return changed

    def keep_keys(self, space):
        pass
