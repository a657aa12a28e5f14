#!/usr/bin/env node
/**
 * @file Builds the exit set: calls that return, raise or never end, a third each. Half of each third from held-back programs,
 * half from generated ones of a seed that no data set uses (a third of those from the families whose loops end for some
 * arguments only). Runs the programs; takes a minute or two.
 *
 *   node scripts/exit-set.mjs [--held models/small/held.jsonl.gz] [--each 60] [--seed 1] [--python python3] -o FILE.jsonl.gz
 *
 * `models/exits.jsonl.gz` is what it gives without options. Hand it to `npdb dataset --exclude`, so that nothing like it is
 * trained on.
 */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { ensureBuild } from './bootstrap.mjs';

const { values: options } = parseArgs({
  options: {
    held: { type: 'string', default: 'models/small/held.jsonl.gz' },
    each: { type: 'string', default: '60' },
    seed: { type: 'string', default: '1' },
    python: { type: 'string', default: 'python3' },
    output: { type: 'string', short: 'o' },
  },
});
if (!options.output) {
  console.error('usage: node scripts/exit-set.mjs [--held SET] [--each N] [--seed N] -o FILE.jsonl.gz');
  process.exit(2);
}

await ensureBuild();
const { buildExits, EXITS, exitSources } = await import('../dist/dataset/index.js');
const { loadPrograms } = await import('../dist/programs/index.js');
const { openRuntime } = await import('../dist/python/index.js');
const { Random } = await import('../dist/common/random.js');

const seed = Number(options.seed);
const each = Number(options.each);
const runtime = await openRuntime(options.python, { pool: true });
const onProgress = (found) => process.stderr.write(`\r${JSON.stringify(found)}   `);
try {
  const held = new Random('exits', seed).shuffled(await loadPrograms([options.held]));
  const half = Math.floor(each / 2);
  const build = (sources, wanted) => buildExits({ sources, seed, each: wanted, runtime, onProgress });
  const real = await build(held, { normal: half, error: half, never: half });
  // What the held-back programs did not give, generated ones do.
  const left = (exit) => each - real.filter((row) => row.exit === exit).length;
  const made = await build(exitSources(seed, 4 * each), Object.fromEntries(EXITS.map((e) => [e, left(e)])));
  const rows = EXITS.flatMap((exit) => [...real, ...made].filter((row) => row.exit === exit));
  // Level 9 and no time stamp: the same rows are the same bytes.
  writeFileSync(
    options.output,
    gzipSync(rows.map((row) => `${JSON.stringify(row)}\n`).join(''), { level: 9 }),
  );
  const counts = {};
  for (const { exit, made: how, from } of rows) {
    const kind = `${exit}, ${how}, ${/^(?:generated|endless)\//.test(from) ? 'generated' : 'held back'}`;
    counts[kind] = (counts[kind] ?? 0) + 1;
  }
  console.log(`\n${rows.length} rows in ${options.output}`);
  for (const [kind, n] of Object.entries(counts)) console.log(`  ${kind}: ${n}`);
} finally {
  await runtime.close();
}
