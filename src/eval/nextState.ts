/**
 * @file Next-state accuracy (paper, section 5): whole-state exact match, greedy, per action, with its components,
 * beside the baseline, and apart for states whose values change.
 */
import { Random } from '../common/random.ts';
import type { Recording } from '../debugger/recording.ts';
import type { Prediction, PredictOptions, Predictor } from '../predictor/types.ts';
import { diffOutcome, sameOutcome } from '../state/index.ts';
import type { ActionType } from '../state/types.ts';
import { type Share, share } from './interval.ts';
import { ACTIONS, type Sample, sampleFrom } from './sample.ts';

export interface ActionScore {
  readonly n: number;
  /** 0..1: whole-state exact match. */
  readonly exact_match: number;
  readonly interval: Share;
  /** States whose values change; `exact_match` among them. */
  readonly changed: Share;
  readonly event: Share;
  readonly line: Share;
  readonly event_and_line: Share;
  /** The current frame's locals as a whole, among states. */
  readonly locals: Share;
  /** Return values and exceptions, among states that have one. */
  readonly value: Share;
  /** `exact_match` where the truth is a state, not an end of the walk. */
  readonly states: Share;
  /** Ends of the walk, where the truth is one. */
  readonly exits: Share;
  /** Answers that are none. */
  readonly malformed: number;
  /** Answers that ran into the token limit and were ended by the grammar. */
  readonly cut: number;
  /** More than the language or the model can hold: counted as wrong. */
  readonly refused: number;
  /** True answers that the mask does not allow. */
  readonly forbidden: number;
  readonly baseline: Share;
  readonly baseline_changed: Share;
}

export interface NextStateOptions {
  /** Samples per action. */
  readonly limit: number;
  readonly seed: number;
  readonly predict: PredictOptions;
  readonly actions?: readonly ActionType[];
  /** Whether the mask lets the truth through; absent: not asked. */
  readonly allows?: (sample: Sample) => boolean;
  readonly onProgress?: (done: number, total: number, action: ActionType) => void;
  readonly onResult?: (sample: Sample, prediction: Prediction) => void;
}

/** Samples judged between two signs of progress. */
const CHUNK = 64;

export async function nextState(
  recordings: readonly Recording[],
  predictor: Predictor,
  baseline: Predictor,
  options: NextStateOptions,
): Promise<Record<string, ActionScore>> {
  const scores: Record<string, ActionScore> = {};
  const actions = options.actions ?? ACTIONS;
  for (const [index, type] of actions.entries()) {
    const samples = draw(recordings, type, options.limit, options.seed);
    const tally = new Tally();
    for (let i = 0; i < samples.length; i += CHUNK) {
      const chunk = samples.slice(i, i + CHUNK);
      const situations = chunk.map((s) => s.situation);
      const predicted = await predictor.predict(situations, options.predict);
      const copied = await baseline.predict(situations);
      for (const [k, sample] of chunk.entries()) {
        const prediction = predicted[k]![0]!;
        const allowed = prediction.refused !== undefined || (options.allows?.(sample) ?? true);
        tally.add(sample, prediction, copied[k]![0]!, allowed);
        options.onResult?.(sample, prediction);
      }
      const done = index * options.limit + Math.min(i + CHUNK, samples.length);
      options.onProgress?.(done, actions.length * options.limit, type);
    }
    scores[type] = tally.score();
  }
  return scores;
}

/** Round after round over the recordings, in one seeded order, until there are enough. */
export function draw(
  recordings: readonly Recording[],
  type: ActionType,
  limit: number,
  seed: number,
): Sample[] {
  const random = new Random('samples', seed, type);
  const order = recordings.map((r) => ({ r, key: random.next() })).sort((a, b) => a.key - b.key);
  const samples: Sample[] = [];
  const seen = new Set<string>();
  for (let round = 0; round < 8 && samples.length < limit; round += 1) {
    for (const { r } of order) {
      if (samples.length >= limit) break;
      const sample = sampleFrom(r, type, random);
      const { action } = sample?.situation ?? {};
      const key = `${sample?.id}:${action?.type === 'breakpoint' ? action.line : ''}`;
      if (!sample || seen.has(key)) continue;
      seen.add(key);
      samples.push(sample);
    }
  }
  // Samples of one program side by side: their source is read once.
  return samples.sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));
}

// --- internal ---

class Tally {
  readonly #counts = new Map<string, [hits: number, n: number]>();
  #malformed = 0;
  #cut = 0;
  #refused = 0;
  #forbidden = 0;

  #count(name: string, hit: boolean): void {
    const [hits, n] = this.#counts.get(name) ?? [0, 0];
    this.#counts.set(name, [hits + Number(hit), n + 1]);
  }

  add(sample: Sample, prediction: Prediction, copied: Prediction, allowed: boolean): void {
    const { truth, changed } = sample;
    const whole = prediction.truncated !== true;
    if (prediction.refused) this.#refused += 1;
    else if (!whole) this.#malformed += 1;
    if (prediction.cut) this.#cut += 1;
    if (!allowed) this.#forbidden += 1;
    const differences = diffOutcome(prediction.outcome, truth);
    const wrong = new Set<string>(
      whole ? differences.map((d) => d.part) : ['event', 'line', 'local', 'value', 'exit'],
    );
    const right = whole && sameOutcome(prediction.outcome, truth);
    const base = sameOutcome(copied.outcome, truth);
    this.#count('all', right);
    this.#count('baseline', base);
    if (changed) {
      this.#count('changed', right);
      this.#count('baseline_changed', base);
    }
    if (truth.type !== 'state') {
      this.#count('exits', right);
      return;
    }
    this.#count('states', right);
    const event = !wrong.has('event') && !wrong.has('exit');
    const line = !wrong.has('line') && !wrong.has('function') && !wrong.has('depth') && !wrong.has('exit');
    this.#count('event', event);
    this.#count('line', line);
    this.#count('event_and_line', event && line);
    this.#count('locals', !wrong.has('local') && !wrong.has('exit'));
    if (truth.state.value !== undefined) this.#count('value', !wrong.has('value') && !wrong.has('exit'));
  }

  score(): ActionScore {
    const of = (name: string): Share => share(...(this.#counts.get(name) ?? ([0, 0] as const)));
    const all = of('all');
    return {
      n: all.n,
      exact_match: all.share,
      interval: all,
      changed: of('changed'),
      event: of('event'),
      line: of('line'),
      event_and_line: of('event_and_line'),
      locals: of('locals'),
      value: of('value'),
      states: of('states'),
      exits: of('exits'),
      malformed: this.#malformed,
      cut: this.#cut,
      refused: this.#refused,
      forbidden: this.#forbidden,
      baseline: of('baseline'),
      baseline_changed: of('baseline_changed'),
    };
  }
}
