/**
 * @file Generated programs: small Python programs with calls, to teach a model copying, single operations, then control flow. Pure and
 * seeded: program i of a seed is the same whatever the count. Drawn from the shapes of everyday code, never from an evaluation set.
 */

import { Random } from '../../common/random.ts';
import type { ProgramEntry } from '../../programs/types.ts';
import { randomFunction } from './functions.ts';
import { hintsOf, sampleArguments, show } from './samples.ts';
import { singleOperation } from './single.ts';
import { endless } from './templates/endless.ts';
import { template } from './templates/index.ts';

/** 1 single operations, 2 several statements with loops and branches, 3 several functions, classes, recursion, exceptions, generators. */
export type Level = 1 | 2 | 3;
export const LEVELS: readonly Level[] = [1, 2, 3];

/** How many programs of each level. */
export type LevelCounts = readonly [one: number, two: number, three: number];

/** Shares of the levels where only a total is given. */
const SHARES: LevelCounts = [0.5, 0.34, 0.16];

export function shareOut(total: number): LevelCounts {
  const two = Math.round(total * SHARES[1]);
  const three = Math.round(total * SHARES[2]);
  return [total - two - three, two, three];
}

export interface GenerateOptions {
  /** Calls per program; default 4 to 6. */
  readonly calls?: number;
}

/** Programs with distinct source text, level by level; fewer only if a level runs out of new ones. */
export function* generatePrograms(
  seed: number,
  counts: LevelCounts,
  options: GenerateOptions = {},
): Iterable<ProgramEntry> {
  for (const [index, count] of counts.entries()) yield* generateLevel(seed, LEVELS[index]!, count, options);
}

/** Program i of a seed and level is the same whatever the count. Its id: `generated/<seed>/<level>/<i>`. */
export function* generateLevel(
  seed: number,
  level: Level,
  count: number,
  options: GenerateOptions = {},
): Iterable<ProgramEntry> {
  const seen = new Set<string>();
  let made = 0;
  for (let draw = 0; made < count && draw < count * 4 + 100; draw++) {
    const program = generateProgram(new Random('generate', seed, level, draw), level, options);
    if (seen.has(program.code) || EXPLODES.test(program.code)) continue;
    seen.add(program.code);
    yield { id: `generated/${seed}/${level}/${made++}`, ...program };
  }
}

/** Programs of the families whose loops end for some arguments only. Their ids: `endless/<seed>/<i>`. */
export function* generateEndless(seed: number, count: number): Iterable<ProgramEntry> {
  const seen = new Set<string>();
  for (let draw = 0; seen.size < count && draw < count * 4 + 100; draw++) {
    const r = new Random('endless', seed, draw);
    const { lines, call } = r.pick(endless)(r);
    const program = written(r, lines, 6, call);
    if (seen.has(program.code)) continue;
    yield { id: `endless/${seed}/${seen.size}`, ...program };
    seen.add(program.code);
  }
}

/** One program and its calls. */
export function generateProgram(
  r: Random,
  level: Level,
  options: GenerateOptions = {},
): { code: string; calls: string[] } {
  const wanted = options.calls ?? r.int(4, 6);
  if (level === 1) {
    const { lines, call } = singleOperation(r);
    return written(r, lines, wanted, call);
  }
  if (level === 3 && r.chance(0.7)) {
    const { lines, call } = template(r);
    return written(r, lines, wanted, call);
  }
  const shape = r.weighted<1 | 2 | 3>(
    level === 2
      ? SHAPES
      : [
          [1, 1],
          [1, 2],
          [1, 3],
        ],
  );
  const helpers =
    level === 3 ? Array.from({ length: r.int(1, 2) }, () => randomFunction(r, r.int(1, 2), [], true)) : [];
  const unique = helpers.filter(
    (h, i) => helpers.findIndex((o) => o.callable.name === h.callable.name) === i,
  );
  const main = randomFunction(
    r,
    shape,
    unique.map((h) => h.callable),
  );
  const lines = [...unique, main]
    .map((f) => f.lines.join('\n'))
    .join('\n\n\n')
    .split('\n');
  const { name, params } = main.callable;
  const text = lines.join('\n');
  const hints = hintsOf(text);
  // What decides how often a loop runs is small: a long run of a small program teaches little more than a short one.
  const steering = main.paramNames.map((param) => new RegExp(`(range\\(|while ).*\\b${param}\\b`).test(text));
  return written(r, lines, wanted, (q) => {
    const keyword = q.chance(0.08);
    const values = sampleArguments(q, params, hints).map((value, i) =>
      typeof value !== 'number' ? value : steering[i] ? Math.abs(value) % 9 : value % 100,
    );
    return `${name}(${values.map((value, i) => (keyword ? `${main.paramNames[i]}=` : '') + show(value)).join(', ')})`;
  });
}

// --- internal ---

/** In a loop this doubles a value at each turn. */
const EXPLODES = /(?:for|while) [\s\S]*(?:\b(\w+) [+*]= .*\b\1\b|\b(\w+) = \2 [+*] .*\b\2\b)/;

/** Level 2: straight lines, one loop or branch, several blocks. */
const SHAPES: readonly (readonly [number, 1 | 2 | 3])[] = [
  [25, 1],
  [45, 2],
  [30, 3],
];

function written(
  r: Random,
  lines: readonly string[],
  wanted: number,
  make: (r: Random) => string,
): { code: string; calls: string[] } {
  const calls = new Set<string>();
  for (let n = 0; calls.size < wanted && n < wanted * 5; n++) calls.add(make(r));
  return { code: `${lines.join('\n')}\n`, calls: [...calls] };
}
