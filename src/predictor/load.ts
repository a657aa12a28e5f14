/** @file From a model's folder to a predictor. Node only. */
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadModel } from '../model/load.ts';
import { brokenModel } from '../model/meta.ts';
import { assemblePredictor, type LoadedPredictor } from './assemble.ts';

export type { LoadedPredictor } from './assemble.ts';

/** Works from `src/predictor/` and `dist/predictor/` alike. */
export const BUNDLED_MODEL = fileURLToPath(new URL('../../models/small/', import.meta.url));

/** Throws `E_MODEL_MISSING`, `E_MODEL_BROKEN`, `E_MODEL_VERSION`, `E_TOKENIZER`. */
export async function loadPredictor(folder: string): Promise<LoadedPredictor> {
  const model = await loadModel(folder);
  const path = join(folder, 'tokenizer.json');
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw brokenModel(path, (cause as Error).message, cause);
  });
  return assemblePredictor(model, text, resolve(folder));
}
