/**
 * @file What a walk's text has shown so far, frame by frame: what deltas are relative to. Not what the states hold: the
 * text of a `return` shows no locals, though the state has them.
 */
import { topOf } from '../../state/advance.ts';
import type { Frame, State, StateKind } from '../../state/types.ts';
import type { Situation, Step } from '../types.ts';
import type { Shown } from './locals.ts';
import { showsLocals } from './specials.ts';

export const isBackward = ({ type }: Step['action']): boolean => type.startsWith('inv_');

/** A walk as it is written: the states that are shown, each with how it was reached and what it differs from. */
export interface Written {
  readonly state: State;
  readonly backward: boolean;
  /** In full if null. */
  readonly base: Shown | null;
  readonly action: Step['action'];
}

/** Immutable: what is known of the frames on the stack of the state written last. */
export class Transcript {
  static readonly empty = new Transcript(null, new Map(), false);
  /** A breakpoint led to another frame: the text did not say which frames are below it, nor how many. */
  readonly depthUnknown: boolean;
  readonly #last: State | null;
  readonly #shown: ReadonlyMap<number, Shown>;

  private constructor(last: State | null, shown: ReadonlyMap<number, Shown>, depthUnknown: boolean) {
    this.#last = last;
    this.#shown = shown;
    this.depthUnknown = depthUnknown;
  }

  /**
   * What the locals of `frame` are written relative to; null: in full. Forwards that is the same frame's state just before,
   * and a change of scope is written in full; backwards, any frame of the stack that was shown. A call is always in full.
   */
  base(frame: Pick<Frame, 'id'>, kind: StateKind, backward: boolean): Shown | null {
    const last = this.#last;
    if (!last || kind === 'call') return null;
    const there = backward ? last.stack.some(({ id }) => id === frame.id) : topOf(last).id === frame.id;
    return there ? (this.#shown.get(frame.id) ?? null) : null;
  }

  /** `led`: the action that led to the state; null for the first. */
  after(state: State, led: Step['action'] | null): Transcript {
    const ids = new Set(state.stack.map(({ id }) => id));
    const shown = new Map([...this.#shown].filter(([id]) => ids.has(id)));
    const { id, locals, known } = topOf(state);
    if (showsLocals(state.kind)) shown.set(id, { locals, known });
    const same = this.#last && topOf(this.#last).id === id && showsLocals(state.kind);
    return new Transcript(state, shown, this.depthUnknown || (led?.type === 'breakpoint' && !same));
  }
}

export function stepsOf({ history = [], state, action }: Situation): readonly Step[] {
  return [...history, { state, action }];
}

/** The frames of a walk in order, and the transcript after the last of them. */
export function write(steps: readonly Step[]): {
  readonly written: readonly Written[];
  readonly transcript: Transcript;
} {
  const written: Written[] = [];
  let transcript = Transcript.empty;
  let led: Step['action'] | null = null;
  let edited = false;
  steps.forEach((step, index) => {
    const next = steps[index + 1];
    // The paper's `set` is a rewritten prompt: the state before the edit is not shown, the one after it is, in full.
    if (next && isEdit(step, next.state)) {
      edited = true;
      return;
    }
    const { state, action } = step;
    // A walk's first frame is of the walk's own direction.
    const backward = isBackward(led ?? action);
    const base = edited ? null : transcript.base(topOf(state), state.kind, backward);
    written.push({ state, backward, base, action });
    transcript = transcript.after(state, led);
    led = action;
    edited = false;
  });
  return { written, transcript };
}

/**
 * Whether `set` made a state from the one before, where a history has a `step_into`: all is the same but locals or globals.
 * No step gives that: it would change the line, the kind, the frames or the loop counts.
 */
export function isEdit({ state: before, action }: Step, after: State): boolean {
  if (action.type !== 'step_into' || before.kind !== after.kind || before.value !== after.value) return false;
  return (
    before.stack.length === after.stack.length &&
    before.stack.every((frame, i) => sameBut(frame, after.stack[i]!)) &&
    before.stack.some((frame, i) => !sameNames(frame, after.stack[i]!))
  );
}

function sameBut(a: Frame, b: Frame): boolean {
  return (
    a.id === b.id &&
    a.line === b.line &&
    a.known === b.known &&
    a.returned.length === b.returned.length &&
    a.loops.length === b.loops.length &&
    a.loops.every(({ line, count }, i) => b.loops[i]!.line === line && b.loops[i]!.count === count)
  );
}

function sameNames(a: Frame, b: Frame): boolean {
  const same = (x: Frame['locals'], y: Frame['locals']) =>
    x === y || (x.size === y.size && [...x].every(([name, value]) => y.get(name) === value));
  return same(a.locals, b.locals) && same(a.globals, b.globals);
}
