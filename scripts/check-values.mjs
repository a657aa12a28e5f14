#!/usr/bin/env node
/**
 * @file Checks the twins: every value that the tracer renders from program sets must parse, come back as the
 * same text, and be accepted by the automaton, and JavaScript's renderer must write it alike. Prints counts;
 * exits 1 on a failure.
 * Usage: `node scripts/check-values.mjs [--every N] [--events N] SET.jsonl.gz...` (every Nth program, its first call,
 * at most so many events).
 */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { runnerImport } from 'vite';

const SECONDS = 10;
const TRACER = fileURLToPath(new URL('../src/python/tracer.py', import.meta.url));
const source = (name) => fileURLToPath(new URL(`../src/values/${name}`, import.meta.url));
const load = async (name) => (await runnerImport(source(name))).module;
const { formatValue, parseValue, valueAutomaton } = await load('index.ts');
const { render } = await load('render.ts');
const { resolve } = await load('graph.ts');

function* programsOf(path) {
  const raw = readFileSync(path);
  const text = (path.endsWith('.gz') ? gunzipSync(raw) : raw).toString('utf8');
  for (const line of text.split('\n')) if (line.trim()) yield JSON.parse(line);
}

/** What is wrong with a rendered text; null if nothing is. */
function fault(text) {
  let value;
  try {
    value = parseValue(text);
  } catch (error) {
    return `parse: ${error.message}`;
  }
  if (formatValue(value) !== text) return `format: ${formatValue(value)}`;
  let state = valueAutomaton();
  let at = 0;
  for (const byte of encoder.encode(text)) {
    state = state.next(byte);
    if (state === null) return `automaton: refuses byte ${at}`;
    at += 1;
  }
  if (!state.accepting) return 'automaton: incomplete';
  // A cut value cannot be cut again at the same place: the shown part is what is left of it.
  if (!text.includes('...') && formatValue(render(resolve(value))) !== text)
    return `render: ${formatValue(render(resolve(value)))}`;
  return null;
}

const encoder = new TextEncoder();
const known = new Set();
const counts = { programs: 0, values: 0, distinct: 0, failures: 0, unfinished: 0 };
const kinds = {};

function check(text, id) {
  counts.values += 1;
  if (known.has(text)) return;
  if (known.size < 2_000_000) known.add(text);
  counts.distinct += 1;
  const wrong = fault(text);
  if (wrong === null) return;
  counts.failures += 1;
  const kind = wrong.split(':')[0];
  kinds[kind] = (kinds[kind] ?? 0) + 1;
  if (kinds[kind] <= 15) console.log(`${id}\n  ${text.slice(0, 300)}\n  ${wrong.slice(0, 400)}`);
}

function valuesOf(event) {
  const found = [...Object.values(event.set ?? {}), ...Object.values(event.g ?? {})];
  for (const key of ['v', 'value', 'exception']) if (typeof event[key] === 'string') found.push(event[key]);
  return found;
}

let child = null;
function tracer() {
  if (child) return child;
  const started = spawn('python3', ['-I', TRACER], { stdio: ['pipe', 'pipe', 'ignore'] });
  started.lines = createInterface({ input: started.stdout });
  started.on('exit', () => {
    if (child === started) child = null;
  });
  started.stdin.on('error', () => {});
  child = started;
  return child;
}

async function run(program) {
  const worker = tracer();
  const timer = setTimeout(() => worker.kill('SIGKILL'), SECONDS * 1000);
  await new Promise((done) => {
    const end = (finished) => {
      clearTimeout(timer);
      worker.lines.off('line', line);
      worker.lines.off('close', closed);
      if (!finished) {
        counts.unfinished += 1;
        child = null;
      }
      done();
    };
    const line = (text) => {
      let event;
      try {
        event = JSON.parse(text);
      } catch {
        return;
      }
      for (const value of valuesOf(event)) check(value, program.id);
      if (event.e === 'end') end(true);
    };
    const closed = () => end(false);
    worker.lines.on('line', line);
    worker.lines.on('close', closed);
    const request = { file: { name: 'main.py', text: program.code }, limits: { events } };
    const call = program.calls?.[0];
    worker.stdin.write(`${JSON.stringify(call === undefined ? request : { ...request, call })}\n`);
  });
}

const args = process.argv.slice(2);
const option = (name, usual) => {
  const at = args.indexOf(name);
  return at < 0 ? usual : Number(args.splice(at, 2)[1]);
};
const every = option('--every', 1);
const events = option('--events', 3000);
if (args.length === 0) {
  console.error('usage: node scripts/check-values.mjs [--every N] [--events N] SET.jsonl.gz...');
  process.exit(2);
}
let number = 0;
for (const path of args) {
  for (const program of programsOf(path)) {
    number += 1;
    if (number % every !== 0) continue;
    counts.programs += 1;
    if (counts.programs % 100 === 0) console.error(`${path} ${JSON.stringify(counts)}`);
    await run(program);
  }
}
child?.kill();
console.log(JSON.stringify({ ...counts, kinds }));
process.exit(counts.failures === 0 ? 0 : 1);
