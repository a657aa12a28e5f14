/** @file Committed traces for tests, made by the tracer from programs of this repository. */
import { readFileSync } from 'node:fs';
import { type Recording, recordingOf } from '../src/debugger/recording.ts';
import type { Trace, TraceEnd, TraceEvent, TraceHeader } from '../src/trace/types.ts';

export function fixtureTrace(name: string): Trace {
  const path = new URL(`fixtures/traces/${name}.jsonl`, import.meta.url);
  const lines = readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as TraceHeader | TraceEvent | TraceEnd);
  return {
    header: lines[0] as TraceHeader,
    events: lines.slice(1, -1) as TraceEvent[],
    end: lines.at(-1) as TraceEnd,
  };
}

export function fixtureRecording(name: string): Recording {
  const recording = recordingOf(name, fixtureTrace(name));
  if (!recording) throw new Error(`${name} has no entry call`);
  return recording;
}
