/**
 * @file Constrained decoding: many answers at once, each under its own mask. Knows ids and automata, no states.
 * Confidence is the product of the *unmasked* probabilities of the tokens chosen (design, idea 3): the mask
 * makes an answer well-formed, it must not make it look sure.
 */

import { internal } from '../common/errors.ts';
import type { Random } from '../common/random.ts';
import type { AutomatonState } from '../language/types.ts';
import type { LanguageModel, Sequence } from '../model/types.ts';

/** Which token ids may come next: 1 per id, [vocabularySize]. */
export interface Masker {
  allowed(state: AutomatonState): Uint8Array;
  /** The automaton after a token; null if it does not accept it. */
  advance(state: AutomatonState, id: number): AutomatonState | null;
}

export interface DecodeJob {
  /** Holds the context; the prompt is appended to it. Taken over and released by `decode`. */
  readonly sequence: Sequence;
  readonly prompt: readonly number[];
  /** Where the answer begins; null: decode without a mask, until `stop`. */
  readonly start: AutomatonState | null;
  /** 0 is greedy. */
  readonly temperature: number;
  readonly random: Random | null;
}

export interface Decoded {
  readonly ids: readonly number[];
  /** Natural log of the unmasked probability of each token, by position. */
  readonly logProbabilities: readonly number[];
  /** The token limit came first: the answer is not whole. */
  readonly truncated: boolean;
  readonly state: AutomatonState | null;
}

export interface DecodeOptions {
  readonly maxTokens: number;
  /** Each of them ends an unmasked answer. */
  readonly stop: ReadonlySet<number>;
  readonly signal?: AbortSignal | undefined;
}

interface Running {
  readonly index: number;
  readonly job: DecodeJob;
  readonly ids: number[];
  readonly logProbabilities: number[];
  state: AutomatonState | null;
  pending: readonly number[];
}

/** Decodes all jobs in one batch; results in the order of the jobs. */
export async function decode(
  model: LanguageModel,
  masker: Masker,
  jobs: readonly DecodeJob[],
  options: DecodeOptions,
): Promise<Decoded[]> {
  const results: Decoded[] = new Array(jobs.length);
  let running: Running[] = jobs.map((job, index) => ({
    index,
    job,
    ids: [],
    logProbabilities: [],
    state: job.start,
    pending: job.prompt,
  }));
  const full = (sequence: Sequence) => sequence.length >= model.contextLength;
  const finish = (r: Running, truncated: boolean) => {
    model.release(r.job.sequence);
    results[r.index] = { ids: r.ids, logProbabilities: r.logProbabilities, truncated, state: r.state };
  };
  try {
    while (running.length > 0) {
      options.signal?.throwIfAborted();
      const logits = await model.append(
        running.map((r) => ({ sequence: r.job.sequence, ids: r.pending })),
        options.signal,
      );
      const still: Running[] = [];
      for (const [i, r] of running.entries()) {
        const scores = logits[i]!;
        const allowed = r.state ? masker.allowed(r.state) : null;
        const id = choose(scores, allowed, r.job.temperature, r.job.random);
        if (id < 0) throw internal('the mask allows no token');
        r.ids.push(id);
        r.logProbabilities.push(logProbability(scores, id));
        if (r.state) r.state = masker.advance(r.state, id);
        const done = r.job.start ? r.state === null || r.state.done : options.stop.has(id);
        if (done) finish(r, false);
        else if (r.ids.length >= options.maxTokens || full(r.job.sequence)) finish(r, true);
        else {
          r.pending = [id];
          still.push(r);
        }
      }
      running = still;
    }
  } finally {
    for (const r of running) model.release(r.job.sequence);
  }
  return results;
}

/** The best (or a sampled) allowed id; -1 if none is allowed. */
function choose(
  scores: Float32Array,
  allowed: Uint8Array | null,
  temperature: number,
  random: Random | null,
): number {
  let best = -1;
  let top = Number.NEGATIVE_INFINITY;
  for (let id = 0; id < scores.length; id += 1) {
    if (allowed && allowed[id] === 0) continue;
    const s = scores[id]!;
    if (s > top || best < 0) {
      top = s;
      best = id;
    }
  }
  if (temperature <= 0 || !random || best < 0) return best;
  let total = 0;
  for (let id = 0; id < scores.length; id += 1) {
    if (allowed?.[id] !== 0) total += Math.exp((scores[id]! - top) / temperature);
  }
  let left = random.next() * total;
  for (let id = 0; id < scores.length; id += 1) {
    if (allowed && allowed[id] === 0) continue;
    left -= Math.exp((scores[id]! - top) / temperature);
    if (left <= 0) return id;
  }
  return best;
}

function logProbability(scores: Float32Array, id: number): number {
  let top = Number.NEGATIVE_INFINITY;
  for (const s of scores) if (s > top) top = s;
  let total = 0;
  for (const s of scores) total += Math.exp(s - top);
  return scores[id]! - top - Math.log(total);
}
