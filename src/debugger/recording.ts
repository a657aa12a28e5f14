/** @file A recorded call made ready for sampling: its programs, tree and states, rooted at the entry call. */

import type { ProgramEntry } from '../programs/types.ts';
import type { PythonRuntime } from '../python/types.ts';
import { parseProgram } from '../source/index.ts';
import type { Program } from '../source/types.ts';
import { rootedAt, TraceStates } from '../state/index.ts';
import type { Outcome, State } from '../state/types.ts';
import type { Limits, Trace } from '../trace/types.ts';
import { buildTree } from '../tree/index.ts';
import type { Move, Place, StateTree } from '../tree/types.ts';
import { entryEvent } from './entry.ts';

export interface Recording {
  readonly id: string;
  readonly programs: readonly Program[];
  readonly tree: StateTree;
  readonly trace: Trace;
  state(place: Place): State;
  /** Null where the trace was cut and nobody knows. */
  outcome(move: Move): Outcome | null;
}

/** Null where the run ended before the call began. */
export function recordingOf(id: string, trace: Trace): Recording | null {
  const entry = trace.header.call === undefined ? 'script' : 'function';
  const at = entryEvent(trace, entry);
  if (at === null) return null;
  const programs = trace.header.files.map((file) => parseProgram(file.text, file.name));
  const tree = buildTree(trace).entry(at);
  const states = new TraceStates(trace, programs);
  const depth = states.at(at).stack.length - 1;
  const state = (place: Place): State => {
    const found = rootedAt(states.at(place.at), depth);
    return place.call ? { ...found, kind: 'line_call' } : found;
  };
  return {
    id,
    programs,
    tree,
    trace,
    state,
    outcome(move) {
      if (move.type === 'place') return { type: 'state', state: state(move.place) };
      if (move.type === 'entry') return { type: 'entry' };
      return move.exit === 'unknown' ? null : { type: 'exit', exit: move.exit };
    },
  };
}

/** Runs one call of a program and prepares it; with operations, so that states know what their loops go over. */
export async function record(
  program: ProgramEntry,
  index: number,
  runtime: PythonRuntime,
  limits: Partial<Limits>,
): Promise<Recording | null> {
  const call = program.calls[index];
  const { trace } = await runtime.run({
    file: { name: 'main.py', text: program.code },
    ...(call === undefined ? {} : { call }),
    id: `${program.id}#${index}`,
    limits,
    operations: true,
  });
  return recordingOf(`${program.id}#${index}`, trace);
}
