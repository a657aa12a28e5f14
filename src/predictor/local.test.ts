import { beforeEach, describe, expect, it } from 'vitest';
import { fixtureRecording } from '../../test/fixtures.ts';
import { compactCodec, compactTokenizer, VocabularyMask } from '../language/index.ts';
import type { Situation } from '../language/types.ts';
import { sameOutcome } from '../state/index.ts';
import type { Action, Outcome } from '../state/types.ts';
import { createPredictor } from './local.ts';
import { type Oracle, oracle } from './oracle.testing.ts';
import type { Predictor } from './types.ts';

const recording = fixtureRecording('discount');
const { tree, programs } = recording;
const codec = compactCodec;
const tokenizer = compactTokenizer;

const at = (index: number) => recording.state({ at: tree.first + index, call: false });
const truth = (index: number, action: Action): Outcome => {
  const outcome = recording.outcome(tree.move({ at: tree.first + index, call: false }, action));
  if (!outcome) throw new Error('cut');
  return outcome;
};

describe('a predictor over a model that knows the answers', () => {
  let model: Oracle;
  let predictor: Predictor;

  const teach = (situation: Situation, outcome: Outcome) => {
    const before = [...codec.context(programs), ...codec.prompt(situation)];
    model.teach(tokenizer.encode(before), tokenizer.encode(codec.answer(situation, outcome)));
  };
  const situationAt = (index: number, action: Action): Situation => ({ programs, state: at(index), action });

  beforeEach(() => {
    model = oracle(tokenizer.size);
    predictor = createPredictor({
      name: 'oracle',
      model,
      tokenizer,
      codec,
      masker: new VocabularyMask(tokenizer),
    });
  });

  it('gives the true next state of every step', async () => {
    const action = { type: 'step_into' } as const;
    const indices = [...Array(tree.end - tree.first).keys()];
    for (const i of indices) teach(situationAt(i, action), truth(i, action));
    const answers = await predictor.predict(indices.map((i) => situationAt(i, action)));
    for (const i of indices)
      expect(sameOutcome(answers[i]![0]!.outcome, truth(i, action)), `state ${i}`).toBe(true);
  });

  it('takes its confidence from unmasked probabilities: their product over the answer', async () => {
    const situation = situationAt(0, { type: 'step_into' });
    const outcome = truth(0, situation.action);
    teach(situation, outcome);
    const [[answer]] = (await predictor.predict([situation])) as [
      [Awaited<ReturnType<Predictor['predict']>>[0][0]],
    ];
    const each = Math.exp(8) / (Math.exp(8) + tokenizer.size - 1);
    const tokens = tokenizer.encode(codec.answer(situation, outcome)).length;
    expect(answer!.tokens).toBe(tokens);
    expect(answer!.confidence).toBeCloseTo(each ** tokens, 5);
  });

  it('answers a return by silent steps, and says how many', async () => {
    const step = { type: 'step_into' } as const;
    for (let i = 0; i < tree.end - tree.first; i += 1) teach(situationAt(i, step), truth(i, step));
    const jump = situationAt(0, { type: 'step_return' });
    const [[answer] = []] = await predictor.predict([jump], { strategy: 'rollout' });
    expect(sameOutcome(answer!.outcome, truth(0, jump.action))).toBe(true);
    expect(answer!.strategy).toBe('rollout');
    expect(answer!.steps).toBe(tree.end - tree.first - 1);
  });

  it('rolls out every forward jump to where the tree goes', async () => {
    const step = { type: 'step_into' } as const;
    const size = tree.end - tree.first;
    for (let i = 0; i < size; i += 1) teach(situationAt(i, step), truth(i, step));
    const actions: Action[] = [
      { type: 'step_over' },
      { type: 'step_return' },
      { type: 'continue' },
      { type: 'breakpoint', line: 3 },
      { type: 'breakpoint', line: 9 },
    ];
    for (const action of actions) {
      for (let i = 0; i < size; i += 1) {
        const [[answer] = []] = await predictor.predict([situationAt(i, action)], { strategy: 'rollout' });
        expect(
          sameOutcome(answer!.outcome, truth(i, action)),
          `${JSON.stringify(action)} from ${i}: ${JSON.stringify(answer)}`,
        ).toBe(true);
      }
    }
  });

  it('never makes a malformed state, even from a model that knows nothing', async () => {
    const states = [0, 1, 3, 4, 7, 8, tree.end - tree.first - 1];
    for (const type of ['step_into', 'step_over', 'step_return', 'continue', 'inv_step_into'] as const) {
      const answers = await predictor.predict(
        states.map((i) => situationAt(i, { type })),
        { strategy: 'direct', maxTokens: 200 },
      );
      for (const [answer] of answers) {
        expect(answer!.truncated).toBeUndefined();
        expect(['state', 'exit', 'entry']).toContain(answer!.outcome.type);
      }
    }
  });

  it('marks an answer that hit the token limit', async () => {
    const [[answer] = []] = await predictor.predict([situationAt(0, { type: 'step_into' })], {
      maxTokens: 1,
    });
    expect(answer).toMatchObject({ cut: true, confidence: 0 });
    const [[unmasked] = []] = await predictor.predict([situationAt(0, { type: 'step_into' })], {
      maxTokens: 1,
      mask: false,
    });
    expect(unmasked).toMatchObject({ truncated: true, confidence: 0 });
  });

  it('samples distinct answers, the same ones for the same seed', async () => {
    const situation = situationAt(2, { type: 'step_into' });
    const options = { n: 6, seed: 3, temperature: 1, maxTokens: 60 };
    const first = await predictor.predict([situation], options);
    const again = await predictor.predict([situation], options);
    expect(first).toEqual(again);
    const texts = first[0]!.map((p) => JSON.stringify(p.outcome, (_, v) => (v instanceof Map ? [...v] : v)));
    expect(new Set(texts).size).toBe(texts.length);
  });

  it('reads the source once for all steps of a program', async () => {
    const context = tokenizer.encode(codec.context(programs)).length;
    const situations = [0, 1, 2, 3].map((i) => situationAt(i, { type: 'step_into' }));
    const prompts = situations.map((s) => tokenizer.encode(codec.prompt(s)).length);
    await predictor.predict(situations, { maxTokens: 1 });
    expect(model.appended).toBe(context + prompts.reduce((a, b) => a + b, 0));
    expect(model.alive()).toBe(1);
  });

  it('stops when asked to, and keeps no sequence', async () => {
    const signal = AbortSignal.abort(new Error('enough'));
    await expect(predictor.predict([situationAt(0, { type: 'step_into' })], { signal })).rejects.toThrow(
      'enough',
    );
    expect(model.alive()).toBeLessThanOrEqual(1);
  });
});
