/**
 * @file When a rollout has arrived: the paper's actions as conditions on a walk of `step_into` states
 * (paper, section 2). The same laws as `src/tree`, told without a recorded tree.
 */
import { internal } from '../common/errors.ts';
import type { Action, Outcome, State } from '../state/types.ts';

/** What the walk has shown so far. `seen` ends with `outcome`. */
export interface Walk {
  readonly start: State;
  readonly action: Action;
}

/**
 * `arrived`: the outcome is the answer. `previous`: the state before it was (only its successor shows that an
 * exception ended the call). `go`: step on.
 */
export type Verdict = 'arrived' | 'previous' | 'go';

export function judge(walk: Walk, previous: State, outcome: Outcome): Verdict {
  const { start, action } = walk;
  const frame = start.stack[start.stack.length - 1]!;
  const depth = start.stack.length;
  switch (action.type) {
    case 'step_into':
      return 'arrived';
    case 'step_over':
      // Never down: the first state that is not inside a call made from here.
      return outcome.type !== 'state' || outcome.state.stack.length <= depth ? 'arrived' : 'go';
    case 'step_return': {
      const has = outcome.type === 'state' && outcome.state.stack.some((f) => f.id === frame.id);
      if (!has) {
        const had = previous.stack.some((f) => f.id === frame.id);
        const suspended = previous.kind === 'yield' && previous.stack.at(-1)!.id === frame.id;
        // A generator that is only suspended has not returned: on, until it is resumed and ends, or the program does.
        if (!had || suspended) return outcome.type === 'state' ? 'go' : 'arrived';
        // The call is over: the state before this one was its end, unless the walk began there.
        return previous === start ? 'arrived' : 'previous';
      }
      return outcome.state.stack.at(-1)!.id === frame.id && outcome.state.kind === 'return'
        ? 'arrived'
        : 'go';
    }
    case 'breakpoint': {
      if (outcome.type !== 'state') return 'arrived';
      const top = outcome.state.stack[outcome.state.stack.length - 1]!;
      // Any kind of state stops, as in the paper's own example (`return r` to its `return` state).
      return top.line === action.line && top.file === (action.file ?? 0) ? 'arrived' : 'go';
    }
    case 'continue':
      return outcome.type !== 'state' ? 'arrived' : 'go';
    default:
      throw internal(`no rollout for ${action.type}`);
  }
}

/** Whether an action can be answered by stepping. */
export function canRollOut(action: Action): boolean {
  return !action.type.startsWith('inv_');
}
