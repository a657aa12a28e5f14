// `npm test`: set-up, then every test: types, lint, TypeScript, and the Python code in its own environment.
// The last line counts them all.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureBuild, ensurePackages, ensurePython, run } from './bootstrap.mjs';

const results = mkdtempSync(join(tmpdir(), 'npdb-test-'));
let failed = 0;
let passed = 0;
let skipped = 0;

/** One check that either holds or not. */
async function step(name, command, args, options) {
  process.stderr.write(`npdb: ${name}\n`);
  const code = await run(command, args, options);
  if (code === 0) passed += 1;
  else failed += 1;
  return code;
}

try {
  await ensurePackages();
  await ensureBuild();
  const python = await ensurePython();
  const node = process.execPath;
  await step('types', node, ['node_modules/typescript/bin/tsc', '--noEmit']);
  await step('lint', node, ['node_modules/@biomejs/biome/bin/biome', 'check', '.']);

  const vitest = join(results, 'vitest.json');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${vitest}`];
  const code = await run(node, [
    'node_modules/vitest/vitest.mjs',
    'run',
    ...reporters,
    ...process.argv.slice(2),
  ]);
  const report = JSON.parse(readFileSync(vitest, 'utf8'));
  passed += report.numPassedTests;
  skipped += report.numPendingTests + report.numTodoTests;
  // A file that fails to load has no failed test of its own.
  failed += Math.max(report.numFailedTests, code === 0 ? 0 : 1);

  const xml = join(results, 'pytest.xml');
  const pytest = await run(python, [
    '-m',
    'pytest',
    '-q',
    `--junitxml=${xml}`,
    'training/tests',
    'src/python/tests',
  ]);
  const counts = readFileSync(xml, 'utf8').match(/<testsuite [^>]*>/)?.[0] ?? '';
  const count = (name) => Number(counts.match(new RegExp(`${name}="(\\d+)"`))?.[1] ?? 0);
  const bad = count('failures') + count('errors');
  passed += count('tests') - bad - count('skipped');
  skipped += count('skipped');
  failed += Math.max(bad, pytest === 0 ? 0 : 1);
} catch (error) {
  process.stderr.write(`${error.stack ?? error}\n`);
  failed += 1;
} finally {
  rmSync(results, { recursive: true, force: true });
}
process.stdout.write(`${passed} passed, ${failed} failed, ${skipped} skipped\n`);
process.exitCode = failed === 0 ? 0 : 1;
