/**
 * @file Traces of all calls of a program set, into a folder (`src/trace/set.ts` has its layout). Resumable:
 * the calls have a fixed order and each shard a fixed part of it, so a second start keeps the complete
 * shards, takes every whole trace out of an unfinished or broken one, and runs what is missing.
 */
import { createHash } from 'node:crypto';
import { mkdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { NpdbError } from '../common/errors.ts';
import { fullRequest } from '../python/limits.ts';
import type { PythonRuntime } from '../python/types.ts';
import {
  readManifest,
  sha256,
  shardIntact,
  shardName,
  TRACE_VERSION,
  type Trace,
  type TraceSetManifest,
  type TraceShard,
  TraceWriter,
  writeManifest,
} from '../trace/node.ts';
import type { Limits, ValueLimits } from '../trace/types.ts';
import { salvage } from './salvage.ts';
import { callId, type ProgramCall, type ProgramEntry } from './types.ts';

export interface TraceSetProgress {
  /** Traces written, those of earlier starts included. */
  readonly done: number;
  readonly total: number;
  readonly events: number;
  /** Of `done`: kept from an earlier start. */
  readonly kept: number;
}

export interface TraceSetOptions {
  readonly outDir: string;
  /** At most this many calls of each program; all if absent. A program without calls is run as a script. */
  readonly calls?: number;
  readonly limits?: Partial<Limits>;
  readonly values?: Partial<ValueLimits>;
  /** 256 if absent. */
  readonly tracesPerShard?: number;
  /** Runs asked of the runtime at a time; the runtime has its own bound. 8 if absent. */
  readonly ahead?: number;
  readonly onProgress?: (progress: TraceSetProgress) => void;
  readonly signal?: AbortSignal;
}

/**
 * Throws `E_TRACE_SET` if the folder holds a set made of something else, the signal's reason if aborted;
 * in every case what was written stays.
 */
export async function traceSet(
  programs: readonly ProgramEntry[],
  runtime: PythonRuntime,
  options: TraceSetOptions,
): Promise<TraceSetManifest> {
  const { outDir, signal } = options;
  const calls = callsOf(programs, options.calls);
  const perShard = options.tracesPerShard ?? 256;
  const { limits, values } = fullRequest({ file: { name: 'main.py', text: '' }, ...pick(options) });
  await mkdir(outDir, { recursive: true });
  const before = await readManifest(outDir);
  let manifest: TraceSetManifest = {
    format: 'npdb-trace-set',
    version: 1,
    traceVersion: TRACE_VERSION,
    key: keyOf(calls, { limits, values, perShard }),
    programs: programs.length,
    traces: calls.length,
    tracesPerShard: perShard,
    runtime: before?.runtime ?? null,
    limits: { ...limits },
    values: { ...values },
    complete: false,
    shards: [],
  };
  if (before && before.key !== manifest.key) throw otherSet(outDir);
  let done = 0;
  let kept = 0;
  let events = 0;
  const told = (): void => options.onProgress?.({ done, total: calls.length, events, kept });

  for (let index = 0; index * perShard < calls.length; index++) {
    signal?.throwIfAborted();
    const part = calls.slice(index * perShard, (index + 1) * perShard);
    const known = before?.shards.find((shard) => shard.file === shardName(index));
    let shard: TraceShard;
    if (known && (await shardIntact(outDir, known))) {
      shard = known;
      done += known.traces;
      kept += known.traces;
      events += known.events;
      told();
    } else {
      const traced = tracesOf(part, runtime, options, join(outDir, shardName(index)));
      shard = await writeShard(outDir, index, index * perShard, part, traced, (trace, old) => {
        manifest = { ...manifest, runtime: manifest.runtime ?? about(runtime, trace) };
        done++;
        if (old) kept++;
        events += trace.events.length;
        told();
      });
    }
    manifest = { ...manifest, shards: [...manifest.shards, shard] };
    // Shards not looked at yet stay listed, so that a stop now does not forget them.
    const later = (before?.shards ?? []).filter((other) => other.first > shard.first);
    await writeManifest(outDir, { ...manifest, shards: [...manifest.shards, ...later] });
  }
  manifest = { ...manifest, complete: true };
  await writeManifest(outDir, manifest);
  return manifest;
}

// --- internal ---

interface Traced {
  readonly trace: Trace;
  /** From an earlier start. */
  readonly old: boolean;
}

/** The traces of one shard in order: first the old ones, then new runs, a few of them at a time. */
async function* tracesOf(
  part: readonly ProgramCall[],
  runtime: PythonRuntime,
  options: TraceSetOptions,
  path: string,
): AsyncGenerator<Traced> {
  let next = 0;
  for await (const trace of salvage(path, (old, place) => belongs(old, part[place], options))) {
    next++;
    yield { trace, old: true };
  }
  const stop = new AbortController();
  const signal = options.signal ? AbortSignal.any([options.signal, stop.signal]) : stop.signal;
  const running: Promise<Trace>[] = [];
  try {
    while (next < part.length || running.length > 0) {
      while (next < part.length && running.length < (options.ahead ?? 8)) {
        const run = runCall(part[next++]!, runtime, options, signal);
        run.catch(() => {});
        running.push(run);
      }
      const trace = await running.shift()!;
      signal.throwIfAborted();
      yield { trace, old: false };
    }
  } finally {
    stop.abort();
    await Promise.allSettled(running);
  }
}

/** An old trace counts only if it was made from the very same program, call and limits. */
function belongs({ header }: Trace, call: ProgramCall | undefined, options: TraceSetOptions): boolean {
  if (!call) return false;
  const { limits, values } = fullRequest({ file: header.files[0]!, ...pick(options) });
  return (
    header.id === callId(call) &&
    header.files[0]!.text === call.program.code &&
    header.call === call.program.calls[call.index] &&
    isDeepStrictEqual([header.limits, header.values], [limits, values])
  );
}

async function runCall(
  call: ProgramCall,
  runtime: PythonRuntime,
  options: TraceSetOptions,
  signal: AbortSignal,
): Promise<Trace> {
  const expression = call.program.calls[call.index];
  const request = {
    file: { name: 'main.py', text: call.program.code },
    id: callId(call),
    ...(expression === undefined ? {} : { call: expression }),
    ...pick(options),
  };
  return (await runtime.run(request, { signal })).trace;
}

async function writeShard(
  dir: string,
  index: number,
  first: number,
  part: readonly ProgramCall[],
  traced: AsyncIterable<Traced>,
  onTrace: (trace: Trace, old: boolean) => void,
): Promise<TraceShard> {
  const file = shardName(index);
  const path = join(dir, file);
  const ends: Record<string, number> = {};
  const expected = { stated: 0, same: 0 };
  let traces = 0;
  let events = 0;
  let writer: TraceWriter | null = null;
  try {
    for await (const { trace, old } of traced) {
      // Opened late: until the old traces have been set aside, this is the file they are in.
      writer ??= new TraceWriter(`${path}.part`, true);
      await writer.write(trace);
      const end = trace.end.reason ? `cut:${trace.end.reason}` : trace.end.status;
      ends[end] = (ends[end] ?? 0) + 1;
      const { program, index: at } = part[traces++]!;
      const stated = program.expected?.[at] ?? null;
      if (stated !== null) expected.stated++;
      if (stated !== null && stated === trace.end.value) expected.same++;
      events += trace.events.length;
      onTrace(trace, old);
    }
  } finally {
    await writer?.close();
  }
  await rename(`${path}.part`, path);
  await rm(`${path}.old`, { force: true });
  const { size } = await stat(path);
  return { file, first, traces, events, bytes: size, sha256: await sha256(path), ends, expected };
}

function callsOf(programs: readonly ProgramEntry[], most = Number.POSITIVE_INFINITY): ProgramCall[] {
  return programs.flatMap((program) =>
    program.calls.length === 0
      ? [{ program, index: -1 }]
      : program.calls.slice(0, most).map((_, index) => ({ program, index })),
  );
}

function keyOf(calls: readonly ProgramCall[], settings: unknown): string {
  const hash = createHash('sha256').update(JSON.stringify([TRACE_VERSION, settings]));
  for (const call of calls) {
    const { program, index } = call;
    hash.update(JSON.stringify([callId(call), index < 0 ? null : program.calls[index]]));
    if (index <= 0) hash.update(JSON.stringify(program.code));
  }
  return hash.digest('hex');
}

function about(runtime: PythonRuntime, { header }: Trace): TraceSetManifest['runtime'] {
  const { implementation, python, hashSeed } = header;
  return { name: runtime.name, implementation, python, hashSeed };
}

function pick(options: TraceSetOptions): Pick<TraceSetOptions, 'limits' | 'values'> {
  return {
    ...(options.limits ? { limits: options.limits } : {}),
    ...(options.values ? { values: options.values } : {}),
  };
}

function otherSet(dir: string): NpdbError {
  return new NpdbError(
    'E_TRACE_SET',
    `${dir} holds a trace set of other programs, calls or limits.`,
    'Choose another folder, or delete that one.',
  );
}
