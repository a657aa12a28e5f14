/**
 * @file How actions are drawn (paper, section 4), by name. The paper's mixed weights add up to 0.80 as printed: they are
 * renormalised. "Half the time" is taken per action, not per walk.
 */
import { NpdbError } from '../common/errors.ts';
import type { Random } from '../common/random.ts';
import type { Action, ActionType } from '../state/types.ts';
import type { Direction, Entry, Recorded } from './types.ts';

export type Weights = Readonly<Partial<Record<ActionType, number>>>;

export interface Policy {
  readonly name: string;
  readonly direction: Direction;
  /** Mixtures: a share each, and the weights of the actions within it. */
  readonly mixture: readonly { readonly share: number; readonly weights: Weights }[];
  /**
   * How likely a step that changes nothing is drawn, beside one that changes a value or ends a call. 1: all alike. For independent
   * steps only (`places.ts` has the weights of exceptions and exits).
   */
  readonly trivial: number;
}

const PAPER_MIXED: Weights = {
  step_into: 0.35,
  step_over: 0.1,
  step_return: 0.2,
  breakpoint: 0.1,
  continue: 0.05,
};

const POLICIES: Readonly<Record<string, Policy>> = {
  paper: {
    name: 'paper',
    direction: 'forward',
    mixture: [
      { share: 0.5, weights: PAPER_MIXED },
      { share: 0.5, weights: { step_into: 0.5, step_over: 0.5 } },
    ],
    trivial: 1,
  },
  'paper-inverse': {
    name: 'paper-inverse',
    direction: 'inverse',
    // The paper gives no weights backwards: its own, less what there is not.
    mixture: [
      { share: 0.5, weights: { inv_step_into: 0.35, inv_step_over: 0.1, inv_step_call: 0.2 } },
      { share: 0.5, weights: { inv_step_into: 0.5, inv_step_over: 0.5 } },
    ],
    trivial: 1,
  },
  steps: {
    name: 'steps',
    direction: 'forward',
    mixture: [{ share: 1, weights: { step_into: 1 } }],
    trivial: 0.3,
  },
  'steps-inverse': {
    name: 'steps-inverse',
    direction: 'inverse',
    mixture: [{ share: 1, weights: { inv_step_into: 1 } }],
    trivial: 0.3,
  },
  compact: {
    name: 'compact',
    direction: 'both',
    mixture: [
      { share: 0.85, weights: { step_into: 45, step_over: 20, step_return: 7, breakpoint: 7, continue: 6 } },
      { share: 0.15, weights: { inv_step_into: 5, inv_step_over: 4, inv_step_call: 6 } },
    ],
    trivial: 0.25,
  },
};

export const POLICY_NAMES: readonly string[] = Object.keys(POLICIES);

/** Throws `E_POLICY`. */
export function policyOf(name: string): Policy {
  const policy = POLICIES[name];
  if (!policy) {
    throw new NpdbError(
      'E_POLICY',
      `There is no policy ${JSON.stringify(name)}.`,
      `Use one of: ${POLICY_NAMES.join(', ')}.`,
    );
  }
  return policy;
}

/** The policies a walk codec alternates between: the one named, and its inverse twin if there is one. Throws `E_POLICY`. */
export function walkPolicies(name: string): readonly Policy[] {
  const policy = policyOf(name);
  if (policy.direction === 'both') {
    throw new NpdbError(
      'E_POLICY',
      `The policy ${JSON.stringify(name)} draws single steps, not walks.`,
      'Use --policy paper with this codec.',
    );
  }
  const twin = POLICIES[`${name}-inverse`];
  return twin ? [policy, twin] : [policy];
}

export function drawType(policy: Policy, random: Random): ActionType {
  const { weights } =
    policy.mixture[random.weighted(policy.mixture.map(({ share }, index) => [share, index] as const))]!;
  return random.weighted(
    Object.entries(weights).map(([type, weight]) => [weight, type as ActionType] as const),
  );
}

/** The action of a type; a breakpoint's line is half the time one visited later, half the time any executable one. */
export function actionOf(
  type: ActionType,
  recorded: Recorded,
  entry: Entry,
  at: number,
  random: Random,
): Action {
  if (type !== 'breakpoint') return { type };
  const { tree } = entry;
  if (at + 1 < tree.end && random.chance(0.5)) {
    const later = random.int(at + 1, tree.end - 1);
    if (tree.file[later] === 0) return { type, line: tree.line[later]! };
  }
  const lines = executable(recorded);
  return { type, line: lines.length ? random.pick(lines) : tree.line[at]! };
}

const cache = new WeakMap<object, readonly number[]>();

/** Lines of functions: the module's own ran before the walk began. */
function executable({ programs }: Recorded): readonly number[] {
  const program = programs[0]!;
  let lines = cache.get(program);
  if (!lines) {
    const all = program.scopes.flatMap((s) =>
      s.kind === 'function' || s.kind === 'lambda' ? program.linesOf(s.id) : [],
    );
    lines = [...new Set(all)].sort((a, b) => a - b);
    cache.set(program, lines);
  }
  return lines;
}
