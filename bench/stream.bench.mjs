// `npm run bench -- stream [--events 1000000,10000000] [--python python3]`: what `npdb trace FILE -o OUT` takes of a long run: peak
// resident memory of the host and of the Python process, and the time to the finished file. Linux only: it asks /proc.
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from '../scripts/bootstrap.mjs';
import { report, table } from './report.mjs';

/** Of the small program with an argument of `n` (`bench/programs/numbers.py`). */
const EVENTS_OF_ONE = 287;
const EVERY_MS = 100;

export async function run(args) {
  const { values } = parseArgs({
    args,
    options: {
      events: { type: 'string', default: '1000000,10000000' },
      python: { type: 'string', default: process.env.NPDB_PYTHON ?? 'python3' },
    },
  });
  const folder = join(root, '.cache', 'bench', 'out');
  mkdirSync(folder, { recursive: true });
  const rows = [['events', 'file, MB', 'host, MB', 'Python, MB', 'processor time of both, s', 'µs an event']];
  for (const wanted of values.events.split(',').map(Number)) {
    const program = join(folder, 'stream.py');
    const output = join(folder, 'stream.jsonl');
    const text = readFileSync(join(root, 'bench', 'programs', 'numbers.py'), 'utf8');
    writeFileSync(program, `${text}\n\nmain(${Math.ceil(wanted / EVENTS_OF_ONE)})\n`);
    const { host, python, seconds } = await watch(
      [join(root, 'bin', 'npdb.js'), 'trace', program, '-o', output, '--python', values.python],
      ['--events', String(10 ** 9), '--time', String(10 ** 7)],
    );
    const { events } = JSON.parse(
      readFileSync(output).subarray(-4096).toString().trimEnd().split('\n').at(-1),
    );
    const mb = (kb) => (kb / 1024).toFixed(0);
    rows.push([
      events.toLocaleString('en'),
      (statSync(output).size / 2 ** 20).toFixed(0),
      mb(host),
      mb(python),
      seconds.toFixed(1),
      ((seconds / events) * 1e6).toFixed(1),
    ]);
    process.stderr.write(`${rows.at(-1).join(' ')}\n`);
    rmSync(output);
  }
  report('stream', `Made by \`npm run bench -- stream\`, peak resident memory.\n\n${table(rows)}`);
}

// --- internal ---

/** Peaks in KB of the host and of the largest process below it; processor time of all. */
async function watch(command, options) {
  const child = spawn(process.execPath, [...command, ...options], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const peaks = new Map();
  const times = new Map();
  const timer = setInterval(() => {
    for (const pid of family(child.pid)) {
      const kb = Number(/VmHWM:\s*(\d+)/.exec(read(`/proc/${pid}/status`))?.[1] ?? 0);
      if (kb > 0) peaks.set(pid, kb);
      const fields = read(`/proc/${pid}/stat`).split(') ')[1]?.split(' ');
      // User and system time, in hundredths of a second.
      if (fields) times.set(pid, (Number(fields[11]) + Number(fields[12])) / 100);
    }
  }, EVERY_MS);
  const code = await new Promise((resolve) => child.on('exit', resolve));
  clearInterval(timer);
  if (code !== 0) throw new Error(`npdb trace ended with ${code}`);
  const host = peaks.get(child.pid);
  peaks.delete(child.pid);
  const seconds = [...times.values()].reduce((sum, one) => sum + one, 0);
  return { host, python: Math.max(...peaks.values()), seconds };
}

function family(pid) {
  const children = read(`/proc/${pid}/task/${pid}/children`).trim().split(' ').filter(Boolean).map(Number);
  return [pid, ...children.flatMap(family)];
}

function read(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
