"""One way of tracing one program, in a process of its own; prints one JSON object. Processor time of the traced run until all of its
output is written; the program's own time is part of it. `bench/trace.mjs` runs it.

    python bench/measure.py TOOL PROGRAM N OUTPUT
"""

import importlib.util
import json
import os
import resource
import sys
import time
from pathlib import Path

ROOT = Path(__file__).parents[1]
DEEP = 10**6


def program(path):
    """The program, as if run as `__main__`."""
    text = Path(path).read_text()
    space = {'__name__': '__main__', '__file__': path}
    return compile(text, path, 'exec'), space


def calls(run):
    code, space, n = run
    exec(code, space)
    return space['main'](n)


def by_settrace(local, path, run):
    def begin(frame, event, arg):
        if frame.f_code.co_filename != path:
            return None
        local(frame, event, arg)
        return local

    sys.settrace(begin)
    try:
        calls(run)
    finally:
        sys.settrace(None)


def count(path, run, output):
    """Events of the program's own frames."""
    seen = [0]

    def local(frame, event, arg):
        seen[0] += 1
        return local

    by_settrace(local, path, run)
    return seen[0]


def floor(path, run, output):
    def local(frame, event, arg):
        return local

    by_settrace(local, path, run)


def f_locals(path, run, output):
    def local(frame, event, arg):
        frame.f_locals
        return local

    by_settrace(local, path, run)


def reprs(path, run, output):
    with open(output, 'w') as file:
        write = file.write

        def local(frame, event, arg):
            values = ['%s=%r' % pair for pair in frame.f_locals.items() if pair[0][:2] != '__']
            write('%s %d %s\n' % (event, frame.f_lineno, ' '.join(values)))
            return local

        by_settrace(local, path, run)


def npdb(path, run, output):
    spec = importlib.util.spec_from_file_location('tracer', ROOT / 'src' / 'python' / 'tracer.py')
    tracer = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tracer)
    descriptor = os.open(output, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    request = {
        'file': {'name': 'main.py', 'text': Path(path).read_text()},
        'call': 'main(%d)' % run[2],
        'limits': {'events': 10**9, 'timeMs': 10**8},
    }
    began = time.process_time()
    written = tracer.Output(descriptor)
    tracer.run(request, written)
    written(None)
    return time.process_time() - began


def pysnooper(path, run, output):
    import pysnooper

    with pysnooper.snoop(output, depth=DEEP):
        calls(run)


def snoop(path, run, output):
    import snoop

    with open(output, 'w') as file:
        with snoop.Config(out=file, color=False).snoop(depth=DEEP):
            calls(run)


def viztracer(path, run, output):
    from viztracer import VizTracer

    tracer = VizTracer(
        log_func_args=True, log_func_retval=True, tracer_entries=2_000_000, verbose=0, output_file=output
    )
    tracer.start()
    try:
        calls(run)
    finally:
        tracer.stop()
        tracer.save()


TOOLS = {
    'count': count, 'floor': floor, 'f_locals': f_locals, 'npdb': npdb, 'repr': reprs, 'pysnooper': pysnooper, 'snoop': snoop,
    'viztracer': viztracer,
}


def main():
    tool, path, n, output = sys.argv[1:]
    run = (*program(path), int(n))
    if tool in ('pysnooper', 'snoop', 'viztracer'):
        # Importing them is no part of the run.
        __import__(tool)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    began = time.process_time()
    result = TOOLS[tool](path, run, output)
    seconds = time.process_time() - began
    if tool == 'npdb':
        # Without the time to load the tracer.
        seconds = result
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    size = os.path.getsize(output) if os.path.exists(output) else 0
    events = result if tool == 'count' else None
    print(json.dumps({'seconds': seconds, 'bytes': size, 'peakMb': peak / 1024, 'grownMb': (peak - before) / 1024, 'events': events}))


main()
