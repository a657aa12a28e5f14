/**
 * Every command in the documentation runs: lines of `sh` blocks in README and docs, in the order in which they stand, each
 * to its end and with exit status 0. Blocks of other kinds (`text`, `json`) show what is not for running here.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const pages = [
  'README.md',
  ...readdirSync(`${root}docs`)
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];

/** A line ending in a backslash goes on in the next. */
function commandsIn(page: string): string[] {
  const text = readFileSync(root + page, 'utf8');
  return [...text.matchAll(/^```sh\n(.*?)^```/gms)].flatMap(([, block]) =>
    block!
      .replace(/\\\n\s*/g, '')
      .split('\n')
      .filter((line) => line.trim() !== '' && !line.startsWith('#')),
  );
}

/** For each command; the test waits a little longer. */
const SECONDS = 240;

/** Stands for `/tmp`: what another run left there must neither help nor hinder. */
const folder = mkdtempSync(join(tmpdir(), 'npdb-docs-'));
afterAll(() => rmSync(folder, { recursive: true }));

function run(command: string): Promise<{ status: number | null; told: string }> {
  const line = command
    .replace(/^npx npdb\b/, `"${process.execPath}" bin/npdb.js`)
    .replaceAll(' /tmp/', ` ${folder}/`);
  return new Promise((resolve) => {
    const child = spawn('bash', ['-c', line], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, NO_COLOR: '1', NPDB_HISTORY: '' },
    });
    const limit = setTimeout(() => child.kill('SIGKILL'), SECONDS * 1000);
    let told = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (told += String(data)));
    child.on('close', (status) => {
      clearTimeout(limit);
      resolve({ status, told });
    });
  });
}

describe('every command of the documentation runs', () => {
  const all = pages.flatMap((page) => commandsIn(page).map((command) => [page, command] as const));
  it.each(all)(
    '%s: %s',
    async (_, command) => {
      const { status, told } = await run(command);
      expect(`${status}\n${status === 0 ? '' : told}`).toBe('0\n');
    },
    1000 * (SECONDS + 10),
  );

  it('and there are some', () => {
    expect(all.length).toBeGreaterThan(10);
  });
});
