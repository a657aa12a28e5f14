/** @file The model and Python in a browser's extension host, from the files the package holds; each loaded once. */

import type { Engines } from '../../../src/faces/web/session/open.ts';
import { loadWebModel } from '../../../src/model/web.ts';
import { assemblePredictor } from '../../../src/predictor/assemble.ts';
import type { Predictor } from '../../../src/predictor/types.ts';
import { browserRuntime } from '../../../src/python/browser/runtime.ts';
import type { PythonRuntime } from '../../../src/python/types.ts';

/** Bytes of a file of `dist/runtime`. */
export type Read = (name: string) => Promise<Uint8Array<ArrayBuffer>>;

export function webEngines(read: Read): Engines & { close(): Promise<void> } {
  let predictor: Promise<Predictor> | null = null;
  let runtime: Promise<PythonRuntime> | null = null;
  const address = async (name: string, type: string): Promise<string> =>
    URL.createObjectURL(new Blob([await read(name)], { type }));
  const text = async (name: string): Promise<string> => new TextDecoder().decode(await read(name));

  async function loadModel(): Promise<Predictor> {
    const [meta, tokenizer, graph, weights, mjs, wasm] = await Promise.all([
      text('npdb.json'),
      text('tokenizer.json'),
      read('model.onnx'),
      read('model.safetensors'),
      address('ort.mjs', 'text/javascript'),
      address('ort.wasm', 'application/wasm'),
    ]);
    return assemblePredictor(
      await loadWebModel({ meta, graph, weights }, { mjs, wasm }, 'small'),
      tokenizer,
      'small',
    );
  }

  async function loadPython(): Promise<PythonRuntime> {
    const [wasm, library, lock, tracer, asm, worker] = await Promise.all([
      read('pyodide.wasm'),
      read('python_stdlib.zip'),
      text('pyodide-lock.json'),
      text('tracer.json'),
      address('pyodide.mjs', 'text/javascript'),
      address('python.worker.js', 'text/javascript'),
    ]);
    return browserRuntime(async () => ({
      asm,
      worker: () => new Worker(worker, { type: 'module', name: 'python' }),
      files: {
        wasm: await WebAssembly.compile(wasm),
        library,
        lock: JSON.parse(lock),
        tracer: JSON.parse(tracer),
      },
    }));
  }

  return {
    predictor: () => (predictor ??= loadModel()),
    runtime: () => (runtime ??= loadPython()),
    async close() {
      await (await predictor?.catch(() => null))?.close();
      await (await runtime?.catch(() => null))?.close();
    },
  };
}
