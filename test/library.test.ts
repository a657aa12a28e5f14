/**
 * @file The library as a user imports it: every example runs, prints what its comments say, and is right by the
 * published types; no exported value is without an example.
 */
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { BUNDLED_MODEL, loadPredictor } from '../src/predictor/load.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = fileURLToPath(new URL('../examples/library/', import.meta.url));
const names = readdirSync(folder).filter((name) => name.endsWith('.mjs'));
const textOf = (name: string) => readFileSync(`${folder}${name}`, 'utf8');

function run(
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<{ code: number | null; out: string; err: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { cwd: root, env: { ...process.env, ...env } });
    let [out, err] = ['', ''];
    child.stdout.on('data', (chunk) => (out += chunk));
    child.stderr.on('data', (chunk) => (err += chunk));
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, out, err }));
  });
}

/** What a newer language than the bundled model's refuses; the examples that need the model then cannot run. */
const refused = await loadPredictor(BUNDLED_MODEL).then(
  async (predictor) => void (await predictor.close()),
  (error: { code: string }) => error.code,
);
const needsModel = (name: string) => ['predict.mjs', 'inverse.mjs', 'model.mjs'].includes(name);

/** The comments after `console.log(...)`, in order; how a long value is broken into lines does not matter. */
const promised = (text: string) =>
  [...text.matchAll(/^ *(?:if .*)?console\.log\(.*\/\/ (.*)$/gm)].map(([, said]) => flat(said!)).join(' ');
const flat = (text: string) => text.replace(/\s+/g, ' ').trim();

interface Ran {
  readonly out: string;
  readonly error: string | null;
}

/** All of them in one process: what costs is its start. On CPython, which starts faster than the sandbox. */
const DRIVER = `
  import { format } from 'node:util';
  const { log } = console;
  for (const name of ${JSON.stringify(names)}) {
    const lines = [];
    console.log = (...args) => lines.push(format(...args));
    const error = await import(${JSON.stringify(folder)} + name).then(() => null, (e) => e.stack);
    log(JSON.stringify({ name, out: lines.join('\\n'), error }));
  }`;

describe('the examples', () => {
  const ran = new Map<string, Ran>();
  beforeAll(async () => {
    const { out, err } = await run(['--input-type=module', '-e', DRIVER], { NPDB_RUNTIME: 'python3' });
    for (const line of out.trim().split('\n')) {
      const { name, ...result } = JSON.parse(line) as Ran & { name: string };
      ran.set(name, result);
    }
    if (ran.size < names.length) throw new Error(err);
  }, 300_000);

  it.each(names)('%s prints what its comments say', (name) => {
    const { out, error } = ran.get(name)!;
    if (needsModel(name) && refused !== undefined) {
      expect(error).toContain('was trained for');
      return;
    }
    expect(error).toBeNull();
    expect(flat(out)).toBe(promised(textOf(name)));
    expect(out).not.toBe('');
  });
});

/** Values, not types, that `src/index.ts` exports. */
function exported(): string[] {
  const text = readFileSync(`${root}src/index.ts`, 'utf8');
  const lists = [...text.matchAll(/^export \{([^}]*)\}/gm)].flatMap(([, list]) => list!.split(','));
  return lists.map((name) => name.trim()).filter((name) => name !== '' && !name.startsWith('type '));
}

it('every exported value has an example', () => {
  const all = names.map(textOf).join('\n');
  expect(exported().length).toBeGreaterThan(30);
  for (const name of exported()) expect(all, name).toMatch(new RegExp(`\\b${name}\\b`));
});

it('every exported value stands in docs/library.md', () => {
  const page = readFileSync(`${root}docs/library.md`, 'utf8');
  for (const name of exported()) expect(page, name).toContain(`\`${name}\``);
  for (const name of names) expect(page).toContain(name);
});

it('the examples are right by the published types', async () => {
  const { code, out } = await run([
    'node_modules/typescript/bin/tsc',
    ...['--noEmit', '--allowJs', '--checkJs', '--strict', '--skipLibCheck', '--ignoreConfig'],
    ...['--module', 'nodenext', '--target', 'es2023', '--lib', 'es2023,dom', '--types', 'node'],
    ...names.map((name) => `${folder}${name}`),
  ]);
  expect(out).toBe('');
  expect(code).toBe(0);
});
