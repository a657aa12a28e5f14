/**
 * @file How the web face becomes a folder of files for any web host: `npm run build:web`. The page and its workers
 * are bundled; Python, onnxruntime and the model lie beside them under names that hold their version, and the service
 * worker learns the list of all.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'vite';

const app = dirname(fileURLToPath(import.meta.url));
const root = join(app, '../../../..');
const modules = join(root, 'node_modules');

/** Name as `worker/assets.ts` knows it: the file. */
const FILES: Readonly<Record<string, string>> = {
  'npdb.json': join(root, 'models/small/npdb.json'),
  'tokenizer.json': join(root, 'models/small/tokenizer.json'),
  'model.onnx': join(root, 'models/small/model.onnx'),
  'model.safetensors': join(root, 'models/small/model.safetensors'),
  'ort.mjs': join(modules, 'onnxruntime-web/dist/ort-wasm-simd-threaded.mjs'),
  'ort.wasm': join(modules, 'onnxruntime-web/dist/ort-wasm-simd-threaded.wasm'),
  'pyodide.mjs': join(modules, 'pyodide/pyodide.asm.mjs'),
  'pyodide.wasm': join(modules, 'pyodide/pyodide.asm.wasm'),
  'python_stdlib.zip': join(modules, 'pyodide/python_stdlib.zip'),
  'pyodide-lock.json': join(modules, 'pyodide/pyodide-lock.json'),
};

/** `runtime/model-1a2b3c4d.onnx`: a host may keep it for good. */
function placeOf(name: string, file: string): string {
  const hash = createHash('sha256').update(readFileSync(file)).digest('hex').slice(0, 8);
  const dot = name.lastIndexOf('.');
  return `runtime/${name.slice(0, dot)}-${hash}${name.slice(dot)}`;
}

const places = Object.fromEntries(
  Object.entries(FILES).map(([name, file]) => [
    name,
    { path: placeOf(name, file), bytes: statSync(file).size },
  ]),
);

/** Adds the large files, and writes the list of all files into the service worker. */
function offline(): Plugin {
  return {
    name: 'npdb-offline',
    generateBundle(_, bundle) {
      for (const [name, file] of Object.entries(FILES)) {
        this.emitFile({ type: 'asset', fileName: places[name]!.path, source: readFileSync(file) });
      }
      const still = readdirSync(join(app, 'public')).filter((name) => !name.startsWith('.'));
      const all = [...Object.keys(bundle), ...Object.values(places).map(({ path }) => path), ...still]
        .filter((name) => !name.endsWith('.map') && name !== 'sw.js' && name !== 'index.html')
        .sort();
      const worker = bundle['sw.js'];
      if (worker?.type !== 'chunk') throw new Error('internal: no service worker in the bundle');
      const page = bundle['index.html'];
      const pageHash = createHash('sha256')
        .update(page?.type === 'asset' ? page.source : '')
        .digest('hex');
      worker.code = `self.npdbFiles=${JSON.stringify(all)};self.npdbBuild=${JSON.stringify(pageHash.slice(0, 8))};\n${worker.code}`;
    },
  };
}

/** A built-in of Node in the browser's code is a fault: the bundler would only put an empty module there. */
function noNode(): Plugin {
  return {
    name: 'npdb-no-node',
    enforce: 'pre',
    resolveId(id, importer) {
      if (!id.startsWith('node:')) return null;
      // onnxruntime's own loader names them on a branch that only Node takes.
      if (importer?.includes('onnxruntime-web')) return { id, external: true };
      throw new Error(`${relative(root, importer ?? '')} imports ${id}: the web face has no Node`);
    },
  };
}

export default defineConfig({
  root: app,
  // Any folder of any host.
  base: './',
  publicDir: join(app, 'public'),
  define: { __ASSETS__: JSON.stringify(places) },
  // Only its loader's address is ours to give: the bundler must not add onnxruntime's files a second time.
  resolve: {
    conditions: ['onnxruntime-web-use-extern-wasm', 'module', 'browser', 'production', 'import', 'default'],
  },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  plugins: [noNode(), offline()],
  worker: { format: 'es', plugins: () => [noNode()] },
  build: {
    outDir: join(root, 'dist-web'),
    emptyOutDir: true,
    target: 'es2022',
    chunkSizeWarningLimit: 1_000,
    assetsInlineLimit: 0,
    rolldownOptions: {
      input: { index: join(app, 'index.html'), sw: join(app, 'sw.ts') },
      output: {
        entryFileNames: (chunk) => (chunk.name === 'sw' ? 'sw.js' : 'assets/[name]-[hash].js'),
      },
    },
  },
  logLevel: 'warn',
});
