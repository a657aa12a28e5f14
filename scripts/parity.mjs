#!/usr/bin/env node
/**
 * @file Runs every program of the training data and of the cases on CPython and on Pyodide and compares the
 * canonical streams byte for byte (all records but the header). A long run: it can be stopped at any time and
 * goes on where it was; `docs/parity.md` is written anew from all results so far.
 *
 *     npm run build && nice node scripts/parity.mjs --every 8 --calls 1
 *
 * Options: --data DIR (../shared/data/train), --cases DIR (../shared/cases), --python NAME (python3), --every K
 * (each Kth program), --limit N (at most N programs), --calls N (of each; default all), --state FILE
 * (.cache/parity.jsonl), --explain NAME=PYTHON (a further interpreter that differing programs are run on, to tell
 * a version's doing from Pyodide's; may be repeated), --fresh (forget earlier results), --report (only write it).
 */
import { createHash } from 'node:crypto';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { readPrograms } from '../dist/programs/index.js';
import { createCpython, createPyodide } from '../dist/python/index.js';
import { report } from './parity-report.mjs';

const { values: options } = parseArgs({
  options: {
    data: { type: 'string', default: '../shared/data/train' },
    cases: { type: 'string', default: '../shared/cases' },
    python: { type: 'string', default: 'python3' },
    every: { type: 'string', default: '1' },
    limit: { type: 'string', default: 'Infinity' },
    calls: { type: 'string', default: 'Infinity' },
    state: { type: 'string', default: '.cache/parity.jsonl' },
    explain: { type: 'string', multiple: true, default: [] },
    fresh: { type: 'boolean', default: false },
    report: { type: 'boolean', default: false },
  },
});
const LIMITS = { events: 20_000, timeMs: 600_000, memoryMb: 1024, outputBytes: 100_000 };

function extent() {
  const every = options.every === '1' ? 'every program' : `every ${options.every}th program`;
  const calls =
    options.calls === 'Infinity'
      ? 'all its calls'
      : `its first ${options.calls === '1' ? 'call' : `${options.calls} calls`}`;
  return `${every} of the training data with ${calls}, and all cases`;
}

/** Programs as runs: `{id, text, call?}`. */
async function* runs() {
  let number = 0;
  let taken = 0;
  const sets = existsSync(options.data)
    ? readdirSync(options.data).filter((f) => f.endsWith('.jsonl.gz'))
    : [];
  for (const set of sets.sort()) {
    for await (const program of readPrograms(join(options.data, set))) {
      if (number++ % Number(options.every) !== 0) continue;
      if (taken++ >= Number(options.limit)) return;
      for (const [i, call] of program.calls.slice(0, Number(options.calls)).entries()) {
        yield { id: `${program.id}#${i}`, text: program.code, call };
      }
    }
  }
  if (!existsSync(options.cases)) return;
  for (const name of readdirSync(options.cases).sort()) {
    yield { id: `cases/${name}`, text: readFileSync(join(options.cases, name), 'utf8') };
  }
}

async function recorded(runtime, run) {
  const { trace } = await runtime.run({
    file: { name: 'main.py', text: run.text },
    ...(run.call === undefined ? {} : { call: run.call }),
    limits: LIMITS,
  });
  return [...trace.events, trace.end];
}

/** Where two streams part: the first record that differs, both of them, and both ends; null: nowhere. */
function difference(a, b) {
  for (let at = 0; at < Math.max(a.length, b.length); at++) {
    if (JSON.stringify(a[at]) === JSON.stringify(b[at])) continue;
    return { at, a: a[at] ?? null, b: b[at] ?? null, shape: shapeDiffers(a, b), ends: [a.at(-1), b.at(-1)] };
  }
  return null;
}

/** Whether event, frame and line alone differ. */
function shapeDiffers(a, b) {
  const shape = ({ e, f, l, p, fn }) => JSON.stringify([e, f, l, p, fn]);
  return a.length !== b.length || a.some((record, at) => shape(record) !== shape(b[at]));
}

const hash = (records) => createHash('sha256').update(JSON.stringify(records)).digest('hex').slice(0, 16);

async function main() {
  mkdirSync(dirname(options.state), { recursive: true });
  if (options.fresh) rmSync(options.state, { force: true });
  const known = new Map();
  if (existsSync(options.state)) {
    for (const line of readFileSync(options.state, 'utf8').split('\n')) {
      // A run that was stopped may have left half a line.
      try {
        const result = JSON.parse(line);
        known.set(result.id, result);
      } catch {}
    }
  }
  if (!options.report) await compare(known);
  writeFileSync('docs/parity.md', report([...known.values()], extent()));
  console.error('wrote docs/parity.md');
}

async function compare(known) {
  const cpython = await createCpython({ python: options.python, pool: true, workers: 1 });
  const seeded = [];
  for (const hashSeed of ['1', '2', '3']) {
    seeded.push(await createCpython({ python: options.python, pool: true, workers: 1, hashSeed }));
  }
  const pyodide = createPyodide({ pool: true, workers: 1 });
  const others = [];
  for (const named of options.explain) {
    const [name, python] = named.split('=');
    others.push([name, await createCpython({ python, pool: true, workers: 1 })]);
  }
  const began = Date.now();
  let [done, differ] = [0, 0];
  for await (const run of runs()) {
    if (known.has(run.id)) continue;
    const [a, b] = await Promise.all([recorded(cpython, run), recorded(pyodide, run)]);
    const found = difference(a, b);
    const result = { id: run.id, events: a.length - 1, same: found === null };
    if (found) {
      differ++;
      Object.assign(result, { call: run.call, difference: found, text: run.text });
      result.seed = false;
      for (const other of seeded) result.seed ||= difference(a, await recorded(other, run)) !== null;
      // Whose stream the further interpreters give: Pyodide's, CPython's, or a third one.
      Object.assign(result, { like: [], unlike: [] });
      for (const [name, other] of others) {
        const third = hash(await recorded(other, run));
        if (third === hash(b)) result.like.push(name);
        if (third === hash(a)) result.unlike.push(name);
      }
    }
    known.set(run.id, result);
    appendFileSync(options.state, `${JSON.stringify(result)}\n`);
    if (++done % 100 === 0) {
      const rate = done / ((Date.now() - began) / 1000);
      process.stderr.write(`${done} runs, ${differ} differ, ${rate.toFixed(1)} a second, at ${run.id}\n`);
    }
  }
  await Promise.all([cpython, ...seeded, pyodide, ...others.map(([, other]) => other)].map((r) => r.close()));
}

await main();
