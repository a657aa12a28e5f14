/** @file `npdb.json`: what an exported model says about itself, read and checked. Written by `training/export.py`. */
import { z } from 'zod';
import { NpdbError } from '../common/errors.ts';
import { TRACE_VERSION } from '../trace/types.ts';

export const MODEL_VERSION = 1;

const schema = z.looseObject({
  format: z.literal('npdb-model'),
  version: z.number().int(),
  name: z.string(),
  codec: z.string(),
  codecVersion: z.number().int(),
  /** `Tokenizer.id` of the tokenizer the model was trained with. */
  tokenizer: z.string(),
  traceVersion: z.number().int(),
  vocabularySize: z.number().int().positive(),
  contextLength: z.number().int().positive(),
  layers: z.number().int().positive(),
  heads: z.number().int().positive(),
  headWidth: z.number().int().positive(),
  /** Tokens before each that its embedding holds as well. */
  lookback: z.number().int().min(0).default(0),
  weightsSha256: z.string().length(64),
  /** By action: weights of the logistic fit that turns the model's probability into a confidence. */
  calibration: z.record(z.string(), z.tuple([z.number(), z.number(), z.number()])).optional(),
  /** How sure a direct jump must be not to be rolled out (`auto`); 0..1, fitted like the calibration. */
  directFrom: z.number().min(0).optional(),
  training: z.looseObject({}),
});

export type ModelMeta = Readonly<z.infer<typeof schema>>;

const AGAIN = 'Fetch or export the model again.';

export const brokenModel = (where: string, why: string, cause?: unknown): NpdbError =>
  new NpdbError('E_MODEL_BROKEN', `${where}: ${why}.`, AGAIN, 3, { cause });

/** Throws `E_MODEL_BROKEN`, `E_MODEL_VERSION`. */
export function parseMeta(text: string, where: string): ModelMeta {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (cause) {
    throw brokenModel(where, 'npdb.json is not JSON', cause);
  }
  const parsed = schema.safeParse(json);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    throw brokenModel(where, `npdb.json: ${issue?.path.join('.')} ${issue?.message}`, parsed.error);
  }
  const { version, traceVersion } = parsed.data;
  if (version !== MODEL_VERSION || traceVersion !== TRACE_VERSION)
    throw new NpdbError(
      'E_MODEL_VERSION',
      `${where} is of model version ${version}, trace version ${traceVersion}; this npdb reads ${MODEL_VERSION} and ${TRACE_VERSION}.`,
      'Use a model trained for this version, or train one (npdb train).',
      3,
    );
  return parsed.data;
}
