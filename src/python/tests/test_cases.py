"""The streams of test/fixtures/cases, one program per construct that trips debuggers, on every interpreter.

    python -m pytest src/python/tests/test_cases.py --write-cases      writes them anew, with the newest interpreter
"""

import pytest
from tracing import ROOT, shown

CASES = ROOT / 'test' / 'fixtures' / 'cases'
LIMITS = {'events': 1000, 'timeMs': 20_000}
NAMES = sorted(path.stem for path in CASES.glob('*.py'))
# The order of events is only certain within one thread (rule 14).
THREADS = {'s31_threads'}


def stream(python, name):
    limits = {**LIMITS, 'events': 60} if name == 's39_infinite_loop' else LIMITS
    records = python.run((CASES / (name + '.py')).read_text(), limits=limits)
    end = {key: value for key, value in records[-1].items() if key != 'events'}
    lines = shown(records)
    if name in THREADS:
        lines = sorted(' '.join(line.split(' ')[:3:2]) for line in lines if ' <module>:' not in line)
    return '\n'.join([*lines, 'end %s' % end, ''])


@pytest.mark.parametrize('name', NAMES)
def test_case(python, name, pytestconfig):
    expected = CASES / 'streams' / (name + '.txt')
    if pytestconfig.getoption('--write-cases'):
        expected.write_text(stream(python, name))
    assert stream(python, name) == expected.read_text()


def test_every_case_has_a_stream():
    assert [path.stem for path in sorted((CASES / 'streams').glob('*.txt'))] == NAMES
