/**
 * @file One judged state as a line of JSON: what the figures, the plots and the examples of a report are made from. An
 * evaluation that was interrupted reads its lines back and goes on after them.
 */
import type { Prediction } from '../predictor/types.ts';
import { diffOutcome, sameOutcome } from '../state/index.ts';
import type { ActionType, Difference, Outcome, State, StateKind } from '../state/types.ts';
import { constructOf } from './construct.ts';
import type { Sample } from './sample.ts';

/** A state as a report shows it: the current frame. */
export interface StateView {
  /** `exit: normal`, `entry`, or the event's kind. */
  readonly event: string;
  readonly fn?: string;
  readonly line?: number;
  readonly depth?: number;
  readonly value?: string;
  readonly locals?: Readonly<Record<string, string>>;
}

export interface StateRecord {
  /** The run and the place in it. */
  readonly id: string;
  readonly action: ActionType;
  /** Of a breakpoint. */
  readonly line?: number;
  readonly right: boolean;
  readonly changed: boolean;
  /** Share of the run's states that were skipped, 0..1. */
  readonly skipped: number;
  /** Events of the run, from the call on. */
  readonly length: number;
  /** What the current line is: `while`, `return`, `comprehension`, ... */
  readonly construct: string;
  /** What the truth is: a state or an end, and whether a state has a value. */
  readonly truth: 'state' | 'value' | 'end';
  /** Parts in which the answer differs; all that could, where there is no whole answer. */
  readonly wrong: readonly Difference['part'][];
  /** 0..1. */
  readonly confidence: number;
  readonly tokens: number;
  readonly malformed?: true;
  readonly cut?: true;
  readonly refused?: true;
  readonly forbidden?: true;
  /** Whether the baseline is right. */
  readonly baseline: boolean;
  /** Only where the answer is wrong: the program, and the states before, predicted and real. */
  readonly shown?: Shown;
}

export interface Shown {
  readonly source: string;
  readonly before: StateView;
  readonly predicted: StateView | null;
  readonly real: StateView;
}

/** Names a sample within one evaluation: the same state may be asked about several breakpoints. */
export function keyOf(of: {
  readonly id: string;
  readonly action: ActionType;
  readonly line?: number;
}): string {
  return `${of.action} ${of.id}${of.line === undefined ? '' : ` ${of.line}`}`;
}

export function sampleKey({ id, situation }: Sample): string {
  const { action } = situation;
  return keyOf({ id, action: action.type, ...(action.type === 'breakpoint' && { line: action.line }) });
}

const ALL: readonly Difference['part'][] = ['event', 'line', 'local', 'value', 'exit'];

/** `allowed`: whether the mask lets the truth through. */
export function recordOf(
  sample: Sample,
  prediction: Prediction,
  copied: Prediction,
  allowed: boolean,
): StateRecord {
  const { situation, truth } = sample;
  const { action, state, programs } = situation;
  const whole = prediction.truncated !== true;
  const right = whole && sameOutcome(prediction.outcome, truth);
  const wrong = whole ? [...new Set(diffOutcome(prediction.outcome, truth).map((d) => d.part))] : ALL;
  const round = (x: number) => Number(x.toFixed(6));
  return {
    id: sample.id,
    action: action.type,
    ...(action.type === 'breakpoint' && { line: action.line }),
    right,
    changed: sample.changed,
    skipped: round(sample.skipped),
    length: sample.length,
    construct: constructOf(state, programs),
    truth: truth.type !== 'state' ? 'end' : truth.state.value === undefined ? 'state' : 'value',
    wrong: right ? [] : wrong,
    confidence: round(prediction.confidence),
    tokens: prediction.tokens,
    ...(!whole && !prediction.refused && { malformed: true as const }),
    ...(prediction.cut && { cut: true as const }),
    ...(prediction.refused && { refused: true as const }),
    ...(!allowed && { forbidden: true as const }),
    baseline: sameOutcome(copied.outcome, truth),
    ...(!right && {
      shown: {
        source: programs[0]!.text,
        before: viewOf({ type: 'state', state }),
        predicted: whole ? viewOf(prediction.outcome) : null,
        real: viewOf(truth),
      },
    }),
  };
}

export function viewOf(outcome: Outcome): StateView {
  if (outcome.type === 'entry') return { event: 'entry' };
  if (outcome.type === 'exit') return { event: `exit: ${outcome.exit}` };
  return stateView(outcome.state);
}

// --- internal ---

const stateView = ({ kind, stack, value }: State): StateView => {
  const top = stack.at(-1)!;
  return {
    event: kind satisfies StateKind,
    fn: top.fn,
    line: top.line,
    depth: stack.length - 1,
    ...(value !== undefined && { value }),
    ...(top.known && { locals: Object.fromEntries(top.locals) }),
  };
};
