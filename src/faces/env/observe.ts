/** @file Positions as observations: plain JSON of fixed shape. Pure. */
import type { Debugger, Position } from '../../debugger/types.ts';
import type { State } from '../../state/types.ts';
import { canonicalLiteral, parseValue, pythonEqual } from '../../values/index.ts';
import { ACTIONS, type Observation, type Reward } from './types.ts';

const NOWHERE = {
  file: null,
  line: null,
  source: null,
  function: null,
  depth: null,
  locals: {},
  globals: {},
  stack: [],
} as const;

export function observe({ outcome }: Position, debug: Debugger): Observation {
  if (outcome.type === 'entry') return { ...NOWHERE, kind: 'entry', value: null, out: '', exit: null };
  if (outcome.type === 'exit') {
    const { exit, exception = null, out = '' } = outcome;
    return { ...NOWHERE, kind: 'exit', value: exception, out, exit };
  }
  const { state } = outcome;
  const top = state.stack.at(-1)!;
  const program = debug.programs[top.file];
  return {
    kind: state.kind,
    file: program?.name ?? null,
    line: top.line,
    source: program?.lines[top.line - 1]?.trim() ?? null,
    function: top.fn,
    depth: state.stack.length - 1,
    locals: Object.fromEntries(top.locals),
    globals: Object.fromEntries(top.globals),
    value: state.value ?? null,
    out: [state.out, state.err].filter(Boolean).join(''),
    stack: state.stack.map(({ fn, line }) => ({ function: fn, line })),
    exit: null,
  };
}

const BACKWARDS = new Set<string>(['inv_step_into', 'inv_step_over', 'inv_step_call']);

/** What can lead on: only back from an exit, only forwards from the entry; an answer only where one is asked for. */
export function actionMask({ outcome }: Position, reward: Reward): number[] {
  return ACTIONS.map((name) => {
    if (name === 'answer') return Number(reward.type === 'answer');
    if (outcome.type === 'state') return 1;
    return Number(name !== 'set' && BACKWARDS.has(name) === (outcome.type === 'exit'));
  });
}

export function fitsGoal(state: State, goal: Extract<Reward, { type: 'goal' }>): boolean {
  const top = state.stack.at(-1)!;
  return (
    (goal.line === undefined || goal.line === top.line) &&
    (goal.function === undefined || goal.function === top.fn) &&
    (goal.kind === undefined || goal.kind === state.kind) &&
    (goal.value === undefined || sameValue(state.value, goal.value)) &&
    Object.entries(goal.locals ?? {}).every(([name, value]) => sameValue(top.locals.get(name), value))
  );
}

/** As Python compares, where both are literals; else as texts. */
export function sameValue(left: string | undefined, right: string): boolean {
  if (left === undefined) return false;
  const [a, b] = [left, right].map((text) => canonicalLiteral(text));
  if (!a || !b) return left.trim() === right.trim();
  return pythonEqual(parseValue(a), parseValue(b)) === true;
}
