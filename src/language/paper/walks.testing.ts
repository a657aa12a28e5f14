/** @file Recorded walks for this folder's tests, and the checks that hold on every step of one. */
import { expect } from 'vitest';
import { Random } from '../../common/random.ts';
import { allRecorded } from '../../dataset/fixtures.testing.ts';
import { policyOf } from '../../dataset/policy.ts';
import { sampleTrajectory } from '../../dataset/trajectory.ts';
import type { Recorded } from '../../dataset/types.ts';
import { topOf } from '../../state/advance.ts';
import type { Frame, Locals, Outcome, State } from '../../state/types.ts';
import { VocabularyMask } from '../mask.ts';
import { showPieces } from '../pieces.ts';
import type { Parsed, Piece, Situation, Step, Trajectory } from '../types.ts';
import { paperCodec as codec } from './codec.ts';
import { showsLocals } from './specials.ts';
import { paperTokenizer as tokenizer } from './tokenizer.ts';

export const mask = new VocabularyMask(tokenizer);

let runs: readonly Recorded[] | null = null;

/** A walk of a recorded program; null where there is none of the kind. The same seed, the same walk. */
export function walkOf(seed: number, policy: string, maxSteps = 30): Trajectory | null {
  runs ??= allRecorded();
  const random = new Random('paper', policy, String(seed));
  const recorded = random.pick(runs);
  return sampleTrajectory(recorded, random.pick(recorded.entries), policyOf(policy), random, maxSteps);
}

/** The same walk with other values: every text replaced by what `other` gives for it. */
export function revalued({ programs, steps, end }: Trajectory, other: (value: string) => string): Trajectory {
  const locals = (names: Locals) => new Map([...names].map(([name, value]) => [name, other(value)]));
  const frame = (one: Frame): Frame => ({ ...one, locals: locals(one.locals) });
  const state = (one: State): State => ({
    ...one,
    stack: one.stack.map(frame),
    ...(one.value !== undefined && { value: other(one.value) }),
  });
  return {
    programs,
    steps: steps.map((step) => ({ ...step, state: state(step.state) })),
    end: end.type === 'state' ? { type: 'state', state: state(end.state) } : end,
  };
}

/** Reads an answer, token by token under the mask. */
export function answered(name: string, situation: Situation, answer: readonly Piece[]): Parsed {
  const ids = tokenizer.encode(answer);
  let state = codec.mask(situation);
  ids.forEach((id, index) => {
    // Far cheaper than the whole mask, and the same of this one token.
    const next = mask.advance(state, id);
    if (!next) {
      const said = showPieces(tokenizer.decode(ids.slice(0, index + 1)));
      expect.fail(`${name}: forbidden ${said}\nafter ${showPieces(codec.prompt(situation))}`);
    }
    state = next;
  });
  expect(state.done, name).toBe(true);
  return codec.parse(situation, tokenizer.decode(ids));
}

/** What a frame's text says of a state, and where it is. */
function told({ kind, value, stack }: State) {
  const { fn, file, line, locals, known } = stack[stack.length - 1]!;
  return {
    ...{ kind, value, fn, file, line },
    ...(showsLocals(kind) && { locals: new Map([...locals].sort()), known }),
  };
}

export function compare(name: string, situation: Situation, outcome: Outcome, parsed: Parsed): void {
  if (outcome.type !== 'state' || parsed.outcome.type !== 'state') {
    expect(parsed.outcome.type, name).toBe(outcome.type);
    if (outcome.type === 'exit') expect(parsed.outcome, name).toMatchObject({ exit: outcome.exit });
    return;
  }
  const [got, real] = [parsed.outcome.state, outcome.state];
  if (parsed.ambiguous.length > 0) {
    expect([topOf(got).line, ...parsed.ambiguous], name).toContain(topOf(real).line);
    return;
  }
  // Where two scopes share a line (`def f(self): return 1` in a class), nothing tells after a breakpoint which one returns.
  const anyScope = situation.action.type === 'breakpoint' && !showsLocals(real.kind);
  expect({ ...told(got), ...(anyScope && { fn: '' }) }, name).toEqual({
    ...told(real),
    ...(anyScope && { fn: '' }),
  });
  // After a breakpoint the text does not say how deep the stack is; a generator's `step_return` can end elsewhere.
  const jumped = [...(situation.history ?? []), situation].some(({ action }) => action.type === 'breakpoint');
  if (!jumped && situation.action.type !== 'step_return') {
    expect(got.stack.length, name).toBe(real.stack.length);
  }
}

/**
 * Goes the walk again on what was read of each answer: prompts must stay the same texts, whatever the states hold that no
 * text shows. Gives the number of answers read.
 */
export function relive({ programs, steps, end }: Trajectory): number {
  const real: Step[] = [];
  const lived: Step[] = [];
  let state = steps[0]!.state;
  for (const [i, step] of steps.entries()) {
    const { action } = step;
    const name = `step ${i}, ${action.type}`;
    const truth: Situation = { programs, ...step, history: [...real] };
    const own: Situation = { programs, state, action, history: [...lived] };
    expect(showPieces(codec.prompt(own)), name).toBe(showPieces(codec.prompt(truth)));
    const next = steps[i + 1];
    const outcome: Outcome = next ? { type: 'state', state: next.state } : end;
    const said = codec.answer(truth, outcome);
    const parsed = answered(name, own, said);
    expect(showPieces(codec.answer(own, parsed.outcome)), name).toBe(showPieces(said));
    compare(name, own, outcome, parsed);
    if (parsed.outcome.type !== 'state') return i + 1;
    real.push(step);
    lived.push({ state, action });
    state = parsed.outcome.state;
  }
  return steps.length;
}
