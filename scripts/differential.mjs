#!/usr/bin/env node
/**
 * @file The recorded engine against CPython's own `bdb`, stop by stop, over the cases, random programs and a sample of
 * the training programs, on every CPython that is found and on Pyodide. Writes `docs/differential.md`.
 *
 *     npm run build && nice node scripts/differential.mjs
 *
 * It can be stopped at any time and goes on where it was; a change of the sources it depends on begins anew. Options:
 * --data DIR (../shared/data/train), --cases DIR (../shared/cases, else the fixtures), --sample N (training programs
 * for each interpreter), --random N (random programs), --sequences N (of each program), --python NAME (may be
 * repeated), --no-pyodide, --only TEXT (programs whose id holds it; writes no page), --report (only the page, of what is known).
 */
import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { check, LIMITS, NOTHING, randomProgram, startDriver, sum } from '../dist/differential/index.js';
import { readPrograms } from '../dist/programs/index.js';
import { createCpython, createPyodide } from '../dist/python/index.js';
import { differentialPage } from './differential-page.mjs';
import { interpreters } from './interpreters.mjs';

const { values: options } = parseArgs({
  options: {
    data: { type: 'string', default: '../shared/data/train' },
    cases: { type: 'string' },
    sample: { type: 'string', default: '300' },
    random: { type: 'string', default: '200' },
    sequences: { type: 'string', default: '4' },
    python: { type: 'string', multiple: true },
    'no-pyodide': { type: 'boolean', default: false },
    only: { type: 'string' },
    report: { type: 'boolean', default: false },
    state: { type: 'string', default: '.cache/differential.jsonl' },
  },
});
const root = fileURLToPath(new URL('..', import.meta.url));
const SOURCES = [
  'src/differential',
  'src/python/tracer',
  'src/python/tracer.py',
  'src/tree',
  'src/state',
  'src/debugger',
];

/** Results of other sources are not believed. */
function stamp() {
  const hash = createHash('sha256');
  const add = (path) => {
    if (/__pycache__|\.test\.ts$/.test(path)) return;
    if (/\.\w+$/.test(path)) hash.update(path).update(readFileSync(join(root, path)));
    else for (const name of readdirSync(join(root, path)).sort()) add(join(path, name));
  };
  for (const path of SOURCES) add(path);
  return hash.digest('hex').slice(0, 12);
}

async function* subjects() {
  const folder = options.cases ?? (existsSync('../shared/cases') ? '../shared/cases' : 'test/fixtures/cases');
  for (const name of readdirSync(folder)
    .filter((file) => file.endsWith('.py'))
    .sort()) {
    yield { corpus: 'cases', id: `cases/${name}`, text: readFileSync(join(folder, name), 'utf8') };
  }
  for (let i = 0; i < Number(options.random); i += 1) {
    yield { corpus: 'random', id: `random/${i}`, text: randomProgram(i) };
  }
  if (!existsSync(options.data)) return;
  const all = [];
  for (const set of readdirSync(options.data)
    .filter((file) => file.endsWith('.jsonl.gz'))
    .sort()) {
    for await (const { id, code, calls } of readPrograms(join(options.data, set))) {
      const order = createHash('sha256').update(id).digest('hex');
      all.push({ order, corpus: 'training', id, text: code, call: calls[0] });
    }
  }
  all.sort((a, b) => (a.order < b.order ? -1 : 1));
  yield* all.slice(0, Number(options.sample));
}

const known = new Map();
const mark = stamp();
mkdirSync(dirname(options.state), { recursive: true });
if (existsSync(options.state)) {
  for (const line of readFileSync(options.state, 'utf8').split('\n')) {
    // A run that was stopped may have left half a line.
    try {
      const result = JSON.parse(line);
      if (result.mark === mark) known.set(result.key, result);
    } catch {}
  }
}

/** Everything on one pair of sides; `runtime` records, `driver` is `bdb`. `same`: asked before a program is compared. */
async function over(name, driver, runtime, same) {
  for await (const { corpus, ...subject } of subjects()) {
    if (options.only && !subject.id.includes(options.only)) continue;
    const key = [name, options.sequences, subject.id].join(' ');
    if (!known.has(key) || options.only) {
      let result;
      if (same && !(await same(subject))) result = { apart: true };
      else {
        const sequences = Number(options.sequences);
        const tally = await check(subject, {
          driver,
          runtime,
          sequences,
          motions: 30,
          edits: 1,
          seed: 'verify',
          versions: same !== undefined,
        });
        result = { tally };
        for (const found of tally.unexplained) {
          process.stdout.write(`${name} ${subject.id} ${JSON.stringify(found)}\n`);
        }
      }
      const entry = { key, mark, name, corpus, ...result };
      known.set(key, entry);
      if (!options.only) appendFileSync(options.state, `${JSON.stringify(entry)}\n`);
    }
    shown.push(known.get(key));
  }
}

const shown = [];
const versions = new Map();
if (options.report) shown.push(...known.values());
for (const python of options.report ? [] : (options.python ?? interpreters())) {
  try {
    const driver = await startDriver(python);
    const version = driver.version.split('.').slice(0, 2).join('.');
    if (versions.has(version)) await driver.close();
    else versions.set(version, { python, driver });
  } catch {
    // Not here.
  }
}
const open = async (python) => createCpython({ python, pool: true, workers: 1, wall: 'none' });
for (const [version, { python, driver }] of versions) {
  const runtime = await open(python);
  await over(`CPython ${version}`, driver, runtime);
  await runtime.close();
}
if (!options['no-pyodide'] && versions.size > 0) {
  const newest = [...versions.keys()]
    .sort((a, b) => Number(a.split('.')[1]) - Number(b.split('.')[1]))
    .at(-1);
  const { python, driver } = versions.get(newest);
  const near = await open(python);
  const runtime = createPyodide({ pool: true, workers: 1 });
  // Where the program itself does something else in Pyodide (docs/parity.md) there is nothing to compare.
  const same = async ({ text, call }) => {
    const request = {
      file: { name: 'main.py', text },
      ...(call === undefined ? {} : { call }),
      limits: LIMITS,
    };
    const [a, b] = await Promise.all([near.run(request), runtime.run(request)]);
    return JSON.stringify(a.trace.events) === JSON.stringify(b.trace.events);
  };
  await over(`Pyodide, by bdb of ${newest}`, driver, runtime, same);
  await Promise.all([near.close(), runtime.close()]);
}
for (const { driver } of versions.values()) await driver.close();

const page = differentialPage(shown, { sum, NOTHING });
if (!options.only) writeFileSync('docs/differential.md', page.text);
process.stdout.write(`${page.summary}\n`);
process.exitCode = page.unexplained === 0 && shown.length > 0 ? 0 : 1;
