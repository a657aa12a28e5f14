import { describe, expect, it } from 'vitest';
import { choosing, fakeModel } from './fake.ts';

describe('fakeModel', () => {
  const make = () =>
    fakeModel({ vocabularySize: 5, contextLength: 6, logits: choosing(5, (ids) => ids.length % 5) });
  const likeliest = (logits: Float32Array | undefined) => logits!.indexOf(Math.max(...logits!));

  it('answers by the ids of each sequence and counts what it computed', async () => {
    const model = make();
    const [s, t] = [model.create(), model.create()];
    const first = await model.append([
      { sequence: s, ids: [1, 2] },
      { sequence: t, ids: [3] },
    ]);
    expect(first.map(likeliest)).toEqual([2, 1]);
    const fork = model.fork(s);
    await model.append([{ sequence: fork, ids: [4] }]);
    expect([s.ids, fork.ids]).toEqual([
      [1, 2],
      [1, 2, 4],
    ]);
    model.rewind(fork, 1);
    expect(likeliest((await model.append([{ sequence: fork, ids: [0, 0] }]))[0])).toBe(3);
    expect([model.appended, model.calls]).toEqual([6, 3]);
  });

  it('keeps the limits of a real one', async () => {
    const model = make();
    const s = model.create();
    await expect(model.append([{ sequence: s, ids: [1, 2, 3, 4, 5, 6, 7] }])).rejects.toMatchObject({
      code: 'E_CONTEXT_LENGTH',
    });
    expect(s.length).toBe(0);
    model.release(s);
    expect(() => model.fork(s)).toThrow();
  });
});
