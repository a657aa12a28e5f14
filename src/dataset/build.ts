/**
 * @file The build: programs -> traces -> documents -> shards, in chunks. A chunk's files are written whole and its record last: an
 * interrupted build goes on after the last whole chunk, and gives the same bytes as one that was not. Every program draws
 * from its own random stream, so neither the number of workers nor their order matters. Node only.
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { NpdbError } from '../common/errors.ts';
import { Random } from '../common/random.ts';
import type { PythonRuntime } from '../python/types.ts';
import { type Limits, TRACE_VERSION } from '../trace/types.ts';
import { dataCard } from './card.ts';
import {
  checkPolicy,
  DOCUMENT_DEFAULTS,
  type DocumentOptions,
  type Made,
  makeDocuments,
  type Tally,
} from './documents.ts';
import { readJson, writeWhole } from './files.ts';
import { encodeParquet, type ProgramRows } from './parquet.ts';
import { makePlan, type Plan, type Planned, type PlanOptions } from './plan.ts';
import { recordRuns } from './runs.ts';
import { encodeShard, SHARD_FORMAT, SHARD_VERSION } from './shards.ts';
import type { TokenDocument } from './types.ts';

export interface BuildOptions extends PlanOptions, DocumentOptions {
  readonly out: string;
  readonly runtime: PythonRuntime;
  /** Calls traced of each program. */
  readonly calls: number;
  /** Besides, so many calls of a set's program with changed arguments, of those that take a path of their own. */
  readonly mutations: number;
  readonly limits: Partial<Limits>;
  /** Build only so many programs, the first in the seeded order; all if absent. */
  readonly limit?: number;
  /** Programs in a chunk. */
  readonly chunk: number;
  /** Programs at work at a time. */
  readonly workers: number;
  readonly parquet: boolean;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
}

export interface Progress {
  readonly phase: 'plan' | 'build' | 'done';
  readonly done: number;
  readonly total: number;
  readonly tokens: number;
}

export const BUILD_DEFAULTS = {
  ...DOCUMENT_DEFAULTS,
  calls: 3,
  mutations: 0,
  limits: { events: 600, timeMs: 3000, outputBytes: 20_000 },
  chunk: 256,
  workers: 4,
  parquet: true,
} as const;

/** What a chunk's record says. */
interface ChunkRecord {
  readonly programs: number;
  readonly files: readonly {
    readonly name: string;
    readonly split: string;
    readonly documents: number;
    readonly tokens: number;
    readonly trained: number;
  }[];
  readonly bySource: Readonly<
    Record<string, { readonly programs: number; readonly documents: number; readonly tokens: number }>
  >;
  readonly tally: Tally;
  /** Programs that failed by our own fault, with the reason. */
  readonly failed: readonly { readonly id: string; readonly why: string }[];
}

export interface BuildResult {
  readonly documents: number;
  readonly tokens: number;
  readonly trained: number;
  readonly tally: Tally;
  readonly plan: Plan;
  readonly failed: ChunkRecord['failed'];
}

/** Splits that are built; the others are only named, for later evaluation. */
const BUILT = ['train', 'validation'] as const;

/** Throws `E_DATASET_EXISTS`, `E_INTERRUPTED`, and what reading sets throws. */
export async function buildDataset(options: BuildOptions): Promise<BuildResult> {
  const { out, onProgress } = options;
  checkPolicy(options);
  onProgress?.({ phase: 'plan', done: 0, total: 0, tokens: 0 });
  const plan = await makePlan(options);
  const config = await configOf(options, plan);
  await mkdir(join(out, 'chunks'), { recursive: true });
  await claim(out, config);
  const work = plan.programs
    .filter(({ split }) => split === 'train' || split === 'validation')
    .slice(0, options.limit);
  const chunks = Math.ceil(work.length / options.chunk);
  const records: ChunkRecord[] = [];
  let tokens = 0;
  let done = 0;
  for (let index = 0; index < chunks; index++) {
    const part = work.slice(index * options.chunk, (index + 1) * options.chunk);
    const path = join(out, 'chunks', `${number(index)}.json`);
    const before = (await readJson(path)) as ChunkRecord | null;
    const step = () => onProgress?.({ phase: 'build', done: ++done, total: work.length, tokens });
    if (before) done += part.length;
    const record = before ?? (await buildChunk(index, part, options, step));
    if (!before) await writeWhole(path, JSON.stringify(record));
    records.push(record);
    for (const file of record.files) tokens += file.tokens;
    onProgress?.({ phase: 'build', done, total: work.length, tokens });
  }
  const result = await finish(options, plan, config, records);
  onProgress?.({ phase: 'done', done, total: work.length, tokens });
  return result;
}

// --- internal ---

const number = (index: number): string => String(index).padStart(5, '0');

/** Everything that decides the bytes. */
async function configOf(options: BuildOptions, plan: Plan): Promise<Record<string, unknown>> {
  const probe = await options.runtime.run({ file: { name: 'main.py', text: 'pass\n' } });
  const { python, implementation, values } = probe.trace.header;
  const { codec, tokenizer } = options;
  return {
    format: SHARD_FORMAT,
    version: SHARD_VERSION,
    codec: codec.name,
    codecVersion: codec.version,
    tokenizer: tokenizer.id,
    traceVersion: TRACE_VERSION,
    // The stream is one for all versions; what programs do is not always.
    python: `${implementation} ${python.split('.').slice(0, 2).join('.')}`,
    values,
    limits: options.limits,
    seed: options.seed,
    shares: options.shares ?? null,
    policy: options.policy,
    blocks: options.blocks,
    density: options.density,
    ...(options.trivial === undefined ? {} : { trivial: options.trivial }),
    documents: options.documents,
    maxContext: options.maxContext,
    maxPrompt: options.maxPrompt,
    maxAnswer: options.maxAnswer,
    maxSteps: options.maxSteps,
    calls: options.calls,
    mutations: options.mutations,
    ...(options.limit === undefined ? {} : { limit: options.limit }),
    chunk: options.chunk,
    parquet: options.parquet,
    sources: plan.sources,
    exclusionSets: plan.exclusionSets,
  };
}

/** The folder belongs to one configuration. */
async function claim(out: string, config: Record<string, unknown>): Promise<void> {
  const path = join(out, 'build.json');
  const text = JSON.stringify(config, null, 1);
  const before = await readJson(path);
  if (before === null) return writeWhole(path, text);
  const old = before as Record<string, unknown>;
  const plain = JSON.parse(text) as Record<string, unknown>;
  const changed = Object.keys({ ...old, ...plain }).filter(
    (key) => JSON.stringify(old[key]) !== JSON.stringify(plain[key]),
  );
  if (!changed.length) return;
  throw new NpdbError(
    'E_DATASET_EXISTS',
    `${out} holds a data set made otherwise (${changed.join(', ')}).`,
    'Choose another folder, or delete this one.',
  );
}

interface Built extends Made {
  readonly planned: Planned;
  readonly failed?: string;
}

async function buildChunk(
  index: number,
  part: readonly Planned[],
  options: BuildOptions,
  step: () => void,
): Promise<ChunkRecord> {
  const results: Built[] = new Array(part.length);
  let next = 0;
  const worker = async () => {
    while (next < part.length) {
      const at = next++;
      if (options.signal?.aborted) throw interrupted();
      results[at] = await buildProgram(part[at]!, options);
      step();
    }
  };
  await Promise.all(Array.from({ length: options.workers }, worker));
  if (options.signal?.aborted) throw interrupted();
  const files: ChunkRecord['files'][number][] = [];
  for (const split of BUILT) {
    const documents = results.filter(({ planned }) => planned.split === split).flatMap((r) => r.documents);
    if (!documents.length) continue;
    const name = `${split}-${number(index)}.bin`;
    await writeWhole(join(options.out, name), encodeShard(documents));
    files.push({ name, split, documents: documents.length, ...sizes(documents) });
  }
  if (options.parquet) {
    const rows: ProgramRows[] = results.map((r) => ({
      program: r.planned.entry.id,
      split: r.planned.split,
      rows: r.rows,
    }));
    await writeWhole(join(options.out, `walks-${number(index)}.parquet`), encodeParquet(rows));
  }
  const tally: Tally = {};
  const bySource: Record<string, { programs: number; documents: number; tokens: number }> = {};
  for (const { planned, documents, tally: own } of results) {
    for (const [key, value] of Object.entries(own)) tally[key] = (tally[key] ?? 0) + value;
    const source = (bySource[planned.source] ??= { programs: 0, documents: 0, tokens: 0 });
    source.programs += documents.length ? 1 : 0;
    source.documents += documents.length;
    source.tokens += sizes(documents).tokens;
  }
  const failed = results.flatMap((r) => (r.failed ? [{ id: r.planned.entry.id, why: r.failed }] : []));
  return { programs: part.length, files, bySource, tally, failed };
}

async function buildProgram(planned: Planned, options: BuildOptions): Promise<Built> {
  const { entry } = planned;
  const empty: Made = { documents: [], rows: [], tally: {} };
  try {
    const tally: Tally = {};
    const runs = await recordRuns(planned, options, tally);
    if (!runs.length) return { planned, ...empty, tally: { 'skipped:entry': 1 } };
    const made = makeDocuments(entry.id, runs, options, new Random('documents', options.seed, entry.id));
    return { planned, ...made, tally: { ...made.tally, ...tally } };
  } catch (error) {
    if (options.signal?.aborted) throw interrupted();
    // A runtime that cannot start will not start for the next program either.
    if (error instanceof NpdbError && /^E_(PYTHON|RUNTIME)/.test(error.code)) throw error;
    const why = error instanceof NpdbError ? error.code : `${(error as Error).message}`;
    return {
      planned,
      ...empty,
      tally: { [why === 'E_TOO_LONG' ? 'skipped:lines' : 'failed']: 1 },
      ...(why === 'E_TOO_LONG' ? {} : { failed: why }),
    };
  }
}

function sizes(documents: readonly TokenDocument[]): { tokens: number; trained: number } {
  let tokens = 0;
  let trained = 0;
  for (const { ids, loss } of documents) {
    tokens += ids.length;
    for (const flag of loss) trained += flag;
  }
  return { tokens, trained };
}

function interrupted(): NpdbError {
  return new NpdbError(
    'E_INTERRUPTED',
    'The build was interrupted; whole chunks are kept.',
    'Run the same command again to go on.',
    130,
  );
}

async function finish(
  options: BuildOptions,
  plan: Plan,
  config: Record<string, unknown>,
  records: readonly ChunkRecord[],
): Promise<BuildResult> {
  const { out, tokenizer } = options;
  const tally: Tally = {};
  const bySource: Record<string, { programs: number; documents: number; tokens: number }> = {};
  for (const record of records) {
    for (const [key, value] of Object.entries(record.tally)) tally[key] = (tally[key] ?? 0) + value;
    for (const [name, value] of Object.entries(record.bySource)) {
      const sum = (bySource[name] ??= { programs: 0, documents: 0, tokens: 0 });
      sum.programs += value.programs;
      sum.documents += value.documents;
      sum.tokens += value.tokens;
    }
  }
  const files = records.flatMap((record) => record.files);
  const failed = records.flatMap((record) => record.failed);
  const total = (key: 'documents' | 'tokens' | 'trained', split?: string) =>
    files.filter((f) => !split || f.split === split).reduce((sum, f) => sum + f[key], 0);
  const counts = Object.fromEntries(
    BUILT.map((split) => [
      split,
      {
        documents: total('documents', split),
        tokens: total('tokens', split),
        trained: total('trained', split),
      },
    ]),
  );
  const meta = {
    ...config,
    vocabularySize: tokenizer.size,
    counts,
    bySource,
    tally,
    failed,
    files: files.map(({ name }) => name),
    licences: Object.fromEntries(plan.sources.map(({ name, licence }) => [name, licence])),
    excluded: plan.excluded,
    excludedIds: plan.excludedIds.filter(({ why }) => why !== 'equal'),
    near: plan.near,
    splits: {
      validation: plan.splits.validation,
      dev: plan.splits.dev,
      test: plan.splits.test,
      train: plan.splits.train.length,
    },
  };
  for (const split of ['dev', 'test'] as const) {
    const held = plan.programs.filter((program) => program.split === split);
    const file = (name: string, part: readonly Planned[]) =>
      part.length
        ? writeWhole(join(out, name), part.map(({ entry }) => `${JSON.stringify(entry)}\n`).join(''))
        : undefined;
    await file(
      `${split}.jsonl`,
      held.filter(({ source }) => !source.startsWith('generated-')),
    );
    await file(
      `${split}-generated.jsonl`,
      held.filter(({ source }) => source.startsWith('generated-')),
    );
  }
  await writeWhole(join(out, 'tokenizer.json'), JSON.stringify(tokenizer));
  await writeWhole(join(out, 'card.md'), dataCard(meta, plan));
  await writeWhole(join(out, 'meta.json'), JSON.stringify(meta, null, 1));
  return {
    documents: total('documents'),
    tokens: total('tokens'),
    trained: total('trained'),
    tally,
    plan,
    failed,
  };
}
