"""Edits and probes at a state, and how runs end: limits, exits, what a program does to the interpreter."""

import time

import pytest
from tracing import shown

NESTED = '''g = 1
def outer(a):
    n = 0
    def inner(b):
        nonlocal n
        global g
        n += b
        g += 1
        return n
    r = inner(a)
    s = r + n + g
    return [x * s for x in range(a)]
class C:
    z = 1
    w = z + 1
out = outer(2)
'''


def index(records, place):
    """Of the first event whose line begins so."""
    return next(i for i, line in enumerate(shown(records)) if line.startswith(place))


def last(records, name):
    """The last value of a name in the module."""
    return [r['set'][name] for r in records if r.get('f') == 0 and name in r.get('set', {})][-1]


@pytest.mark.parametrize(
    'place, edit, expected',
    [
        ('call f3 outer.<locals>.inner:4', ('b', '10', 0), '[0, 22]'),
        ('line f2 outer:11', ('r', '100', 0), '[0, 104]'),
        ('line f3 outer.<locals>.inner:7', ('n', '50', 0), '[0, 106]'),
        ('line f3 outer.<locals>.inner:8', ('g', '70', 0), '[0, 75]'),
        ('line f3 outer.<locals>.inner:9', ('n', '33', 1), '[0, 68]'),
        ('call f3 outer.<locals>.inner:4', ('a', 'a + 1', 1), '[0, 6, 12]'),
        ('line f3 outer.<locals>.inner:9', ('g', '7', 2), '[0, 11]'),
        ('line f0 <module>:16', ('outer', 'lambda q: [q, g]', 0), '[2, 1]'),
        ('line f2 outer:11', ('r', 'sum(a for _ in range(3)) + (lambda: n)()', 0), '[0, 12]'),
        ('line f2 outer:11', ('r', '1 / 0', 0), '[0, 6]'),
        ('line f2 outer:11', ('r', '1 +', 0), '[0, 6]'),
        ('line f2 outer:11', ('r', 'exit()', 0), '[0, 6]'),
    ],
)
def test_edit(python, place, edit, expected):
    name, value, up = edit
    at = index(python.run(NESTED), place)
    records = python.run(NESTED, edits=[{'at': at, 'name': name, 'value': value, 'up': up}])
    assert records[-1]['status'] == 'normal'
    assert last(records, 'out') == expected


def test_edit_in_a_class_body(python):
    at = index(python.run(NESTED), 'line f1 C:15')
    records = python.run(NESTED, 'C.w', edits=[{'at': at, 'name': 'z', 'value': '40'}])
    assert records[-1]['value'] == '41'


def test_the_edited_name_is_in_the_frames_next_event(python):
    records = python.run('def f():\n    a = 1\n    b = 2\nf()\n', edits=[{'at': 5, 'name': 'a', 'value': '[7]'}])
    assert shown(records)[5:7] == ['line f1 f:3 a=1', 'return f1 f:3 a=[7] b=2 -> None']


def test_probes(python):
    records = python.run(NESTED)
    inner, outer = index(records, 'line f3 outer.<locals>.inner:9'), index(records, 'line f2 outer:11')
    asked = ['r + n', '[x for x in range(r)]', '(lambda: a + r)()', 'nope', '1/0', '1 +', '"x" * 500', 'type(r)', 'exit(3)']
    records = python.run(
        NESTED,
        probes=[
            {'at': outer, 'expressions': asked},
            {'at': inner, 'expressions': ['a', 'b'], 'up': 1},
            {'at': inner, 'expressions': ['g'], 'up': 9},
            {'at': 10_000, 'expressions': ['g']},
        ],
    )
    probes = {r['i']: r['results'] for r in records if r['e'] == 'probe'}
    assert [r.get('value', r.get('error')) for r in probes[0]] == [
        '4', '[0, 1]', '4', "NameError: name 'nope' is not defined", 'ZeroDivisionError: division by zero',
        'SyntaxError: invalid syntax', repr('x' * 500), "<class 'int'>", 'SystemExit: 3',
    ]
    assert probes[0][0]['type'] == 'int'
    assert probes[1] == [{'value': '2', 'type': 'int'}, {'error': "NameError: name 'b' is not defined"}]
    assert probes[2] == []
    assert 3 not in probes
    assert shown(records) == shown(python.run(NESTED))


def test_a_probe_does_not_undo_what_it_calls(python):
    at = index(python.run(NESTED), 'line f2 outer:11')
    records = python.run(NESTED, probes=[{'at': at, 'expressions': ['inner(10)']}])
    assert last(records, 'out') == '[0, 17]'


def test_without_recording(python):
    end = {'e': 'end', 'status': 'normal', 'value': '3', 'events': 0, 'o': 'hi\n'}
    assert python.run('print("hi")\ndef f(x): return x + 1\n', 'f(2)', record=False) == [end]


def test_input_and_arguments(python):
    records = python.run('import sys\na = input("? ")\nb = sys.stdin.read()\nc = sys.argv\n', stdin='x\ny\n', argv=['1'])
    assert shown(records)[3:] == [
        "line f0 <module>:3 a='x' o='? '",
        "line f0 <module>:4 b='y\\n'",
        "return f0 <module>:4 c=['main.py', '1'] -> None",
    ]
    end = python.run('input()\n')[-1]
    assert (end['status'], end['exception']) == ('error', "EOFError('EOF when reading a line')")


def test_output_of_all_ways(python):
    text = '''
import sys, io, os
print('a'); print('b', file=sys.stderr)
sys.__stdout__.write('c')
sys.stdout.buffer.write(b'\\xc3\\xa9')
os.write(1, b'not ours')
print('\\ud800')
old = sys.stdout; sys.stdout = io.StringIO(); print('unseen'); sys.stdout = old
print('end')
'''
    records = python.run(text)
    assert ''.join(r.get('o', '') for r in records) == 'a\ncé\\ud800\nend\n'
    assert ''.join(r.get('err', '') for r in records) == 'b\n'


@pytest.mark.parametrize(
    'text, end',
    [
        ('import sys\nsys.exit(3)\n', {'status': 'exit', 'code': 3}),
        ('import sys\nsys.exit()\n', {'status': 'exit', 'code': 0}),
        ('import sys\nsys.exit("no")\n', {'status': 'exit', 'code': 1, 'err': 'no\n'}),
        ('raise SystemExit(True)\n', {'status': 'exit', 'code': 1}),
        ('import os\nos._exit(4)\n', {'status': 'exit', 'code': 4}),
        ('1 / 0\n', {'status': 'error', 'exception': "ZeroDivisionError('division by zero')"}),
        ('x = 10**13 * "a"\n', {'status': 'cut', 'reason': 'memory', 'exception': 'MemoryError()'}),
        ('import no_such_module\n', {'status': 'error', 'exception': "ModuleNotFoundError(\"No module named 'no_such_module'\")"}),
        ('while True: x = 1\n', {'status': 'cut', 'reason': 'time'}),
        ('i = 0\nwhile True:\n    i += 1\n', {'status': 'cut', 'reason': 'events'}),
        ('while True: print("x" * 100)\n', {'status': 'cut', 'reason': 'output'}),
        ('import sys\nsys.settrace(lambda *a: None)\n', {'status': 'cut', 'reason': 'settrace'}),
        ('while True:\n    try: raise ValueError\n    except BaseException: pass\n', {'status': 'cut', 'reason': 'events'}),
    ],
    ids=lambda value: value.split('\n')[-2] if type(value) is str else '',
)
def test_end(edge, text, end):
    limits = {'events': 500, 'timeMs': 300 if end.get('reason') == 'time' else 60_000, 'outputBytes': 1000}
    # Where the process lives on, a program that catches everything is stopped from outside.
    ways = (edge.once,) if 'BaseException' in text else (edge.once, edge.run)
    for way in ways:
        records = way(text, limits=limits)
        found = dict(records[-1])
        assert found.pop('events') == len(records) - 1
        if end['status'] == 'cut' and end['reason'] != 'memory':
            found = {key: found[key] for key in ('status', 'reason')}
        else:
            assert found.pop('e') == 'end'
        assert found == end


def test_output_is_kept_up_to_the_limit(edge):
    records = edge.once('print("x" * 10**6)\n', limits={'outputBytes': 35})
    assert records[-1]['o'] == 'x' * 35


@pytest.mark.parametrize(
    'text',
    [
        'while True: pass\n',
        'while True:\n    try:\n        while True: pass\n    except BaseException: pass\n',
        'import time\ntime.sleep(100)\n',
        'import threading\nthreading.Lock().acquire() or 0\nl = threading.Lock(); l.acquire(); l.acquire()\n',
        'import threading\ndef f():\n    while True: pass\nthreading.Thread(target=f).start()\n',
        'def f():\n    while True: pass\n',
    ],
)
def test_time_limit_without_events(edge, text):
    start = time.monotonic()
    call = 'f()' if text.startswith('def') else None
    records = edge.once(text, call, limits={'timeMs': 300}, record=call is None)
    assert (records[-1]['status'], records[-1]['reason']) == ('cut', 'time')
    assert records[-1]['events'] == len(records) - 1
    assert time.monotonic() - start < 20


def test_a_stop_cannot_be_caught(edge):
    text = 'def f():\n    try:\n        x = 1\n        x = 2\n    except BaseException:\n        y = 1\nf()\nf()\n'
    for run in (edge.once, edge.run):
        records = run(text, limits={'events': 6})
        assert records[-1] == {'e': 'end', 'status': 'cut', 'reason': 'events', 'events': 6}


def test_a_program_finds_itself_untraced(python):
    text = '''
import sys
before = sys.gettrace()
sys.settrace(None)
def f(x):
    """
    >>> f(1)
    2
    """
    return x + 1
import doctest
r = doctest.testmod()
z = f(2)
'''
    records = python.run(text)
    assert records[-1]['status'] == 'normal'
    assert last(records, 'before') == 'None'
    assert last(records, 'r') == 'TestResults(failed=0, attempted=1)'
    assert last(records, 'z') == '3'


def test_what_a_program_replaces_is_only_its_own(edge):
    text = '''
import builtins, json, os, sys, time, threading, random
x = random.random()
for n in 'len type isinstance repr str dict list sorted print enumerate zip getattr issubclass all any map id int'.split():
    setattr(builtins, n, None)
time.monotonic = os.write = json.dumps = sys.settrace = sys.stdout = None
sys.path.clear()
def f(a):
    return a
f([1])
'''
    for _ in 'ab':
        records = edge.once(text)
        assert records[-1]['status'] == 'normal'
        assert shown(records)[-2:] == ['return f1 f:9 -> [1]', 'return f0 <module>:10 -> None']


def test_a_fork_says_nothing(edge):
    text = 'import os\npid = os.fork()\nif pid == 0:\n    x = 1\n    os._exit(0)\nos.waitpid(pid, 0)\npid = 0\n'
    lines = shown(edge.once(text))
    assert lines[-2:] == ['line f0 <module>:7', 'return f0 <module>:7 pid=0 -> None']
    assert not [line for line in lines if ':4' in line]


@pytest.mark.parametrize(
    'text, call, kind',
    [
        ('x = (\n', None, 'SyntaxError'),
        ('def f():\nreturn\n', None, 'IndentationError'),
        ('x = 1\n', 'f(', 'SyntaxError'),
        ('x = 1\n', 'y = 2', 'SyntaxError'),
        ('x = "\\ud800"\n'.encode().decode('unicode_escape', 'surrogatepass'), None, 'UnicodeEncodeError'),
    ],
)
def test_what_cannot_be_compiled(python, text, call, kind):
    records = python.run(text, call)
    assert len(records) == 1
    assert records[0]['status'] == 'error'
    assert records[0]['exception'].startswith(kind + '(')


@pytest.mark.parametrize('text', ['x = 1\r\ny = 2\r\n', 'x = 1\ry = 2\r', 'x = 1\n\x0cy = 2', '\tx = 1\n'.lstrip() + 'y = 2'])
def test_line_ends(python, text):
    lines = shown(python.run(text))
    assert lines[1:] == ['line f0 <module>:1', 'line f0 <module>:2 x=1', 'return f0 <module>:2 y=2 -> None']
