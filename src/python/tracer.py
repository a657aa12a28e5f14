"""npdb's tracer: runs a program and writes its canonical event stream, one JSON object a line.

Standard library only; CPython 3.10-3.14 and Pyodide. The rules of the stream, its units and the value table
are in `docs/trace.md`; the record shapes in `src/trace/types.ts`; a request in `src/python/types.ts`.

    python tracer.py           serves one request after another, a JSON line each, on stdin (trusted programs)
    python tracer.py --once    serves one and ends the process with it

The program under trace is not trusted: none of its code runs while a value is read (no `__repr__`, `__eq__`,
`__getattr__`, ...), and everything the tracer calls is bound before the program starts.
"""

import builtins

# Functions look builtins up here, fixed when they are made: a program that replaces `len` replaces its own.
__builtins__ = dict(vars(builtins))

import _thread
import ast
import collections
import enum
import functools
import io
import itertools
import json
import linecache
import opcode
import operator
import os
import random
import sys
import threading
import time
import tokenize
import types
import warnings

VERSION = 1
MAIN, CALL = 'main.py', '<call>'
PY311 = sys.version_info >= (3, 11)
PY312 = sys.version_info >= (3, 12)
PY313 = sys.version_info >= (3, 13)
quote = json.encoder.encode_basestring_ascii
# The program may replace these in their modules.
set_trace, get_trace, set_profile = sys.settrace, sys.gettrace, sys.setprofile
set_limit, leave_process, monotonic = sys.setrecursionlimit, os._exit, time.monotonic
is_same, islice, repeat, chain = operator.is_, itertools.islice, itertools.repeat, itertools.chain
to_json, join_thread, process_id, sleep = json.dumps, threading.Thread.join, os.getpid, time.sleep

# The tracer's parts, in the order in which they need each other. They share this module's names: a part is not a
# module of its own, so that a program that imports or replaces modules cannot meet or change one.
PARTS = 'values shapes source code project frame recorder operations run'.split()


def load_parts(folder):
    for part in PARTS:
        path = os.path.join(folder, part + '.py')
        with open(path, encoding='utf-8') as file:
            exec(compile(file.read(), path, 'exec'), globals())


load_parts(os.path.join(os.path.dirname(os.path.abspath(__file__)), 'tracer'))

BLOCK = 65_536


class Output:
    """Protocol lines, written in blocks: the rest is written when a block is full, old, or the run ends.
    `at_once`: each line by itself, so that a process killed inside one long operation has lost none."""

    def __init__(self, descriptor, at_once=False):
        self.descriptor, self.lines, self.size, self.at = descriptor, [], 0, monotonic()
        self.block = 0 if at_once else BLOCK
        # A word that the host knows its own lines by.
        self.secret = ''
        self.clock, self.os_write, self.process = monotonic, os.write, process_id()

    def __call__(self, line):
        if line is None:
            self.flush()
        else:
            self.many([line])

    def many(self, lines):
        if lines:
            text = ('\n' + self.secret).join(lines)
            self.lines.append(text)
            self.size += len(text)
        if self.size >= self.block or self.clock() - self.at >= 0.05:
            self.flush()

    def flush(self):
        if not self.lines:
            return
        data = (self.secret + ('\n' + self.secret).join(self.lines) + '\n').encode('ascii', 'backslashreplace')
        self.lines.clear()
        self.size, self.at = 0, self.clock()
        # A forked child of the program has nothing to say here.
        while data and self.process == process_id():
            data = data[self.os_write(self.descriptor, data) :]


def main():
    once = '--once' in sys.argv
    # What the program reads and writes at descriptors 0 and 1 must not reach the protocol.
    requests, protocol = os.fdopen(os.dup(0), 'rb'), os.dup(1)
    nowhere = os.open(os.devnull, os.O_RDWR)
    os.dup2(nowhere, 0)
    os.dup2(nowhere, 1)
    # Our own folder is no place for the program to import from.
    del sys.path[0]
    output = Output(protocol, at_once=once)
    while True:
        line = requests.readline()
        if not line:
            return
        request = json.loads(line)
        output.secret = request.pop('secret', '')
        run(request, output, hard=once)
        output(None)
        if once:
            leave_process(0)


if __name__ == '__main__':
    main()
