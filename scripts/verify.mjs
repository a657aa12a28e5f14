// `npm run verify`: what is too long for `npm test`, step by step. A finished step is remembered with a hash of the
// sources it depends on, so that an interrupted run goes on where it stopped. Figures: docs/parity.md, the model card.
//
//   npm run verify                 every step that is not up to date
//   npm run verify -- source       only this one; --force runs it again
//
// The program sets are looked for in NPDB_DATA (default ../shared/data) and are not part of this repository.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureBuild, ensurePackages, ensurePython, root, run } from './bootstrap.mjs';

const data = process.env.NPDB_DATA ?? join(root, '..', 'shared', 'data');
const sets = existsSync(join(data, 'train'))
  ? readdirSync(join(data, 'train'))
      .filter((name) => name.endsWith('.jsonl.gz'))
      .sort()
      .map((name) => join(data, 'train', name))
  : [];
const node = (script, ...args) => [process.execPath, [`scripts/${script}`, ...args]];

/** name, folders whose change makes it stale, the command. */
const STEPS = [
  ['test', ['src', 'training', 'test'], () => [process.execPath, ['scripts/test.mjs']]],
  ['source', ['src/source', 'src/python'], () => node('check-source.mjs', ...sets)],
  ['values', ['src/values', 'src/python'], () => node('check-values.mjs', ...sets)],
  [
    'events',
    ['src/python', 'src/trace', 'test/fixtures/events', 'scripts/events.mjs', 'scripts/raw-events.py'],
    () => node('events.mjs'),
  ],
  ['parity', ['src/python', 'src/trace'], () => node('parity.mjs')],
  [
    'differential',
    ['src/python', 'src/trace', 'src/tree', 'src/state', 'src/debugger', 'src/differential'],
    () => node('differential.mjs'),
  ],
  [
    'packages',
    ['src/python', 'src/trace', 'src/programs', 'scripts/packages.mjs'],
    () => node('packages.mjs'),
  ],
  ['inspector', ['src/faces/mcp', 'scripts/inspector.mjs'], () => node('inspector.mjs')],
  // Each way out of both runtimes and each attack on a run, in the sandbox too; then thousands of them in one host.
  [
    'hostile',
    ['src/python', 'test/fixtures'],
    () => [
      process.execPath,
      ['node_modules/vitest/vitest.mjs', 'run', 'src/python'],
      { env: { ...process.env, NPDB_HOSTILE: 'all' } },
    ],
  ],
  [
    'endure',
    ['src/python', 'scripts/endure.mjs'],
    () => [process.execPath, ['--expose-gc', 'scripts/endure.mjs']],
  ],
  // The page in a real Chromium; where there is none its tests are skipped and say so.
  [
    'web',
    ['src', 'models/small/npdb.json', 'package-lock.json'],
    () => [
      process.execPath,
      ['node_modules/vitest/vitest.mjs', 'run', 'src/faces/web/browser'],
      { env: { ...process.env, NPDB_BROWSER: 'full' } },
    ],
  ],
  ['evaluate', ['models/small', 'src', 'scripts/evaluate.mjs'], () => node('evaluate.mjs')],
];

function filesBelow(path) {
  if (!existsSync(path)) return [];
  if (statSync(path).isFile()) return [path];
  return readdirSync(path, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .filter((name) => !/__pycache__/.test(name))
    .sort();
}

function stampOf(folders) {
  const hash = createHash('sha256');
  for (const folder of folders) {
    for (const file of filesBelow(join(root, folder))) hash.update(file).update(readFileSync(file));
  }
  return hash.digest('hex');
}

const wanted = process.argv.slice(2).filter((arg) => !arg.startsWith('--'));
const force = process.argv.includes('--force');
const cache = join(root, '.cache', 'verify');
mkdirSync(cache, { recursive: true });

if (sets.length === 0) {
  process.stderr.write(`E_DATA_MISSING: No program sets in ${data}. Name their folder in NPDB_DATA.\n`);
  process.exit(3);
}
await ensurePackages();
await ensureBuild();
await ensurePython();
let failed = 0;
for (const [name, folders, command] of STEPS) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const stamp = stampOf(folders);
  const path = join(cache, name);
  if (!force && existsSync(path) && readFileSync(path, 'utf8') === stamp) {
    process.stdout.write(`${name}: up to date\n`);
    continue;
  }
  process.stdout.write(`${name}: running\n`);
  const code = await run(...command());
  if (code === 0) writeFileSync(path, stamp);
  else failed += 1;
  process.stdout.write(`${name}: ${code === 0 ? 'done' : `failed (exit ${code})`}\n`);
}
process.exitCode = failed === 0 ? 0 : 1;
