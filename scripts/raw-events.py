"""What an interpreter itself reports of a program, with no rule applied: a line for each event, for `events.mjs`.

    python raw-events.py FILE...       one JSON object a line: the file, and its events as `event function:line`
"""

import io
import json
import sys

LIMIT = 20_000


def raw(path):
    with open(path) as file:
        code = compile(file.read(), 'main.py', 'exec', dont_inherit=True)
    seen = []

    def trace(frame, event, arg):
        if frame.f_code.co_filename != 'main.py' or len(seen) >= LIMIT:
            return None
        seen.append('%s %s:%s' % (event, frame.f_code.co_name, frame.f_lineno))
        return trace

    out, sys.stdout = sys.stdout, io.StringIO()
    limit = sys.getrecursionlimit()
    import threading
    threading.settrace(trace)
    sys.settrace(trace)
    try:
        exec(code, {'__name__': '__main__'})
    except BaseException as error:
        seen.append('end %s' % type(error).__name__)
    finally:
        sys.settrace(None)
        threading.settrace(None)
        sys.setrecursionlimit(limit)
        sys.stdout = out
    return seen


for name in sys.argv[1:]:
    print(json.dumps({'file': name, 'events': raw(name)}), flush=True)
