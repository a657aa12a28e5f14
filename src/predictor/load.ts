/** @file From a model's folder to a predictor: weights, tokenizer and codec must be of one make. Node only. */
import { readFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { NpdbError } from '../common/errors.ts';
import { CODEC_NAMES, CompactTokenizer, languageOf, VocabularyMask } from '../language/index.ts';
import type { Situation } from '../language/types.ts';
import { loadModel, type ModelMeta } from '../model/index.ts';
import type { Outcome } from '../state/types.ts';
import { TRACE_VERSION } from '../trace/types.ts';
import { createPredictor } from './local.ts';
import type { Predictor } from './types.ts';

/** Works from `src/predictor/` and `dist/predictor/` alike. */
export const BUNDLED_MODEL = fileURLToPath(new URL('../../models/small/', import.meta.url));

export interface LoadedPredictor extends Predictor {
  /** Whether the language mask lets an answer through: false for a truth is a fault of the static view. */
  allows(situation: Situation, outcome: Outcome): boolean;
}

/** Throws `E_MODEL_MISSING`, `E_MODEL_BROKEN`, `E_MODEL_VERSION`, `E_TOKENIZER`. */
export async function loadPredictor(folder: string): Promise<LoadedPredictor> {
  const model = await loadModel(folder);
  const { meta } = model;
  const version = (what: string, have: unknown, need: unknown) => {
    if (have === need) return;
    throw new NpdbError(
      'E_MODEL_VERSION',
      `The model in ${folder} was trained for ${what} ${String(have)}; this is ${String(need)}.`,
      'Train it anew, or use the version of npdb it came with.',
      3,
    );
  };
  if (!CODEC_NAMES.includes(meta.codec)) version('the codec', meta.codec, CODEC_NAMES.join(' or '));
  const { codec } = languageOf(meta.codec);
  version('codec version', meta.codecVersion, codec.version);
  version('trace version', meta.traceVersion, TRACE_VERSION);
  const tokenizer = await readTokenizer(join(folder, 'tokenizer.json'));
  version('tokenizer', meta.tokenizer, tokenizer.id);
  const masker = new VocabularyMask(tokenizer);
  const predictor = createPredictor({ name: nameOf(folder, meta), model, tokenizer, codec, masker });
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

async function readTokenizer(path: string): Promise<CompactTokenizer> {
  try {
    return CompactTokenizer.fromJSON(JSON.parse(await readFile(path, 'utf8')));
  } catch (cause) {
    if (cause instanceof NpdbError) throw cause;
    const why = (cause as Error).message;
    throw new NpdbError('E_MODEL_BROKEN', `${path}: ${why}.`, 'Fetch or export the model again.', 3, {
      cause,
    });
  }
}

/** `small (Llama, 6 layers of 192)` */
function nameOf(folder: string, meta: ModelMeta): string {
  return `${basename(resolve(folder))} (Llama, ${meta.layers} layers of ${meta.heads * meta.headWidth})`;
}
