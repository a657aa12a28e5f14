/** @file A predictor from its loaded parts: weights, tokenizer and codec must be of one make. Reads no file. */
import { NpdbError } from '../common/errors.ts';
import { CODEC_NAMES, CompactTokenizer, languageOf, VocabularyMask } from '../language/index.ts';
import type { Situation } from '../language/types.ts';
import type { LoadedModel, ModelMeta } from '../model/index.ts';
import type { Outcome } from '../state/types.ts';
import { TRACE_VERSION } from '../trace/types.ts';
import type { Calibration } from './calibration.ts';
import { createPredictor } from './local.ts';
import type { Predictor } from './types.ts';

export interface LoadedPredictor extends Predictor {
  /** Whether the language mask lets an answer through: false for a truth is a fault of the static view. */
  allows(situation: Situation, outcome: Outcome): boolean;
}

/**
 * `tokenizerText`: of its `tokenizer.json`. `where` is the model's folder or address, for messages; its last part
 * names the model. Throws `E_MODEL_BROKEN`, `E_MODEL_VERSION`, `E_TOKENIZER`.
 */
export function assemblePredictor(model: LoadedModel, tokenizerText: string, where: string): LoadedPredictor {
  const { meta } = model;
  const version = (what: string, have: unknown, need: unknown) => {
    if (have === need) return;
    throw new NpdbError(
      'E_MODEL_VERSION',
      `The model in ${where} was trained for ${what} ${String(have)}; this is ${String(need)}.`,
      'Train it anew, or use the version of npdb it came with.',
      3,
    );
  };
  if (!CODEC_NAMES.includes(meta.codec)) version('the codec', meta.codec, CODEC_NAMES.join(' or '));
  const { codec } = languageOf(meta.codec);
  version('codec version', meta.codecVersion, codec.version);
  version('trace version', meta.traceVersion, TRACE_VERSION);
  const tokenizer = parseTokenizer(tokenizerText, `${where}/tokenizer.json`);
  version('tokenizer', meta.tokenizer, tokenizer.id);
  const masker = new VocabularyMask(tokenizer);
  const predictor = createPredictor({
    name: nameOf(where, meta),
    model,
    tokenizer,
    codec,
    masker,
    ...(meta.calibration && { calibration: meta.calibration as Calibration }),
    ...(meta.directFrom !== undefined && { directFrom: meta.directFrom }),
  });
  return {
    ...predictor,
    allows(situation, outcome) {
      let state: ReturnType<typeof codec.mask> | null = codec.mask(situation);
      for (const id of tokenizer.encode(codec.answer(situation, outcome))) {
        if (!state || masker.allowed(state)[id] === 0) return false;
        state = masker.advance(state, id);
      }
      return state?.done ?? false;
    },
  };
}

function parseTokenizer(text: string, where: string): CompactTokenizer {
  try {
    return CompactTokenizer.fromJSON(JSON.parse(text));
  } catch (cause) {
    if (cause instanceof NpdbError) throw cause;
    const why = (cause as Error).message;
    throw new NpdbError('E_MODEL_BROKEN', `${where}: ${why}.`, 'Fetch or export the model again.', 3, {
      cause,
    });
  }
}

/** `small (Llama, 6 layers of 192)` */
function nameOf(where: string, meta: ModelMeta): string {
  const last = where
    .replace(/[\\/]+$/, '')
    .split(/[\\/]/)
    .at(-1);
  return `${last} (Llama, ${meta.layers} layers of ${meta.heads * meta.headWidth})`;
}
