/**
 * @file A trace set: a folder of shards, each the traces of a fixed run of calls one after the other, and a
 * manifest that says what made them. Layout:
 *
 *     DIR/manifest.json
 *     DIR/traces-00000.jsonl.gz    complete; listed in the manifest with its size and hash
 *     DIR/traces-00001.jsonl.gz.part    being written, or left by an interrupted run
 *
 * Node only.
 */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { NpdbError } from '../common/errors.ts';
import { fileMissing } from '../common/lines.ts';
import { readTraces } from './files.ts';
import { TRACE_VERSION, type Trace } from './types.ts';

const count = z.int().nonnegative();

const shard = z.object({
  file: z.string(),
  /** Index of its first trace in the whole set. */
  first: count,
  traces: count,
  events: count,
  bytes: count,
  sha256: z.string(),
  /** How its traces end: `normal`, `error`, `exit`, `cut:time`, ... */
  ends: z.record(z.string(), count),
  /** Values compared, as text, with what the program set states: of those stated, how many are the same. */
  expected: z.object({ stated: count, same: count }),
});

const manifest = z.object({
  format: z.literal('npdb-trace-set'),
  version: z.literal(1),
  traceVersion: z.int(),
  /** Equal for sets made from the same programs and calls with the same limits: what resuming checks. */
  key: z.string(),
  /** Programs and traces (calls) the whole set has once complete. */
  programs: count,
  traces: count,
  tracesPerShard: z.int().positive(),
  runtime: z
    .object({ name: z.string(), implementation: z.string(), python: z.string(), hashSeed: z.string() })
    .nullable(),
  limits: z.record(z.string(), count),
  values: z.record(z.string(), count),
  complete: z.boolean(),
  shards: z.array(shard),
});

export type TraceShard = z.infer<typeof shard>;
export type TraceSetManifest = z.infer<typeof manifest>;

export const shardName = (index: number): string => `traces-${String(index).padStart(5, '0')}.jsonl.gz`;

/** Null if there is none. Throws `E_TRACE_BROKEN`, `E_TRACE_VERSION`. */
export async function readManifest(dir: string): Promise<TraceSetManifest | null> {
  const path = join(dir, 'manifest.json');
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw fileMissing(path, error);
  }
  let found: TraceSetManifest;
  try {
    found = manifest.parse(JSON.parse(text));
  } catch (cause) {
    throw new NpdbError(
      'E_TRACE_BROKEN',
      `${path} is no manifest of a trace set.`,
      'Delete it and run again: the shards are kept.',
      3,
      { cause },
    );
  }
  if (found.traceVersion !== TRACE_VERSION) {
    throw new NpdbError(
      'E_TRACE_VERSION',
      `${dir} holds traces of version ${found.traceVersion}, this program reads version ${TRACE_VERSION}.`,
      'Record them again into another folder.',
      3,
    );
  }
  return found;
}

/** Replaces the manifest in one step. */
export async function writeManifest(dir: string, data: TraceSetManifest): Promise<void> {
  const path = join(dir, 'manifest.json');
  await writeFile(`${path}.part`, `${JSON.stringify(data, null, 1)}\n`);
  await rename(`${path}.part`, path);
}

/** All traces below a path: a trace set's folder (complete shards, in order), or one trace file. */
export async function* openTraces(path: string): AsyncGenerator<Trace> {
  const info = await stat(path).catch((error: unknown) => {
    throw fileMissing(path, error);
  });
  if (!info.isDirectory()) {
    yield* readTraces(path);
    return;
  }
  const found = await readManifest(path);
  if (!found) {
    throw new NpdbError(
      'E_FILE',
      `${path} holds no trace set: it has no manifest.json.`,
      'Make one with `npdb trace --programs SET -o DIR`.',
      3,
    );
  }
  for (const { file } of found.shards) yield* readTraces(join(path, file));
}

/** True if the file is there and is what the manifest says. */
export async function shardIntact(dir: string, wanted: TraceShard): Promise<boolean> {
  const path = join(dir, wanted.file);
  const size = await stat(path).then(
    (info) => info.size,
    () => -1,
  );
  return size === wanted.bytes && (await sha256(path)) === wanted.sha256;
}

export async function sha256(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}
