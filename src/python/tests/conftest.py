import pytest

from tracing import VERSIONS, Python, find


@pytest.fixture(scope='session', params=VERSIONS)
def python(request):
    path = find(request.param)
    if path is None:
        pytest.skip('no CPython %s here' % request.param)
    found = Python(path)
    found.version = tuple(map(int, request.param.split('.')))
    yield found
    found.close()


def pytest_addoption(parser):
    parser.addoption('--write-cases', action='store_true', help='write test/fixtures/cases/streams anew')
