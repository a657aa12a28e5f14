import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
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
  out.finish([{ head: 0 }], [{ end: 2 }]);
  out.close();
  expect(readFileSync(path, 'utf8')).toBe('{"head":0}\n{"a":1}\n{"end":2}\n');
  expect(existsSync(`${path}.part`)).toBe(false);
});

it('soon has on disk what was written, should it be interrupted', async () => {
  const out = lineWriter(path);
  out.write({ a: 1 });
  // No close, as after a kill.
  await vi.waitFor(() => expect(readFileSync(`${path}.part`, 'utf8')).toBe('{"a":1}\n'));
  out.close();
  expect(existsSync(path)).toBe(false);
});

it('writes blocks of lines in order', () => {
  const out = lineWriter(path);
  const lines = Array.from({ length: 20_000 }, (_, i) => ({ i, text: 'é' }));
  for (const line of lines) out.write(line);
  out.finish([{ head: 0 }], []);
  out.close();
  const read = readFileSync(path, 'utf8').trimEnd().split('\n');
  expect(read.map((line) => JSON.parse(line))).toEqual([{ head: 0 }, ...lines]);
});

it.each([
  ['a folder', () => folder],
  ['a folder that does not exist', () => join(folder, 'no', 'x.jsonl')],
])('refuses %s', (_, bad) => {
  expect(() => lineWriter(bad())).toThrow(expect.objectContaining({ code: 'E_WRITE', exit: 3 }));
});

it('writes into a pipe and leaves it one', async (context) => {
  const pipe = join(folder, 'pipe');
  if (spawnSync('mkfifo', [pipe]).status !== 0) context.skip('no mkfifo');
  const reader = spawn('cat', [pipe], { stdio: ['ignore', 'pipe', 'ignore'] });
  let told = '';
  reader.stdout.on('data', (data) => {
    told += String(data);
  });
  const out = lineWriter(pipe);
  out.write({ a: 1 });
  out.finish([{ head: 0 }], []);
  out.close();
  await new Promise((resolve) => reader.on('close', resolve));
  expect(told).toBe('{"head":0}\n{"a":1}\n');
  expect(statSync(pipe).isFIFO()).toBe(true);
});
