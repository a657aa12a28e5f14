/**
 * @file The environment as agents see it: Gymnasium's words (`reset`, `step`, observation, reward, terminated,
 * truncated, info) over a debugger's state. Everything is plain JSON; every key is always there.
 */
import type { EngineName } from '../../debugger/types.ts';
import type { Strategy } from '../../predictor/types.ts';
import type { ActionType } from '../../state/types.ts';

/** The discrete actions by number; `breakpoint` and `set` and `answer` need arguments. */
export const ACTIONS = [
  'step_into',
  'step_over',
  'step_return',
  'continue',
  'breakpoint',
  'inv_step_into',
  'inv_step_over',
  'inv_step_call',
  'set',
  'answer',
] as const satisfies readonly (ActionType | 'set' | 'answer')[];

export type ActionName = (typeof ACTIONS)[number];

/** A number or name of `ACTIONS`, or an object with its arguments. */
export type EnvAction =
  | number
  | string
  | {
      readonly type: ActionName;
      /** `breakpoint` */
      readonly line?: number | undefined;
      /** `set` */
      readonly name?: string | undefined;
      /** `set`: a Python expression; `answer`: the value the call returns, a Python literal. */
      readonly value?: string | undefined;
    };

export interface EnvProgram {
  readonly id: string;
  readonly code: string;
  /** Absent: the program is debugged as a script. */
  readonly call?: string;
  /** `repr` of what the call returns, where it is known. */
  readonly expected?: string;
}

/** What pays. Values are compared as Python compares; a part that is not given fits everything. */
export type Reward =
  | { readonly type: 'none' }
  /** 1 on reaching a state that fits; the episode ends there. */
  | {
      readonly type: 'goal';
      readonly line?: number | undefined;
      readonly function?: string | undefined;
      readonly kind?: string | undefined;
      readonly value?: string | undefined;
      readonly locals?: Readonly<Record<string, string>> | undefined;
    }
  /** 1 for an `answer` that is what the call really returns; the episode ends with it. */
  | { readonly type: 'answer' }
  /** Compared engine: 1 for each step whose prediction agrees with the real run. */
  | { readonly type: 'agreement' };

export interface EnvOptions {
  readonly programs: readonly EnvProgram[];
  readonly engine: EngineName;
  readonly strategy?: Strategy;
  /** Compared: set the model back on the real state after each difference. */
  readonly resync?: boolean;
  readonly reward?: Reward;
  /** Subtracted at every step. */
  readonly stepCost?: number;
  /** Steps until the episode is cut (`truncated`). */
  readonly maxSteps?: number;
  /** False: an end of the program ends no episode; one can walk back from it. */
  readonly endOnExit?: boolean;
}

export interface Observation {
  /** `call line return exception yield resume line_call`, or `exit`, `entry` beyond the ends. */
  readonly kind: string;
  readonly file: string | null;
  readonly line: number | null;
  /** Text of that line. */
  readonly source: string | null;
  readonly function: string | null;
  /** Frames below the current one. */
  readonly depth: number | null;
  /** Value texts by name, canonical (docs/values.md). */
  readonly locals: Readonly<Record<string, string>>;
  readonly globals: Readonly<Record<string, string>>;
  /** Returned, yielded or raised. */
  readonly value: string | null;
  /** What the program wrote on the way to this state. */
  readonly out: string;
  /** Outermost first. */
  readonly stack: readonly { readonly function: string; readonly line: number }[];
  /** `normal error never`, at an exit. */
  readonly exit: string | null;
}

export interface Info {
  readonly program: string;
  readonly call: string | null;
  readonly engine: EngineName;
  /** Of this state in the episode; several steps can lead to one. */
  readonly position: number;
  readonly steps: number;
  /** `given real predicted edited` */
  readonly origin: string;
  readonly confidence: number | null;
  readonly strategy: string | null;
  /** By number of `ACTIONS`: 1 where the action can lead on from here. */
  readonly action_mask: readonly number[];
  /** Compared engine; null where nothing real is known. */
  readonly agrees: boolean | null;
  readonly differences: readonly {
    readonly what: string;
    readonly predicted: string;
    readonly real: string;
  }[];
  /** Why the episode was cut, or the action led nowhere. */
  readonly error: { readonly code: string; readonly message: string } | null;
  /** `answer`: what was right. */
  readonly truth: string | null;
}

export interface ResetResult {
  readonly observation: Observation;
  readonly info: Info;
}

export interface StepResult extends ResetResult {
  readonly reward: number;
  readonly terminated: boolean;
  readonly truncated: boolean;
}
