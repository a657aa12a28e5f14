import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { lineWriter } from './lines.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'npdb-lines-'));
  path = join(folder, 'trace.jsonl');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('keeps the old file until the new one is whole', () => {
  writeFileSync(path, 'old');
  const out = lineWriter(path);
  out.write({ a: 1 });
  expect(readFileSync(path, 'utf8')).toBe('old');
  out.finish([{ head: 0 }, { a: 1 }]);
  out.close();
  expect(readFileSync(path, 'utf8')).toBe('{"head":0}\n{"a":1}\n');
  expect(existsSync(`${path}.part`)).toBe(false);
});

it('loses nothing that was written when it is interrupted', () => {
  const out = lineWriter(path);
  out.write({ a: 1 });
  // No close, as after a kill.
  expect(readFileSync(`${path}.part`, 'utf8')).toBe('{"a":1}\n');
  out.close();
  expect(existsSync(path)).toBe(false);
});

it.each([
  ['a folder', () => folder],
  ['a folder that does not exist', () => join(folder, 'no', 'x.jsonl')],
])('refuses %s', (_, bad) => {
  expect(() => lineWriter(bad())).toThrow(expect.objectContaining({ code: 'E_WRITE', exit: 3 }));
});
