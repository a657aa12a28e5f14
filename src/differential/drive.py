"""Plays debugger commands on CPython's own `bdb` and writes down every stop: the other side of the differential test.

    python drive.py < requests        a JSON object a line in and out; the shapes are in `src/differential/types.ts`

`Driver` is `bdb.Bdb` and decides nothing about where to stop but for the named rules below: each says of one event
that the canonical stream (docs/trace.md) has none there, and is counted each time bdb wanted to stop at it. Values are
shown by the tracer's renderer, and lines are numbered by its table of units; frames, kinds of events, stacks and the
end of the program are found here anew, from what CPython reports. Every request runs in a fork of its own.
"""

import bdb
import dis
import importlib.util
import io
import json
import linecache
import os
import random
import signal
import sys
import types
import warnings
from pathlib import Path

MAIN, CALL = 'main.py', '<call>'
COMPREHENSIONS = ('<listcomp>', '<setcomp>', '<dictcomp>', '<genexpr>', '__annotate__', '<annotations>')
GENERATOR_LIKE = 0x20 | 0x80 | 0x200
RETURNS = ('RETURN_VALUE', 'RETURN_CONST')
INTERNAL_STOPS = ('FOR_ITER', 'END_FOR', 'POP_ITER', 'SEND', 'END_SEND', 'YIELD_FROM', 'END_ASYNC_FOR')


def load_tracer():
    path = Path(__file__).parents[1] / 'python' / 'tracer.py'
    spec = importlib.util.spec_from_file_location('npdb_tracer', path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


tracer = load_tracer()


def operation(code, at):
    """The name of the instruction at `at`, inline caches skipped, and its argument."""
    raw = code.co_code
    if not 0 <= at < len(raw):
        return None, 0
    while at > 0 and dis.opname[raw[at]] == 'CACHE':
        at -= 2
    name = dis.opname[raw[at]]
    if name == 'LOAD_CONST' and at + 2 < len(raw) and dis.opname[raw[at + 2]] == 'YIELD_FROM':
        return 'YIELD_FROM', 0
    return name, raw[at + 1]


def of_async_for(code, at):
    before = [i.opname for i in dis.get_instructions(code) if i.offset < at and i.opname != 'CACHE']
    while before and before[-1] in ('SEND', 'YIELD_FROM'):
        before.pop()
    return 'GET_ANEXT' in before[-2:]


class Seen:
    """What is known of a frame while it lives."""

    def __init__(self, unit, code):
        self.unit, self.code = unit, code
        self.last, self.at, self.raised = 'call', -1, None
        self.resumed = self.suspended = self.closing = False
        self.folded, self.ordinal, self.told, self.then = None, 0, False, None


class Rearm:
    """Freed when CPython drops the trace function of a frame because it raised: tracing goes on."""

    def __init__(self, trace):
        self.trace = trace

    def __del__(self):
        sys.settrace(self.trace)


class Driver(bdb.Bdb):
    def __init__(self, request, closings):
        super().__init__()
        self.request, self.closings = request, set(closings)
        self.commands = list(request['commands'])
        self.entry_kind = request['entry']
        self.sources = {MAIN: tracer.Source(request['text'], MAIN)}
        if request.get('call') is not None:
            self.sources[CALL] = tracer.Source(request['call'], CALL)
        self.files = (MAIN, CALL) if self.entry_kind == 'call' else (MAIN,)
        self.render = tracer.Renderer(tracer.DEFAULT_VALUES).text
        self.infos, self.seen = {}, {}
        self.stops, self.rules, self.points = [], {}, []
        self.entry, self.started, self.over = None, False, None
        self.calls = self.events = 0
        self.command, self.returning = None, None
        self.failed = None
        self.recursion = [1000]

    # --- what an event is

    def info(self, code):
        found = self.infos.get(id(code))
        if found is None:
            name = code.co_filename
            found = tracer.Code(code, 1 if name == CALL else 0, self.sources[name], code.co_name == '<module>')
            self.infos[id(code)] = found
        return found

    def recorded(self, frame):
        code = frame.f_code
        return (code.co_filename in self.files and code.co_name not in COMPREHENSIONS
                and not code.co_name.startswith('<generic parameters'))

    def below_entry(self, frame):
        while frame is not None:
            if frame is self.entry:
                return True
            frame = frame.f_back
        return False

    def unit_of(self, frame, line):
        table = self.sources[frame.f_code.co_filename].unit
        return table[line] if line is not None and line < len(table) else 0

    def first_unit(self, frame):
        return 1 if frame.f_code.co_name == '<module>' else self.unit_of(frame, frame.f_code.co_firstlineno)

    def of(self, frame):
        """What is known of the frame; a frame that bdb did not trace so far is met in the middle of a statement."""
        seen = self.seen.get(id(frame))
        if seen is None or seen.code is not frame.f_code:
            seen = self.seen[id(frame)] = Seen(self.unit_of(frame, frame.f_lineno), frame.f_code)
            seen.last = 'line'
        return seen

    def note(self, frame, event, arg):
        code = frame.f_code
        if event == 'call':
            self.begin(frame, code)
            return
        seen = self.of(frame)
        seen.folded = None
        if event == 'line':
            seen.folded = self.fold(frame, seen)
            if seen.folded is None:
                seen.unit, seen.last = self.unit_of(frame, frame.f_lineno), 'line'
                seen.closing = False
                if self.shown is seen:
                    self.shown = None
        elif event == 'exception':
            name, _ = operation(code, frame.f_lasti)
            if issubclass(arg[0], (StopIteration, StopAsyncIteration)) and name in INTERNAL_STOPS and not (
                issubclass(arg[0], StopAsyncIteration) and name in ('SEND', 'YIELD_FROM')
                and not of_async_for(code, frame.f_lasti)
            ):
                seen.folded = 'iterator-end'
                return
            fresh = seen.last in ('call', 'resume')
            seen.closing = fresh and arg[0] is GeneratorExit and bool(code.co_flags & GENERATOR_LIKE)
            seen.last, seen.at, seen.raised = 'exception', frame.f_lasti, self.render(arg[1])
            if self.command in ('return', 'until') and self.started and self.recorded(frame):
                # Where bdb stops only when the frame is gone, names that a handler has cleared are gone too.
                info = self.info(code)
                seen.then = self.locals_of(frame, info), self.globals_of(frame, info)
        elif event == 'return':
            self.leave(frame, seen, arg)

    def begin(self, frame, code):
        self.calls += 1
        name, argument = operation(code, frame.f_lasti)
        known = self.seen.get(id(frame))
        fresh = frame.f_lasti < 0 or name in ('RESUME', 'RETURN_GENERATOR') and argument & 3 == 0
        if known is None or fresh or known.code is not code or frame.f_trace is None:
            known = self.seen[id(frame)] = Seen(
                self.first_unit(frame) if fresh else self.unit_of(frame, frame.f_lineno), code)
        known.resumed, known.suspended, known.told = not fresh, False, False
        known.last, known.ordinal = 'call' if fresh else 'resume', self.calls
        known.folded = 'closing' if self.calls in self.closings else None

    def fold(self, frame, seen):
        """The rule by which a `line` event of CPython is none of the stream, if there is one."""
        source = self.sources[frame.f_code.co_filename]
        unit, first = self.unit_of(frame, frame.f_lineno), seen.last == 'call'
        info = self.info(frame.f_code)
        if unit == seen.unit and not first:
            return 'same-statement'
        if unit in source.silent and not (first and unit == info.line):
            return 'declaration'
        if info.is_class and unit == info.line:
            return 'class-header'
        if source.tails and not first and info.phantom(unit, frame.f_lasti):
            return 'phantom-case-line'
        return None

    def leave(self, frame, seen, value):
        """Whether a `return` event is a suspension, a real return, or an exception on its way out."""
        name, _ = operation(frame.f_code, frame.f_lasti)
        in_place = value is None and seen.at == frame.f_lasti and (
            # A `with` sets a frame that it unwinds back on what raised, a `yield` perhaps.
            seen.last == 'exception' or self.unit_of(frame, frame.f_lineno) not in (0, seen.unit))
        generator = frame.f_code.co_flags & GENERATOR_LIKE
        if generator and not in_place and name in ('YIELD_VALUE', 'RESUME', 'YIELD_FROM'):
            seen.suspended = True
            seen.last = 'yield'
        elif name in RETURNS and not in_place:
            seen.last = 'return'
        else:
            if seen.closing and self.started and seen.told and seen.ordinal not in self.closings:
                # bdb stopped at the closing of a generator, of which nothing shows: once more, with that known.
                self.answer({'retry': seen.ordinal})
            seen.folded = 'unwinding'
        if not seen.suspended:
            del self.seen[id(frame)]
            if frame is self.entry:
                self.over = 'error' if seen.folded else 'normal'
        elif frame is self.entry:
            self.over = None
        self.leaving = seen

    # --- bdb, and where it is told that an event does not count

    def too_deep(self, frame):
        """The limit counts the program's frames (docs/trace.md); bdb's own and this driver's are not among them."""
        name, argument = operation(frame.f_code, frame.f_lasti)
        if frame.f_code.co_name in COMPREHENSIONS or not (
            frame.f_lasti < 0 or name in ('RESUME', 'RETURN_GENERATOR') and argument & 3 == 0
        ):
            return False
        depth, at = 0, frame
        while at is not None:
            depth += at.f_code.co_filename in self.sources and at.f_code.co_name not in COMPREHENSIONS
            at = at.f_back
        return depth > self.recursion[0]

    def trace_dispatch(self, frame, event, arg):
        if frame.f_code.co_filename in self.sources:
            if event == 'call' and self.too_deep(frame):
                frame.f_trace = Rearm(self.trace_dispatch)
                raise RecursionError('maximum recursion depth exceeded')
            self.events += 1
            if self.events > self.request['maxEvents']:
                self.answer({'stops': self.stops, 'rules': self.rules, 'end': {'exit': 'cut'}, 'points': self.hits()})
            if self.recorded(frame) or frame.f_code.co_filename == CALL and frame.f_code.co_name == '<module>':
                if not self.started and self.botframe is not None:
                    self.find_entry(frame, event)
                self.note(frame, event, arg)
                if frame is self.finishing and event != 'call' and not (event == 'exception' and self.of(frame).closing):
                    self.finish('stopped')
        return super().trace_dispatch(frame, event, arg)

    def find_entry(self, frame, event):
        code = frame.f_code
        if self.entry is None and code.co_filename == (MAIN if self.entry_kind != 'call' else CALL):
            if event == 'call' or self.entry_kind != 'function':
                self.entry = frame

    def count(self, rule):
        self.rules[rule] = self.rules.get(rule, 0) + 1

    def stop_here(self, frame):
        if not super().stop_here(frame) and not self.numbered_beyond(frame):
            return False
        if frame.f_code.co_filename not in self.sources:
            return False
        if not self.recorded(frame):
            if frame.f_code.co_filename in self.files:
                self.count('comprehension-frame')
            return False
        return self.below_entry(frame)

    def numbered_beyond(self, frame):
        """Whether `until` has arrived at a statement that runs a line before the one that numbers it: a decorator."""
        seen = self.seen.get(id(frame))
        if self.command != 'until' or frame is not self.stopframe or seen is None or seen.code is not frame.f_code:
            return False
        if seen.folded or seen.last not in ('line', 'exception') or self.stoplineno == -1:
            return False
        if not frame.f_lineno < self.stoplineno <= seen.unit:
            return False
        self.count('until-in-statement')
        return True

    def break_here(self, frame):
        if not self.recorded(frame) or not self.started or not self.below_entry(frame):
            return False
        seen = self.of(frame)
        lines = self.breaks.get(self.canonic(frame.f_code.co_filename), ())
        if seen.folded or frame.f_code.co_filename == CALL:
            if frame.f_lineno in lines:
                self.count('breakpoint-in-statement')
            return False
        if frame.f_lineno == seen.unit:
            return super().break_here(frame)
        if seen.unit not in lines:
            return False
        # The statement begins to run on another of its lines than its first.
        self.count('breakpoint-in-statement')
        return super().break_here(types.SimpleNamespace(
            f_lineno=seen.unit, f_code=frame.f_code, f_globals=frame.f_globals, f_locals=frame.f_locals))

    def dispatch_return(self, frame, arg):
        if self.recorded(frame) and frame.f_code.co_flags & GENERATOR_LIKE and self.started:
            seen = self.leaving
            ends = not seen.suspended and not seen.closing
            if frame is self.stopframe and self.command in ('next', 'return') or ends and (
                frame is self.stopframe and self.command == 'until' or frame is self.returning
            ):
                # `next` stops where a generator gives a value, and every command where it ends.
                self.count('generator-end' if ends else 'generator-yield')
                self._set_stopinfo(None, None)
        return super().dispatch_return(frame, arg)

    def user_call(self, frame, argument_list):
        if not self.recorded(frame) or not self.started and frame is not self.entry:
            return
        seen = self.of(frame)
        if seen.folded:
            return self.count(seen.folded)
        if self.returning is not None:
            # bdb shows every call in a file with breakpoints to `user_call`; pdb asks `stop_here` there once more.
            return
        if not bdb.Bdb.stop_here(self, frame) or not self.recorded(frame) or not self.below_entry(frame):
            return
        seen.told = True
        self.stop('resume' if seen.resumed else 'call', frame, seen)

    def user_line(self, frame):
        if not self.started and not (frame is self.entry and self.entry_kind != 'function'):
            return
        seen = self.of(frame)
        if seen.folded:
            return self.count(seen.folded)
        if self.command == 'until' and self.stopframe is frame and seen.unit < self.stoplineno <= frame.f_lineno:
            return self.count('until-in-statement')
        self.stop('line', frame, seen)

    def user_exception(self, frame, exc_info):
        if not self.started:
            return
        seen = self.of(frame)
        if seen.folded:
            return self.count(seen.folded)
        if seen.ordinal in self.closings and seen.closing:
            return self.count('closing')
        if self.stopframe is not None and self.stopframe is not frame and not bdb.Bdb.stop_here(self, frame):
            return self.count('generator-stop-elsewhere')
        if self.command == 'until' and self.stopframe is frame and seen.unit < self.stoplineno:
            return self.count('until-in-statement')
        seen.told = True
        self.stop('exception', frame, seen, seen.raised)

    def user_return(self, frame, value):
        if not self.started:
            return
        seen = self.leaving
        if seen.ordinal in self.closings and seen.closing:
            return self.count('closing')
        if seen.folded == 'unwinding':
            self.count('unwinding')
            # The stop at its exception, if bdb made one, was the frame's last state.
            if self.shown is not seen:
                self.stop('exception', frame, seen, seen.raised or 'Exception()')
        elif seen.suspended:
            wrapped = tracer.type_name(type(value)) == 'async_generator_wrapped_value'
            self.stop('yield', frame, seen, None if wrapped else self.render(value))
        else:
            info = self.info(frame.f_code)
            self.stop('return', frame, seen, 'None' if info.is_class else self.render(value))

    # --- stops and commands

    # The frame that bdb last stopped in, while nothing but its exception has happened there; the frame that returns.
    shown = leaving = None
    # The commands have run out in this frame.
    finishing = None

    def stop(self, kind, frame, seen, value=None):
        if self.failed is not None or self.finishing is not None:
            return
        if not self.started:
            self.started = True
            self.entry = frame
        self.shown = seen if kind == 'exception' else None
        self.returning = None
        self.stops.append(self.picture(kind, frame, value, seen))
        # Read once, as pdb does: up to 3.12 each reading of `f_locals` undoes what was set.
        self.space = frame.f_locals
        self.obey(frame, seen)

    def picture(self, kind, frame, value, seen):
        stack, at = [], frame
        while at is not None:
            if self.recorded(at):
                known = seen if at is frame else self.seen.get(id(at))
                unit = known.unit if known is not None else self.unit_of(at, at.f_lineno)
                stack.append([self.info(at.f_code).qualname, unit])
            if at is self.entry:
                break
            at = at.f_back
        stack.reverse()
        info = self.info(frame.f_code)
        picture = {'kind': kind, 'file': info.file, 'line': seen.unit, 'fn': stack[-1][0], 'stack': stack,
                   'physical': frame.f_lineno, 'locals': self.locals_of(frame, info)}
        if value is not None:
            picture['value'] = value
        targets = info.targets.get(seen.unit, ()) if kind != 'call' and kind != 'line' else ()
        if targets:
            picture['targets'] = sorted(targets)
        picture['globals'] = self.globals_of(frame, info)
        if kind == 'exception' and seen.folded == 'unwinding' and seen.last == 'exception' and seen.then:
            picture['locals'], picture['globals'] = seen.then
        return picture

    def locals_of(self, frame, info):
        if info.file and info.module:
            return {}
        if info.module:
            return {name: self.render(value) for name, value in list(frame.f_globals.items())
                    if not (name[:2] == '__' and name[-2:] == '__')}
        return {name: self.render(value) for name, value in list(frame.f_locals.items()) if name not in info.hidden}

    def globals_of(self, frame, info):
        found = {}
        for name in info.globals:
            if name in frame.f_globals and name[:2] != '__':
                value = frame.f_globals[name]
                plain = (types.ModuleType, types.FunctionType, types.BuiltinFunctionType, type)
                if not isinstance(value, plain) and type(value).__module__ != 'typing':
                    found[name] = self.render(value)
        return found

    def obey(self, frame, seen):
        """The commands up to the next one that moves."""
        while self.commands:
            name, *arguments = self.commands.pop(0)
            if name in ('step', 'next', 'return', 'until', 'continue'):
                self.command = name
                return self.go(name, frame, seen, *arguments)
            getattr(self, 'do_' + name)(frame, *arguments)
            if self.failed is not None:
                break
        if self.failed is None and self.stops[-1]['kind'] != 'line' and frame.f_code.co_flags & GENERATOR_LIKE \
                and seen.last in ('call', 'resume', 'exception') and id(frame) in self.seen:
            # Whether this is the closing of a generator shows only at its next event.
            self.finishing = frame
            self._set_stopinfo(None, None)
            return
        self.finish('stopped')

    def go(self, name, frame, seen, ahead=None):
        generator = frame.f_code.co_flags & GENERATOR_LIKE
        if name == 'step':
            self.set_step()
        elif name == 'next':
            self.set_next(frame)
        elif name == 'until':
            self.set_until(frame, seen.unit + (1 if ahead is None else ahead))
        elif name == 'return' and not generator:
            back = frame.f_back
            while back is not None and not self.recorded(back):
                back = back.f_back
            if back is frame.f_back or frame is self.entry:
                self.set_return(frame)
            else:
                self.count('caller-beyond-library')
                self._set_stopinfo(back, frame)
        elif name == 'return' and id(frame) not in self.seen:
            # The generator has ended: bdb would run on to no end.
            self.count('generator-end')
            back = frame.f_back
            while back is not None and not self.recorded(back):
                back = back.f_back
            self._set_stopinfo(back, frame)
        elif name == 'return':
            self.returning = frame
            self._set_stopinfo(self.botframe, None, -1)
        elif self.breaks:
            self.set_continue()
        else:
            # As bdb does, but the end is still seen.
            self._set_stopinfo(self.botframe, None, -1)

    def do_break(self, frame, line, options=None):
        options = options or {}
        error = self.set_break(MAIN, line, options.get('temporary', False), options.get('condition'))
        if error:
            self.failed = error
            return
        point = bdb.Breakpoint.bpbynumber[-1]
        point.ignore = options.get('ignore', 0)
        self.points.append(point)

    def do_clear(self, arg):
        # bdb calls it for a temporary breakpoint that was hit.
        self.clear_bpbynumber(arg)

    def do_delete(self, frame, number):
        self.clear_bpbynumber(str(number))

    def do_enable(self, frame, number, on):
        point = bdb.Breakpoint.bpbynumber[number]
        if point is not None:
            point.enable() if on else point.disable()

    def do_set(self, frame, name, expression):
        code = frame.f_code
        if code.co_flags & 1 and name not in (*code.co_varnames, *code.co_cellvars, *code.co_freevars):
            # pdb's `!name = ...` would make a local that nothing reads; `global` is how it is told.
            exec('global %s; %s = %s' % (name, name, expression), frame.f_globals, dict(self.space))
            return
        space = frame.f_globals if code.co_name == '<module>' else self.space
        space[name] = eval(expression, frame.f_globals, self.space)

    def do_print(self, frame, expression, up=0):
        space = self.space
        for _ in range(min(up, len(self.stops[-1]['stack']) - 1)):
            frame = frame.f_back
            while not self.recorded(frame):
                frame = frame.f_back
            space = frame.f_locals
        try:
            self.stops[-1].setdefault('printed', []).append(
                tracer.FullRenderer(1_000_000).text(eval(expression, frame.f_globals, space)))
        except Exception as error:
            self.stops[-1].setdefault('printed', []).append('! ' + type(error).__name__)

    # --- the end

    def hits(self):
        return [[point.hits, point.ignore, bdb.Breakpoint.bpbynumber[point.number] is point] for point in self.points]

    def finish(self, how, exception=None):
        end = {'exit': 'stopped' if self.finishing is not None else how}
        if exception is not None:
            end['exception'] = exception
        self.answer({'stops': self.stops, 'rules': self.rules, 'end': end, 'points': self.hits(),
                     **({'failed': self.failed} if self.failed else {})})

    def answer(self, result):
        sys.settrace(None)
        data = (json.dumps(result) + '\n').encode('ascii')
        while data:
            data = data[os.write(self.out, data):]
        os._exit(0)

    def recursion_limit(self):
        """bdb's own frames are on the stack too: there is room for them, and the program sees its own limit."""
        own, real = self.recursion, sys.setrecursionlimit

        def setrecursionlimit(limit):
            real(limit + 300)
            own[0] = limit

        sys.getrecursionlimit, sys.setrecursionlimit = lambda: own[0], setrecursionlimit
        real(1300)

    def play(self, out):
        self.out = out
        text, call = self.request['text'], self.request.get('call')
        module = types.ModuleType('__main__')
        module.__dict__['__file__'] = MAIN
        sys.modules['__main__'] = module
        sys.argv = [MAIN]
        sys.stdin, sys.stdout, sys.stderr = io.StringIO(''), io.StringIO(), io.StringIO()
        random.seed(0)
        warnings.simplefilter('ignore')
        sys.setswitchinterval(0.05)
        self.recursion_limit()
        lines = text.splitlines(True)
        for name in (MAIN, self.canonic(MAIN)):
            linecache.cache[name] = (len(text), None, lines, name)
        main = compile(text, MAIN, 'exec', dont_inherit=True)
        entry = None if call is None else compile(call.strip(), CALL, 'eval', dont_inherit=True)
        how, exception = 'normal', None
        try:
            if entry is None:
                self.reset()
                sys.settrace(self.trace_dispatch)
                exec(main, module.__dict__)
            else:
                exec(main, module.__dict__)
                self.reset()
                sys.settrace(self.trace_dispatch)
                eval(entry, module.__dict__)
        except SystemExit as leave:
            how = 'error' if leave.code else 'normal'
        except BaseException as error:
            how, exception = 'error', tracer.Renderer(tracer.DEFAULT_VALUES).text(error)
        sys.settrace(None)
        if self.entry_kind != 'script' and self.entry_kind != 'call':
            how = self.over or 'unknown'
        if not self.started:
            how = 'not-reached'
        self.finish(how, exception if how == 'error' else None)


def serve(request):
    """One request in forks; the answer's bytes."""
    closings = []
    while True:
        end, start = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(end)
            # Either ends the process: what runs on without an event, and what only waits.
            signal.setitimer(signal.ITIMER_VIRTUAL, request.get('seconds', 6))
            signal.alarm(60)
            driver = Driver(request, closings)
            driver.out = start
            try:
                driver.play(start)
            except BaseException as error:
                import traceback

                driver.answer({'broken': ''.join(traceback.format_exception(type(error), error, error.__traceback__))})
        os.close(start)
        with os.fdopen(end, 'rb') as pipe:
            data = pipe.read()
        _, status = os.waitpid(child, 0)
        answer = json.loads(data) if data else {'died': status}
        if 'retry' not in answer:
            return answer
        closings.append(answer['retry'])


def main():
    out = os.dup(1)
    for line in sys.stdin.buffer:
        data = (json.dumps(serve(json.loads(line))) + '\n').encode('ascii')
        while data:
            data = data[os.write(out, data):]


if __name__ == '__main__':
    main()
