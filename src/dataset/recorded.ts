/** @file A trace made ready for walks: its programs, tree, states, and the calls at which a walk can begin. */
import { parseProgram } from '../source/index.ts';
import type { Program } from '../source/types.ts';
import { TraceStates } from '../state/index.ts';
import type { Trace } from '../trace/types.ts';
import { buildTree, KINDS } from '../tree/index.ts';
import { endlessOf } from './endless.ts';
import type { Entry, Recorded } from './types.ts';

const CALL = KINDS.indexOf('call');

/** `program`: file 0 of the trace, parsed already (several traces share it). */
export function recordedFrom(id: string, trace: Trace, program: Program): Recorded {
  const programs = trace.header.files.map((file, index) =>
    index === 0 ? program : parseProgram(file.text, file.name),
  );
  const states = new TraceStates(trace, programs, 1);
  const tree = buildTree(trace);
  const entries: Entry[] = [];
  // Where the line `<call>` is in the stack; calls of the module's body come before it and are entries of no kind.
  let below: number | null = null;
  trace.events.forEach((event, at) => {
    if (tree.kind[at] !== CALL || (event.k && event.k !== 'lambda')) {
      if (event.fn !== '<call>') return;
    }
    const depth = tree.depth[at]!;
    if (event.fn === '<call>' && tree.file[at] === 1) {
      below = depth;
      entries.push({ at, depth, level: 'call', tree: tree.entry(at) });
    } else if (below !== null && depth > below) {
      entries.push({ at, depth, level: depth === below + 1 ? 'main' : 'inner', tree: tree.entry(at) });
    }
  });
  return { id, trace, programs, states, entries, endless: endlessOf(trace, states, tree, programs) };
}
