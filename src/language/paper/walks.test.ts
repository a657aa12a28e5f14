/** The paper's codec on recorded runs: every answer is read back, and allowed by the mask; walks live on their own text. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { allRecorded } from '../../dataset/fixtures.testing.ts';
import { policyOf } from '../../dataset/policy.ts';
import { Random } from '../../dataset/random.ts';
import { sampleTrajectory } from '../../dataset/trajectory.ts';
import { topOf } from '../../state/advance.ts';
import type { Outcome, State } from '../../state/types.ts';
import { parseTrace } from '../../trace/index.ts';
import { VocabularyMask } from '../mask.ts';
import { showPieces } from '../pieces.ts';
import type { Parsed, Piece, Situation, Step, Trajectory } from '../types.ts';
import { type Case, casesOf } from '../walks.testing.ts';
import { paperCodec as codec } from './codec.ts';
import { showsLocals } from './specials.ts';
import { paperTokenizer as tokenizer } from './tokenizer.ts';

const mask = new VocabularyMask(tokenizer);

/** Reads the true answer back, token by token under the mask. */
function answered(name: string, situation: Situation, answer: readonly Piece[]): Parsed {
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
function told({ kind, value, stack }: State, line = true) {
  const top = stack[stack.length - 1]!;
  return {
    kind,
    value,
    fn: top.fn,
    file: top.file,
    ...(line && { line: top.line }),
    ...(showsLocals(kind) && { locals: new Map([...top.locals].sort()), known: top.known }),
  };
}

function compare(name: string, situation: Situation, outcome: Outcome, parsed: Parsed): void {
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
  expect(told(got), name).toEqual(told(real));
  // After a breakpoint the text does not say how deep the stack is.
  const jumped = [...(situation.history ?? []), situation].some(({ action }) => action.type === 'breakpoint');
  if (!jumped && situation.action.type !== 'step_return') {
    expect(got.stack.length, name).toBe(real.stack.length);
  }
}

function check({ name, situation, outcome }: Case): void {
  compare(name, situation, outcome, answered(name, situation, codec.answer(situation, outcome)));
}

/** Goes the walk again on what was read of each answer, and holds that the prompts stay the same texts. */
function relive({ programs, steps, end }: Trajectory, name: string): void {
  const real: Step[] = [];
  const lived: Step[] = [];
  let state = steps[0]!.state;
  for (const [i, step] of steps.entries()) {
    const { action } = step;
    const truth: Situation = { programs, ...step, history: [...real] };
    const own: Situation = { programs, state, action, history: [...lived] };
    expect(showPieces(codec.prompt(own)), name).toBe(showPieces(codec.prompt(truth)));
    const next = steps[i + 1];
    const outcome: Outcome = next ? { type: 'state', state: next.state } : end;
    const said = codec.answer(truth, outcome);
    const parsed = answered(`${name} step ${i} ${action.type}`, own, said);
    expect(showPieces(said)).toBe(showPieces(codec.answer(own, parsed.outcome)));
    compare(`${name} step ${i} ${action.type}`, own, outcome, parsed);
    if (parsed.outcome.type !== 'state') return;
    real.push(step);
    lived.push({ state, action });
    state = parsed.outcome.state;
  }
}

describe('the paper codec on recorded runs', () => {
  it.each(['total', 'zero', 'error'])('answers everything about %s', (name) => {
    const path = join(import.meta.dirname, `../../../test/fixtures/language/${name}.jsonl`);
    const trace = parseTrace(readFileSync(path, 'utf8'));
    let count = 0;
    for (const one of casesOf(trace, (n) => n % 23 === 0)) {
      check(one);
      count++;
    }
    expect(count).toBeGreaterThan(100);
  });

  it.each(['paper', 'paper-inverse', 'steps', 'steps-inverse'])('lives on its own text: %s', (name) => {
    const random = new Random('walks', name);
    for (const recorded of allRecorded()) {
      for (const entry of recorded.entries.slice(0, 6)) {
        const walk = sampleTrajectory(recorded, entry, policyOf(name), random, 40);
        if (walk) relive(walk, `${recorded.id} from ${entry.at}`);
      }
    }
  });
});
