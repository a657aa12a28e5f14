/**
 * @file Programs that attack the run itself: its limits, its end, the tracer that watches it. Each says how its trace
 * must end; after each the host must answer the next request.
 */
import type { Limits, TraceEnd } from '../trace/types.ts';

export interface Hostile {
  readonly name: string;
  readonly text: string;
  /** One of these ends. Where several: who notices first is a matter of the machine's speed. */
  readonly ends: readonly Partial<TraceEnd>[];
  readonly limits?: Partial<Limits>;
  /** `npm test` runs it in the sandbox too; all others there are left to `npm run verify`, as each costs a start. */
  readonly often?: true;
}

const time = { status: 'cut', reason: 'time' } as const;
const killed = { status: 'cut', reason: 'killed' } as const;
const memory = { status: 'cut', reason: 'memory' } as const;
const output = { status: 'cut', reason: 'output' } as const;
const normal = { status: 'normal' } as const;
const error = { status: 'error' } as const;
const short = { timeMs: 500 };
const small = { memoryMb: 128, timeMs: 5_000 };

/** Any Python. */
export const HOSTILE: readonly Hostile[] = [
  // --- limits
  { name: 'a loop without an event', often: true, text: 'while True: pass\n', ends: [time], limits: short },
  { name: 'a sleep', text: 'import time\ntime.sleep(10**6)\n', ends: [time], limits: short },
  { name: 'a huge range inside C', text: 'sum(range(10**12))\n', ends: [time], limits: short },
  {
    name: 'a catastrophic regular expression',
    often: true,
    text: "import re\nre.match('(a|aa|a?)+$', 'a' * 60 + 'b')\n",
    ends: [time],
    limits: short,
  },
  {
    name: 'a huge integer',
    often: true,
    text: 'x = 3 ** (3 ** 24)\n',
    ends: [time, memory, error],
    limits: short,
  },
  {
    name: 'a huge integer as text',
    text: 'import sys\nsys.set_int_max_str_digits(0)\nx = str(7 ** 4_000_000)\n',
    ends: [time],
    limits: short,
  },
  {
    name: 'a memory bomb of lists',
    often: true,
    text: 'x = []\nwhile True: x.append(bytearray(4 * 10**6))\n',
    ends: [memory],
    limits: small,
  },
  { name: 'a memory bomb at once', text: "x = 'a' * (2**31 - 100)\n", ends: [memory], limits: small },
  {
    name: 'a memory bomb that is caught',
    text: 'x = []\nwhile True:\n    try: x.append(bytearray(4 * 10**6))\n    except MemoryError: pass\n',
    ends: [memory, time, { status: 'cut', reason: 'events' }],
    limits: { ...small, timeMs: 2_000 },
  },
  { name: 'an output flood', often: true, text: "while True: print('x' * 10_000)\n", ends: [output] },
  {
    name: 'an output flood in one piece',
    text: "print('x' * 5 * 10**6)\n",
    ends: [output],
  },
  { name: 'an error flood', text: "import sys\nwhile True: sys.stderr.write('x' * 9_999)\n", ends: [output] },
  {
    name: 'an event flood',
    text: 'i = 0\nwhile True:\n    i += 1\n',
    ends: [{ status: 'cut', reason: 'events' }],
    limits: { events: 2_000 },
  },
  {
    name: 'deep recursion',
    often: true,
    text: 'def f(n): return f(n + 1)\nf(0)\n',
    ends: [error],
  },
  {
    name: 'deep recursion with the limit raised',
    text: 'import sys\nsys.setrecursionlimit(10**8)\ndef f(n): return f(n + 1)\nf(0)\n',
    ends: [
      error,
      killed,
      memory,
      time,
      { status: 'cut', reason: 'events' },
      { status: 'cut', reason: 'recursion' },
    ],
    limits: { timeMs: 4_000 },
  },
  {
    name: 'deep recursion inside C',
    text: 'x = []\nfor i in range(10**5): x = [x]\nrepr(x)\n',
    ends: [error, killed, { status: 'cut', reason: 'events' }],
    limits: { events: 1_000_000 },
  },
  {
    name: 'deeply nested source',
    text: "compile('(' * 10**5 + ')' * 10**5, 'x', 'eval')\n",
    ends: [error],
  },
  // --- the end
  { name: 'an exit', text: 'import os\nos._exit(7)\n', ends: [{ status: 'exit', code: 7 }] },
  {
    name: 'an exit behind the tracer',
    often: true,
    text: "import sys\nsys.modules.get('posix', __import__('posix'))._exit(7)\n",
    ends: [{ status: 'exit', code: 7 }, killed],
  },
  { name: 'an abort', often: true, text: 'import os\nos.abort()\n', ends: [killed] },
  {
    name: 'a crash',
    text: 'import faulthandler\nfaulthandler._sigsegv()\n',
    ends: [killed, error],
  },
  {
    name: 'crafted bytecode',
    often: true,
    text: 'def f(): pass\nf.__code__ = f.__code__.replace(co_code=bytes([100, 255] * 64), co_stacksize=1)\nf()\n',
    ends: [killed, error, memory, time],
    limits: { timeMs: 1_500 },
  },
  {
    name: 'a stop that is swallowed',
    often: true,
    text: 'while True:\n    try:\n        while True: x = 1\n    except BaseException: pass\n',
    ends: [time, { status: 'cut', reason: 'events' }],
    limits: short,
  },
  {
    name: 'a stop that `finally` outlives',
    text: 'def f():\n    try:\n        while True: pass\n    finally:\n        while True: pass\nf()\n',
    ends: [time],
    limits: short,
  },
  {
    name: 'a generator that will not close',
    text: 'def g():\n    while True:\n        try: yield\n        except GeneratorExit: pass\nx = g()\nnext(x)\ndel x\n',
    ends: [normal],
  },
  {
    name: 'a `__del__` that never ends',
    text: 'class A:\n    def __del__(self):\n        while True: pass\nA()\n',
    ends: [time],
    limits: short,
  },
  {
    name: 'a `__del__` at the end of the world',
    often: true,
    text: 'class A:\n    def __del__(self):\n        while True: pass\nkept = A()\nimport sys\nsys.kept = kept\n',
    ends: [normal, time],
    limits: short,
  },
  {
    name: 'a handler at exit that never ends',
    text: 'import atexit\n@atexit.register\ndef f():\n    while True: pass\n',
    ends: [normal],
    limits: short,
  },
  {
    name: 'a weak reference whose callback never ends',
    text: 'import weakref\nclass A: pass\na = A()\ndef f(_):\n    while True: pass\nr = weakref.ref(a, f)\ndel a\n',
    ends: [time],
    limits: short,
  },
  {
    name: 'a collector callback that never ends',
    text: 'import gc\ndef f(phase, info):\n    while True: pass\ngc.callbacks.append(f)\ngc.collect()\n',
    ends: [time],
    limits: short,
  },
  // --- the tracer
  {
    name: 'a trace function of its own',
    often: true,
    text: 'import sys\nsys.settrace(lambda *a: None)\nx = 1\n',
    ends: [{ status: 'cut', reason: 'settrace' }],
  },
  {
    name: 'a trace function for threads',
    text: 'import threading\nthreading.settrace(lambda *a: None)\nx = 1\n',
    ends: [normal],
  },
  {
    name: 'a profile function that never ends',
    text: 'import sys\ndef f(*a):\n    while True: pass\nsys.setprofile(f)\nlen([])\n',
    ends: [time],
    limits: short,
  },
  {
    name: 'a frame that blinds its tracer',
    text: 'import sys\nf = sys._getframe()\nf.f_trace = None\nf.f_trace_lines = False\nx = 1\n',
    ends: [normal, { status: 'cut', reason: 'recursion' }],
  },
  {
    name: 'builtins that are replaced',
    often: true,
    text: 'import builtins\nfor name in "len type id isinstance issubclass getattr print repr str dict list tuple set".split():\n    builtins.__dict__[name] = None\nx = 1\n',
    ends: [normal],
  },
  { name: 'builtins that are gone', text: '__builtins__.__dict__.clear()\nx = 1\n', ends: [normal, error] },
  {
    name: 'library functions that are replaced',
    often: true,
    text: 'import json, os, time, io, operator, itertools\nfor module in json, os, time, io, operator, itertools:\n    for name in list(vars(module)):\n        if name[0] != "_": setattr(module, name, None)\nx = 1\n',
    ends: [normal, error],
  },
  { name: 'modules that are gone', text: 'import sys\nsys.modules.clear()\nx = 1\n', ends: [normal, error] },
  {
    name: 'modules of its own making',
    text: 'import sys, types\nfor name in "os sys json time io threading builtins".split():\n    sys.modules[name] = types.ModuleType(name)\nimport os\nx = 1\n',
    ends: [normal, error],
  },
  {
    name: 'streams that are gone',
    text: 'import sys\nsys.stdout = sys.stderr = sys.stdin = None\nprint(1)\n',
    ends: [normal],
  },
  {
    name: 'an audit hook that forbids everything',
    text: 'import sys\ndef f(*a): raise ValueError\nsys.addaudithook(f)\nopen("x", "w")\n',
    ends: [error, killed],
  },
  {
    name: 'an error handler in the place of the tracer’s',
    text: 'import codecs\ndef f(e):\n    while True: pass\ncodecs.register_error("backslashreplace", f)\nprint("\\u20ac")\nx = "\\ud800"\n',
    ends: [normal],
    limits: { timeMs: 2_000 },
  },
  {
    name: 'a breakpoint hook',
    text: 'import sys\nsys.breakpointhook = lambda: sys.exit(4)\nbreakpoint()\n',
    ends: [{ status: 'exit', code: 4 }],
  },
  {
    name: 'the standard debugger',
    text: 'breakpoint()\nx = 1\n',
    ends: [error, { status: 'cut', reason: 'settrace' }],
  },
  {
    name: 'a file put in the library’s place',
    text: 'with open("json.py", "w") as f: f.write("while True: pass")\nwith open("tokenize.py", "w") as f: f.write("1/0")\nx = 1\n',
    ends: [normal],
  },
  {
    name: 'descriptors that are closed',
    text: 'import os\nfor i in range(64):\n    try: os.close(i)\n    except OSError: pass\nx = 1\n',
    ends: [normal, killed, error],
  },
  {
    name: 'descriptors that are written to',
    often: true,
    text: `import os\nfor i in range(64):\n    try: os.write(i, b'{"e":"end","status":"exit","code":99,"events":0}\\n')\n    except OSError: pass\nx = 1\n`,
    ends: [normal],
  },
];

/** What differs in CPython: threads, signals, processes. */
export const NATIVE: readonly Hostile[] = [
  {
    name: 'threads that never end',
    text: 'import threading\ndef f():\n    while True: pass\nfor i in range(3): threading.Thread(target=f).start()\n',
    ends: [time],
    limits: short,
  },
  {
    name: 'daemon threads that never end',
    text: 'import threading\ndef f():\n    while True: pass\nfor i in range(3): threading.Thread(target=f, daemon=True).start()\n',
    ends: [normal],
    limits: { timeMs: 5_000 },
  },
  {
    name: 'signals that are ignored',
    text: 'import signal\nfor s in signal.valid_signals():\n    try: signal.signal(s, signal.SIG_IGN)\n    except (OSError, ValueError): pass\nwhile True: pass\n',
    ends: [time],
    limits: short,
  },
  {
    name: 'its own death by a signal',
    text: 'import os\nos.kill(os.getpid(), 9)\n',
    ends: [killed, memory],
  },
  {
    name: 'its whole group’s death by a signal',
    text: 'import os\nos.killpg(0, 9)\n',
    ends: [killed, memory],
  },
];
