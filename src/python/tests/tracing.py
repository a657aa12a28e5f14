"""Runs the tracer under every interpreter that is found, and writes its events as short lines:

    call f1 f:3 <f0 (generator) x=1        event, frame, function:line, parent, kind, names set
    line f1 f:4 g.total=2 del y            names of the module that the frame sees, names gone
    return f1 f:4 -> 3 o='text'            value, output
"""

import functools
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]
TRACER = ROOT / 'src' / 'python' / 'tracer.py'
VERSIONS = ('3.10', '3.11', '3.12', '3.13', '3.14')
SECONDS = 120


@functools.cache
def find(version):
    """An interpreter of this version: ours, one on PATH, or pyenv's; None if there is none."""
    if '%d.%d' % sys.version_info[:2] == version:
        return sys.executable
    pyenv = sorted(Path.home().glob('.pyenv/versions/%s.*/bin/python' % version))
    for candidate in (*map(str, pyenv), shutil.which('python' + version)):
        # A pyenv shim without the version behind it is found too, but does not run.
        if candidate and subprocess.run([candidate, '-c', ''], capture_output=True).returncode == 0:
            return candidate
    return None


class Python:
    """One interpreter: `run` asks a process that is kept, `once` a process of its own."""

    def __init__(self, path):
        self.path, self.kept = path, None
        self.environment = {'PYTHONHASHSEED': '0', 'HOME': os.devnull}

    def start(self, *arguments):
        return subprocess.Popen(
            [self.path, '-s', '-B', '-X', 'utf8', str(TRACER), *arguments],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=self.environment, cwd=os.path.dirname(TRACER),
        )

    def run(self, text, call=None, **more):
        if self.kept is None or self.kept.poll() is not None:
            self.kept = self.start()
        self.kept.stdin.write(request(text, call, more))
        self.kept.stdin.flush()
        records = []
        while not records or records[-1]['e'] != 'end':
            line = self.kept.stdout.readline()
            assert line, 'the tracer ended without a word; so far: %r' % records[-3:]
            records.append(json.loads(line))
        return records[1:]

    def once(self, text, call=None, **more):
        process = self.start('--once')
        out, _ = process.communicate(request(text, call, more), timeout=SECONDS)
        assert process.returncode == 0
        return [json.loads(line) for line in out.splitlines()][1:]

    def close(self):
        if self.kept is not None:
            self.kept.kill()
            self.kept.communicate()


def request(text, call, more):
    asked = {'file': {'name': 'main.py', 'text': text}, **more}
    if call is not None:
        asked['call'] = call
    return (json.dumps(asked) + '\n').encode()


def shown(records):
    """All events but the end."""
    names, lines = {}, []
    for event in records:
        if event['e'] in ('end', 'probe'):
            continue
        if event['e'] == 'call':
            names[event['f']] = event['fn']
        parts = ['%s f%d %s:%d' % (event['e'], event['f'], names[event['f']], event['l'])]
        if 'p' in event:
            parts.append('<f%d' % event['p'])
        if 'k' in event:
            parts.append('(%s)' % event['k'])
        if 't' in event:
            parts.append('t%d' % event['t'])
        parts += ['%s=%s' % pair for pair in event.get('set', {}).items()]
        parts += ['g.%s=%s' % pair for pair in event.get('g', {}).items()]
        parts += ['del ' + name for name in event.get('del', ())]
        parts += ['alias ' + '/'.join(names) for names in event.get('a', ())]
        if 'v' in event:
            parts.append('-> ' + event['v'])
        for key in ('o', 'err'):
            if key in event:
                parts.append('%s=%r' % (key, event[key]))
        lines.append(' '.join(parts))
    return lines
