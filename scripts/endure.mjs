#!/usr/bin/env node
/**
 * @file One host, thousands of programs: nothing may stay behind. Runs programs, most of them harmless and every
 * eighth one not, through one process: each in a CPython of its own, then in interpreters that are kept, then each in a
 * sandbox of its own. Prints this host's processes, files, descriptors and memory on the way; exits 1 if they
 * grow. Usage: `node --expose-gc scripts/endure.mjs [--pyodide N] [--cpython N] [--pool N] [--python PATH]`.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createCpython, createPyodide } from '../dist/python/index.js';

const { values } = parseArgs({
  options: {
    pyodide: { type: 'string', default: '1000' },
    cpython: { type: 'string', default: '1000' },
    pool: { type: 'string', default: '8000' },
    python: { type: 'string', default: 'python3' },
  },
});
/** All that these runs leave on disk would lie here; the name also marks their processes. */
const folder = mkdtempSync(join(tmpdir(), 'npdb-endure-'));
process.env.TMPDIR = folder;
const MARK = folder.split('/').at(-1);
/** What a host may grow from one phase's middle to its end: the collector's own play. */
const HEAP_PLAY = 6 * 2 ** 20;
const short = { timeMs: 250 };

const HARMLESS = [
  { text: 'def f(n):\n    return [i * i for i in range(n)]\n', call: 'f(5)' },
  { text: 'def f(n):\n    return 1 if n < 2 else n * f(n - 1)\n', call: 'f(6)', record: false },
  { text: 'import collections\nx = collections.Counter("hello")\nprint(x)\n' },
  { text: 'class A:\n    def __init__(self):\n        self.x = {}\na = A()\na.x[1] = a\n1 / 0\n' },
];
const HOSTILE = [
  {
    text: 'while True:\n    try:\n        while True: pass\n    except BaseException: pass\n',
    limits: short,
  },
  { text: 'import os\nos._exit(3)\n' },
  { text: "while True: print('x' * 10_000)\n" },
  { text: 'import os\nos.abort()\n' },
  { text: 'x = []\nwhile True: x.append(bytearray(4 * 10**6))\n', limits: { memoryMb: 96, timeMs: 3000 } },
  { text: 'import sys\nsys.modules.clear()\n__builtins__.__dict__.clear()\n' },
  { text: 'for i in range(200): open(f"file{i}", "w").write("x" * 1000)\n' },
];
const DAEMON = {
  text: "import subprocess\nsubprocess.Popen(['sleep', '3600'], start_new_session=True)\n",
};

/** Processes that this host, or anything it started, has left. */
function processes() {
  if (process.platform !== 'linux') return 0;
  const parents = new Map();
  const marked = [];
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    try {
      parents.set(Number(name), Number(/\) \S+ (\d+)/.exec(readFileSync(`/proc/${name}/stat`, 'utf8'))[1]));
      if (readFileSync(`/proc/${name}/cmdline`, 'latin1').includes(MARK)) marked.push(Number(name));
    } catch {
      // Ended meanwhile.
    }
  }
  const ours = (pid) => pid === process.pid || (parents.has(pid) && pid > 1 && ours(parents.get(pid)));
  const all = new Set([...parents.keys()].filter((pid) => ours(parents.get(pid))));
  for (const pid of marked) if (pid !== process.pid) all.add(pid);
  return all.size;
}

function measure() {
  globalThis.gc?.();
  const { rss, heapUsed } = process.memoryUsage();
  return {
    processes: processes(),
    files: readdirSync(folder).filter((name) => name !== 'snapshots').length,
    descriptors: process.platform === 'linux' ? readdirSync('/proc/self/fd').length : 0,
    rss,
    heap: heapUsed,
  };
}

const mb = (bytes) => `${(bytes / 2 ** 20).toFixed(1)} MB`;
const show = (phase, when, m) =>
  process.stdout.write(
    `${phase.padEnd(8)} ${when.padEnd(7)} processes ${m.processes}, files ${m.files}, descriptors ${m.descriptors}, heap ${mb(m.heap)}, resident ${mb(m.rss)}\n`,
  );

/** Runs `count` programs, `workers` at a time; returns the measures at the start, in the middle and at the end. */
async function phase(name, runtime, count, programs) {
  const workers = Math.max(1, availableParallelism());
  const ends = {};
  let next = 0;
  const drain = async (until) => {
    await Promise.all(
      Array.from({ length: workers }, async () => {
        while (next < until) {
          const { text, ...rest } = programs[next++ % programs.length];
          const { trace } = await runtime.run({ file: { name: 'main.py', text }, ...rest });
          const { status, reason } = trace.end;
          const end = reason ? `${status} (${reason})` : status;
          ends[end] = (ends[end] ?? 0) + 1;
        }
      }),
    );
    // What was killed is gone in a moment, and a spare may be starting.
    await pause(1500);
  };
  const warm = Math.min(count, 2 * programs.length);
  const began = Date.now();
  await drain(warm);
  const start = measure();
  show(name, `${warm}`, start);
  const marks = [];
  for (let part = 1; part <= 4; part++) {
    await drain(warm + Math.floor(((count - warm) * part) / 4));
    marks.push(measure());
    show(name, `${next}`, marks.at(-1));
  }
  const shown = Object.entries(ends).map(([end, times]) => `${times} ${end}`);
  const seconds = (Date.now() - began) / 1000;
  process.stdout.write(
    `${name.padEnd(8)} ${next} programs in ${seconds.toFixed(0)} s: ${shown.join(', ')}\n`,
  );
  const [, middle, , end] = marks;
  return {
    name,
    grown: [
      ...(end.processes > start.processes ? ['processes'] : []),
      ...(end.files > start.files ? ['files'] : []),
      ...(end.descriptors > start.descriptors + 2 ? ['descriptors'] : []),
      ...(end.heap > middle.heap + HEAP_PLAY ? ['memory'] : []),
    ],
  };
}

/** Every eighth program is a hostile one, each of them in turn. */
const mixed = (hostile) =>
  hostile.flatMap((bad) => [...Array.from({ length: 7 }, (_, i) => HARMLESS[i % HARMLESS.length]), bad]);

const results = [];
try {
  const snapshots = join(folder, 'snapshots');
  show('host', 'start', measure());
  const plan = [
    [
      'cpython',
      Number(values.cpython),
      () => createCpython({ python: values.python, readable: [folder] }),
      mixed([...HOSTILE, DAEMON]),
    ],
    ['pool', Number(values.pool), () => createCpython({ python: values.python, pool: true }), HARMLESS],
    ['pyodide', Number(values.pyodide), async () => createPyodide({ snapshots }), mixed(HOSTILE)],
  ];
  for (const [name, count, open, programs] of plan) {
    if (count === 0) continue;
    const runtime = await open();
    process.stdout.write(`${name.padEnd(8)} ${runtime.protection}\n`);
    results.push(await phase(name, runtime, count, programs));
    await runtime.close();
  }
  await pause(1000);
  const last = measure();
  show('host', 'end', last);
  if (last.processes > 0 || last.files > 0) results.push({ name: 'host', grown: ['processes or files'] });
} finally {
  rmSync(folder, { recursive: true, force: true });
}
for (const { name, grown } of results) {
  if (grown.length > 0) process.stdout.write(`${name}: grows: ${grown.join(', ')}\n`);
}
process.exitCode = results.some(({ grown }) => grown.length > 0) ? 1 : 0;
