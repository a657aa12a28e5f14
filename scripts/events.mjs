#!/usr/bin/env node
/**
 * @file The rules of the canonical stream, each by small programs (`test/fixtures/events`), on every interpreter that
 * is found and on Pyodide: the stream each gives, and where it is not the one written beside the program. Writes
 * `docs/events.md`; exits 1 where they differ.
 *
 *     npm run build && node scripts/events.mjs
 *
 * Options: --write (the streams anew, by the newest CPython), --python NAME (may be repeated), --no-pyodide.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { eventLines } from '../dist/differential/index.js';
import { createCpython, createPyodide } from '../dist/python/index.js';
import { eventsPage } from './events-page.mjs';
import { interpreters } from './interpreters.mjs';

const { values: options } = parseArgs({
  options: {
    write: { type: 'boolean', default: false },
    python: { type: 'string', multiple: true },
    'no-pyodide': { type: 'boolean', default: false },
  },
});
const folder = fileURLToPath(new URL('../test/fixtures/events/', import.meta.url));
const RAW = fileURLToPath(new URL('raw-events.py', import.meta.url));
const LIMITS = { events: 2000, timeMs: 120_000 };
/** Python 2 can answer it too. */
const ASK =
  'import sys; sys.stdout.write("%s\\n%d\\n%d" % ((sys.executable,) + tuple(sys.version_info[:2])))';
/** Pyodide has none. */
const THREADS = new Set(['14_threads']);

const names = readdirSync(folder)
  .filter((file) => file.endsWith('.py'))
  .map((file) => file.slice(0, -3))
  .sort();
const texts = new Map(names.map((name) => [name, readFileSync(`${folder}${name}.py`, 'utf8')]));

/** Raw events by program; null where the interpreter has gone. */
function rawOf(python) {
  const out = execFileSync(python, ['-s', '-B', RAW, ...names.map((name) => `${folder}${name}.py`)], {
    encoding: 'utf8',
    env: { ...process.env, PYTHONHASHSEED: '0' },
  });
  const lines = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  return new Map(names.map((name, i) => [name, lines[i].events]));
}

async function streams(runtime) {
  const found = new Map();
  let version = '';
  for (const name of names) {
    if (runtime.engine === 'pyodide' && THREADS.has(name)) continue;
    const { trace } = await runtime.run({ file: { name: 'main.py', text: texts.get(name) }, limits: LIMITS });
    version = trace.header.python;
    found.set(name, eventLines(trace));
  }
  return { version, found };
}

const sides = [];
for (const python of options.python ?? interpreters()) {
  let path;
  try {
    path = execFileSync(python, ['-c', ASK], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  } catch {
    continue;
  }
  const [executable, major, minor] = path.trim().split('\n');
  if (major !== '3' || Number(minor) < 10 || sides.some((side) => side.minor === minor)) continue;
  const runtime = await createCpython({ python: executable, pool: true, workers: 1, wall: 'none' });
  sides.push({ minor, title: `CPython 3.${minor}`, ...(await streams(runtime)), raw: rawOf(executable) });
  await runtime.close();
}
sides.sort((a, b) => Number(a.minor) - Number(b.minor));
if (sides.length === 0) throw new Error('E_PYTHON_MISSING: no CPython from 3.10 on was found');
const newest = sides.at(-1);
if (!options['no-pyodide']) {
  const runtime = createPyodide({ pool: true, workers: 1 });
  const side = await streams({ ...runtime, engine: 'pyodide', run: runtime.run.bind(runtime) });
  sides.push({ minor: 'pyodide', title: `Pyodide (${side.version})`, ...side });
  await runtime.close();
}

const expected = new Map();
for (const name of names) {
  const path = `${folder}${name}.txt`;
  if (options.write || !existsSync(path)) writeFileSync(path, `${newest.found.get(name).join('\n')}\n`);
  expected.set(name, readFileSync(path, 'utf8').trimEnd().split('\n'));
}

let differing = 0;
for (const { title, version, found } of sides) {
  for (const [name, lines] of found) {
    const wanted = expected.get(name);
    const at = Array.from({ length: Math.max(lines.length, wanted.length) }, (_, i) => i).find(
      (i) => lines[i] !== wanted[i],
    );
    process.stdout.write(
      `${title} ${version}: ${name}: ${lines.length - 1} events${at === undefined ? '' : `, DIFFERS at ${at}: ${lines[at] ?? 'nothing'} | expected ${wanted[at] ?? 'nothing'}`}\n`,
    );
    if (at !== undefined) differing += 1;
  }
}
writeFileSync(new URL('../docs/events.md', import.meta.url), eventsPage({ names, texts, expected, sides }));
process.stdout.write(`events: ${names.length} programs, ${sides.length} interpreters, ${differing} differ\n`);
process.exitCode = differing === 0 ? 0 : 1;
