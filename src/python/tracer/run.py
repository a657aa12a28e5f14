"""One run: the program in a clean interpreter state, its streams and limits. A part of tracer.py: names that are not defined here come from it and from the parts before."""

def message(error):
    """`NameError: name 'x' is not defined`, by the exception's own arguments."""
    args = BaseException.args.__get__(error)
    name = type_name(type(error))
    if not args:
        return name
    shown = args[0] if len(args) == 1 and type(args[0]) is str and type(error) is not KeyError else None
    if issubclass(type(error), SyntaxError):
        shown = args[0] if type(args[0]) is str else shown
    if shown is None:
        shown = Renderer(DEFAULT_VALUES).text(args[0] if len(args) == 1 else args)
    return '%s: %s' % (name, shown)


# ---------------------------------------------------------------------------
# One run


class Sink(io.RawIOBase):
    """Where the program's stdout or stderr goes."""

    def __init__(self, recorder, kept, descriptor=None):
        self.recorder, self.kept, self.descriptor = recorder, kept, descriptor

    def writable(self):
        return True

    def fileno(self):
        # Tools that want a descriptor (pytest's fault handler) may have the process' own.
        return super().fileno() if self.descriptor is None else self.descriptor

    def write(self, data):
        return self.recorder.took(self.kept, data)


def stream(recorder, kept, descriptor=None):
    sink = Sink(recorder, kept, descriptor)
    return io.TextIOWrapper(sink, 'utf-8', 'backslashreplace', newline='\n', write_through=True)


DEFAULT_LIMITS = {'events': 100_000, 'timeMs': 10_000, 'memoryMb': 512, 'outputBytes': 1_000_000}
DEFAULT_VALUES = {'items': 100, 'chars': 300, 'depth': 8, 'leaves': 400}
SOURCES = {}


def source_of(text, name):
    """Programs are often run again with another call: their syntax is read once."""
    key = (text, name)
    if key not in SOURCES:
        if len(SOURCES) > 64:
            SOURCES.clear()
        SOURCES[key] = Source(text, name)
    return SOURCES[key]


def run(request, emit, hard=False):
    """Runs one request; `emit` takes each record's text, and None when it must flush. `hard`: the process is this
    run's own and ends with it at a limit."""
    request = {**request, 'limits': {**DEFAULT_LIMITS, **(request.get('limits') or {})},
               'values': {**DEFAULT_VALUES, **(request.get('values') or {})}}
    text, call = request['file']['text'], request.get('call')
    recorder = Recorder(request, emit, hard)
    several = request.get('project') or request.get('modules')
    name = request['file']['name'] if several else MAIN
    files = [{'name': name, 'text': text}] + ([{'name': CALL, 'text': call}] if call is not None else [])
    header = {
        'e': 'header', 'version': VERSION, 'python': '.'.join(map(str, sys.version_info[:3])),
        'implementation': 'pyodide' if sys.platform == 'emscripten' else 'cpython',
        'hashSeed': os.environ.get('PYTHONHASHSEED', 'random'),
        'limits': request['limits'], 'values': request['values'], 'files': files,
    }
    if request.get('id') is not None:
        header['id'] = request['id']
    if call is not None:
        header['call'] = call
    emit(to_json(header, separators=(',', ':')))
    # Whoever reads starts its clock here.
    emit(None)
    kept = keep()
    end = {}
    try:
        end = execute(recorder, request, text, call, lambda: rebuild(kept))
    finally:
        # Where the process ends with the run, nothing that the program may have broken is touched again.
        if not hard:
            restore(kept)
            if recorder.project is not None:
                recorder.project.leave(kept[2])
    recorder.finish(end)


def execute(recorder, request, text, call, built):
    module = types.ModuleType('__main__')
    module.__dict__['__builtins__'] = builtins
    module.__dict__['__file__'] = MAIN
    sys.modules['__main__'] = module
    sys.argv = [MAIN, *(request.get('argv') or ())]
    sys.stdout = stream(recorder, recorder.out)
    sys.stderr = stream(recorder, recorder.err, 2 if request.get('project') else None)
    sys.stdin = io.TextIOWrapper(io.BytesIO((request.get('stdin') or '').encode('utf-8', 'surrogatepass')), 'utf-8')
    sys.__stdin__, sys.__stdout__, sys.__stderr__ = sys.stdin, sys.stdout, sys.stderr
    random.seed(0)
    warnings.simplefilter('ignore')
    # Short threads run through, as they mostly do untraced.
    sys.setswitchinterval(0.05)
    os._exit = recorder.leave_now
    linecache.cache[MAIN] = (len(text), None, text.splitlines(True), MAIN)
    record = request.get('record', True)
    recorder.files.update({MAIN: 0, CALL: 1})
    try:
        recorder.sources[MAIN] = source_of(text, MAIN)
        if request.get('project') or request.get('modules'):
            recorder.project = project = Project(request, recorder.sources[MAIN], 1 if call is None else 2, recorder.write)
            project.enter(module)
        operations = record and request.get('operations', False)
        if operations:
            note = note_work(recorder)
            vars(builtins).update({WORK: note, PAIR: second, OVER: note_over(recorder, note)})
        main = instrumented(text, MAIN, 'exec') if operations else compile(text, MAIN, 'exec', dont_inherit=True)
        entry = None
        if call is not None:
            recorder.sources[CALL] = source_of(call, CALL)
            entry = (instrumented(call.strip(), CALL, 'eval') if operations
                     else compile(call.strip(), CALL, 'eval', dont_inherit=True))
        if recorder.hard:
            try:
                _thread.start_new_thread(recorder.watch, ())
            except RuntimeError:
                # No threads here; whoever started this process has a clock of its own.
                pass
        if record:
            program_limit(recorder)
            program_trace(recorder)
            threading.settrace(recorder.trace)
            set_trace(recorder.trace)
        threads = threading.enumerate()
        value = None
        try:
            exec(main, module.__dict__)
            if entry is not None:
                value = eval(entry, module.__dict__)
        finally:
            lost = record and get_trace() != recorder.trace
            set_trace(None)
            set_profile(None)
            built()
            if not recorder.stopping:
                join_threads(recorder, threads)
            threading.settrace(None)
        if recorder.stopping:
            return {'status': 'cut', 'reason': recorder.stopping}
        if lost:
            # Only the tracer's own recursion error can do it: the program's `sys.settrace` is not the real one.
            return {'status': 'cut', 'reason': 'recursion'}
        if entry is None:
            return {'status': 'normal'}
        return {'status': 'normal', 'value': recorder.render(value)}
    except Stop as stop:
        return {'status': 'cut', 'reason': recorder.stopping or str(stop)}
    except SystemExit as leave:
        if recorder.stopping:
            return {'status': 'cut', 'reason': recorder.stopping}
        code = SystemExit.code.__get__(leave)
        if code is None or issubclass(type(code), int):
            return {'status': 'exit', 'code': 0 if code is None else int.__index__(code) & 255}
        recorder.err.append((code if type(code) is str else recorder.render(code)) + '\n')
        return {'status': 'exit', 'code': 1}
    except BaseException as error:
        if recorder.stopping:
            return {'status': 'cut', 'reason': recorder.stopping}
        if issubclass(type(error), MemoryError):
            return {'status': 'cut', 'reason': 'memory', 'exception': 'MemoryError()'}
        return {'status': 'error', 'exception': recorder.render(error)}
    finally:
        set_limit(1000)


def join_threads(recorder, before):
    """As the interpreter does at its end: the threads that the program started and that are no daemons."""
    try:
        started = [t for t in threading.enumerate() if t not in before and not t.daemon]
    except Exception:
        # The program broke the module.
        return
    for thread in started:
        while thread.is_alive():
            join_thread(thread, 0.05)
            if monotonic() > recorder.deadline and not recorder.stopping:
                recorder.stop('time')
            if recorder.stopping:
                return


def program_limit(recorder):
    """Rule 13: the program sees its own recursion limit; the real one leaves room for the tracer."""

    def getrecursionlimit():
        return recorder.recursion

    def setrecursionlimit(limit):
        if type(limit) is not int:
            raise TypeError("'%s' object cannot be interpreted as an integer" % type_name(type(limit)))
        if limit < 1:
            raise ValueError('recursion limit must be greater or equal than 1')
        set_limit(min(limit, 100_000_000) + 200)
        recorder.recursion = limit

    sys.getrecursionlimit, sys.setrecursionlimit = getrecursionlimit, setrecursionlimit
    set_limit(1200)


def program_trace(recorder):
    """Rule 14: the program finds itself untraced, may leave it at that, and ends the trace if it begins its own."""

    def settrace(function):
        if function == recorder.trace:
            # `threading` begins a thread so.
            set_trace(function)
        elif function is not None:
            if not recorder.stopping:
                recorder.stop('settrace')
            raise Stop('settrace')

    sys.settrace, sys.gettrace = settrace, lambda: None


SYS_NAMES = (
    'argv stdin stdout stderr __stdin__ __stdout__ __stderr__ getrecursionlimit setrecursionlimit settrace setprofile '
    'gettrace path modules excepthook displayhook exit'
).split()


def keep():
    """What a program may replace and the next one must find as it was."""
    return (
        {name: getattr(sys, name) for name in SYS_NAMES},
        dict(vars(builtins)),
        dict(sys.modules),
        list(sys.path),
        os.getcwd(),
        list(warnings.filters),
    )


def rebuild(kept):
    vars(builtins).clear()
    vars(builtins).update(kept[1])


def restore(kept):
    names, _, modules, path, folder, filters = kept
    for name, value in names.items():
        setattr(sys, name, value)
    os._exit = leave_process
    rebuild(kept)
    sys.setswitchinterval(0.005)
    sys.path[:] = path
    warnings.filters[:] = filters
    # Modules of the library stay imported: loading them again would cost more than all else.
    sys.modules['__main__'] = modules['__main__']
    try:
        os.chdir(folder)
    except OSError:
        pass
