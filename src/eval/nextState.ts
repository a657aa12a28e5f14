/**
 * @file Next-state accuracy (paper, section 5): whole-state exact match, greedy, per action, with its components,
 * beside the baseline, and apart for states whose values change.
 */
import { Random } from '../common/random.ts';
import type { Recording } from '../debugger/recording.ts';
import type { Prediction, PredictOptions, Predictor } from '../predictor/types.ts';
import type { ActionType, Difference } from '../state/types.ts';
import { type Share, share } from './interval.ts';
import { keyOf, recordOf, type StateRecord, sampleKey } from './record.ts';
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
  /** Judged before, by key: not asked again. */
  readonly known?: ReadonlyMap<string, StateRecord>;
  /** Each newly judged state. */
  readonly onRecord?: (record: StateRecord) => void;
  /** Each state of the result, in order, whether judged now or before. */
  readonly onJudged?: (record: StateRecord) => void;
  readonly onResult?: (sample: Sample, prediction: Prediction) => void;
}

/** Samples judged between two signs of progress. */
const CHUNK = 32;

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
    const records: StateRecord[] = [];
    for (let i = 0; i < samples.length; i += CHUNK) {
      const chunk = samples.slice(i, i + CHUNK);
      const open = chunk.filter((s) => !options.known?.has(sampleKey(s)));
      const judged = new Map(options.known);
      for (const record of await judge(open, predictor, baseline, options)) judged.set(keyOf(record), record);
      // A record of an earlier run of the same evaluation stands for its sample.
      for (const sample of chunk) {
        const record = judged.get(sampleKey(sample))!;
        records.push(record);
        options.onJudged?.(record);
      }
      const done = index * options.limit + Math.min(i + CHUNK, samples.length);
      options.onProgress?.(done, actions.length * options.limit, type);
    }
    scores[type] = scoreOf(records);
  }
  return scores;
}

async function judge(
  samples: readonly Sample[],
  predictor: Predictor,
  baseline: Predictor,
  options: NextStateOptions,
): Promise<StateRecord[]> {
  if (samples.length === 0) return [];
  const situations = samples.map((s) => s.situation);
  const predicted = await predictor.predict(situations, options.predict);
  const copied = await baseline.predict(situations);
  return samples.map((sample, k) => {
    const prediction = predicted[k]![0]!;
    const allowed = prediction.refused !== undefined || (options.allows?.(sample) ?? true);
    const record = recordOf(sample, prediction, copied[k]![0]!, allowed);
    options.onResult?.(sample, prediction);
    options.onRecord?.(record);
    return record;
  });
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

/** The figures of one action from its judged states. */
export function scoreOf(records: readonly StateRecord[]): ActionScore {
  const states = records.filter((r) => r.truth !== 'end');
  const ends = records.filter((r) => r.truth === 'end');
  const changed = records.filter((r) => r.changed);
  const valued = records.filter((r) => r.truth === 'value');
  const of = (among: readonly StateRecord[], hit: (r: StateRecord) => boolean) =>
    share(among.filter(hit).length, among.length);
  const none = (...parts: readonly Difference['part'][]) => {
    return (r: StateRecord) => !parts.some((part) => r.wrong.includes(part));
  };
  const right = (r: StateRecord) => r.right;
  const all = of(records, right);
  return {
    n: all.n,
    exact_match: all.share,
    interval: all,
    changed: of(changed, right),
    event: of(states, none('event', 'exit')),
    line: of(states, none('line', 'function', 'depth', 'exit')),
    event_and_line: of(states, none('event', 'line', 'function', 'depth', 'exit')),
    locals: of(states, none('local', 'exit')),
    value: of(valued, none('value', 'exit')),
    states: of(states, right),
    exits: of(ends, right),
    malformed: records.filter((r) => r.malformed).length,
    cut: records.filter((r) => r.cut).length,
    refused: records.filter((r) => r.refused).length,
    forbidden: records.filter((r) => r.forbidden).length,
    baseline: of(records, (r) => r.baseline),
    baseline_changed: of(changed, (r) => r.baseline),
  };
}
