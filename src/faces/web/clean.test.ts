/**
 * What keeps the core fit for a browser: the page and all that it imports must compile without Node's types. A file
 * that reads files or starts processes stands beside (`load.ts`, `node.ts`) and is not imported from there.
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

const app = fileURLToPath(new URL('app/', import.meta.url));
const root = fileURLToPath(new URL('../../../', import.meta.url));

/** Every file of this repository that a file leads to, each with the one that led there. */
function reached(from: string): Map<string, string | null> {
  const found = new Map<string, string | null>([[from, null]]);
  for (const file of found.keys()) {
    for (const [, name] of readFileSync(file, 'utf8').matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)) {
      const next = name!.startsWith('.') ? join(dirname(file), name!) : null;
      if (next && /\.(ts|tsx)$/.test(next) && !found.has(next)) found.set(next, file);
    }
  }
  return found;
}

/** Imports of types alone are gone when it runs. */
const builtins = (file: string): string[] =>
  [...readFileSync(file, 'utf8').matchAll(/^\s*(?:import|export)(?!\s+type\b)[^;]*?'(node:[^']+)'/gms)].map(
    ([, name]) => name!,
  );

const ROOMS = ['source', 'values', 'tree', 'state', 'language', 'predictor', 'debugger', 'trace', 'model'];

describe('the browser’s part', () => {
  it.each(['main.tsx', 'worker/session.worker.ts'])('%s leads to no built-in of Node', (entry) => {
    const files = reached(join(app, entry));
    const bad = [...files].flatMap(([file, by]) =>
      builtins(file).map(
        (name) => `${relative(root, file)} imports ${name}; ${relative(root, by ?? '')} leads there`,
      ),
    );
    expect(bad).toEqual([]);
  });

  it('is made of the core itself, not of copies', () => {
    const files = [...reached(join(app, 'worker/session.worker.ts')).keys()].map((file) =>
      relative(root, file),
    );
    const missing = ROOMS.filter((room) => !files.some((file) => file.startsWith(join('src', room))));
    expect(missing).toEqual([]);
  });

  it('compiles without Node’s types, and what uses one does not', async () => {
    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    const compile = (project: string) =>
      promisify(execFile)(process.execPath, [tsc, '--noEmit', '-p', project]);
    await compile(app);
    const folder = mkdtempSync(join(tmpdir(), 'npdb-clean-'));
    try {
      writeFileSync(join(folder, 'bad.ts'), 'setImmediate(() => process.exit());\n');
      const project = { extends: join(app, 'tsconfig.json'), files: ['bad.ts'], include: [] };
      writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(project));
      await expect(compile(folder)).rejects.toMatchObject({
        stdout: expect.stringContaining('setImmediate'),
      });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
