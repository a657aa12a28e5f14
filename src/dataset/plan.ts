/**
 * @file What goes into a data set before anything runs: the programs of the sets and the generated ones, sifted, split and put
 * into a seeded order, so that every chunk has some of each. Node only (reads files).
 */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { NpdbError } from '../common/errors.ts';
import { hash32 } from '../common/random.ts';
import { loadPrograms } from '../programs/index.ts';
import type { ProgramEntry } from '../programs/types.ts';
import { type Exclusion, Forbidden, sift } from './exclude.ts';
import { generateLevel, LEVELS, type LevelCounts } from './generate/index.ts';
import { licenceOf } from './licences.ts';
import { DEFAULT_SHARES, type Shares, splitAll } from './splits.ts';
import { SPLITS, type Split } from './types.ts';

export interface Source {
  /** `mbpp`, `generated-1`. */
  readonly name: string;
  readonly programs: number;
  readonly licence: string;
  /** Of the file's bytes; the seed for generated programs. */
  readonly sha256?: string;
  readonly seed?: number;
}

export interface PlanOptions {
  /** Program sets: files. */
  readonly sets: readonly string[];
  /** Generated programs, by level. */
  readonly generate?: { readonly counts: LevelCounts; readonly seed: number };
  /** Files of evaluation programs, in any of the known forms; only ever compared with. */
  readonly exclude: readonly string[];
  readonly seed: number;
  readonly shares?: Shares;
}

export interface Planned {
  readonly entry: ProgramEntry;
  readonly split: Split;
  readonly source: string;
}

export interface Plan {
  readonly sources: readonly Source[];
  /** In the order they are built. */
  readonly programs: readonly Planned[];
  readonly splits: Readonly<Record<Split, readonly string[]>>;
  readonly excluded: Readonly<Record<Exclusion, number>>;
  readonly excludedIds: readonly { readonly id: string; readonly why: Exclusion }[];
  /** Kept programs with a near-duplicate among the kept; they share a split. */
  readonly near: number;
  readonly exclusionSets: readonly {
    readonly name: string;
    readonly programs: number;
    readonly sha256: string;
  }[];
}

export async function makePlan(options: PlanOptions): Promise<Plan> {
  const sources: Source[] = [];
  const all: ProgramEntry[] = [];
  const sourceOf = new Map<string, string>();
  const add = (name: string, programs: readonly ProgramEntry[], more: Pick<Source, 'sha256' | 'seed'>) => {
    sources.push({ name, programs: programs.length, licence: licenceOf(name), ...more });
    for (const program of programs) {
      if (sourceOf.has(program.id)) {
        throw new NpdbError(
          'E_PROGRAM_SET',
          `The id ${program.id} is in two sets.`,
          'Name each set once, and give each program its own id.',
        );
      }
      sourceOf.set(program.id, name);
      all.push(program);
    }
  };
  for (const path of options.sets) {
    add(nameOf(path), await loadPrograms([path]), { sha256: await hashFile(path) });
  }
  const { generate } = options;
  for (const [index, count] of (generate?.counts ?? []).entries()) {
    const level = LEVELS[index]!;
    const { seed } = generate!;
    if (count > 0) add(`generated-${level}`, [...generateLevel(seed, level, count)], { seed });
  }
  const evaluation = await Promise.all(options.exclude.map(evaluationCode));
  const sifted = sift(all, new Forbidden(evaluation.flatMap(({ code }) => code)), (entry) =>
    entry.id.startsWith('generated/'),
  );
  const split = splitAll(sifted.kept, options.seed, options.shares ?? DEFAULT_SHARES);
  const programs = sifted.kept.map(({ entry }, index) => ({
    entry,
    split: split[index]!,
    source: sourceOf.get(entry.id)!,
    order: hash32(`order\u0000${options.seed}\u0000${entry.id}`),
  }));
  const splits = Object.fromEntries(
    SPLITS.map((name) => [name, programs.filter((p) => p.split === name).map((p) => p.entry.id)]),
  ) as Record<Split, string[]>;
  programs.sort((a, b) => a.order - b.order || (a.entry.id < b.entry.id ? -1 : 1));
  const excluded: Record<Exclusion, number> = { 'eval-equal': 0, 'eval-near': 0, equal: 0 };
  for (const { why } of sifted.excluded) excluded[why]++;
  return {
    sources,
    programs: programs.map(({ entry, split, source }) => ({ entry, split, source })),
    splits,
    excluded,
    excludedIds: sifted.excluded,
    near: sifted.near,
    exclusionSets: evaluation.map(({ name, code, sha256 }) => ({ name, programs: code.length, sha256 })),
  };
}

const nameOf = (path: string): string =>
  basename(path)
    .replace(/\.gz$/, '')
    .replace(/\.jsonl?$/, '');

async function hashFile(path: string): Promise<string> {
  try {
    return createHash('sha256')
      .update(await readFile(path))
      .digest('hex');
  } catch (error) {
    throw new NpdbError(
      'E_FILE',
      `${path} cannot be read: ${(error as Error).message}`,
      'Check the path.',
      3,
    );
  }
}

/** The `code` of every line of an evaluation file, whatever else the line holds. Throws `E_PROGRAM_SET`. */
async function evaluationCode(path: string): Promise<{ name: string; code: string[]; sha256: string }> {
  const sha256 = await hashFile(path);
  const bytes = await readFile(path);
  const text = path.endsWith('.gz') ? gunzipSync(bytes).toString('utf8') : bytes.toString('utf8');
  const code: string[] = [];
  text.split('\n').forEach((line, index) => {
    if (line.trim() === '') return;
    const row = parseLine(line, path, index + 1);
    if (typeof row.code === 'string') code.push(row.code);
  });
  return { name: nameOf(path), code, sha256 };
}

function parseLine(line: string, path: string, number: number): { readonly code?: unknown } {
  try {
    const row: unknown = JSON.parse(line);
    if (row && typeof row === 'object') return row;
  } catch {
    // Said below.
  }
  throw new NpdbError(
    'E_PROGRAM_SET',
    `${path}: line ${number} is not a JSON object.`,
    'Give a JSON Lines file whose rows have `code`.',
  );
}
