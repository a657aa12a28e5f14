import pytest
from tracing import VERSIONS, Python, find


@pytest.fixture(scope='session', params=VERSIONS)
def python(request):
    path = find(request.param)
    if path is None:
        pytest.skip('no CPython %s here' % request.param)
    found = Python(path)
    yield found
    found.close()


@pytest.fixture(scope='session', params=['oldest', 'newest'])
def edge(request):
    """For tests that need a process of their own each time."""
    found = [version for version in VERSIONS if find(version)]
    if request.param == 'newest' and len(found) == 1:
        pytest.skip('only CPython %s here' % found[0])
    python = Python(find(found[0 if request.param == 'oldest' else -1]))
    yield python
    python.close()


def pytest_addoption(parser):
    parser.addoption('--write-cases', action='store_true', help='write test/fixtures/cases/streams anew')
