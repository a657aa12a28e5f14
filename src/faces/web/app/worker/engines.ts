/** @file The model and Python, each loaded when first needed and kept; tells how far it is. */
import { loadWebModel } from '../../../../model/web.ts';
import { assemblePredictor } from '../../../../predictor/assemble.ts';
import type { Predictor } from '../../../../predictor/types.ts';
import { type BrowserRuntime, browserRuntime } from '../../../../python/browser/runtime.ts';
import type { Engines } from '../../session/open.ts';
import { addressOf, fetchBytes, sizeOf, textOf } from './assets.ts';
import type { Loading } from './protocol.ts';

const MODEL = ['npdb.json', 'tokenizer.json', 'model.onnx', 'model.safetensors', 'ort.wasm'];
const PYTHON = ['pyodide.wasm', 'python_stdlib.zip', 'pyodide-lock.json'];

const tracer = import.meta.glob<string>(['../../../../python/tracer.py', '../../../../python/tracer/*.py'], {
  query: '?raw',
  import: 'default',
  eager: true,
});

export interface WebEngines extends Engines {
  runtime(): Promise<BrowserRuntime>;
}

export function webEngines(tell: (loading: Loading) => void): WebEngines {
  let predictor: Promise<Predictor> | null = null;
  let runtime: Promise<BrowserRuntime> | null = null;
  return {
    predictor() {
      predictor ??= loadModel(tell).catch((error: unknown) => {
        predictor = null;
        throw error;
      });
      return predictor;
    },
    runtime() {
      runtime ??= loadPython(tell).catch((error: unknown) => {
        runtime = null;
        throw error;
      });
      return runtime;
    },
  };
}

/** Fetches files side by side; the bar counts their bytes together. */
async function gather(
  what: Loading['what'],
  names: readonly string[],
  tell: (loading: Loading) => void,
): Promise<Map<string, Uint8Array<ArrayBuffer>>> {
  const total = sizeOf(names);
  let done = 0;
  try {
    const bytes = await Promise.all(
      names.map(async (name) => {
        const file = await fetchBytes(name, (more) => {
          done += more;
          tell({ what, stage: 'fetching', done, total });
        });
        return [name, file] as const;
      }),
    );
    tell({ what, stage: 'starting', done: total, total });
    return new Map(bytes);
  } catch (error) {
    tell({ what, stage: 'failed', done, total });
    throw error;
  }
}

async function loadModel(tell: (loading: Loading) => void): Promise<Predictor> {
  const files = await gather('model', MODEL, tell);
  const wasm = URL.createObjectURL(new Blob([files.get('ort.wasm')!], { type: 'application/wasm' }));
  const model = await loadWebModel(
    {
      meta: textOf(files.get('npdb.json')!),
      graph: files.get('model.onnx')!,
      weights: files.get('model.safetensors')!,
    },
    { mjs: addressOf('ort.mjs'), wasm },
    'small',
  );
  URL.revokeObjectURL(wasm);
  const predictor = assemblePredictor(model, textOf(files.get('tokenizer.json')!), 'small');
  tell({ what: 'model', stage: 'ready', done: sizeOf(MODEL), total: sizeOf(MODEL) });
  return predictor;
}

async function loadPython(tell: (loading: Loading) => void): Promise<BrowserRuntime> {
  const files = await gather('python', PYTHON, tell);
  const runtime = browserRuntime(async () => ({
    asm: addressOf('pyodide.mjs'),
    worker: () =>
      new Worker(new URL('../../../../python/browser/worker.ts', import.meta.url), {
        type: 'module',
        name: 'python',
      }),
    files: {
      wasm: await WebAssembly.compile(files.get('pyodide.wasm')!),
      library: files.get('python_stdlib.zip')!,
      lock: JSON.parse(textOf(files.get('pyodide-lock.json')!)),
      tracer: Object.entries(tracer).map(([path, text]) => ({
        path: path.endsWith('/tracer.py') ? '/tracer.py' : `/tracer/${path.split('/').at(-1)}`,
        text,
      })),
    },
  }));
  await runtime.ready();
  tell({ what: 'python', stage: 'ready', done: sizeOf(PYTHON), total: sizeOf(PYTHON) });
  return runtime;
}
