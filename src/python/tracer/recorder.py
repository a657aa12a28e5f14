"""The recorder: raw trace events in, canonical events out. A part of tracer.py: names that are not defined here come from it and from the parts before."""

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
        # Operations since the last event (`operations`).
        self.work = []
        limits = request['limits']
        self.max_events, self.seconds = limits['events'], limits['timeMs'] / 1000
        self.max_output, self.output_size = limits['outputBytes'], 0
        self.renderer = Renderer(request['values'])
        self.render = self.renderer.text
        self.events = self.raw = 0
        self.frames = 0
        SHAPES.clear()
        self.codes, self.learned = {}, []
        # By the file's name in code objects: what its syntax says, and its index in the header.
        self.sources, self.files = {}, {}
        self.project, self.modules = None, {'__main__'}
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
        if code.co_filename not in self.sources and (self.project is None or not self.adopt(frame)):
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
            info = Code(code, self.files[name], self.sources[name], code.co_name == '<module>')
        self.codes[id(code)] = info
        self.learned.append(code)
        return info

    def adopt(self, frame):
        """Code of a file not met before: whether the file is the project's, which is then read and announced."""
        name, project = frame.f_code.co_filename, self.project
        if name in project.foreign:
            return False
        with self.lock:
            index, found = project.take(name)
            if found is None:
                return False
            self.files[name], self.sources[name] = index, found
            module = frame.f_globals.get('__name__')
            if type(module) is str:
                self.modules.add(module)
            return True

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
            head = ',"s":%d' % info.file
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
        if self.work:
            if len(self.work) <= WORK_ITEMS:
                text += ',"w":[%s]' % ','.join(self.work)
            self.work.clear()
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
            space = {} if info.is_call else frame.f_globals.copy()
            now = {k: v for k, v in space.items()
                   if type(k) is str and k[:1] != '@' and not (k[:2] == '__' and k[-2:] == '__')}
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
            if type(kind) is type and kind in MUTABLE or module_of(kind) in self.modules and not issubclass(kind, type):
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
