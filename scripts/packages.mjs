// Published packages as programs: each of their own tests is recorded by `npdb trace -m pytest FILE::TEST`, and its
// outcome compared with plain pytest's. Prints tests, recorded, events, agreements; figures in docs/entries.md.
//
//   node scripts/packages.mjs               all tests
//   node scripts/packages.mjs --every 10    every tenth
//
// The packages are downloaded from PyPI as source archives at pinned versions, into `.cache/packages`.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ensureBuild, ensurePackages, ensurePython, root } from './bootstrap.mjs';

/** Both MIT, pure Python, no dependencies; tests in the archive. `roots`: the package and its tests. */
const PACKAGES = [
  {
    name: 'parse',
    version: '1.20.2',
    sha256: 'b41d604d16503c79d81af5165155c0b20f6c8d6c559efa66b4b695c3e5a0a0ce',
    path: '.',
  },
  {
    name: 'cachetools',
    version: '5.5.2',
    sha256: '1a661caa9175d26759571b2e19580f9d6393969e5dfca11fdb1f947a23e640d4',
    path: 'src',
  },
];

const { values: flags } = parseArgs({ options: { every: { type: 'string', default: '1' } } });
const cache = join(root, '.cache', 'packages');
mkdirSync(cache, { recursive: true });
await ensurePackages();
await ensureBuild();
const python = await ensurePython();
let bad = 0;
for (const spec of PACKAGES) bad += await check(spec);
process.exitCode = bad === 0 ? 0 : 1;

async function check(spec) {
  const folder = await unpacked(spec);
  const pytest = ['-q', '-p', 'no:cacheprovider', '-o', `pythonpath=${spec.path}`];
  const expected = await plainOutcomes(folder, pytest);
  const tests = [...expected.keys()].filter((_, i) => i % Number(flags.every) === 0);
  const sum = { recorded: 0, whole: 0, events: 0, files: new Set(), frames: 0 };
  const differing = [];
  let next = 0;
  const worker = async () => {
    for (let i = next++; i < tests.length; i = next++) {
      const test = tests[i];
      const trace = await recorded(folder, pytest, test, i);
      if (trace.events.some((event) => event.e === 'call' && event.s > 0)) sum.recorded += 1;
      if (trace.end?.status === 'exit') sum.whole += 1;
      sum.events += trace.events.length;
      sum.frames += trace.events.filter((event) => event.e === 'call').length;
      for (const file of trace.files.slice(1)) sum.files.add(file.name);
      if (trace.outcome !== expected.get(test)) {
        differing.push(`${test}: ${expected.get(test)} with pytest, ${trace.outcome} recorded`);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(4, availableParallelism()) }, worker));
  const same = tests.length - differing.length;
  console.log(
    `${spec.name} ${spec.version}: ${tests.length} tests, ${sum.recorded} recorded (${sum.whole} whole), ` +
      `${sum.events} events, ${sum.frames} frames, ${sum.files.size} files, outcome as with plain pytest: ${same}/${tests.length}`,
  );
  for (const line of differing) console.log(`  ${line}`);
  return differing.length + (tests.length - sum.recorded);
}

/** The unpacked archive; its hash is checked. */
async function unpacked({ name, version, sha256 }) {
  const folder = join(cache, `${name}-${version}`);
  const archive = `${folder}.tar.gz`;
  if (!existsSync(archive)) {
    const pip = [
      '-m',
      'pip',
      'download',
      '--quiet',
      '--disable-pip-version-check',
      '--no-deps',
      '--no-binary=:all:',
    ];
    await output(python, [...pip, '--no-build-isolation', '-d', cache, `${name}==${version}`], root, true);
  }
  const found = createHash('sha256').update(readFileSync(archive)).digest('hex');
  if (found !== sha256)
    throw new Error(`E_PACKAGE: ${archive} has another hash (${found}). Delete it and run again.`);
  rmSync(folder, { recursive: true, force: true });
  await output(python, ['-m', 'tarfile', '-e', archive, cache], root, true);
  return folder;
}

/** Each test and what plain pytest makes of it. */
async function plainOutcomes(folder, pytest) {
  const { out } = await output(python, ['-B', '-m', 'pytest', ...pytest, '-v', '-v'], folder, false);
  const found = new Map();
  for (const [, test, outcome] of out.matchAll(/^(\S+::.*?) (PASSED|FAILED|SKIPPED|XFAIL|XPASS|ERROR)\b/gm)) {
    // One that is skipped or fails as expected leaves pytest content.
    found.set(test, outcome === 'FAILED' || outcome === 'ERROR' ? 'failed' : 'passed');
  }
  return found;
}

/** The recording of one test, by the command line as a user types it. */
async function recorded(folder, pytest, test, number) {
  const path = join(cache, `trace-${process.pid}-${number}.jsonl`);
  const npdb = [join(root, 'bin', 'npdb.js'), 'trace', '-o', path, '--python', python];
  try {
    const { err } = await output(process.execPath, [...npdb, '-m', 'pytest', ...pytest, test], folder, false);
    const outcome = /^npdb: pytest: (\w[\w ]*)/m.exec(err)?.[1]?.trim() ?? err.trim();
    if (!existsSync(path)) return { events: [], files: [], outcome };
    const [header, ...rest] = readFileSync(path, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    return { events: rest.slice(0, -1), end: rest.at(-1), files: header.files, outcome };
  } finally {
    rmSync(path, { force: true });
  }
}

function output(command, args, cwd, must) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
    let [out, err] = ['', ''];
    child.stdout.on('data', (text) => (out += text));
    child.stderr.on('data', (text) => (err += text));
    child.on('error', reject);
    child.on('close', (code) => {
      if (must && code !== 0) reject(new Error(`${command} ${args.join(' ')} failed:\n${err}`));
      else resolve({ out, err });
    });
  });
}
