/** @file The rules of the canonical stream by small programs, on the interpreter at hand (`npm run verify -- events`: on all). */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCpython } from '../python/cpython.ts';
import type { PythonRuntime } from '../python/types.ts';
import { eventLines } from './events.ts';

const EVENTS = new URL('../../test/fixtures/events/', import.meta.url);
const files = readdirSync(EVENTS).sort();
const names = files.filter((file) => file.endsWith('.py')).map((file) => file.slice(0, -3));
const read = (file: string) => readFileSync(new URL(file, EVENTS), 'utf8');

const python = (() => {
  try {
    return execFileSync('python3', ['--version'], { encoding: 'utf8' });
  } catch {
    return null;
  }
})();

it('has a stream for each program, and a program for each rule', () => {
  expect(files.filter((file) => file.endsWith('.txt')).map((file) => file.slice(0, -4))).toEqual(names);
  const rules = new Set(names.map((name) => Number(name.slice(0, 2))));
  for (let rule = 1; rule <= 14; rule += 1) expect(rules).toContain(rule);
  const kinds = new Set(names.flatMap((name) => read(`${name}.txt`).match(/^\w+(?= f\d)/gm) ?? []));
  expect([...kinds].sort()).toEqual(['call', 'exception', 'line', 'resume', 'return', 'yield']);
});

describe.skipIf(!python)('the canonical stream (needs python3)', () => {
  let runtime: PythonRuntime;
  beforeAll(async () => {
    runtime = await createCpython({ pool: true, workers: 1, wall: 'none' });
  });
  afterAll(() => runtime.close());

  it.each(names)('of %s is the one beside it', async (name) => {
    const limits = { events: 2000, timeMs: 60_000 };
    const { trace } = await runtime.run({ file: { name: 'main.py', text: read(`${name}.py`) }, limits });
    expect(eventLines(trace)).toEqual(read(`${name}.txt`).trimEnd().split('\n'));
  });
});
