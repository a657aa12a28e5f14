#!/usr/bin/env node
/**
 * @file Holds the static view of programs (`src/source`) against what really happens: every transition of
 * every trace must be one that the text predicts. Exits 1 if one is missing.
 *
 *     node scripts/check-source.mjs [--calls N] [--limit N] [--only ID,ID] [--python PATH] [--moves FILE] SET.jsonl.gz ... FILE.py ...
 *
 * A set is JSON Lines of `{id, code, calls}`; of each program the first N calls are run (default 1; `0`: the
 * module alone, as is a .py file). `--moves` writes what was seen of each line, by function. The programs are run unprotected: trusted sets only.
 */
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { runnerImport } from 'vite';

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    calls: { type: 'string', default: '1' },
    limit: { type: 'string', default: 'Infinity' },
    python: { type: 'string', default: 'python3' },
    only: { type: 'string' },
    moves: { type: 'string' },
    show: { type: 'string', default: '5' },
  },
});

const source = fileURLToPath(new URL('../src/source/index.ts', import.meta.url));
const { parseProgram } = (await runnerImport(source)).module;

function* requests() {
  let left = Number(options.limit);
  const only = options.only?.split(',');
  for (const path of positionals) {
    const data = readFileSync(path);
    if (path.endsWith('.py')) {
      yield { id: basename(path), file: { name: 'main.py', text: data.toString() } };
      continue;
    }
    const text = (path.endsWith('.gz') ? gunzipSync(data) : data).toString();
    for (const line of text.split('\n')) {
      if (line === '' || left-- <= 0) continue;
      const { id, code, calls = [] } = JSON.parse(line);
      if (only && !only.includes(id)) continue;
      const file = { name: 'main.py', text: code };
      const chosen = calls.slice(0, Number(options.calls));
      if (chosen.length === 0) yield { id, file };
      for (const call of chosen) yield { id, file, call };
    }
  }
}

const STAR_IMPORT = /\bimport\s*\*/;
const missing = new Map();
const counts = {
  programs: 0,
  traces: 0,
  cut: 0,
  events: 0,
  units: 0,
  unitWays: 0,
  moves: 0,
  moveWays: 0,
  lines: 0,
  targets: 0,
  calls: 0,
  unparsed: 0,
  starNames: 0,
};

function miss(kind, text) {
  const list = missing.get(kind) ?? [];
  list.push(text);
  missing.set(kind, list);
}

/** What lines did, by scope (`qualname:line`) and line; filled for `--moves` only. */
const seen = {};
function record(frame, kind, to) {
  if (!options.moves) return;
  const { qualname, line: own } = frame.program.scopes[frame.scope];
  const lines = (seen[`${qualname}:${own}`] ??= {});
  const line = (lines[frame.line] ??= {});
  if (to === undefined) line[kind] = true;
  else line[kind] = [...new Set([...(line[kind] ?? []), to])].sort((a, b) => a - b);
}

/** Parsed once for all its calls. */
let last = null;
function programOf(text, name) {
  if (name === '<call>') return parseProgram(text, name);
  if (last?.text !== text) {
    last = parseProgram(text, name);
    counts.programs++;
    if (last.errors.length > 0) counts.unparsed++;
    for (const { id } of last.scopes) {
      for (const line of last.linesOf(id)) {
        counts.units++;
        counts.unitWays += last.successors(id, line).normal.length;
      }
    }
  }
  return last;
}

class Walk {
  constructor(header) {
    this.id = header.id;
    this.programs = header.files.map((f) => programOf(f.text, f.name));
    this.frames = [];
    counts.traces++;
  }

  miss(kind, frame, line, more = '') {
    const { program, scope } = frame;
    const from = frame.line === 0 ? 'call' : `${frame.line}: ${program.lines[frame.line - 1]?.trim()}`;
    miss(
      kind,
      `${this.id} ${program.scopes[scope]?.qualname} [${from}] -> [${line}: ${program.lines[line - 1]?.trim()}] ${more}`,
    );
  }

  event(e) {
    counts.events++;
    if (e.e === 'call') return this.call(e);
    const frame = this.frames[e.f];
    if (!frame) return miss('frame', `${this.id}: ${e.e} of frame ${e.f}, which was never called`);
    if (frame.scope < 0) return;
    this.names(frame, e);
    const { program, scope, line } = frame;
    const next = line === 0 ? null : program.successors(scope, line);
    if (e.e === 'line') this.line(frame, e.l, next);
    else record(frame, e.e);
    if (e.e === 'return' && next && !next.returns) this.miss('return', frame, e.l);
    else if (e.e === 'return' && !next && program.entriesOf(scope).length > 0)
      this.miss('return from call', frame, e.l);
    else if (e.e === 'yield' && next && !next.yields) this.miss('yield', frame, e.l);
    frame.last = e.e;
  }

  call(e) {
    const program = this.programs[e.s ?? 0];
    const scope = program.scopeFor(e.fn, e.l, Object.keys(e.set ?? {}));
    const frame = { program, scope, line: 0, last: 'call' };
    this.frames[e.f] = frame;
    if (scope < 0) return this.miss('scope', frame, e.l, e.fn);
    this.names(frame, e);
    const parent = this.frames[e.p];
    if (!parent || parent.scope < 0 || parent.line === 0 || parent.program !== program) return;
    const targets = parent.program.callTargets(parent.scope, parent.line);
    counts.calls++;
    counts.targets += targets.length;
    if (!targets.includes(scope)) this.miss('call target', parent, e.l, e.fn);
  }

  line(frame, to, next) {
    const { program, scope, line } = frame;
    counts.lines++;
    record(frame, frame.last === 'exception' ? 'raises' : 'next', to);
    if (!program.linesOf(scope).includes(to)) this.miss('line', frame, to);
    if (program.unit(scope, to) === null) this.miss('unit', frame, to);
    if (!next) {
      if (!program.entriesOf(scope).includes(to)) this.miss('entry', frame, to);
    } else if (frame.last === 'exception') {
      if (!next.exception.includes(to)) this.miss('exception edge', frame, to);
    } else {
      counts.moves++;
      counts.moveWays += next.normal.length;
      if (!next.normal.includes(to)) this.miss('normal edge', frame, to);
    }
    if (!program.predecessors(scope, to).includes(line)) this.miss('predecessor', frame, to);
    frame.line = to;
  }

  names(frame, e) {
    const { program, scope } = frame;
    const { names, globals } = program.scopes[scope];
    for (const name of Object.keys(e.set ?? {})) {
      if (names.includes(name)) continue;
      // What a star import binds stands nowhere in the text.
      if (scope === 0 && STAR_IMPORT.test(program.text)) counts.starNames++;
      else this.miss('local', frame, e.l, name);
    }
    for (const name of Object.keys(e.g ?? {}))
      if (!globals.includes(name)) this.miss('global', frame, e.l, name);
  }

  end(e) {
    if (e.status === 'cut') {
      counts.cut++;
      return;
    }
    for (const frame of this.frames) {
      if (!frame || frame.scope < 0 || frame.last !== 'exception' || frame.line === 0) continue;
      record(frame, 'escapes');
      if (!frame.program.successors(frame.scope, frame.line).escapes) this.miss('escape', frame, frame.line);
    }
  }
}

const tracer = fileURLToPath(new URL('../src/python/tracer.py', import.meta.url));
const child = spawn(options.python, ['-I', tracer], {
  stdio: ['pipe', 'pipe', 'inherit'],
  env: { PATH: process.env.PATH, PYTHONHASHSEED: '0' },
});

let asked = 0;
async function feed() {
  for (const request of requests()) {
    asked++;
    if (!child.stdin.write(`${JSON.stringify(request)}\n`))
      await new Promise((done) => child.stdin.once('drain', done));
  }
  child.stdin.end();
}

const started = Date.now();
const feeding = feed();
let walk = null;
let ended = 0;
for await (const line of createInterface({ input: child.stdout })) {
  const e = JSON.parse(line);
  if (e.e === 'header') walk = new Walk(e);
  else if (e.e === 'end') {
    walk.end(e);
    ended++;
  } else walk.event(e);
}
await feeding;

if (options.moves) writeFileSync(options.moves, `${JSON.stringify(seen)}\n`);
const ratio = (a, b) => (b === 0 ? 0 : Number((a / b).toFixed(3)));
const total = [...missing.values()].reduce((n, list) => n + list.length, 0);
for (const [kind, list] of missing) {
  console.log(`missing ${kind}: ${list.length}`);
  for (const text of list.slice(0, Number(options.show))) console.log(`  ${text}`);
}
const { programs, traces, cut, events, lines, calls, unparsed, starNames } = counts;
console.log(
  JSON.stringify({
    programs,
    unparsed,
    traces,
    cut,
    starNames,
    events,
    lines,
    calls,
    missing: total,
    successorsPerUnit: ratio(counts.unitWays, counts.units),
    successorsPerMove: ratio(counts.moveWays, counts.moves),
    targetsPerCall: ratio(counts.targets, counts.calls),
    seconds: Math.round((Date.now() - started) / 1000),
  }),
);
// A tracer that died on the way has shown nothing about the programs after that.
if (ended !== asked) console.log(`only ${ended} of ${asked} runs came to an end`);
process.exitCode = total > 0 || ended !== asked || child.exitCode || child.signalCode ? 1 : 0;
