/**
 * @file The process a stranger's program runs in: `walled.mjs` (which has the two inner walls) in a process of Node.
 * Started by `pyodide.ts` with an empty environment under Node's permission model (no file written, no process or
 * worker started, only the files named here read).
 *
 *     node ... sandbox.mjs PYODIDE_DIR TRACER_FILES [--keep] [--dump | --load=FILE]
 *
 * Says `ready VERSION`, then takes requests, a JSON line each, on its standard input and writes the
 * tracer's lines to its standard output. Without `--keep` it serves one and ends. `--dump` writes the started
 * interpreter's memory, in which no program has run yet, to descriptor 3; `--load` begins with such a memory, which
 * is four times faster than starting the interpreter (1.7 s of processor time against 0.4 s).
 *
 * The outer wall: empty environment, permission model, heap limit, `--disallow-code-generation-from-strings` (`eval`
 * and `Function` throw), killed from outside at a limit.
 */
import { closeSync, readFileSync, readSync, writeSync } from 'node:fs';
import { basename, delimiter } from 'node:path';
import { emptyGlobals, openPython } from './walled.mjs';

const [dir, tracerPaths, ...flags] = process.argv.slice(2);
const keep = flags.includes('--keep');
const dump = flags.includes('--dump');
const snapshot = flags.find((flag) => flag.startsWith('--load='))?.slice('--load='.length) ?? null;
const exit = process.reallyExit.bind(process);
const permission = process.permission;
if (!permission || permission.has('fs.write') || permission.has('child') || permission.has('worker')) {
  writeSync(2, 'the permission model is off\n');
  exit(2);
}

const files = {
  wasm: readFileSync(`${dir}/pyodide.asm.wasm`),
  library: readFileSync(`${dir}/python_stdlib.zip`),
  lock: JSON.parse(readFileSync(`${dir}/pyodide-lock.json`, 'utf8')),
  tracer: readTracer(),
};

const encoder = new TextEncoder();
const entropy = emptyGlobals((text) => writeAll(2, encoder.encode(`${text}\n`)));
const { default: create } = await import(`file://${dir}/pyodide.asm.mjs`);
const walled = await openPython({
  create,
  files,
  entropy,
  snapshot: snapshot === null ? null : readFileSync(snapshot),
  write: (bytes) => writeAll(1, bytes),
}).catch((error) => {
  writeAll(2, encoder.encode(`${error.message}\n`));
  exit(snapshot === null ? 3 : 4);
});
if (dump && snapshot === null) {
  writeAll(3, walled.dump({ library: true }));
  closeSync(3);
}
say(`ready ${walled.version}`);

for (;;) {
  const line = readLine();
  if (line === null) break;
  if (!walled.serve(line, !keep) || !keep) break;
}
exit(0);

/** The tracer and its parts, with their places in the sandbox. */
function readTracer() {
  return tracerPaths.split(delimiter).map((path, i) => ({
    path: i === 0 ? '/tracer.py' : `/tracer/${basename(path)}`,
    text: readFileSync(path, 'utf8'),
  }));
}

function say(text) {
  writeAll(1, encoder.encode(`${text}\n`));
}

function writeAll(descriptor, bytes) {
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(descriptor, bytes, at);
    } catch (error) {
      if (error.code !== 'EAGAIN') exit(0);
    }
  }
}

/** Blocks; null at the end of the input. */
function readLine() {
  const chunks = [];
  const buffer = new Uint8Array(65_536);
  for (;;) {
    let count = 0;
    try {
      count = readSync(0, buffer);
    } catch (error) {
      if (error.code !== 'EAGAIN') return null;
      continue;
    }
    if (count === 0) return null;
    chunks.push(buffer.slice(0, count));
    // Whoever sends a request waits for its end before sending another one.
    if (buffer[count - 1] === 10) break;
  }
  const all = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0));
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return new TextDecoder().decode(all);
}
