/**
 * @file Loads a model in a browser, from bytes that were fetched, with onnxruntime-web (WebAssembly, one thread: more
 * need headers that plain hosts do not send).
 */
import type { InferenceSession as NodeSession, TensorConstructor } from 'onnxruntime-node';
import { env, InferenceSession, Tensor } from 'onnxruntime-web/wasm';
import { breathe } from '../common/breathe.ts';
import { brokenModel, parseMeta } from './meta.ts';
import { type LoadedModel, modelOver } from './session.ts';

export interface ModelFiles {
  /** `npdb.json` */
  readonly meta: string;
  /** `model.onnx` */
  readonly graph: Uint8Array;
  /** `model.safetensors` */
  readonly weights: Uint8Array<ArrayBuffer>;
}

/** Where onnxruntime's own two files lie. */
export interface WasmPaths {
  readonly mjs: string;
  readonly wasm: string;
}

/** `where` names the model in messages. Throws `E_MODEL_BROKEN`, `E_MODEL_VERSION`. */
export async function loadWebModel(files: ModelFiles, paths: WasmPaths, where: string): Promise<LoadedModel> {
  const meta = parseMeta(files.meta, where);
  // Pages from plain http addresses have no `crypto.subtle`; there, what came is taken as it is.
  if (globalThis.crypto?.subtle && (await sha256(files.weights)) !== meta.weightsSha256)
    throw brokenModel(where, 'model.safetensors is not the file that npdb.json describes');
  env.wasm.numThreads = 1;
  env.wasm.wasmPaths = { mjs: paths.mjs, wasm: paths.wasm };
  const session = await InferenceSession.create(files.graph, {
    executionProviders: ['wasm'],
    externalData: [{ path: 'model.safetensors', data: files.weights }],
    logSeverityLevel: 3,
  }).catch((cause: unknown) => {
    throw brokenModel(where, 'model.onnx cannot be loaded', cause);
  });
  // The two runtimes share their types but for what a tensor may be made of beyond numbers.
  return modelOver(
    breathing(session) as unknown as NodeSession,
    Tensor as unknown as TensorConstructor,
    meta,
    where,
  );
}

/** Milliseconds of passes without a turn for others: the word to stop must get through. */
const BREATH_MS = 40;

/** A pass fills the worker's thread, and its promise is settled without a turn for messages. */
function breathing(session: InferenceSession): InferenceSession {
  let last = performance.now();
  const run = async (...args: Parameters<InferenceSession['run']>) => {
    if (performance.now() - last > BREATH_MS) {
      await breathe();
      last = performance.now();
    }
    return session.run(...args);
  };
  return new Proxy(session, {
    get(target, name) {
      if (name === 'run') return run;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', bytes);
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
