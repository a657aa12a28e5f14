/** A predictor that speaks the paper's language: its prompts are the walk so far. */
import { beforeEach, describe, expect, it } from 'vitest';
import { fixtureRecording } from '../../test/fixtures.ts';
import { languageOf, VocabularyMask } from '../language/index.ts';
import type { Situation, Step } from '../language/types.ts';
import { topOf } from '../state/index.ts';
import type { Action, Outcome } from '../state/types.ts';
import { createPredictor } from './local.ts';
import { type Oracle, oracle } from './oracle.testing.ts';
import type { Predictor } from './types.ts';

const recording = fixtureRecording('discount');
const { tree, programs } = recording;
const { codec, tokenizer } = languageOf('paper');
const step: Action = { type: 'step_into' };

const state = (at: number) => recording.state({ at: tree.first + at, call: false });
const truth = (at: number, action: Action): Outcome =>
  recording.outcome(tree.move({ at: tree.first + at, call: false }, action))!;
const history = (at: number): Step[] =>
  Array.from({ length: at }, (_, i) => ({ state: state(i), action: step }));
const situation = (at: number, action: Action): Situation => ({
  programs,
  state: state(at),
  action,
  history: history(at),
});

describe('a predictor with the paper’s codec', () => {
  let model: Oracle;
  let predictor: Predictor;
  const size = tree.end - tree.first;

  beforeEach(() => {
    model = oracle(tokenizer.size);
    const masker = new VocabularyMask(tokenizer);
    predictor = createPredictor({ name: 'oracle', model, tokenizer, codec, masker });
    for (let at = 0; at < size; at++) {
      const before = [...codec.context(programs), ...codec.prompt(situation(at, step))];
      model.teach(
        tokenizer.encode(before),
        tokenizer.encode(codec.answer(situation(at, step), truth(at, step))),
      );
    }
  });

  it('walks from the entry to the exit on its own states', async () => {
    const walk: Step[] = [];
    let now = state(0);
    for (let at = 0; at < size; at++) {
      const [[answer] = []] = await predictor.predict([
        { programs, state: now, action: step, history: [...walk] },
      ]);
      const real = truth(at, step);
      expect(answer!.outcome.type, `after ${at}`).toBe(real.type);
      if (answer!.outcome.type !== 'state' || real.type !== 'state') {
        expect(answer!.outcome).toMatchObject({ exit: 'normal' });
        continue;
      }
      walk.push({ state: now, action: step });
      now = answer!.outcome.state;
      expect([now.kind, topOf(now).fn, topOf(now).line, now.value, now.stack.length]).toEqual([
        real.state.kind,
        topOf(real.state).fn,
        topOf(real.state).line,
        real.state.value,
        real.state.stack.length,
      ]);
      expect([...topOf(now).locals]).toEqual([...topOf(real.state).locals]);
    }
  });

  it('rolls a jump out with the steps as its history', async () => {
    const [[answer] = []] = await predictor.predict([situation(0, { type: 'step_return' })], {
      strategy: 'rollout',
    });
    const real = truth(0, { type: 'step_return' });
    expect(answer).toMatchObject({ strategy: 'rollout', steps: size - 1 });
    expect(answer!.outcome.type === 'state' && answer!.outcome.state.value).toBe(
      real.type === 'state' && real.state.value,
    );
  });

  it('stops at either end of an answer without a mask', async () => {
    const last = situation(size - 1, step);
    const [[exit] = []] = await predictor.predict([last], { mask: false });
    expect(exit).toMatchObject({ outcome: { type: 'exit', exit: 'normal' }, tokens: 4 });
    const [[next] = []] = await predictor.predict([situation(0, step)], { mask: false });
    expect(next!.truncated).toBeUndefined();
    expect(next!.outcome.type).toBe('state');
  });
});
