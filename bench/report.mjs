// Figures into docs/speed.md: a benchmark owns the text between its two marks.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../scripts/bootstrap.mjs';

export function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** `rows` of cells, the first the heads. */
export function table([heads, ...rows]) {
  const line = (cells) => `| ${cells.join(' | ')} |`;
  return [line(heads), line(heads.map((_, i) => (i === 0 ? '---' : '---:'))), ...rows.map(line)].join('\n');
}

/** Prints `text` and puts it between `<!-- name -->` and `<!-- end name -->`. */
export function report(name, text) {
  process.stdout.write(`${text}\n`);
  const path = join(root, 'docs', 'speed.md');
  const [begin, end] = [`<!-- ${name} -->`, `<!-- end ${name} -->`];
  const block = `${begin}\n${text}\n${end}`;
  const old = existsSync(path) ? readFileSync(path, 'utf8') : '# Speed\n';
  const from = old.indexOf(begin);
  const to = old.indexOf(end);
  const made =
    from < 0 || to < 0
      ? `${old.trimEnd()}\n\n${block}\n`
      : old.slice(0, from) + block + old.slice(to + end.length);
  writeFileSync(path, made);
}
