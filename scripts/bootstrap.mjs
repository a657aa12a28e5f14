// Set-up of a fresh clone, with Node's built-ins only: packages, build, and a Python environment for the training code.
// Each step leaves a stamp (a hash of what it depends on) and is skipped while the stamp still holds.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const windows = process.platform === 'win32';

/** Runs a command; resolves to its exit status (128 + signal number is not told apart: 1). */
export function run(command, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: root, stdio: 'inherit', shell: windows, ...options });
    child.on('error', reject);
    child.on('exit', (code) => resolve(code ?? 1));
  });
}

/** Like `run`, but quiet: a line every ten seconds says that it is still going; output is shown only on failure. */
async function quietly(what, command, args, options = {}) {
  const began = Date.now();
  process.stderr.write(`npdb: ${what} ...\n`);
  const tick = setInterval(() => {
    process.stderr.write(`npdb: ${what} ... ${Math.round((Date.now() - began) / 1000)} s\n`);
  }, 10_000);
  const chunks = [];
  try {
    const code = await new Promise((resolve, reject) => {
      const child = spawn(command, args, {
        cwd: root,
        stdio: ['ignore', 'pipe', 'pipe'],
        shell: windows,
        ...options,
      });
      child.stdout.on('data', (c) => chunks.push(c));
      child.stderr.on('data', (c) => chunks.push(c));
      child.on('error', reject);
      child.on('close', (c) => resolve(c ?? 1));
    });
    if (code !== 0) {
      process.stderr.write(Buffer.concat(chunks));
      throw new Error(
        `E_SETUP: ${what} failed (exit ${code}). Its output stands above; mend it and run again.`,
      );
    }
  } finally {
    clearInterval(tick);
  }
}

function hashOf(...files) {
  const hash = createHash('sha256');
  for (const file of files) hash.update(file.slice(root.length)).update('\0').update(readFileSync(file));
  return hash.digest('hex');
}

function stamped(stamp, hash) {
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === hash;
}

function filesBelow(folder, keep) {
  return readdirSync(folder, { withFileTypes: true })
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      return entry.isDirectory() ? filesBelow(path, keep) : keep(entry.name) ? [path] : [];
    })
    .sort();
}

/** Installs the pinned packages when the lock file changed since they were installed. */
export async function ensurePackages() {
  const hash = hashOf(join(root, 'package-lock.json'));
  const stamp = join(root, 'node_modules', '.npdb-lock');
  if (stamped(stamp, hash)) return;
  // The GPU libraries that onnxruntime-node would download are not used: inference is on the CPU.
  await quietly('installing packages', 'npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    env: { ...process.env, ONNXRUNTIME_NODE_INSTALL: 'skip' },
  });
  writeFileSync(stamp, hash);
}

/** Compiles `src` to `dist` when a source file changed. */
export async function ensureBuild() {
  const sources = filesBelow(join(root, 'src'), (name) => name.endsWith('.ts') || name.endsWith('.json'));
  const hash = hashOf(...sources, join(root, 'tsconfig.json'), join(root, 'tsconfig.build.json'));
  const stamp = join(root, 'dist', '.npdb-sources');
  if (stamped(stamp, hash)) return;
  rmSync(join(root, 'dist'), { recursive: true, force: true });
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  await quietly('building', process.execPath, [tsc, '-p', 'tsconfig.build.json']);
  writeFileSync(stamp, hash);
}

/** Bundles the web face into `dist-web` when anything it is made of changed. */
export async function ensureWeb() {
  const isPart = (name) => /\.(tsx?|mjs|css|html|py|json|svg|png|webmanifest)$/.test(name);
  const sources = [join(root, 'src'), join(root, 'models', 'small'), join(root, 'examples')].flatMap(
    (folder) => filesBelow(folder, isPart),
  );
  const hash = hashOf(
    ...sources,
    join(root, 'package-lock.json'),
    join(root, 'models', 'small', 'model.safetensors'),
  );
  const stamp = join(root, 'dist-web', '.npdb-sources');
  if (stamped(stamp, hash)) return;
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js');
  await quietly('building the web face', process.execPath, [
    vite,
    'build',
    '-c',
    'src/faces/web/app/vite.config.ts',
  ]);
  writeFileSync(stamp, hash);
}

/** Starts the sandbox once: its first start leaves a snapshot that makes the later ones quick. */
export async function ensureSandbox() {
  const { createPyodide } = await import(new URL('../dist/python/index.js', import.meta.url).href);
  process.stderr.write('npdb: starting the sandbox ...\n');
  const runtime = createPyodide();
  try {
    await runtime.prewarm();
  } finally {
    await runtime.close();
  }
}

/** The first interpreter on the path that is new enough, or null. */
async function findPython() {
  for (const name of [process.env.NPDB_PYTHON, 'python3', 'python'].filter(Boolean)) {
    const check = 'import sys; sys.exit(sys.version_info < (3, 10))';
    const code = await run(name, ['-c', check], { stdio: 'ignore' }).catch(() => 1);
    if (code === 0) return name;
  }
  return null;
}

/** Makes `.venv` with what the training code needs; returns its interpreter. */
export async function ensurePython() {
  const requirements = join(root, 'training', 'requirements.txt');
  const python = join(root, '.venv', windows ? 'Scripts/python.exe' : 'bin/python');
  const hash = hashOf(requirements);
  const stamp = join(root, '.venv', '.npdb-requirements');
  if (existsSync(python) && stamped(stamp, hash)) return python;
  const system = await findPython();
  if (!system) {
    throw new Error(
      'E_PYTHON_MISSING: The training code needs Python 3.10 or newer. Install it, or name it in NPDB_PYTHON.',
    );
  }
  mkdirSync(join(root, '.venv'), { recursive: true });
  await quietly('making a Python environment', system, ['-m', 'venv', '.venv']);
  // torch first and alone: another package's range must not pull a larger build of it.
  const torch = readFileSync(requirements, 'utf8').match(/^torch==\S+/m)?.[0];
  const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check'];
  if (torch) await quietly('installing PyTorch', python, [...pip, torch]);
  await quietly('installing the training packages', python, [...pip, '-r', requirements]);
  writeFileSync(stamp, hash);
  return python;
}
