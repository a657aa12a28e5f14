/**
 * @file From events to flat arrays, in one pass. A tree of n states takes about 40 bytes a state. The trace's
 * texts are not looked at.
 */
import { NpdbError } from '../common/errors.ts';
import type { EventKind, Trace } from '../trace/types.ts';

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
  /** `last` where the frame ended there, else `NONE`. */
  readonly stop: Int32Array;
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
  const builder = new ArraysBuilder(trace.events.length);
  for (const { e, f, l, s, p, t } of trace.events)
    builder.push(CODES.get(e)!, f, l, s ?? 0, p ?? NONE, t ?? NONE);
  return builder.finish(trace.end.status === 'cut');
}

/** Index into KINDS. */
export const CODES: ReadonlyMap<EventKind, number> = new Map(KINDS.map((kind, code) => [kind, code]));

/** Takes events in order, as numbers; the arrays grow with them. */
export class ArraysBuilder {
  #size = 0;
  #room: number;
  #kind: Uint8Array;
  #file: Uint16Array;
  #line: Int32Array;
  #frame: Int32Array;
  #depth: Int32Array;
  #thread: Int32Array;
  #parent: Int32Array;
  #next: Int32Array;
  #previous: Int32Array;
  #over: Int32Array;
  #sibling: Int32Array;
  #lastChild: Int32Array;
  #first: Int32Array = new Int32Array(64).fill(NONE);
  #last: Int32Array = new Int32Array(64).fill(NONE);
  #frames = 0;
  readonly #runs = new Map<number, { starts: number[]; stops: number[] }>();
  readonly #threads = new Map<number, Thread>();

  /** `room`: how many events are expected. */
  constructor(room = 1024) {
    this.#room = Math.max(1, room);
    const links = () => new Int32Array(this.#room).fill(NONE);
    [this.#kind, this.#file] = [new Uint8Array(this.#room), new Uint16Array(this.#room)];
    [this.#line, this.#frame, this.#depth, this.#thread] = [links(), links(), links(), links()];
    [this.#parent, this.#next, this.#previous] = [links(), links(), links()];
    [this.#over, this.#sibling, this.#lastChild] = [links(), links(), links()];
  }

  get size(): number {
    return this.#size;
  }

  /** `code`: index into KINDS; `file`: of a `call`; `caller`: its or a `resume`'s parent frame; `NONE` where absent. */
  push(code: number, f: number, line: number, file: number, caller: number, thread: number): void {
    if (this.#size === this.#room) this.#grow();
    if (f >= this.#first.length) {
      const room = Math.max(f + 1, this.#first.length * 2);
      [this.#first, this.#last] = [longer(this.#first, room), longer(this.#last, room)];
    }
    const i = this.#size++;
    const last = this.#last;
    const known = last[f]!;
    if (code !== CALL && known === NONE) throw unknownFrame(code, line);
    const opens = code === CALL || code === RESUME;
    const from = opens && caller !== NONE ? (last[caller] ?? NONE) : NONE;
    if (opens && caller !== NONE && from === NONE) throw unknownFrame(code, line);

    this.#kind[i] = code;
    this.#line[i] = line;
    this.#frame[i] = f;
    this.#file[i] = code === CALL ? file : this.#file[known]!;
    const depth = opens ? (from === NONE ? 0 : this.#depth[from]! + 1) : this.#depth[known]!;
    this.#depth[i] = depth;
    if (!opens) this.#thread[i] = this.#thread[known]!;
    else if (from !== NONE) this.#thread[i] = this.#thread[from]!;
    else this.#thread[i] = thread !== NONE ? thread : known === NONE ? 0 : this.#thread[known]!;
    if (code === CALL) {
      this.#first[f] = i;
      this.#frames = Math.max(this.#frames, f + 1);
    }
    if (code === RESUME) {
      const run = this.#runs.get(f) ?? { starts: [this.#first[f]!], stops: [] };
      this.#runs.set(f, run);
      run.starts.push(i);
      run.stops.push(known);
    }
    last[f] = i;
    this.#link(i, depth);
  }

  #link(i: number, depth: number): void {
    const thread = this.#thread[i]!;
    let own = this.#threads.get(thread);
    if (!own) this.#threads.set(thread, (own = { open: [], last: NONE }));
    if (own.last !== NONE) {
      this.#next[own.last] = i;
      this.#previous[i] = own.last;
    }
    own.last = i;
    const { open } = own;
    let closed = NONE;
    while (open.length > 0 && this.#depth[open[open.length - 1]!]! >= depth)
      this.#over[(closed = open.pop()!)] = i;
    if (closed !== NONE && this.#depth[closed] === depth) this.#sibling[i] = closed;
    if (open.length > 0) {
      const parent = open[open.length - 1]!;
      this.#parent[i] = parent;
      this.#lastChild[parent] = i;
    }
    open.push(i);
  }

  #grow(): void {
    const room = this.#room * 2;
    const kind = new Uint8Array(room);
    kind.set(this.#kind);
    const file = new Uint16Array(room);
    file.set(this.#file);
    [this.#kind, this.#file, this.#room] = [kind, file, room];
    this.#line = longer(this.#line, room);
    this.#frame = longer(this.#frame, room);
    this.#depth = longer(this.#depth, room);
    this.#thread = longer(this.#thread, room);
    this.#parent = longer(this.#parent, room);
    this.#next = longer(this.#next, room);
    this.#previous = longer(this.#previous, room);
    this.#over = longer(this.#over, room);
    this.#sibling = longer(this.#sibling, room);
    this.#lastChild = longer(this.#lastChild, room);
  }

  /** `cut`: the record stops before the program does. */
  finish(cut: boolean): TreeArrays {
    const [size, count] = [this.#size, this.#frames];
    const ended = new Uint8Array(count);
    const stop = new Int32Array(count).fill(NONE);
    // A frame whose last state is an `exception` was unwound by it, unless the record stops within the frame.
    for (let f = 0; f < count; f++) {
      const at = this.#last[f]!;
      if (at === NONE) continue;
      const kind = this.#kind[at]!;
      const stopped = cut && this.#next[at] === NONE;
      ended[f] = kind === RETURN || (kind === EXCEPTION && !stopped) ? 1 : 0;
      if (ended[f]) stop[f] = at;
      // A run that the end of the record cut short lasts until there.
      this.#runs.get(f)?.stops.push(ended[f] || kind === YIELD ? at : size - 1);
    }
    return {
      kind: this.#kind.subarray(0, size),
      line: this.#line.subarray(0, size),
      file: this.#file.subarray(0, size),
      frame: this.#frame.subarray(0, size),
      depth: this.#depth.subarray(0, size),
      thread: this.#thread.subarray(0, size),
      parent: this.#parent.subarray(0, size),
      next: this.#next.subarray(0, size),
      previous: this.#previous.subarray(0, size),
      over: this.#over.subarray(0, size),
      sibling: this.#sibling.subarray(0, size),
      lastChild: this.#lastChild.subarray(0, size),
      frames: {
        first: this.#first.subarray(0, count),
        last: this.#last.subarray(0, count),
        ended,
        stop,
        runs: this.#runs,
      },
    };
  }
}

function longer(old: Int32Array, room: number): Int32Array {
  const made = new Int32Array(room).fill(NONE, old.length);
  made.set(old);
  return made;
}

function unknownFrame(code: number, line: number): NpdbError {
  return new NpdbError(
    'E_TRACE',
    `The trace has a \`${KINDS[code]}\` event on line ${line} that belongs to a frame which was never called.`,
    'The trace is broken: record it again.',
    3,
  );
}
