/** @file Recorded programs for tests, and a runtime that gives the recorded traces back: no Python needed. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ProgramEntry } from '../programs/types.ts';
import type { PythonRuntime } from '../python/types.ts';
import { parseProgram } from '../source/index.ts';
import type { Trace } from '../trace/types.ts';
import { recordedFrom } from './recorded.ts';
import type { Recorded } from './types.ts';

const FOLDER = join(import.meta.dirname, '../../test/fixtures/dataset');
export const PROGRAMS_FILE = join(FOLDER, 'programs.jsonl');

const lines = <T>(name: string): T[] =>
  readFileSync(join(FOLDER, name), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as T);

export const programs: readonly ProgramEntry[] = lines<ProgramEntry>('programs.jsonl');
const traces = lines<Trace>('traces.jsonl');

export function recorded(id: string): Recorded {
  const trace = traces.find(({ header }) => header.id === id);
  if (!trace) throw new Error(`no fixture ${id}`);
  return recordedFrom(id, trace, parseProgram(trace.header.files[0]!.text, 'main.py'));
}

/** All recordings at which a walk can begin. */
export const allRecorded = (): Recorded[] =>
  traces.map(({ header }) => recorded(header.id!)).filter((r) => r.entries.length > 0);

/** Gives the recorded traces back, after `delay` milliseconds where that is asked for: runs then end out of order. */
export function replayingRuntime(delay?: (id: string) => number): PythonRuntime & { runs: number } {
  const byText = new Map(
    traces.map((trace) => [`${trace.header.files[0]!.text}\u0000${trace.header.call}`, trace]),
  );
  return {
    name: 'recorded',
    protection: 'nothing runs',
    runs: 0,
    async run(request) {
      this.runs++;
      const wait = delay?.(request.id ?? '') ?? 0;
      if (wait > 0) await new Promise((done) => setTimeout(done, wait));
      const trace = byText.get(`${request.file.text}\u0000${request.call}`) ?? traces[0]!;
      return { trace, probes: [] };
    },
    async close() {},
  };
}
