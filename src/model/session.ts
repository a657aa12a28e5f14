/**
 * @file A loaded onnxruntime session made into a model, on whichever runtime it was loaded. What reads the files
 * stands beside it: `load.ts` in Node, `web.ts` in a browser.
 */
import type { InferenceSession, TensorConstructor } from 'onnxruntime-node';
import type { ModelShape } from './backend.ts';
import { CachedModel } from './cached.ts';
import { brokenModel, type ModelMeta } from './meta.ts';
import { graphNames, onnxBackend } from './onnx.ts';
import type { LanguageModel } from './types.ts';

export type LoadedModel = LanguageModel & { readonly meta: ModelMeta };

/** Throws `E_MODEL_BROKEN` where the graph is not of the shape that the meta tells. */
export function modelOver(
  session: InferenceSession,
  TensorClass: TensorConstructor,
  meta: ModelMeta,
  where: string,
): LoadedModel {
  const shape: ModelShape = { ...meta, width: meta.headWidth };
  const names = graphNames(shape);
  const missing = [
    ...names.inputs.filter((n) => !session.inputNames.includes(n)),
    ...names.outputs.filter((n) => !session.outputNames.includes(n)),
  ];
  if (missing.length > 0) throw brokenModel(where, `model.onnx has no ${missing[0]}`);
  return Object.assign(new CachedModel(onnxBackend(session, TensorClass, shape)), { meta });
}
