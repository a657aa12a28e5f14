// `npm run bench -- tree [--events 10000000] [--python python3]`: a recorded and a made-up trace of that many events: the time to load
// each into a tree, memory, and what an action costs on average over walks that begin at random places.
import { execFileSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from '../scripts/bootstrap.mjs';
import { report, table } from './report.mjs';

const ACTIONS = [
  'step_into',
  'step_over',
  'step_return',
  'breakpoint',
  'continue',
  'inv_step_into',
  'inv_step_over',
  'inv_step_call',
];
const STEPS = 500_000;

export async function run(args) {
  const { values } = parseArgs({
    args,
    options: {
      events: { type: 'string', default: '10000000' },
      python: { type: 'string', default: process.env.NPDB_PYTHON ?? 'python3' },
    },
  });
  const events = Number(values.events);
  const { loadTree } = await import('../dist/tree/load.js');
  const folder = join(root, '.cache', 'bench', 'out');
  mkdirSync(folder, { recursive: true });
  const rows = [['', 'events', 'load, s', 'resident, MB', ...ACTIONS.map((name) => `\`${name}\`, ns`)]];
  let note = '';
  for (const [label, make] of [
    ['recorded: `numbers`', record],
    ['made up: nested calls', invent],
  ]) {
    const path = join(folder, 'tree.jsonl');
    const made = make(path, events, values.python);
    if (made?.peakMb) note = `Recording it took the Python process ${made.peakMb.toFixed(0)} MB at most.`;
    const began = processorMs();
    const loaded = await loadTree(path);
    const seconds = (processorMs() - began) / 1000;
    const memory = process.memoryUsage().rss / 2 ** 20;
    const costs = ACTIONS.map((type) => Math.round(cost(loaded.tree, type)).toString());
    rows.push([
      label,
      loaded.tree.size.toLocaleString('en'),
      seconds.toFixed(1),
      memory.toFixed(0),
      ...costs,
    ]);
    await loaded.close();
    rmSync(path);
  }
  report(
    'tree',
    `Made by \`npm run bench -- tree\`; processor time, resident memory after loading. ${note}\n\n${table(rows)}`,
  );
}

// --- internal ---

/** About `events` events of the small program. */
function record(path, events, python) {
  const program = join(root, 'bench', 'programs', 'numbers.py');
  const n = Math.ceil(events / 288);
  const said = execFileSync(python, ['-s', '-B', 'bench/measure.py', 'npdb', program, String(n), path], {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, PYTHONHASHSEED: '0' },
  });
  return JSON.parse(said);
}

/** A program that calls itself, five levels deep, with a few lines on each. */
function invent(path, events) {
  const file = openSync(path, 'w');
  let lines = [];
  let count = 0;
  let frames = 0;
  const put = (text) => {
    lines.push(text);
    count++;
    if (lines.length === 10_000) {
      writeSync(file, `${lines.join('\n')}\n`);
      lines = [];
    }
  };
  const call = (parent, depth) => {
    const f = frames++;
    put(`{"e":"call","f":${f},"l":${depth * 10 + 1},"p":${parent},"fn":"f${depth}"}`);
    for (let i = 0; i < 4; i++) {
      put(`{"e":"line","f":${f},"l":${depth * 10 + 2 + i},"set":{"x":"${count}"}}`);
      if (depth < 5 && i > 1) call(f, depth + 1);
    }
    put(`{"e":"return","f":${f},"l":${depth * 10 + 5},"v":"None"}`);
  };
  const limits = { events, timeMs: 1, memoryMb: 1, outputBytes: 0 };
  const cuts = { items: 100, chars: 300, depth: 8, leaves: 400 };
  const header = {
    e: 'header',
    version: 1,
    python: '3.11.7',
    implementation: 'cpython',
    hashSeed: '0',
    limits,
    values: cuts,
    files: [{ name: 'main.py', text: '' }],
  };
  writeSync(file, `${JSON.stringify(header)}\n`);
  frames = 1;
  put('{"e":"call","f":0,"l":1,"fn":"<module>","k":"module"}');
  put('{"e":"line","f":0,"l":1}');
  while (count < events) call(0, 0);
  put('{"e":"return","f":0,"l":1,"v":"None"}');
  const end = { e: 'end', status: 'normal', events: count };
  writeSync(file, `${[...lines, JSON.stringify(end)].join('\n')}\n`);
  closeSync(file);
  return null;
}

/** Of all threads of this process: other work on the machine does not count. */
function processorMs() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Nanoseconds an action, on walks from places spread by a fixed rule. */
function cost(tree, type) {
  let seed = 12345;
  const next = () => (seed = (seed * 1103515245 + 12345) & 0x7fffffff) % tree.size;
  const action = type === 'breakpoint' ? { type, line: tree.line[next()] } : { type };
  // The index of lines is made at the first breakpoint.
  tree.move({ at: 0, call: false }, action);
  let place = { at: next(), call: false };
  const began = processorMs();
  for (let i = 0; i < STEPS; i++) {
    const move = tree.move(place, action);
    place = move.type === 'place' && i % 50 ? move.place : { at: next(), call: false };
  }
  return ((processorMs() - began) / STEPS) * 1e6;
}
