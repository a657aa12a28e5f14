"""What an event costs while a large object is alive: 1,000 lines are stepped with an object of N elements among the
locals, and the processor's time is compared with the same program's at 10 elements. Prints ratios of one run; docs/values.md has them.

    python bench/values.py                     up to 10**7 elements
    python bench/values.py --most 1000000      fewer, for machines with little memory

`alive`: the object does not change. `changing`: each line changes it, so that its text is made anew.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
TRACER = ROOT / 'src' / 'python' / 'tracer.py'

# name: how it is made, a statement that changes it (None: it cannot change)
KINDS = {
    'list': ('list(range(n))', 'x[0] = i'),
    'list of lists': ('[[i] for i in range(n)]', 'x[0][0] = i'),
    'tuple': ('tuple(range(n))', None),
    'dict': ('dict.fromkeys(range(n))', 'x[0] = i'),
    'dict view': ('dict.fromkeys(range(n)).keys()', None),
    'set': ('set(range(n))', 'x.symmetric_difference_update((-1,))'),
    'set of strings': ('set(map(str, range(n)))', "x.symmetric_difference_update(('a',))"),
    'frozenset': ('frozenset(range(n))', None),
    'str': ("'x' * n", None),
    'bytes': ("b'x' * n", None),
    'bytearray': ('bytearray(n)', 'x[0] = i & 255'),
    'int': ('1 << n', None),
    'deque': ('deque(range(n))', 'x[0] = i'),
    'OrderedDict': ('OrderedDict.fromkeys(range(n))', 'x[0] = i'),
    'Counter': ('Counter(range(n))', 'x[0] = i'),
    'subclass of list': ('L(range(n))', 'x[0] = i'),
    'instance': ("made(dict.fromkeys(map('a{}'.format, range(n))))", 'x.a0 = i'),
    'a dict that looks like a class body': ("{'__module__': 1, **dict.fromkeys(range(n))}", 'x[0] = i'),
    'set of one large tuple': ('{tuple(range(n))}', 'x.symmetric_difference_update((-1,))'),
}
PROGRAM = '''
from collections import Counter, OrderedDict, deque
from time import process_time
class L(list): pass
class Plain: pass
def made(fields):
    found = Plain()
    vars(found).update(fields)
    return found
def f(n):
    x = {make}
    begun = process_time()
    for i in range(1000):
        {step}
    return process_time() - begun
'''
REPEATS = 2


def seconds(make, step, size):
    """The best of some runs: the loop's own time, in the traced program."""
    best = None
    for _ in range(REPEATS):
        request = {
            'file': {'name': 'main.py', 'text': PROGRAM.format(make=make, step=step)},
            'call': 'f(%d)' % size,
            'limits': {'events': 10_000, 'timeMs': 600_000, 'memoryMb': 16_384, 'outputBytes': 1000},
        }
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run(
                [sys.executable, '-s', '-B', '-X', 'utf8', str(TRACER), '--once'],
                input=json.dumps(request) + '\n', capture_output=True, text=True, cwd=folder,
                env={'PYTHONHASHSEED': '0', 'HOME': '.', 'TMPDIR': '.'}, check=True,
            )
        end = json.loads(done.stdout.splitlines()[-1])
        if end['status'] != 'normal':
            raise SystemExit('the program ended otherwise: %r %s' % (end, done.stderr))
        taken = float(end['value'])
        best = taken if best is None else min(best, taken)
    return best


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--most', type=int, default=10**7, help='elements of the largest object')
    parser.add_argument('--kind', action='append', choices=list(KINDS), help='only these; may be repeated')
    options = parser.parse_args()
    # 100 items are shown, and 1,000 elements of a set are sorted.
    sizes = [100, 1000, options.most]
    print('us/event at 10 elements, and how many times that at', ', '.join('{:,}'.format(s) for s in sizes))
    worst = (0, '')
    for name in options.kind or KINDS:
        make, change = KINDS[name]
        for mode, step in (('alive', 'i'), ('changing', change)):
            if step is None:
                continue
            small = seconds(make, step, 10)
            ratios = [seconds(make, step, size) / small for size in sizes]
            events = 2000
            print('%-36s %-9s %7.1f  %s' % (name, mode, small / events * 1e6, ' '.join('%8.1f' % r for r in ratios)))
            sys.stdout.flush()
            worst = max(worst, (ratios[-1], '%s, %s' % (name, mode)))
    print('largest ratio at %s elements: %.1f (%s)' % ('{:,}'.format(sizes[-1]), *worst))


if __name__ == '__main__':
    main()
