"""The recorder: raw trace events in, canonical events out. A part of tracer.py: names that are not defined here come from it and from the parts before."""

NOT_DATA = (types.ModuleType, types.FunctionType, types.BuiltinFunctionType, types.MethodType, type,
            types.GenericAlias, types.UnionType)


# Lines that are handed on together; events between two looks at the clock.
BATCH, STRIDE = 128, 8
INSIDE = ('exception', 'yield', 'resume')


class Stop(BaseException):
    """Ends the program at a limit, where the process must live on."""


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
        self.send, self.hard = emit, hard
        self.many = emit.many if type(emit) is Output else None
        # Lines not yet sent; whether events may go the short way; at which number of them to look at the clock, and the time
        # at which to send what there is.
        self.lines, self.calm, self.cap, self.due = [], False, 0, 0.0
        self.put, self.stride = self.lines.append, STRIDE if self.many is not None and emit.block else 0
        # Operations since the last event (`operations`).
        self.work = []
        limits = request['limits']
        self.max_events, self.seconds = limits['events'], limits['timeMs'] / 1000
        self.max_output, self.output_size = limits['outputBytes'], 0
        self.renderer = Renderer(request['values'])
        self.render = self.renderer.text
        # Events recorded, and those of lines that go on.
        self.events = self.raw = 0
        self.frames = 0
        SHAPES.clear()
        self.codes, self.learned = {}, []
        # By the file's name in code objects: what its syntax says, and its index in the header.
        self.sources, self.files = {}, {}
        self.project, self.modules = None, {'__main__'}
        # Events held back; the frame of the only one, a resumption, if it can go the short way.
        self.held, self.waiting = [], None
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
        self.planned = bool(self.edits or self.probes or request.get('operations'))
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
        if self.calm and info.returns:
            held = frame.f_trace
            if held is None:
                made = None if info.suspends else self.call(frame, info)
                if made is not None:
                    return made.trace
            elif self.resume(held, frame, info):
                return held
        with self.lock:
            try:
                self.waiting = None
                if self.stopping:
                    raise Stop(self.stopping)
                held = frame.f_trace
                known = held.__self__ if type(held) is types.MethodType else None
                if type(known) is Frame:
                    if known.recorder is not self:
                        # A generator that an earlier request left behind is being closed: no part of this run.
                        return None
                    self.hold(known, frame, 'resume')
                    self.rest()
                    return held
                made = self.enter(frame, info)
                if made is None:
                    raise RecursionError('maximum recursion depth exceeded')
                if info.suspends:
                    self.hold(made, frame, 'call')
                else:
                    self.begin(made, frame)
                self.rest()
                return made.trace
            except BaseException as error:
                self.failed(frame, error)
                raise

    def local(self, own, frame, event, arg):
        """What a frame's own trace function does where `Frame.trace` has no short way."""
        if self.ended:
            return
        with self.lock:
            try:
                self.waiting = None
                if monotonic() > self.deadline:
                    self.stop('time')
                if self.stopping:
                    raise Stop(self.stopping)
                if event == 'line':
                    unit = own.code.unit_at(frame, own)
                    if unit and (unit != own.unit or own.last == 'call'):
                        self.line(own, frame, unit)
                elif event == 'exception':
                    self.exception(own, frame, arg)
                elif event == 'return':
                    self.leave(own, frame, arg)
                if self.threads > 1:
                    self.refresh(frame)
                self.rest()
            except BaseException as error:
                self.failed(frame, error)
                raise

    def rest(self):
        """At the end of the long way: sends what is due, and says whether the next event may take the short one."""
        self.pause()
        self.calm = not (self.held or self.out or self.err or self.planned or self.stopping or self.ended
                         or self.threads > 1 or self.events >= self.max_events or monotonic() > self.deadline)

    def pause(self):
        """Every few events: a look at the clock."""
        now = monotonic()
        if now >= self.due or len(self.lines) >= BATCH:
            self.due = now + 0.05
            self.full()
        self.cap = min(self.events + self.stride, self.max_events)
        if self.events >= self.max_events or now > self.deadline:
            self.calm = False

    def call(self, frame, info):
        """A call by the short way; None if it has to go the long one."""
        try:
            parent = self.parent_of(frame)
            # Without a parent it may be another thread's first.
            if parent is None or parent.depth >= self.recursion:
                return None
            own = self.new_frame(info, parent)
            own.number(self.frames)
            own.thread = parent.thread
            text = own.begin(frame)
            if text is None or own.id != self.frames:
                # Not plain, or another thread has just begun.
                return None
            self.frames += 1
            self.events = own.mark = events = self.events + 1
            self.put(text)
            if events >= self.cap:
                self.pause()
            return own
        except BaseException as error:
            self.failed(frame, error)
            raise

    def resume(self, held, frame, info):
        """Holds a generator's resumption back (rule 5), so that it can go the short way; False if it has to go the long one."""
        own = held.__self__ if type(held) is types.MethodType else None
        if type(own) is not Frame or own.recorder is not self or own.last != 'yield' or own.unit in info.targets:
            return False
        try:
            parent = self.parent_of(frame)
            if parent is None:
                return False
            seen = own.brief(frame) if own.narrow else own.changes(frame)
            if seen is None:
                return False
            own.held, own.parent = ['resume'], parent
            self.held.append((own, frame, seen))
            self.calm, self.waiting = False, own
            return True
        except BaseException as error:
            self.failed(frame, error)
            raise

    def resumed(self, own, frame, event):
        """The frame that waits has an event: whether its resumption is real, which is then written, and all is calm again."""
        if event == 'line':
            line = frame.f_lineno
            if line is None or line >= len(own.plain) or own.plain[line] in (0, own.unit):
                return False
        elif event != 'return':
            return False
        seen, self.waiting = self.held.pop()[2], None
        own.held, own.last, self.calm = None, 'line', True
        self.events = events = self.events + 1
        self.put(f'{{"e":"resume","f":{own.id},"l":{own.unit},"p":{own.parent.id}{seen}}}')
        if events >= self.cap:
            self.pause()
        return self.calm

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
        own = self.new_frame(info, parent)
        own.thread = self.thread_number()
        return own

    def new_frame(self, info, parent):
        own = Frame()
        own.recorder, own.code, own.plain, own.parent = self, info, info.plain, parent
        own.depth = 1 if parent is None else parent.depth + 1
        own.unit, own.last, own.lasti = info.line, 'call', -1
        own.seen, own.globals, own.aliases = {}, {}, ()
        own.exception = own.held = own.begun = None
        own.wide, own.narrow, own.mark = {}, False, -1
        return own

    def thread_number(self):
        here = self.here
        number = getattr(here, 'number', None)
        if number is None:
            # Identifiers of threads that ended are used again; this is not.
            number = here.number = self.threads
            self.threads += 1
            if number == 1:
                self.calm, self.waiting = False, None
                if self.many is not None:
                    # Each write lets another thread run: no more of them than there need be.
                    self.send.block, self.stride = BLOCK, STRIDE
        return number

    def begin(self, own, frame):
        own.number(self.frames)
        self.frames += 1
        info = own.code
        head = info.head
        if own.parent is not None:
            self.release()
            head = ',"p":%d%s' % (own.parent.id, head)
        if own.thread:
            head += ',"t":%d' % own.thread
        own.last = 'call'
        self.emit('call', own, frame, info.line, info.head_file + head)

    def line(self, own, frame, unit):
        self.flush(own, frame)
        own.unit = unit
        own.last = 'line'
        self.emit('line', own, frame, unit)

    def hold(self, own, frame, kind):
        """Rule 5: what may be the closing of a generator without a trace is held back."""
        own.held = [kind]
        own.parent = self.parent_of(frame)
        # What a resumed frame sees now: by the time that the event is written, its line may have gone on.
        self.held.append((own, frame, self.changes(own, frame, kind) if kind == 'resume' else None))
        if self.planned:
            before = sum(len(h[0].held) for h in self.held[:-1])
            if any(edit.get('resumed') for edit in self.edits.get(self.events + before, ())):
                # The event is known to be there: what is set at it must not wait.
                self.release(own)
        self.calm = False

    def flush(self, own, frame):
        """The frame's held events are real: out with them, and with all held before them."""
        if own.held:
            self.release(own)

    def release(self, until=None):
        """Emits held events in order; those of `until` and before, or all."""
        self.waiting = None
        while self.held:
            own, frame, seen = self.held.pop(0)
            held, own.held = own.held, None
            last = own.last
            if held[0] == 'call':
                self.begin(own, frame)
            else:
                head = '' if own.parent is None else ',"p":%d' % own.parent.id
                own.last = last if last == 'exception' else 'line'
                self.emit('resume', own, frame, own.unit, head, None, seen)
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
            if not issubclass(kind, StopAsyncIteration) or own.code.uses_up(at):
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
        unwinding = value is None and own.lasti == at and (own.last == 'exception' or self.elsewhere(own, frame))
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
    def elsewhere(own, frame):
        """On its way out of a `with` an exception sets the frame back on the instruction that raised it, which may be a
        `yield`; one that really yields does so in the frame's own unit."""
        units, line = own.code.unit, frame.f_lineno
        return line is not None and line < len(units) and units[line] not in (0, own.unit)

    @staticmethod
    def suspension(info, at, op):
        if op in SUSPENDS:
            return True
        if YIELD_FROM and op in LOAD_CONST:
            return at + 2 < len(info.bytes) and info.bytes[at + 2] in YIELD_FROM
        return op in YIELD_FROM

    def emit(self, kind, own, frame, line, head='', value=None, seen=None):
        """Writes one event, with what changed since the frame's last one; `seen`: that, found earlier."""
        if self.held and kind != 'resume' and own.held is None and any(h[0] is not own for h in self.held):
            self.release()
        if self.events >= self.max_events:
            self.stop('events')
        elif monotonic() > self.deadline:
            self.stop('time')
        if self.stopping:
            raise Stop(self.stopping)
        changes = self.changes(own, frame, kind) if seen is None else seen
        text = '{"e":"%s","f":%d,"l":%d%s%s' % (kind, own.id, line, head, changes)
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
        """`set`, `del`, `g`, `a`."""
        info, seen, renderer = own.code, own.seen, self.renderer
        if info.module:
            # A name can be of a class of the program's that looks like a string.
            space = {} if info.is_call else frame.f_globals.copy()
            now = {k: v for k, v in space.items()
                   if type(k) is str and k[:1] != '@' and not (k[:2] == '__' and k[-2:] == '__')}
        else:
            hidden = info.hidden
            now = {k: v for k, v in frame.f_locals.items() if type(k) is str and k not in hidden}
        # In the middle of a comprehension that is part of the function (from 3.12): its target is not the function's.
        keep = info.targets.get(own.unit, ()) if kind in INSIDE else ()
        found, rebound = own.begun or ((), False)
        own.begun, changed, gone, moved = None, list(found), [], rebound
        for name, known in seen.items():
            if name in keep:
                continue
            if name not in now:
                gone.append(name)
                continue
            value = now[name]
            if settled(known, value):
                continue
            before = known[2]
            if learn_value(known, value, renderer):
                changed.append(name)
            rebound = rebound or known[2] != before
            moved = moved or known[2] != before or not before
        fresh = [name for name in now if name not in seen and name not in keep]
        if len(fresh) > 1:
            order, late = info.order, len(info.order)
            fresh.sort(key=lambda n: (order.get(n, late), n))
        for name in fresh:
            own.add(name, now[name])
            changed.append(name)
        result = ''
        if changed:
            if found:
                changed = [name for name in seen if name in changed]
            result = ',"set":{%s}' % ','.join([seen[name][4] + quote(seen[name][1]) for name in changed])
        if gone:
            for name in gone:
                del seen[name]
            result += ',"del":[%s]' % ','.join(map(quote, gone))
        if info.globals:
            result += self.global_changes(own, frame)
        if keep and moved:
            # A comprehension's target may be among the aliases from now on: each move of a name is looked at.
            own.plain = ()
        if rebound or fresh or gone or moved and own.plain == ():
            result += self.alias_changes(own, now)
        if not info.module:
            own.widen()
        return result

    def global_changes(self, own, frame):
        """`g`: module-level data that this code names."""
        space, seen, changed = frame.f_globals, own.globals, ''
        for name in own.code.globals:
            if name not in space:
                continue
            value = space[name]
            kind = type(value)
            if kind is Function or kind is type:
                continue
            known = seen.get(name)
            if known is None:
                if not is_atomic(kind) and (issubclass(kind, NOT_DATA) or module_of(kind) == 'typing'):
                    continue
                known = seen[name] = [NOTHING, None, 0, None, own.code.prefixes[name]]
            elif settled(known, value):
                continue
            elif not is_atomic(kind) and (issubclass(kind, NOT_DATA) or module_of(kind) == 'typing'):
                continue
            if learn_value(known, value, self.renderer):
                changed = f'{changed},{known[4]}{quote(known[1])}'
        return f',"g":{{{changed[1:]}}}' if changed else ''

    def alias_changes(self, own, now):
        """`a`: names bound to one and the same mutable object."""
        by_id = {}
        for name in own.seen:
            if name not in now:
                continue
            value = now[name]
            kind = type(value)
            if type(kind) is type:
                if kind in ATOMIC or kind is tuple or kind is Function:
                    continue
                if kind in MUTABLE:
                    by_id.setdefault(id(value), []).append(name)
                    continue
            if module_of(kind) in self.modules and not issubclass(kind, type):
                by_id.setdefault(id(value), []).append(name)
        groups = ()
        if len(by_id) < len(own.seen):
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
            results = [self.probe(e, target, probe.get('bytes')) for e in probe['expressions']] if target is not None else []
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

    def probe(self, expression, frame, size):
        try:
            value = self.evaluate(expression, frame)
        except BaseException as error:
            if type(error) is Stop:
                raise
            return '{"error":%s}' % quote(message(error))
        if size is None:
            renderer = Renderer({'items': 10_000, 'chars': 100_000, 'depth': 30, 'leaves': 100_000})
        else:
            renderer = FullRenderer(size)
        text = renderer.text(value)
        cut = ',"cut":true' if size is not None and renderer.budget <= 0 else ''
        return '{"value":%s,"type":%s%s}' % (quote(text), quote(type_name(type(value))), cut)

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
        self.waiting = None
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
        self.stopping, self.exit_code, self.waiting = 'killed', code & 255, None
        raise Stop('killed')

    def finish(self, end):
        if not self.ending.acquire(False):
            if self.hard:
                # Another thread is writing the end and then ends the process.
                sleep(2)
            return
        self.ended, self.calm, self.waiting = True, False, None
        if self.exit_code is not None:
            end = {'status': 'exit', 'code': self.exit_code}
        # No call in between: no other thread can add an event.
        lines, events = self.lines[:], self.events
        self.lines.clear()
        self.send_all(lines)
        record = {'e': 'end', **end, 'events': events}
        if self.out:
            record['o'] = ''.join(self.out)
        if self.err:
            record['err'] = ''.join(self.err)
        # By hand: `json` may be the program's by now.
        shown = ['"%s":%s' % (key, quote(value) if type(value) is str else '%d' % value) for key, value in record.items()]
        self.send('{%s}' % ','.join(shown))
        self.send(None)
        # What still runs (daemon threads) stops at its next event.
        self.stopping = self.stopping or 'killed'

    def write(self, line):
        """A record. Events that go the short way are written there."""
        self.put(line)
        if not self.stride:
            self.full()

    def full(self):
        """Sends what is written."""
        with self.lock:
            # Nothing in between: no other thread can add a line.
            lines = self.lines[:]
            self.lines.clear()
            self.send_all(lines)

    def send_all(self, lines):
        if self.many is not None:
            self.many(lines)
        else:
            for line in lines:
                self.send(line)

    def took(self, kept, data):
        """Output of the program; returns how much of it was taken."""
        if self.held:
            # Whoever writes is not being closed without a trace, and the output is not of the events held.
            with self.lock:
                self.release()
        room = self.max_output - self.output_size
        self.output_size += len(data)
        self.calm = False
        kept.append(bytes(data[:room] if len(data) > room else data).decode('utf-8', 'replace'))
        if len(data) > room:
            if not self.stopping:
                self.stop('output')
            raise Stop('output')
        return len(data)
