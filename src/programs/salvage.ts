/**
 * @file The whole traces that an interrupted or damaged shard still holds. The best file found is set aside
 * as `.old` before a new one is begun, and goes only when the new one is complete: a stop at any point
 * loses nothing.
 */
import { rename } from 'node:fs/promises';
import { NpdbError } from '../common/errors.ts';
import { readTraces, type Trace } from '../trace/node.ts';

/** Whether a trace is the one that belongs at a place of the shard. */
export type Fits = (trace: Trace, place: number) => boolean;

/** The shard's traces from the first on, as many as there are. `path`: the shard's final name. */
export async function* salvage(path: string, fits: Fits): AsyncGenerator<Trace> {
  let best: { readonly file: string; readonly count: number } | null = null;
  for (const file of [path, `${path}.part`, `${path}.old`]) {
    let count = 0;
    for await (const _ of wholeTraces(file, fits)) count++;
    if (count > (best?.count ?? 0)) best = { file, count };
  }
  if (!best) return;
  const aside = `${path}.old`;
  if (best.file !== aside) await rename(best.file, aside);
  yield* wholeTraces(aside, fits);
}

// --- internal ---

/** Ends quietly where the file does, is broken, or goes on with another call. */
async function* wholeTraces(file: string, fits: Fits): AsyncGenerator<Trace> {
  let next = 0;
  try {
    for await (const trace of readTraces(file)) {
      if (!fits(trace, next++)) return;
      yield trace;
    }
  } catch (error) {
    if (!(error instanceof NpdbError)) throw error;
  }
}
