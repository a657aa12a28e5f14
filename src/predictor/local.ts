/**
 * @file A predictor over a local language model: writes the situation, decodes under the language mask,
 * reads the answer. Jumps directly or by rollout (design, idea 3).
 */
import { internal, NpdbError } from '../common/errors.ts';
import { Random } from '../common/random.ts';
import { piecesOf, shortestEnd } from '../language/finish.ts';
import type { Codec, Piece, Situation, Tokenizer } from '../language/types.ts';
import type { LanguageModel, Sequence } from '../model/types.ts';
import type { Program } from '../source/types.ts';
import { type Calibration, calibrated } from './calibration.ts';
import { type Decoded, type DecodeJob, decode, type Masker } from './decode.ts';
import { canRollOut } from './goal.ts';
import { rollOut } from './rollout.ts';
import type { Prediction, PredictOptions, Predictor } from './types.ts';

export interface LocalParts {
  readonly name: string;
  readonly model: LanguageModel;
  readonly tokenizer: Tokenizer;
  readonly codec: Codec;
  readonly masker: Masker;
  /** `auto` answers a jump directly where the model is at least this sure; fitted on development programs. */
  readonly directFrom?: number;
  readonly calibration?: Calibration;
}

/** Situations decoded at once: more only wait for memory. */
const BATCH = 16;
/** What a situation can be too much for: the language, or the model's context. */
const TOO_MUCH = new Set<string>(['E_TOO_LONG', 'E_CONTEXT_LENGTH']);
/** Of one answer. */
const MAX_TOKENS = 320;
/** Tokens kept free for an answer. */
const LEAST_ANSWER = 16;
/** Programs whose context stays cached. */
const CONTEXTS = 32;

export function createPredictor(parts: LocalParts): Predictor {
  const { model, tokenizer, codec, masker } = parts;
  const contexts = new Map<Program, Sequence>();
  const ends = codec.ends ?? codec.specials.slice(0, 1);
  const stop = new Set(tokenizer.encode(ends.map((special) => ({ special }))));

  async function contextOf(situation: Situation, signal?: AbortSignal): Promise<Sequence> {
    const program = situation.programs[0]!;
    let sequence = contexts.get(program);
    if (sequence) {
      contexts.delete(program);
    } else {
      sequence = model.create();
      const ids = tokenizer.encode(codec.context(situation.programs));
      if (ids.length > 0) await model.append([{ sequence, ids }], signal);
      for (const [old, held] of contexts) {
        if (contexts.size < CONTEXTS) break;
        contexts.delete(old);
        model.release(held);
      }
    }
    contexts.set(program, sequence);
    return sequence;
  }

  async function direct(
    batch: readonly Situation[],
    options: PredictOptions,
    samples: number,
  ): Promise<Prediction[][]> {
    const jobs: DecodeJob[] = [];
    const refused = new Map<number, NpdbError>();
    for (const [i, situation] of batch.entries()) {
      try {
        const context = await contextOf(situation, options.signal);
        const prompt = tokenizer.encode(codec.prompt(situation));
        requireRoom(context.length + prompt.length);
        for (let k = 0; k < samples; k += 1) {
          jobs.push({
            sequence: model.fork(context),
            prompt,
            start: options.mask === false ? null : codec.mask(situation),
            // The first answer is always the greedy one.
            temperature: k === 0 ? 0 : (options.temperature ?? 0.8),
            random: k === 0 ? null : new Random(options.seed ?? 0, i, k),
          });
        }
      } catch (error) {
        if (!(error instanceof NpdbError) || !TOO_MUCH.has(error.code)) throw error;
        refused.set(i, error);
      }
    }
    const decoded = await decode(model, masker, jobs, {
      maxTokens: options.maxTokens ?? MAX_TOKENS,
      stop,
      signal: options.signal,
    });
    let at = 0;
    return batch.map((situation, i) => {
      const error = refused.get(i);
      if (error) return [refusal(situation, error)];
      at += samples;
      return decoded.slice(at - samples, at).map((d) => read(situation, d));
    });
  }

  /** Throws where not even a short answer would fit. */
  function requireRoom(length: number): void {
    if (length + LEAST_ANSWER <= model.contextLength) return;
    throw new NpdbError(
      'E_CONTEXT_LENGTH',
      `The program and its state take ${length} tokens; the model reads ${model.contextLength}.`,
      'Use a shorter program or state, the recorded engine, or a model with a longer context.',
    );
  }

  function read(situation: Situation, decoded: Decoded): Prediction {
    const logProbability = decoded.logProbabilities.reduce((a, b) => a + b, 0);
    const tokens = decoded.ids.length;
    const confidence = calibrated(parts.calibration?.[situation.action.type], logProbability, tokens);
    const base = { confidence, logProbability, strategy: 'direct' as const, steps: 1, tokens };
    const end = endOf(decoded);
    if (end) {
      try {
        const parsed = codec.parse(situation, [...tokenizer.decode(decoded.ids), ...end]);
        const ambiguous = parsed.ambiguous.length > 0 ? { ambiguous: parsed.ambiguous } : {};
        const cut = decoded.truncated ? { cut: true, confidence: 0 } : {};
        return { ...base, outcome: parsed.outcome, ...ambiguous, ...cut };
      } catch (error) {
        if (!(error instanceof NpdbError) || error.code !== 'E_MALFORMED') throw error;
      }
    }
    // No whole answer: the state stays where it is, and says so.
    return { ...base, confidence: 0, outcome: { type: 'state', state: situation.state }, truncated: true };
  }

  /** What a whole answer lacks: nothing, or, at the token limit, the shortest end that the grammar allows; null: none. */
  function endOf({ truncated, state }: Decoded): Piece[] | null {
    if (!truncated) return [];
    const symbols = state && shortestEnd(state, codec.specials.length);
    return symbols && piecesOf(symbols, codec.specials);
  }

  async function chunked(
    batch: readonly Situation[],
    options: PredictOptions,
    samples: number,
  ): Promise<Prediction[][]> {
    const results: Prediction[][] = [];
    const size = Math.max(1, Math.floor(BATCH / samples));
    // Situations of one program stand together in a batch, so that few contexts are alive at once.
    for (let i = 0; i < batch.length; i += size) {
      results.push(...(await direct(batch.slice(i, i + size), options, samples)));
    }
    return results;
  }

  async function predict(batch: readonly Situation[], options: PredictOptions = {}): Promise<Prediction[][]> {
    const n = options.n ?? 1;
    if (n > 1) return (await chunked(batch, options, n)).map(distinct);
    const strategy = options.strategy ?? 'auto';
    const results: (Prediction[] | undefined)[] = new Array(batch.length);
    const isJump = (s: Situation) => canRollOut(s.action) && s.action.type !== 'step_into';
    const now = [...batch.keys()].filter((i) => strategy !== 'rollout' || !isJump(batch[i]!));
    const first = await chunked(
      now.map((i) => batch[i]!),
      options,
      1,
    );
    for (const [k, i] of now.entries()) {
      const sure = first[k]![0]!.confidence >= (parts.directFrom ?? 0.9);
      if (strategy === 'direct' || !isJump(batch[i]!) || sure) results[i] = first[k]!;
    }
    const rest = [...batch.keys()].filter((i) => results[i] === undefined);
    const step = (situations: readonly Situation[]) => chunked(situations, options, 1);
    const rolled = await rollOut(
      rest.map((i) => batch[i]!),
      step,
      options,
    );
    for (const [k, i] of rest.entries()) results[i] = [rolled[k]!];
    return results.map((r) => r ?? missing());
  }

  return {
    name: parts.name,
    predict,
    async close() {
      contexts.clear();
      await model.close();
    },
  };
}

function refusal(situation: Situation, error: NpdbError): Prediction {
  const outcome = { type: 'state', state: situation.state } as const;
  return { outcome, confidence: 0, strategy: 'direct', steps: 0, tokens: 0, truncated: true, refused: error };
}

function missing(): never {
  throw internal('a situation was left without prediction');
}

/** Different outcomes only, the most confident first. */
function distinct(predictions: Prediction[]): Prediction[] {
  const byOutcome = new Map<string, Prediction>();
  for (const p of predictions) {
    const outcome = { ...p.outcome, work: undefined };
    const key = JSON.stringify(outcome, (_, v) => (v instanceof Map ? [...v] : v));
    const old = byOutcome.get(key);
    if (!old || old.confidence < p.confidence) byOutcome.set(key, p);
  }
  return [...byOutcome.values()].sort((a, b) => b.confidence - a.confidence);
}
