/**
 * @file From events to flat arrays, in one pass. A tree of n states takes about 40 bytes a state. The trace's
 * texts are not looked at.
 */
import { NpdbError } from '../common/errors.ts';
import type { EventKind, Trace, TraceEvent } from '../trace/types.ts';

/** `StateTree.kind` holds indices into this. */
export const KINDS: readonly EventKind[] = ['call', 'line', 'return', 'exception', 'yield', 'resume'];
export const [CALL, LINE, RETURN, EXCEPTION, YIELD, RESUME] = [0, 1, 2, 3, 4, 5] as const;
export const NONE = -1;

/** One value per state; indices of states, `NONE` where there is none. */
export interface TreeArrays {
  readonly kind: Uint8Array;
  readonly line: Int32Array;
  readonly file: Uint16Array;
  readonly frame: Int32Array;
  readonly depth: Int32Array;
  readonly thread: Int32Array;
  readonly parent: Int32Array;
  /** The next and the previous state of the same thread. */
  readonly next: Int32Array;
  readonly previous: Int32Array;
  /** The next state of the same level, or else the next one above it: never deeper. */
  readonly over: Int32Array;
  /** The state before this one in its level. */
  readonly sibling: Int32Array;
  /** The last of the states of which this is the parent. */
  readonly lastChild: Int32Array;
  readonly frames: FrameArrays;
}

/** One value per frame number. */
export interface FrameArrays {
  /** Its `call`. */
  readonly first: Int32Array;
  /** Its last state: its `return`, its final `exception`, or where the record of it stops. */
  readonly last: Int32Array;
  /** 1: the frame ended at `last`. 0: it was suspended for good, or the trace was cut. */
  readonly ended: Uint8Array;
  readonly runs: ReadonlyMap<number, Runs>;
}

/** Of a frame that was resumed: the states where it began to run, `call` first, and where each run stopped; ascending. */
export interface Runs {
  readonly starts: readonly number[];
  readonly stops: readonly number[];
}

interface Thread {
  /** States not yet followed by one of their depth or above; depths strictly rise. */
  readonly open: number[];
  last: number;
}

export function arraysOf(trace: Trace): TreeArrays {
  const { events } = trace;
  const size = events.length;
  const none = () => new Int32Array(size).fill(NONE);
  const [kind, file] = [new Uint8Array(size), new Uint16Array(size)];
  const [line, frame] = [new Int32Array(size), new Int32Array(size)];
  const [depth, thread] = [new Int32Array(size), new Int32Array(size)];
  const [parent, next, previous, over] = [none(), none(), none(), none()];
  const [sibling, lastChild] = [none(), none()];
  const count = 1 + events.reduce((most, event) => Math.max(most, event.f), -1);
  const [first, last] = [new Int32Array(count).fill(NONE), new Int32Array(count).fill(NONE)];
  const runs = new Map<number, { starts: number[]; stops: number[] }>();
  const threads = new Map<number, Thread>();

  for (let i = 0; i < size; i++) {
    const event = events[i]!;
    const f = event.f;
    const code = KINDS.indexOf(event.e);
    const known = last[f]!;
    if (event.e !== 'call' && known === NONE) throw unknownFrame(event);
    const opens = code === CALL || code === RESUME;
    const caller = opens && event.p !== undefined ? (last[event.p] ?? NONE) : NONE;
    if (opens && event.p !== undefined && caller === NONE) throw unknownFrame(event);

    kind[i] = code;
    line[i] = event.l;
    frame[i] = f;
    file[i] = code === CALL ? (event.s ?? 0) : file[known]!;
    depth[i] = opens ? (caller === NONE ? 0 : depth[caller]! + 1) : depth[known]!;
    if (opens)
      thread[i] = caller !== NONE ? thread[caller]! : (event.t ?? (known === NONE ? 0 : thread[known]!));
    else thread[i] = thread[known]!;
    if (code === CALL) first[f] = i;
    if (code === RESUME) {
      const run = runs.get(f) ?? { starts: [first[f]!], stops: [] };
      runs.set(f, run);
      run.starts.push(i);
      run.stops.push(known);
    }
    last[f] = i;

    let own = threads.get(thread[i]!);
    if (!own) threads.set(thread[i]!, (own = { open: [], last: NONE }));
    if (own.last !== NONE) {
      next[own.last] = i;
      previous[i] = own.last;
    }
    own.last = i;
    const { open } = own;
    let closed = NONE;
    while (open.length > 0 && depth[open[open.length - 1]!]! >= depth[i]!) over[(closed = open.pop()!)] = i;
    if (closed !== NONE && depth[closed] === depth[i]) sibling[i] = closed;
    if (open.length > 0) {
      parent[i] = open[open.length - 1]!;
      lastChild[parent[i]!] = i;
    }
    open.push(i);
  }
  // A frame whose last state is an `exception` was unwound by it, unless the record stops within the frame.
  const ended = new Uint8Array(count);
  for (let f = 0; f < count; f++) {
    const at = last[f]!;
    if (at === NONE) continue;
    const cut = trace.end.status === 'cut' && next[at] === NONE;
    ended[f] = kind[at] === RETURN || (kind[at] === EXCEPTION && !cut) ? 1 : 0;
    // A run that the end of the record cut short lasts until there.
    runs.get(f)?.stops.push(ended[f] || kind[at] === YIELD ? at : size - 1);
  }
  return {
    kind,
    line,
    file,
    frame,
    depth,
    thread,
    parent,
    next,
    previous,
    over,
    sibling,
    lastChild,
    frames: { first, last, ended, runs },
  };
}

function unknownFrame(event: TraceEvent): NpdbError {
  return new NpdbError(
    'E_TRACE',
    `The trace has a \`${event.e}\` event on line ${event.l} that belongs to a frame which was never called.`,
    'The trace is broken: record it again.',
    3,
  );
}
