// `node editors/vscode/scripts/package.mjs [OUT.vsix]`: bundles the extension, for the desktop and for browsers, and
// packs it. Offline: everything comes from this repository and its installed packages.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { zipSync } from 'fflate';

const here = join(dirname(fileURLToPath(import.meta.url)), '..');
const root = join(here, '..', '..');
const dist = join(here, 'dist');
const _modules = join(root, 'node_modules');
const manifest = JSON.parse(readFileSync(join(here, 'package.json'), 'utf8'));
const out = process.argv[2] ?? join(here, `npdb-${manifest.version}.vsix`);

/** Name in the package, as `webEngines.ts` reads it: the file. */
const RUNTIME = {
  'npdb.json': 'models/small/npdb.json',
  'tokenizer.json': 'models/small/tokenizer.json',
  'model.onnx': 'models/small/model.onnx',
  'model.safetensors': 'models/small/model.safetensors',
  'ort.mjs': 'node_modules/onnxruntime-web/dist/ort-wasm-simd-threaded.mjs',
  'ort.wasm': 'node_modules/onnxruntime-web/dist/ort-wasm-simd-threaded.wasm',
  'pyodide.mjs': 'node_modules/pyodide/pyodide.asm.mjs',
  'pyodide.wasm': 'node_modules/pyodide/pyodide.asm.wasm',
  'python_stdlib.zip': 'node_modules/pyodide/python_stdlib.zip',
  'pyodide-lock.json': 'node_modules/pyodide/pyodide-lock.json',
};

/** A built-in of Node in the browser's code is a fault, but for one branch of onnxruntime's loader that only Node takes. */
const noNode = {
  name: 'no-node',
  setup(on) {
    on.onResolve({ filter: /^(node:|fs$|net$|path$|child_process$|os$|worker_threads$|module$)/ }, (args) => {
      if (args.importer.includes('onnxruntime-web')) return { path: args.path, external: true };
      const from = relative(root, args.importer);
      return { errors: [{ text: `${from} imports ${args.path}: the browser form has no Node` }] };
    });
    // `@vscode/debugadapter` is an event emitter and reads file URIs; it needs no more of Node than that.
    on.onResolve({ filter: /^(events|url)$/ }, (args) => ({ path: join(here, 'src', `${args.path}.cjs`) }));
  },
};

async function bundle() {
  rmSync(dist, { recursive: true, force: true });
  mkdirSync(join(dist, 'runtime'), { recursive: true });
  const common = { bundle: true, target: 'es2022', logLevel: 'warning', legalComments: 'inline' };
  await build({
    ...common,
    entryPoints: [join(here, 'src', 'extension.ts')],
    outfile: join(dist, 'extension.cjs'),
    platform: 'node',
    format: 'cjs',
    external: ['vscode'],
  });
  await build({
    ...common,
    entryPoints: [join(here, 'src', 'web.ts')],
    outfile: join(dist, 'web.cjs'),
    platform: 'browser',
    format: 'cjs',
    external: ['vscode'],
    conditions: ['onnxruntime-web-use-extern-wasm', 'module'],
    define: { 'import.meta.url': '"file:///npdb/web.cjs"' },
    plugins: [noNode],
  });
  await build({
    ...common,
    entryPoints: [join(root, 'src', 'python', 'browser', 'worker.ts')],
    outfile: join(dist, 'runtime', 'python.worker.js'),
    platform: 'browser',
    format: 'esm',
    plugins: [noNode],
  });
  for (const [name, file] of Object.entries(RUNTIME)) {
    writeFileSync(join(dist, 'runtime', name), readFileSync(join(root, file)));
  }
  const python = join(root, 'src', 'python');
  const tracer = [
    'tracer.py',
    ...readdirSync(join(python, 'tracer'))
      .filter((n) => n.endsWith('.py'))
      .map((n) => `tracer/${n}`),
  ];
  const texts = tracer.map((name) => ({ path: `/${name}`, text: readFileSync(join(python, name), 'utf8') }));
  writeFileSync(join(dist, 'runtime', 'tracer.json'), JSON.stringify(texts));
}

/** The files of the package, and its two manifests (Open Packaging Conventions, as the marketplace reads them). */
function pack() {
  const files = {};
  const add = (name, bytes) => {
    // What is compressed already is stored.
    const level = /\.(zip|safetensors)$/.test(name) ? 0 : 6;
    files[name] = [
      typeof bytes === 'string' ? new TextEncoder().encode(bytes) : new Uint8Array(bytes),
      { level, mtime: new Date(1980, 0, 2) },
    ];
  };
  add('[Content_Types].xml', contentTypes());
  add('extension.vsixmanifest', vsixManifest());
  for (const name of ['package.json', 'README.md', 'LICENSE'])
    add(`extension/${name === 'LICENSE' ? 'LICENSE.txt' : name}`, readFileSync(join(here, name)));
  for (const name of readdirSync(dist, { recursive: true, withFileTypes: true })) {
    if (!name.isFile()) continue;
    const path = join(name.parentPath ?? name.path, name.name);
    add(`extension/dist/${relative(dist, path).replaceAll('\\', '/')}`, readFileSync(path));
  }
  return zipSync(files);
}

const xml = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

function contentTypes() {
  const types = {
    json: 'application/json',
    cjs: 'application/javascript',
    js: 'application/javascript',
    mjs: 'application/javascript',
    md: 'text/markdown',
    txt: 'text/plain',
    wasm: 'application/wasm',
    onnx: 'application/octet-stream',
    safetensors: 'application/octet-stream',
    zip: 'application/zip',
    vsixmanifest: 'text/xml',
  };
  const rows = Object.entries(types).map(([e, t]) => `<Default Extension=".${e}" ContentType="${t}"/>`);
  return `<?xml version="1.0" encoding="utf-8"?>\n<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">${rows.join('')}</Types>\n`;
}

function vsixManifest() {
  const { name, version, publisher, displayName, description, keywords, categories, engines } = manifest;
  const property = (id, value) => `<Property Id="Microsoft.VisualStudio.${id}" Value="${xml(value)}"/>`;
  const asset = (type, path) =>
    `<Asset Type="Microsoft.VisualStudio.${type}" Path="${path}" Addressable="true"/>`;
  return `<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
<Metadata>
<Identity Language="en-US" Id="${name}" Version="${version}" Publisher="${publisher}"/>
<DisplayName>${xml(displayName)}</DisplayName>
<Description xml:space="preserve">${xml(description)}</Description>
<Tags>${xml([...keywords, 'debuggers', '__web_extension'].join(','))}</Tags>
<Categories>${xml(categories.join(','))}</Categories>
<GalleryFlags>Public</GalleryFlags>
<Properties>${property('Code.Engine', engines.vscode)}${property('Code.ExtensionDependencies', '')}${property('Code.ExtensionPack', '')}${property('Code.ExtensionKind', 'workspace,web')}${property('Code.LocalizedLanguages', '')}${property('Code.ExecutesCode', 'true')}${property('Services.GitHubFlavoredMarkdown', 'true')}</Properties>
<License>extension/LICENSE.txt</License>
</Metadata>
<Installation><InstallationTarget Id="Microsoft.VisualStudio.Code"/></Installation>
<Dependencies/>
<Assets>${asset('Code.Manifest', 'extension/package.json')}${asset('Services.Content.Details', 'extension/README.md')}${asset('Services.Content.License', 'extension/LICENSE.txt')}</Assets>
</PackageManifest>
`;
}

await bundle();
const bytes = pack();
mkdirSync(dirname(out), { recursive: true });
writeFileSync(out, bytes);
process.stdout.write(`${out}: ${(bytes.length / 1e6).toFixed(1)} MB\n`);
