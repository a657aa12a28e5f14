/**
 * @file The states of a recorded run by index. Events are deltas, so states are folded on demand: one is kept
 * every `interval` events, any other is folded from the one before it.
 */
import type { Program } from '../source/types.ts';
import type { Trace } from '../trace/types.ts';
import { advance, type FoldContext } from './advance.ts';
import type { State } from './types.ts';

export class TraceStates implements Iterable<State> {
  readonly #trace: Trace;
  readonly #context: FoldContext;
  readonly #interval: number;
  /** `#kept[k]` is the state at event `k * interval`. */
  readonly #kept: State[] = [];
  #last: { readonly at: number; readonly state: State } | null = null;

  /** `interval`: events between kept states; the most that a jump to any index has to fold. */
  constructor(trace: Trace, programs: readonly (Program | undefined)[], interval = 256) {
    this.#trace = trace;
    this.#context = { programs };
    this.#interval = interval;
  }

  get length(): number {
    return this.#trace.events.length;
  }

  /** The state at event `index`, 0 <= index < length. Next to the last one asked for: one event's work. */
  at(index: number): State {
    if (!(index >= 0 && index < this.length)) throw new RangeError(`no state ${index} of ${this.length}`);
    const slot = Math.min(Math.floor(index / this.#interval), this.#kept.length - 1);
    let at = slot < 0 ? -1 : slot * this.#interval;
    let state = slot < 0 ? null : this.#kept[slot]!;
    if (this.#last && this.#last.at <= index && this.#last.at > at) ({ at, state } = this.#last);
    while (at < index) {
      at++;
      state = advance(state, this.#trace.events[at]!, this.#context);
      if (at === this.#kept.length * this.#interval) this.#kept.push(state);
    }
    this.#last = { at, state: state! };
    return state!;
  }

  /** All states in order; keeps none of them. */
  *[Symbol.iterator](): IterableIterator<State> {
    let state: State | null = null;
    for (const event of this.#trace.events) yield (state = advance(state, event, this.#context));
  }
}

/** The states of a trace; `programs` by file index, as in the trace's header. */
export function statesOf(trace: Trace, programs: readonly (Program | undefined)[]): TraceStates {
  return new TraceStates(trace, programs);
}

/** The state as a walk sees it that began in the frame at `depth`: the frames below that one are left out. */
export function rootedAt(state: State, depth: number): State {
  return depth === 0 ? state : { ...state, stack: state.stack.slice(depth) };
}
