// `npm run bench -- NAME [options]`: one benchmark, `bench/NAME.mjs`, whose `run(options)` prints its figures and writes them
// into docs/speed.md. Figures are ratios within one run: machines and their load differ.
import { readdirSync } from 'node:fs';
import { ensureBuild, ensurePackages } from '../scripts/bootstrap.mjs';

const names = readdirSync(new URL('.', import.meta.url))
  .filter((name) => name.endsWith('.bench.mjs'))
  .map((name) => name.slice(0, -'.bench.mjs'.length))
  .sort();
const [name, ...options] = process.argv.slice(2);
if (!names.includes(name)) {
  process.stderr.write(`usage: npm run bench -- NAME [options]\nNAME: ${names.join(', ')}\n`);
  process.exit(2);
}
await ensurePackages();
await ensureBuild();
const { run } = await import(`./${name}.bench.mjs`);
await run(options);
