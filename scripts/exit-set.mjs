#!/usr/bin/env node
/**
 * @file Builds the exit set: calls that return, raise or never end, a third each, from held-back programs first, then from
 * generated ones of a seed that no data set uses. Runs the programs.
 *
 *   node scripts/exit-set.mjs [--held models/small/held.jsonl.gz] [--each 150] [--seed 1] [--python python3] -o exits.jsonl.gz
 *
 * Give the result to `npdb dataset --exclude`, so that nothing like it is trained on.
 */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { ensureBuild } from './bootstrap.mjs';

const { values: options } = parseArgs({
  options: {
    held: { type: 'string', default: 'models/small/held.jsonl.gz' },
    each: { type: 'string', default: '150' },
    seed: { type: 'string', default: '1' },
    generated: { type: 'string', default: '600' },
    python: { type: 'string', default: 'python3' },
    output: { type: 'string', short: 'o' },
  },
});
if (!options.output) {
  console.error('usage: node scripts/exit-set.mjs [--held SET] [--each N] [--seed N] -o FILE.jsonl.gz');
  process.exit(2);
}
/** Of the generated programs; data sets count up from 0. */
const RESERVED = 990_017;

await ensureBuild();
const { buildExits, generateLevel } = await import('../dist/dataset/index.js');
const { loadPrograms } = await import('../dist/programs/index.js');
const { openRuntime } = await import('../dist/python/index.js');
const { Random } = await import('../dist/common/random.js');

const seed = Number(options.seed);
const held = new Random('exits', seed).shuffled(await loadPrograms([options.held]));
const generated = [...generateLevel(RESERVED + seed, 2, Number(options.generated))];
const runtime = await openRuntime(options.python, { pool: true });
try {
  const rows = await buildExits({
    sources: [...held, ...generated],
    seed,
    each: Number(options.each),
    runtime,
  });
  // Level 9 and no time stamp: the same rows are the same bytes.
  writeFileSync(
    options.output,
    gzipSync(rows.map((row) => `${JSON.stringify(row)}\n`).join(''), { level: 9 }),
  );
  const counts = {};
  for (const { exit, made } of rows) counts[`${exit}, ${made}`] = (counts[`${exit}, ${made}`] ?? 0) + 1;
  console.log(`${rows.length} rows in ${options.output}`);
  for (const [kind, n] of Object.entries(counts)) console.log(`  ${kind}: ${n}`);
} finally {
  await runtime.close();
}
