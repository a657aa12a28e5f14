/**
 * @file The rules of one editor session: all its breakpoints together, asked at each state of a walk. Keeps what a
 * walk must remember (the state before, where an exception began) and says why it stopped.
 */
import { NpdbError } from '../../common/errors.ts';
import type { State } from '../../state/types.ts';
import { parseValue } from '../../values/parse.ts';
import type { Stop, Stops } from '../control.ts';
import type { Debugger, Position } from '../types.ts';
import { hitHolds } from './hits.ts';
import { logText } from './log.ts';
import type { AnyPoint, Cause, ExceptionRule, ExceptionRules } from './types.ts';
import { changeText } from './watch.ts';

export interface RuleEvents {
  /** A log point's line. */
  readonly log?: (text: string, point: AnyPoint, position: Position) => void;
  /** Each state of a walk, before it is asked whether to stop. */
  readonly visit?: (position: Position, state: State, before: State | null) => void;
  /** A condition could not be decided. */
  readonly problem?: (text: string) => void;
}

export class StopRules implements Stops {
  points: readonly AnyPoint[] = [];
  exceptions: ExceptionRules = {};
  /** Walk state by state although nothing can stop it: what is passed on the way matters. */
  always = false;
  /** Why the last motion stopped; null where no rule of ours did. */
  cause: Cause | null = null;
  readonly #events: RuleEvents;
  readonly #hits = new Map<number, number>();
  #before: State | null = null;
  #backwards = false;
  /** Where the exception under way began; backwards: where the walk last saw it. */
  #raised: number | null = null;
  #depth = 0;

  constructor(events: RuleEvents = {}) {
    this.#events = events;
  }

  get active(): boolean {
    return this.always || this.points.length > 0 || this.exceptions.raised !== undefined;
  }

  /** Where the exception now under way was raised on this walk; null if it was before, or there is none. */
  get raisedAt(): number | null {
    return this.#raised;
  }

  /** Before each motion. */
  begin(debug: Debugger, backwards: boolean): void {
    const { outcome } = debug.current;
    this.#before = outcome.type === 'state' ? outcome.state : null;
    this.#backwards = backwards;
    this.#raised = null;
    this.cause = null;
  }

  /** Forgets the counts: the program starts again. */
  reset(): void {
    this.#hits.clear();
  }

  async at(debug: Debugger, position: Position, state: State): Promise<Stop | null> {
    const before = this.#before;
    this.#before = state;
    this.#events.visit?.(position, state, before);
    const raised = await this.#exception(debug, position, state, before);
    if (raised) return raised;
    const lines: number[] = [];
    for (const point of this.points) {
      const text = this.#matches(debug, point, state, before);
      if (text === null || !(await this.#holds(debug, point))) continue;
      if (point.type === 'data') {
        this.cause = { type: 'data', ids: [point.id], text };
        return { position, reason: 'breakpoint' };
      }
      if (point.type === 'line' && point.log !== undefined) {
        this.#events.log?.(await logText(debug, point.log), point, position);
      } else {
        lines.push(point.id);
        this.cause = { type: point.type, ids: [...lines] };
      }
    }
    return lines.length > 0 ? { position, reason: 'breakpoint' } : null;
  }

  /** What the point says of this state; null: it is not about it. */
  #matches(debug: Debugger, point: AnyPoint, state: State, before: State | null): string | null {
    const top = state.stack.at(-1)!;
    switch (point.type) {
      case 'line':
        return state.kind === 'line' && top.file === point.file && top.line === point.line ? '' : null;
      case 'function': {
        const named = top.fn === point.name || top.fn.split('.').pop() === point.name;
        return state.kind === 'call' && named ? '' : null;
      }
      case 'data': {
        if (!before) return null;
        const [older, newer] = this.#backwards ? [state, before] : [before, state];
        return changeText(point.target, older, newer, debug.programs);
      }
    }
  }

  /** A hit counts where the condition holds (as bdb's ignore count does). */
  async #holds(debug: Debugger, point: AnyPoint): Promise<boolean> {
    if (point.condition !== undefined && !(await this.#decide(debug, point.condition))) return false;
    const hits = (this.#hits.get(point.id) ?? 0) + 1;
    this.#hits.set(point.id, hits);
    return hitHolds(point.hit, hits);
  }

  /** An undecided condition stops, as in bdb, and says why. */
  async #decide(debug: Debugger, condition: string): Promise<boolean> {
    const result = await debug.evaluate(`bool(${condition})`);
    if (result.type === 'value') return result.value === 'True';
    const why = result.type === 'error' ? result.error : result.why;
    this.#events.problem?.(`The condition \`${condition}\` was not decided: ${why}`);
    return true;
  }

  /**
   * An exception passes through every frame it leaves, with a state in each. Forwards it is raised at the first of
   * them, innermost; backwards that is the last one met, so the walk looks one state further and comes back.
   */
  async #exception(
    debug: Debugger,
    position: Position,
    state: State,
    before: State | null,
  ): Promise<Stop | null> {
    const depth = state.stack.length;
    const wanted = this.exceptions.raised;
    if (this.#backwards) {
      // The line that made the call comes between the exception in its frame and in the callee's.
      if (state.kind === 'line_call') return null;
      const met = this.#raised;
      const inner = state.kind === 'exception' && depth > this.#depth;
      this.#raised = state.kind === 'exception' ? position.id : null;
      this.#depth = depth;
      if (met === null || inner || !wanted) return null;
      return this.#stopAt(debug, met, wanted);
    }
    if (state.kind !== 'exception') {
      this.#raised = null;
      return null;
    }
    if (before?.kind === 'exception' && before.stack.length > depth) return null;
    this.#raised = position.id;
    return wanted ? this.#stopAt(debug, position.id, wanted) : null;
  }

  async #stopAt(debug: Debugger, id: number, rule: ExceptionRule): Promise<Stop | null> {
    const here = debug.current.id;
    const position = debug.goto(id);
    if (await this.#wanted(debug, rule, position)) {
      this.cause = { type: 'exception', uncaught: false, text: exceptionOf(position) };
      return { position, reason: 'breakpoint' };
    }
    debug.goto(here);
    return null;
  }

  async #wanted(debug: Debugger, rule: ExceptionRule, position: Position): Promise<boolean> {
    if (rule.types && !rule.types.includes(exceptionType(exceptionOf(position)))) return false;
    return rule.condition === undefined || this.#decide(debug, rule.condition);
  }

  /** After the program ended with an error: back to where that was raised, if this is asked for and the walk saw it. */
  async uncaught(debug: Debugger): Promise<Stop | null> {
    const rule = this.exceptions.uncaught;
    if (!rule || this.#raised === null) return null;
    const end = debug.current.id;
    const position = debug.goto(this.#raised);
    if (await this.#wanted(debug, rule, position)) {
      this.cause = { type: 'exception', uncaught: true, text: exceptionOf(position) };
      return { position, reason: 'breakpoint' };
    }
    debug.goto(end);
    return null;
  }
}

/** `ValueError('x')` of an exception state. */
export function exceptionOf(position: Position): string {
  const { outcome } = position;
  return outcome.type === 'state' && outcome.state.kind === 'exception' ? (outcome.state.value ?? '') : '';
}

/** `ValueError` of `ValueError('x')`. */
export function exceptionType(text: string): string {
  try {
    const value = parseValue(text);
    return value.type === 'call' ? value.name : text;
  } catch (error) {
    // A model's text may be no value.
    if (error instanceof NpdbError) return text;
    throw error;
  }
}
