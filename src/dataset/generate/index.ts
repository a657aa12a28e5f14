/**
 * @file Generated programs: small Python programs with calls, to teach a model single operations, copying and control flow. Pure and
 * seeded: program i of a seed is the same whatever the count. Drawn from the shapes of everyday code, never from an evaluation set.
 */

import { Random } from '../../common/random.ts';
import type { ProgramEntry } from '../../programs/types.ts';
import { randomFunction } from './functions.ts';
import { template } from './templates/index.ts';
import { literal } from './values.ts';

export interface GenerateOptions {
  /** 1 single lines, 2 one loop or branch, 3 several blocks, 4 several functions, classes, recursion, errors. Default: a mix. */
  readonly level?: 1 | 2 | 3 | 4;
  /** Calls per program; default 4 to 6. */
  readonly calls?: number;
}

const MIX: readonly (readonly [number, 1 | 2 | 3 | 4])[] = [
  [30, 1],
  [36, 2],
  [20, 3],
  [14, 4],
];

/** `count` programs with distinct source text; fewer only if a level runs out of new ones. */
export function* generatePrograms(
  seed: number,
  count: number,
  options: GenerateOptions = {},
): Iterable<ProgramEntry> {
  const seen = new Set<string>();
  let made = 0;
  for (let draw = 0; made < count && draw < count * 4 + 100; draw++) {
    const program = generateProgram(new Random('generate', seed, draw), options);
    if (seen.has(program.code)) continue;
    seen.add(program.code);
    yield { id: `generated/${seed}/${made++}`, ...program };
  }
}

/** One program and its calls. */
export function generateProgram(r: Random, options: GenerateOptions = {}): { code: string; calls: string[] } {
  const level = options.level ?? r.weighted(MIX);
  const wanted = options.calls ?? r.int(4, 6);
  if (level === 4 && r.chance(0.7)) {
    const made = template(r);
    return { code: `${made.lines.join('\n')}\n`, calls: distinctCalls(wanted, () => made.call(r)) };
  }
  const helpers =
    level === 4 ? Array.from({ length: r.int(1, 2) }, () => randomFunction(r, r.int(1, 2), [], true)) : [];
  const unique = helpers.filter(
    (h, i) => helpers.findIndex((o) => o.callable.name === h.callable.name) === i,
  );
  const main = randomFunction(
    r,
    level === 4 ? r.int(1, 3) : level,
    unique.map((h) => h.callable),
  );
  const code = [...unique, main].map((f) => f.lines.join('\n')).join('\n\n\n');
  const { name, params } = main.callable;
  const call = () => {
    const keyword = r.chance(0.08);
    return `${name}(${params.map((type, i) => (keyword ? `${main.paramNames[i]}=` : '') + literal(r, type)).join(', ')})`;
  };
  return { code: `${code}\n`, calls: distinctCalls(wanted, call) };
}

function distinctCalls(wanted: number, make: () => string): string[] {
  const calls = new Set<string>();
  for (let n = 0; calls.size < wanted && n < wanted * 5; n++) calls.add(make());
  return [...calls];
}
