import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { programFrom, reread } from './programs.ts';

let folder: string;
let root: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'npdb-mcp-'));
  root = join(folder, 'work');
  mkdirSync(root);
  writeFileSync(join(root, 'a.py'), '\uFEFFx = 1\n');
  writeFileSync(join(root, '.env'), 'KEY=1\n');
  writeFileSync(join(folder, 'outside.py'), 'y = 2\n');
  symlinkSync(join(folder, 'outside.py'), join(root, 'link.py'));
  mkdirSync(join(folder, 'work-not'));
  writeFileSync(join(folder, 'work-not', 'b.py'), 'z = 3\n');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const read = (scriptPath: string) => programFrom({ scriptPath }, [root]);

it('reads Python files within the roots, relative to the first or absolute', async () => {
  expect(await read('a.py')).toMatchObject({ path: 'a.py', text: 'x = 1\n' });
  expect(await read(join(root, 'a.py'))).toMatchObject({ text: 'x = 1\n' });
});

it.each([
  ['a path that climbs out', '../outside.py', 'E_OUTSIDE_ROOT'],
  ['a link that leads out', 'link.py', 'E_OUTSIDE_ROOT'],
  ['a folder whose name only begins like the root', '../work-not/b.py', 'E_OUTSIDE_ROOT'],
  ['a file outside, there or not', '/no/such/file.py', 'E_OUTSIDE_ROOT'],
  ['what is no Python', '.env', 'E_NOT_PYTHON'],
  ['what is not there', 'none.py', 'E_FILE'],
])('refuses %s', async (_, path, code) => {
  await expect(read(path)).rejects.toMatchObject({ code });
});

it('reads a file again as it is now; text stays what it was', async () => {
  const program = (await read('a.py'))!;
  writeFileSync(join(root, 'a.py'), 'x = 2\n');
  expect(await reread(program, [root])).toMatchObject({ text: 'x = 2\n' });
  const code = (await programFrom({ code: 'q = 1\n' }, [root]))!;
  expect(await reread(code, [root])).toBe(code);
});
