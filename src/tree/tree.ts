/**
 * @file The state tree and its eight actions (paper, section 2). What the paper leaves open:
 *
 * - *Suspensions.* What a generator does between `resume` and `yield` is a call made by the line that resumed
 *   it. `step_over` from a `yield` is therefore as from a `return`; `step_return` runs past it.
 * - *Threads.* Only the order within one thread is certain, so all actions but `breakpoint` and `continue` stay
 *   in their thread. At its end (start) they go on to the next (previous) state recorded at all.
 * - *Lines.* Not only a `line` can make calls: after a `resume`, or an `exception` on the way out of a one-line
 *   `with`, the frame goes on within its line. Whatever made calls is met twice backwards.
 *
 * `breakpoint` stops at any kind of state on the line (the paper's own example goes from `return r` to its
 * `return` state); pdb's breakpoints stop at `line` states only. `step_return` and `inv_step_call`, once there, go one level up.
 * Forward actions start from a place's state and do not ask whether it was met backwards as `line_call`.
 */
import type { Exit } from '../state/types.ts';
import type { Trace, TraceEnd } from '../trace/types.ts';
import { arraysOf, CALL, NONE, RETURN, type TreeArrays, YIELD } from './arrays.ts';
import { LineIndex } from './breakpoints.ts';
import { countUpTo } from './sorted.ts';
import type { Move, Place, StateTree, TreeAction } from './types.ts';

/** The tree of all states of a trace. O(n). Throws `E_TRACE` where an event's frame was never called. */
export function buildTree(trace: Trace): StateTree {
  return treeOf(arraysOf(trace), trace.end);
}

/** The tree over arrays that were filled otherwise (`ArraysBuilder`). */
export function treeOf(arrays: TreeArrays, end: TraceEnd): StateTree {
  let index: LineIndex | undefined;
  const lines = () => (index ??= new LineIndex(arrays.file, arrays.line));
  return new Tree(arrays, lines, 0, arrays.kind.length, exitOf(end), null);
}

function exitOf(end: TraceEnd): Exit | 'unknown' {
  if (end.status === 'cut') return 'unknown';
  if (end.status === 'exit') return end.code ? 'error' : 'normal';
  return end.status;
}

class Tree implements StateTree {
  readonly first: number;
  readonly end: number;
  readonly exit: Exit | 'unknown';
  readonly #arrays: TreeArrays;
  readonly #lines: () => LineIndex;
  /** The frame whose call this tree is about; null: all of the trace. */
  readonly #root: number | null;

  constructor(
    arrays: TreeArrays,
    lines: () => LineIndex,
    first: number,
    end: number,
    exit: Exit | 'unknown',
    root: number | null,
  ) {
    this.#arrays = arrays;
    this.#lines = lines;
    this.first = first;
    this.end = end;
    this.exit = exit;
    this.#root = root;
  }

  get size(): number {
    return this.end - this.first;
  }
  get kind(): Uint8Array {
    return this.#arrays.kind;
  }
  get line(): Int32Array {
    return this.#arrays.line;
  }
  get file(): Uint16Array {
    return this.#arrays.file;
  }
  get frame(): Int32Array {
    return this.#arrays.frame;
  }
  get depth(): Int32Array {
    return this.#arrays.depth;
  }
  get parent(): Int32Array {
    return this.#arrays.parent;
  }

  move(place: Place, action: TreeAction): Move {
    const { at } = place;
    switch (action.type) {
      case 'step_into':
        return this.#forward(this.#following(at, this.#arrays.next));
      case 'step_over':
        return this.#forward(this.#following(at, this.#arrays.over));
      case 'step_return':
        return this.#forward(this.#stepReturn(at));
      case 'breakpoint':
        return this.#forward(this.#breakpoint(at, action.file ?? 0, action.line));
      case 'continue':
        return this.#forward(NONE);
      case 'inv_step_into':
        return place.call ? this.#inward(this.#arrays.lastChild[at]!) : this.#back(at);
      case 'inv_step_over':
        return place.call ? to(at) : this.#back(at);
      case 'inv_step_call': {
        const call = this.#arrays.frames.first[this.#arrays.frame[at]!]!;
        if (call === at) return this.#back(at);
        // A generator that was already running when this tree's call began.
        return call >= this.first && this.#holds(call) ? to(call) : { type: 'entry' };
      }
    }
  }

  entry(at: number): StateTree {
    const { kind, frame, frames } = this.#arrays;
    if (kind[at] !== CALL) throw new RangeError(`state ${at} is no call`);
    const f = frame[at]!;
    const last = frames.last[f]!;
    // The program ends with its module, and `sys.exit(0)` is no error.
    const raised = at === 0 ? this.exit : 'error';
    const exit = !frames.ended[f] ? 'unknown' : kind[last] === RETURN ? 'normal' : raised;
    // A call that was cut lasts as long as the record; one suspended for good, until its last yield.
    const end = frames.ended[f] || kind[last] === YIELD ? last + 1 : kind.length;
    return new Tree(this.#arrays, this.#lines, at, end, exit, f);
  }

  // --- forward ---

  #forward(at: number): Move {
    return at === NONE ? { type: 'exit', exit: this.exit } : to(at);
  }

  /** One step along `links`, within this tree. */
  #following(at: number, links: Int32Array): number {
    const { kind, frame, next, frames } = this.#arrays;
    if (this.#root !== null) {
      // Who resumes the entry's own generator is no part of its tree.
      const suspended = frame[at] === this.#root && kind[at] === YIELD;
      if (!suspended) return links[at]! < this.end ? links[at]! : NONE;
      const starts = frames.runs.get(this.#root)?.starts ?? [];
      return starts[countUpTo(starts, at)] ?? NONE;
    }
    if (links[at] !== NONE) return links[at]!;
    // The end of a thread, or the end of its record: whatever was recorded next.
    if (next[at] !== NONE) return NONE;
    return at + 1 < this.end ? at + 1 : NONE;
  }

  /** Where the current call ends; from there on, one level up. */
  #stepReturn(at: number): number {
    const { frame, frames, over } = this.#arrays;
    const last = frames.stop[frame[at]!]!;
    if (last === NONE) return NONE;
    if (last === at) return this.#following(at, over);
    // A generator that this tree's call began and another one ended.
    return this.#root === null || (last < this.end && this.#holds(last)) ? last : NONE;
  }

  #breakpoint(at: number, file: number, line: number): number {
    let target = at;
    do target = this.#lines().after(file, line, target);
    while (target !== NONE && target < this.end && !this.#holds(target));
    return target < this.end ? target : NONE;
  }

  // --- backward ---

  /** Onto a state from after it: where it made calls, these are still to come. */
  #inward(at: number): Move {
    return to(at, this.#arrays.lastChild[at] !== NONE);
  }

  /** The previous state of the level, or else the one above it, met for the second time. */
  #back(at: number): Move {
    if (at === this.first) return { type: 'entry' };
    const { frame, sibling, parent, previous, frames } = this.#arrays;
    if (frame[at] === this.#root) {
      const runs = frames.runs.get(this.#root!);
      const run = runs ? countUpTo(runs.starts, at) - 1 : 0;
      if (runs?.starts[run] === at) return to(runs.stops[run - 1]!);
    }
    if (sibling[at] !== NONE) return this.#inward(sibling[at]!);
    if (parent[at] !== NONE) return to(parent[at]!);
    // The start of a thread: whatever was recorded before.
    return previous[at] === NONE && at > 0 ? to(at - 1) : { type: 'entry' };
  }

  // --- the tree's own states ---

  /** Whether a state in [first, end) belongs to this tree: not to another thread, nor to a resumer. */
  #holds(at: number): boolean {
    if (this.#root === null) return true;
    const { thread, frames } = this.#arrays;
    const runs = frames.runs.get(this.#root);
    if (!runs) return thread[at] === thread[this.first];
    const run = countUpTo(runs.starts, at) - 1;
    return at <= runs.stops[run]! && thread[at] === thread[runs.starts[run]!];
  }
}

function to(at: number, call = false): Move {
  return { type: 'place', place: { at, call } };
}
