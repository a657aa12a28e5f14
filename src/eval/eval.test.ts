import { describe, expect, it } from 'vitest';
import { fixtureRecording } from '../../test/fixtures.ts';
import { Random } from '../common/random.ts';
import { fakePredictor } from '../debugger/fake.ts';
import type { Prediction, Predictor } from '../predictor/types.ts';
import { sameOutcome } from '../state/index.ts';
import type { Outcome } from '../state/types.ts';
import { baselinePredictor } from './baseline.ts';
import { cruxeval } from './cruxeval.ts';
import { share } from './interval.ts';
import { draw, nextState } from './nextState.ts';
import { ACTIONS, sampleFrom } from './sample.ts';

const recording = fixtureRecording('discount');
const size = recording.tree.end - recording.tree.first;

describe('shares', () => {
  it('have the Wilson interval', () => {
    // By hand for 8 of 10: centre 0.7167, half-width 0.2264.
    expect(share(8, 10).low).toBeCloseTo(0.4902, 3);
    expect(share(8, 10).high).toBeCloseTo(0.9433, 3);
    expect(share(0, 10)).toMatchObject({ share: 0, low: 0 });
    expect(share(0, 0)).toMatchObject({ share: 0, low: 0, high: 1 });
  });
});

describe('samples', () => {
  it('are the same for the same seed, and distinct', () => {
    for (const type of ACTIONS) {
      const samples = draw([recording], type, 8, 1);
      expect(draw([recording], type, 8, 1)).toEqual(samples);
      const keys = samples.map((s) => JSON.stringify([s.id, s.situation.action]));
      expect(new Set(keys).size).toBe(keys.length);
    }
  });

  it('ask inverse jumps from a return value alone: no local, no caller', () => {
    const random = new Random(3);
    for (let i = 0; i < 30; i += 1) {
      const sample = sampleFrom(recording, 'inv_step_call', random)!;
      const { state } = sample.situation;
      expect(state).toMatchObject({ kind: 'return', stack: [{ known: false }] });
      expect(state.stack[0]!.locals.size).toBe(0);
      expect(sample.truth).toMatchObject({ type: 'state', state: { kind: 'call' } });
      expect(sample.truth.type === 'state' && sample.truth.state.stack).toHaveLength(1);
    }
  });

  it('count as changed only where copying the locals and the value is wrong', () => {
    for (const sample of draw([recording], 'step_into', size, 1)) {
      const { truth, changed, situation } = sample;
      if (truth.type !== 'state') continue;
      const top = truth.state.stack.at(-1)!;
      const old = situation.state.stack.find((f) => f.id === top.id);
      const same = old !== undefined && [...top.locals].every(([n, v]) => old.locals.get(n) === v);
      if (truth.state.value === undefined && same && old.locals.size === top.locals.size) {
        expect(changed).toBe(false);
      } else if (!same) expect(changed).toBe(true);
    }
  });
});

describe('next-state accuracy', () => {
  const options = { limit: size, seed: 1, predict: {} };
  const forward = ['step_into', 'step_over', 'step_return', 'breakpoint', 'continue'] as const;

  it('is 1 for a predictor that is always right', async () => {
    const scores = await nextState([recording], fakePredictor(recording), baselinePredictor(), {
      ...options,
      actions: forward,
    });
    for (const type of forward)
      expect(scores[type], type).toMatchObject({ exact_match: 1, malformed: 0, refused: 0 });
  });

  it('tells in which part a predictor errs', async () => {
    const wrong = (outcome: Outcome): Outcome => {
      if (outcome.type !== 'state') return outcome;
      const top = outcome.state.stack.at(-1)!;
      const locals = new Map(top.locals).set('ghost', '1');
      return {
        type: 'state',
        state: { ...outcome.state, stack: [...outcome.state.stack.slice(0, -1), { ...top, locals }] },
      };
    };
    const scores = await nextState([recording], fakePredictor(recording, wrong), baselinePredictor(), {
      ...options,
      actions: ['step_into'],
    });
    expect(scores.step_into!.states.share).toBe(0);
    expect(scores.step_into!.locals.share).toBe(0);
    expect(scores.step_into!.event_and_line.share).toBe(1);
    expect(scores.step_into!.value.share).toBe(1);
  });

  it('counts what was refused or cut short as wrong', async () => {
    const mute: Predictor = {
      name: 'mute',
      predict: async (batch) =>
        batch.map((s): Prediction[] => [
          {
            outcome: { type: 'state', state: s.state },
            confidence: 0,
            strategy: 'direct',
            steps: 0,
            tokens: 0,
            truncated: true,
          },
        ]),
      async close() {},
    };
    const scores = await nextState([recording], mute, baselinePredictor(), {
      ...options,
      actions: ['step_into'],
    });
    expect(scores.step_into).toMatchObject({ exact_match: 0, malformed: scores.step_into!.n });
  });

  it('gives the baseline what copying gets right, and no changed state', async () => {
    const scores = await nextState([recording], fakePredictor(recording), baselinePredictor(), {
      ...options,
      actions: ['step_into'],
    });
    const samples = draw([recording], 'step_into', size, 1);
    const answers = await baselinePredictor().predict(samples.map((s) => s.situation));
    const hits = samples.filter((s, i) => sameOutcome(answers[i]![0]!.outcome, s.truth)).length;
    expect(hits).toBeGreaterThan(0);
    expect(scores.step_into!.baseline.hits).toBe(hits);
    expect(scores.step_into!.baseline_changed.hits).toBe(0);
  });
});

describe('CRUXEval output', () => {
  const program = { id: 'a', code: 'def f(x):\n    return x + 1\n', calls: ['f(1)'], expected: ['2'] };
  const saying = (value: string): Predictor => ({
    name: 'says one thing',
    predict: async (batch) =>
      batch.map(({ state }): Prediction[] => [
        {
          outcome: { type: 'state', state: { ...state, kind: 'return', value } },
          confidence: 1,
          strategy: 'direct',
          steps: 1,
          tokens: 1,
        },
      ]),
    async close() {},
  });
  const judged = async (value: string, expected = '2') =>
    (await cruxeval([{ ...program, expected: [expected] }], saying(value), { mode: 'output', predict: {} }))
      .pass_at_1;

  it('compares values, not texts', async () => {
    expect(await judged('2')).toBe(1);
    expect(await judged('3')).toBe(0);
    expect(await judged('{2, 1}', '{1, 2}')).toBe(1);
    expect(await judged("{'b': 1, 'a': 2}", "{'a': 2, 'b': 1}")).toBe(1);
  });

  it('takes nothing for an answer that is no literal: an echo of the call, an object equal to all', async () => {
    expect(await judged('<built-in function f>')).toBe(0);
    expect(await judged('Any()')).toBe(0);
  });

  it('refuses a set that states no outputs before it predicts', async () => {
    const set = [program, { ...program, id: 'b', expected: [null] }];
    await expect(cruxeval(set, saying('2'), { mode: 'output', predict: {} })).rejects.toMatchObject({
      code: 'E_NO_EXPECTED',
    });
  });
});
