import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadModel } from './load.ts';
import type { LoadedModel } from './session.ts';

const DIR = new URL('../../test/fixtures/tiny-model/', import.meta.url).pathname;

interface Reference {
  readonly ids: readonly number[];
  /** Logits after id `first`, `first + 1`, ... by PyTorch. */
  readonly first: number;
  readonly logits: readonly (readonly number[])[];
}

describe('a cached model gives the logits of PyTorch', () => {
  let model: LoadedModel;
  let reference: Record<'a' | 'b' | 'c' | 'd', Reference>;

  beforeAll(async () => {
    model = await loadModel(DIR);
    reference = JSON.parse(await readFile(`${DIR}reference.json`, 'utf8'));
  });
  afterAll(() => model.close());

  /** Compares with what PyTorch gives after the first `length` ids of a reference sequence. */
  function expectAfter(name: keyof typeof reference, length: number, logits: Float32Array | undefined): void {
    const row = reference[name].logits[length - 1 - reference[name].first]!;
    expect(logits).toHaveLength(model.vocabularySize);
    const worst = Math.max(...row.map((x, i) => Math.abs(x - logits![i]!)));
    expect(worst).toBeLessThan(1e-3);
  }
  const ids = (name: keyof typeof reference, from: number, to?: number) =>
    reference[name].ids.slice(from, to);

  it('the reference tells sequences apart, so agreeing with it means something', () => {
    const spread = Math.max(...reference.a.logits[0]!) - Math.min(...reference.a.logits[0]!);
    expect(spread).toBeGreaterThan(2);
    expect(reference.b.logits[8]![0]).not.toBeCloseTo(reference.c.logits[8]![0]!, 2);
  });

  it('read at once', async () => {
    const s = model.create();
    const [logits] = await model.append([{ sequence: s, ids: ids('a', 0) }]);
    expectAfter('a', 40, logits);
    expect(s.length).toBe(40);
    expect(s.ids).toEqual(reference.a.ids);
  });

  it('read id by id', async () => {
    const s = model.create();
    for (let n = 1; n <= 40; n++) {
      const [logits] = await model.append([{ sequence: s, ids: ids('a', n - 1, n) }]);
      if (n > 10) expectAfter('a', n, logits);
    }
  });

  it('read in uneven parts', async () => {
    const s = model.create();
    await model.append([{ sequence: s, ids: ids('a', 0, 7) }]);
    for (const [from, to] of [
      [7, 12],
      [12, 13],
      [13, 29],
      [29, 40],
    ] as const) {
      const [logits] = await model.append([{ sequence: s, ids: ids('a', from, to) }]);
      expectAfter('a', to, logits);
    }
  });

  it('forked: branches go their own ways and leave the trunk alone', async () => {
    const trunk = model.create();
    await model.append([{ sequence: trunk, ids: ids('a', 0, 18) }]);
    const b = model.fork(trunk);
    const c = model.fork(trunk);
    expectAfter('b', 32, (await model.append([{ sequence: b, ids: ids('b', 18) }]))[0]);
    expectAfter('a', 19, (await model.append([{ sequence: trunk, ids: ids('a', 18, 19) }]))[0]);
    expectAfter('c', 27, (await model.append([{ sequence: c, ids: ids('c', 18) }]))[0]);
    const again = model.fork(trunk);
    expectAfter('a', 24, (await model.append([{ sequence: again, ids: ids('a', 19, 24) }]))[0]);
    const d = model.fork(again);
    model.release(again);
    expectAfter('d', 27, (await model.append([{ sequence: d, ids: ids('d', 24) }]))[0]);
    expectAfter('a', 40, (await model.append([{ sequence: trunk, ids: ids('a', 19) }]))[0]);
    expect(b.ids).toEqual(reference.b.ids);
    expect(trunk.ids).toEqual(reference.a.ids);
  });

  it('rewound: into its own part, into the part it shares, to nothing', async () => {
    const s = model.create();
    await model.append([{ sequence: s, ids: ids('b', 0, 20) }]);
    await model.append([{ sequence: s, ids: ids('b', 20) }]);
    model.rewind(s, 25);
    expectAfter('b', 32, (await model.append([{ sequence: s, ids: ids('b', 25) }]))[0]);
    model.rewind(s, 18);
    expectAfter('c', 27, (await model.append([{ sequence: s, ids: ids('c', 18) }]))[0]);
    model.rewind(s, 0);
    expect(s.ids).toEqual([]);
    expectAfter('a', 24, (await model.append([{ sequence: s, ids: ids('a', 0, 24) }]))[0]);
    model.rewind(s, 24);
    expectAfter('d', 27, (await model.append([{ sequence: s, ids: ids('d', 24) }]))[0]);
  });

  it('a rewind of a fork leaves the other side as it was', async () => {
    const s = model.create();
    await model.append([{ sequence: s, ids: ids('a', 0, 10) }]);
    await model.append([{ sequence: s, ids: ids('a', 10, 24) }]);
    const fork = model.fork(s);
    model.rewind(fork, 18);
    expectAfter('b', 32, (await model.append([{ sequence: fork, ids: ids('b', 18) }]))[0]);
    expectAfter('a', 40, (await model.append([{ sequence: s, ids: ids('a', 24) }]))[0]);
  });

  it('batched: branches of different lengths, then step by step as rows come and go', async () => {
    const trunk = model.create();
    await model.append([{ sequence: trunk, ids: ids('a', 0, 18) }]);
    const [a, b, c] = [model.fork(trunk), model.fork(trunk), model.fork(trunk)];
    const other = model.create();
    const first = await model.append([
      { sequence: a, ids: ids('a', 18, 24) },
      { sequence: b, ids: ids('b', 18, 19) },
      { sequence: other, ids: ids('d', 0, 25) },
      { sequence: c, ids: ids('c', 18, 21) },
    ]);
    expectAfter('a', 24, first[0]);
    expectAfter('b', 19, first[1]);
    expectAfter('d', 25, first[2]);
    expectAfter('c', 21, first[3]);
    const at = { a: 24, b: 19, c: 21 };
    const live = { a, b, c };
    for (let step = 0; step < 14; step++) {
      const names = (['a', 'b', 'c'] as const).filter((n) => at[n] < reference[n].ids.length);
      const logits = await model.append(
        names.map((n) => ({ sequence: live[n], ids: ids(n, at[n], at[n] + 1) })),
      );
      names.forEach((n, i) => {
        expectAfter(n, ++at[n], logits[i]);
      });
    }
    expect(at).toEqual({ a: 38, b: 32, c: 27 });
  });

  it('a batch forked after batched steps', async () => {
    const trunk = model.create();
    await model.append([{ sequence: trunk, ids: ids('a', 0, 12) }]);
    const pair = [model.fork(trunk), model.fork(trunk)];
    for (let n = 12; n < 18; n++)
      await model.append(pair.map((sequence) => ({ sequence, ids: ids('a', n, n + 1) })));
    const forks = [model.fork(pair[1]!), model.fork(pair[0]!), model.fork(pair[1]!)];
    const logits = await model.append([
      { sequence: forks[0]!, ids: ids('b', 18, 22) },
      { sequence: forks[1]!, ids: ids('c', 18) },
      { sequence: forks[2]!, ids: ids('a', 18, 20) },
    ]);
    expectAfter('b', 22, logits[0]);
    expectAfter('c', 27, logits[1]);
    expectAfter('a', 20, logits[2]);
  });

  it('calls made at once wait for each other', async () => {
    const trunk = model.create();
    await model.append([{ sequence: trunk, ids: ids('a', 0, 18) }]);
    const [b, c] = [model.fork(trunk), model.fork(trunk)];
    const [lb, lc] = await Promise.all([
      model.append([{ sequence: b, ids: ids('b', 18) }]),
      model.append([{ sequence: c, ids: ids('c', 18) }]),
    ]);
    expectAfter('b', 32, lb[0]);
    expectAfter('c', 27, lc[0]);
  });

  it('one too long refuses the whole batch and changes nothing', async () => {
    const [s, t] = [model.create(), model.create()];
    await model.append([{ sequence: s, ids: ids('a', 0, 24) }]);
    const long = Array.from({ length: model.contextLength - 24 + 1 }, () => 1);
    await expect(
      model.append([
        { sequence: t, ids: [1, 2] },
        { sequence: s, ids: long },
      ]),
    ).rejects.toMatchObject({ code: 'E_CONTEXT_LENGTH', exit: 4 });
    expect([s.length, t.length]).toEqual([24, 0]);
    expectAfter('a', 25, (await model.append([{ sequence: s, ids: ids('a', 24, 25) }]))[0]);
    await model.append([{ sequence: s, ids: long.slice(0, model.contextLength - 25) }]);
    expect(s.length).toBe(model.contextLength);
  });

  it('an aborted append changes nothing', async () => {
    const s = model.create();
    await model.append([{ sequence: s, ids: ids('a', 0, 20) }]);
    await expect(model.append([{ sequence: s, ids: [1] }], AbortSignal.abort())).rejects.toThrow();
    expect(s.length).toBe(20);
    expectAfter('a', 40, (await model.append([{ sequence: s, ids: ids('a', 20) }]))[0]);
  });

  it('refuses what can only be a mistake', async () => {
    const s = model.create();
    await expect(model.append([{ sequence: s, ids: [] }])).rejects.toThrow('append without ids');
    await expect(model.append([{ sequence: s, ids: [64] }])).rejects.toThrow('no token 64');
    await expect(
      model.append([
        { sequence: s, ids: [1] },
        { sequence: s, ids: [2] },
      ]),
    ).rejects.toThrow('twice');
    expect(() => model.rewind(s, 1)).toThrow('rewind to 1 of 0');
    model.release(s);
    expect(() => model.fork(s)).toThrow('released');
  });
});
