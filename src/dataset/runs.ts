/**
 * @file The recorded runs of one program: its own calls, and where asked for the calls with changed arguments that took a path of
 * their own.
 */
import { Random } from '../common/random.ts';
import { callId } from '../programs/types.ts';
import type { PythonRuntime } from '../python/types.ts';
import { parseProgram } from '../source/index.ts';
import type { Limits, Trace } from '../trace/types.ts';
import { isMarkov, type Tally, type TrainingCodec } from './documents.ts';
import { mutatedCalls, pathOf } from './mutate.ts';
import type { Planned } from './plan.ts';
import { recordedFrom } from './recorded.ts';
import type { Recorded } from './types.ts';

export interface RunsOptions {
  readonly runtime: PythonRuntime;
  readonly codec: TrainingCodec;
  readonly seed: number;
  /** Calls traced of each program. */
  readonly calls: number;
  /** Besides, so many calls of a set's program with changed arguments, of those that take a path of their own. */
  readonly mutations: number;
  readonly limits: Partial<Limits>;
  readonly signal?: AbortSignal;
}

/** Changed calls tried for each that is wanted. */
const TRIES = 4;

/** Counts `mutations:run`, `mutations:kept`. Throws what the runtime throws. */
export async function recordRuns(
  { entry, source }: Planned,
  options: RunsOptions,
  tally: Tally,
): Promise<Recorded[]> {
  const program = parseProgram(entry.code, 'main.py');
  const runs: Recorded[] = [];
  const paths = new Set<string>();
  const count = (key: string): void => {
    tally[key] = (tally[key] ?? 0) + 1;
  };
  const run = async (call: string, index: number): Promise<Trace> => {
    const request = {
      file: { name: 'main.py', text: entry.code },
      call,
      id: callId({ program: entry, index }),
      limits: options.limits,
      operations: isMarkov(options.codec),
    };
    return (await options.runtime.run(request, options.signal ? { signal: options.signal } : {})).trace;
  };
  const keep = (trace: Trace): void => {
    const recorded = recordedFrom(trace.header.id!, trace, program);
    if (recorded.entries.length) runs.push(recorded);
  };
  for (const [index, call] of entry.calls.slice(0, options.calls).entries()) {
    const trace = await run(call, index);
    paths.add(pathOf(trace));
    keep(trace);
  }
  // Generated programs get as many calls as are wanted.
  if (options.mutations === 0 || source.startsWith('generated-')) return runs;
  const random = new Random('mutations', options.seed, entry.id);
  const calls = random
    .shuffled([...new Set(entry.calls.flatMap((call) => mutatedCalls(call, options.mutations, random)))])
    .slice(0, options.mutations * TRIES);
  let kept = 0;
  for (const [index, call] of calls.entries()) {
    if (kept >= options.mutations) break;
    const trace = await run(call, entry.calls.length + index);
    count('mutations:run');
    const path = pathOf(trace);
    if (paths.has(path)) continue;
    paths.add(path);
    count('mutations:kept');
    kept++;
    keep(trace);
  }
  return runs;
}
