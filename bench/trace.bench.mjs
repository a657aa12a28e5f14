// `npm run bench -- trace [--rounds 5] [--events 100000] [--python python3]`: what recording costs, beside other tracers of Python,
// for the same programs in one run. Each measurement is a process of its own; rounds are interleaved, and the median counts,
// because machines are noisy. Processor time, not the clock's.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from '../scripts/bootstrap.mjs';
import { median, report, table } from './report.mjs';

const PROGRAMS = ['numbers', 'recursion', 'strings', 'classes', 'generators', 'containers'];
/** Programs whose locals are a few numbers and short strings. */
const SMALL = ['numbers', 'recursion', 'strings', 'classes', 'generators'];
const TOOLS = {
  floor: 'no-op `sys.settrace` (the floor)',
  f_locals: 'reading `f_locals` only',
  npdb: 'this tracer',
  repr: '`repr` of all locals at each event',
  viztracer: 'viztracer, arguments and return values (calls only)',
  pysnooper: 'PySnooper',
  snoop: 'snoop',
};
/** They take so long that they get a twentieth of the events. */
const SLOW = new Set(['pysnooper', 'snoop']);

export async function run(args) {
  const { values } = parseArgs({
    args,
    options: {
      rounds: { type: 'string', default: '5' },
      events: { type: 'string', default: '100000' },
      python: { type: 'string', default: process.env.NPDB_PYTHON ?? 'python3' },
    },
  });
  const python = environment(values.python);
  const folder = join(root, '.cache', 'bench', 'out');
  mkdirSync(folder, { recursive: true });
  const measure = (tool, program, n) => {
    const output = join(folder, `${tool}.${tool === 'viztracer' ? 'json' : 'txt'}`);
    writeFileSync(output, '');
    const path = join(root, 'bench', 'programs', `${program}.py`);
    const said = execFileSync(python, ['-s', '-B', 'bench/measure.py', tool, path, String(n), output], {
      cwd: root,
      encoding: 'utf8',
      env: { ...process.env, PYTHONHASHSEED: '0', TMPDIR: tmpdir() },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    return JSON.parse(said.trim().split('\n').at(-1));
  };

  const sizes = {};
  for (const program of PROGRAMS) {
    const each = measure('count', program, 20).events / 20;
    const fast = Math.max(20, Math.round(Number(values.events) / each));
    sizes[program] = [fast, Math.max(1, Math.round(fast / 20))].map((n) => ({
      n,
      events: measure('count', program, n).events,
    }));
  }
  const found = {};
  for (let round = 0; round < Number(values.rounds); round++) {
    for (const program of PROGRAMS) {
      for (const tool of Object.keys(TOOLS)) {
        const { n, events } = sizes[program][SLOW.has(tool) ? 1 : 0];
        const { seconds, bytes, peakMb } = measure(tool, program, n);
        ((found[program] ??= {})[tool] ??= []).push({
          each: seconds / events,
          bytes: bytes / events,
          peakMb,
        });
      }
      process.stderr.write(`round ${round + 1}: ${program}\n`);
    }
  }
  report('trace', summary(python, values, sizes, found));
}

// --- internal ---

/** The packages to compare with, pinned, in `.cache/bench`. Throws where they cannot be installed. */
function environment(system) {
  const version = execFileSync(system, ['-c', 'import sys; print("%d.%d.%d" % sys.version_info[:3])'], {
    encoding: 'utf8',
  }).trim();
  const folder = join(root, '.cache', 'bench', `python-${version}`);
  const windows = process.platform === 'win32';
  const python = join(folder, windows ? 'Scripts/python.exe' : 'bin/python');
  const requirements = join(root, 'bench', 'requirements.txt');
  const stamp = join(folder, '.npdb-requirements');
  const hash = createHash('sha256').update(readFileSync(requirements)).digest('hex');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) return python;
  process.stderr.write(`bench: making ${folder}\n`);
  mkdirSync(folder, { recursive: true });
  execFileSync(system, ['-m', 'venv', folder]);
  execFileSync(python, ['-m', 'pip', 'install', '-q', '--disable-pip-version-check', '-r', requirements], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  writeFileSync(stamp, hash);
  return python;
}

function summary(python, { rounds }, sizes, found) {
  const version = execFileSync(python, ['--version'], { encoding: 'utf8' }).trim();
  const ratio = (program, tool) =>
    median(found[program][tool].map(({ each }, i) => each / found[program].floor[i].each));
  const middle = (tool, key) =>
    median(PROGRAMS.map((program) => median(found[program][tool].map((one) => one[key]))));
  const mean = (tool, programs) =>
    Math.exp(programs.reduce((sum, program) => sum + Math.log(ratio(program, tool)), 0) / programs.length);
  const all = table([
    ['', 'events/s', 'bytes/event', 'peak memory, MB', 'times the floor'],
    ...Object.entries(TOOLS).map(([tool, label]) => [
      label,
      Math.round(1 / middle(tool, 'each')).toLocaleString('en'),
      middle(tool, 'bytes').toFixed(0),
      middle(tool, 'peakMb').toFixed(0),
      mean(tool, PROGRAMS).toFixed(1),
    ]),
  ]);
  const each = table([
    ['times the floor', ...PROGRAMS],
    ...Object.entries(TOOLS).map(([tool, label]) => [
      label,
      ...PROGRAMS.map((program) => ratio(program, tool).toFixed(1)),
    ]),
  ]);
  const events = PROGRAMS.map((program) => `${program} ${sizes[program][0].events}`).join(', ');
  return `Made by \`npm run bench -- trace\`: ${version}, ${cpus()[0]?.model ?? 'unknown processor'}, median of ${rounds} interleaved
rounds, processor time with all output written to a file. Events of each program: ${events}; a twentieth for PySnooper
and snoop. Middle columns: the median of the programs; last: their geometric mean.

${all}

${each}

This tracer on the programs with small locals (all but \`containers\`): ${mean('npdb', SMALL).toFixed(1)} times the floor.`;
}
