/** @file Loads an exported model folder with onnxruntime-node. The one file of this room that needs Node; `index.ts` leaves it out. */
import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { NpdbError } from '../common/errors.ts';
import { brokenModel, parseMeta } from './meta.ts';
import { type LoadedModel, modelOver } from './session.ts';

export interface LoadOptions {
  /** Threads of one pass; default 2. */
  readonly threads?: number;
}

/** Throws `E_MODEL_MISSING`, `E_MODEL_BROKEN`, `E_MODEL_VERSION`. */
export async function loadModel(dir: string, options: LoadOptions = {}): Promise<LoadedModel> {
  const meta = parseMeta(await readMeta(dir), dir);
  const weights = await readFile(join(dir, 'model.safetensors')).catch((cause: unknown) => {
    throw brokenModel(dir, 'model.safetensors cannot be read', cause);
  });
  if (createHash('sha256').update(weights).digest('hex') !== meta.weightsSha256)
    throw brokenModel(dir, 'model.safetensors is not the file that npdb.json describes');
  const { InferenceSession, Tensor } = await import('onnxruntime-node');
  const session = await InferenceSession.create(join(dir, 'model.onnx'), {
    executionProviders: ['cpu'],
    intraOpNumThreads: options.threads ?? 2,
    interOpNumThreads: 1,
    // Spinning threads gain nothing on small models and lose tenfold when anything else runs (docs/log.md).
    extra: { session: { intra_op: { allow_spinning: '0' } } },
    logSeverityLevel: 3,
  }).catch((cause: unknown) => {
    throw brokenModel(dir, 'model.onnx cannot be loaded', cause);
  });
  return modelOver(session, Tensor, meta, dir);
}

async function readMeta(dir: string): Promise<string> {
  const path = join(dir, 'npdb.json');
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    const folder = await stat(dir).catch(() => null);
    throw new NpdbError(
      'E_MODEL_MISSING',
      folder ? `${dir} holds no model: there is no npdb.json.` : `There is no model folder ${dir}.`,
      'Name an exported model with --model, or leave it out for the bundled one.',
      3,
      { cause },
    );
  }
}
