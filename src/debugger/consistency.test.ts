import { describe, expect, it } from 'vitest';
import type { Predictor } from '../predictor/types.ts';
import { parseProgram } from '../source/index.ts';
import { rankByForward } from './consistency.ts';
import type { Candidate } from './types.ts';

const program = parseProgram('def double(x):\n    return 2 * x\n', 'main.py');

/** Predicts a call's value right, with the confidence asked for; other arguments than numbers it cannot tell. */
const doubling = (confidence: number): Predictor => ({
  name: 'doubling',
  async predict(batch) {
    return batch.map(({ state }) => {
      const x = Number(state.stack.at(-1)!.locals.get('x'));
      const told = { strategy: 'direct', steps: 1, tokens: 1 } as const;
      if (Number.isNaN(x))
        return [{ ...told, outcome: { type: 'state', state }, confidence: 0, truncated: true }];
      const value = String(2 * x);
      return [
        { ...told, confidence, outcome: { type: 'state', state: { ...state, kind: 'return', value } } },
      ];
    });
  },
  async close() {},
});

const candidate = (x: string, confidence: number): Candidate => ({
  call: `double(x=${x})`,
  arguments: new Map([['x', x]]),
  confidence,
});

describe('proposals judged by their forward prediction', () => {
  it('come first where they are predicted to give the value', async () => {
    const ranked = await rankByForward(
      program,
      '10',
      [candidate('7', 0.6), candidate("'a'", 0.5), candidate('5', 0.3)],
      doubling(0.9),
      {},
    );
    expect(ranked.map(({ call }) => call)).toEqual(['double(x=5)', 'double(x=7)', "double(x='a')"]);
    expect(ranked[0]!.confidence).toBeCloseTo(0.27);
  });

  it('keep their order where the forward prediction knows nothing', async () => {
    const ranked = await rankByForward(
      program,
      '10',
      [candidate('7', 0.6), candidate('5', 0.3)],
      doubling(0),
      {},
    );
    expect(ranked.map(({ call }) => call)).toEqual(['double(x=7)', 'double(x=5)']);
  });
});
