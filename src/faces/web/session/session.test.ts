import { describe, expect, it } from 'vitest';
import { fixtureRecording, fixtureTrace } from '../../../../test/fixtures.ts';
import { fakePredictor } from '../../../debugger/fake.ts';
import type { EngineName } from '../../../debugger/types.ts';
import type { PythonRuntime } from '../../../python/types.ts';
import { applyEdit } from '../../../state/index.ts';
import type { Outcome } from '../../../state/types.ts';
import type { Engines } from './open.ts';
import { Session } from './session.ts';
import type { CallNode, Sweep, View } from './types.ts';

const trace = fixtureTrace('discount');
const recording = fixtureRecording('discount');
const text = trace.header.files[0]!.text;
const call = trace.header.call!;

/** Always the committed run; an edit's value is given back as it was asked for. */
const runtime: PythonRuntime = {
  name: 'fixture',
  protection: 'nothing runs',
  async run({ edits, probes }) {
    const value = edits?.at(-1)?.value ?? 'None';
    const answer = (text: string) =>
      /nothing/.test(text) ? { error: "NameError: name 'nothing' is not defined" } : { value, type: 'int' };
    return { trace, probes: (probes ?? []).map(({ expressions }) => expressions.map(answer)) };
  },
  async close() {},
};

const engines = (wrong?: (outcome: Outcome) => Outcome): Engines => ({
  predictor: async () => fakePredictor(recording, wrong),
  runtime: async () => runtime,
});

const open = (engine: EngineName, path = '', wrong?: (outcome: Outcome) => Outcome) =>
  Session.open({ text, call, engine, resync: false }, engines(wrong), path);

const spot = ({ position }: View) => {
  const { kind, line, fn } = (position.predicted ?? position.real)!;
  return `${kind} ${fn}:${line}`;
};

/** Takes every third answer's `result` to be 99. */
function misled(): (outcome: Outcome) => Outcome {
  let asked = 0;
  return (outcome) => {
    asked += 1;
    if (asked % 3 !== 0 || outcome.type !== 'state') return outcome;
    const { state } = outcome;
    if (!state.stack.at(-1)!.locals.has('result')) return outcome;
    return { type: 'state', state: applyEdit(state, { name: 'result', value: '99' }, 0) };
  };
}

describe.each(['recorded', 'neural', 'compared'] as const)('a web session, %s', (engine) => {
  it('moves on and back as a debugger does', async () => {
    const session = await open(engine);
    expect(spot(session.view())).toBe('call total:7');
    expect(spot(await session.move('over'))).toBe('line total:8');
    expect(spot(await session.move('over'))).toBe('line total:9');
    expect(spot(await session.move('over'))).toBe('line total:10');
    expect(spot(await session.move('into'))).toBe('call cut:1');
    expect(spot(await session.move('out'))).toBe('return cut:3');
    expect(spot(await session.move('backOut'))).toMatch(/total:10$|call cut:1/);
  });

  it('stops at breakpoints, also backwards, and only where their condition holds', async () => {
    const session = await open(engine);
    session.setPoints([{ line: 10, enabled: true, condition: 'price == 2' }]);
    const view = await session.move('continue');
    expect(spot(view)).toBe('line total:10');
    expect(view.note).toContain('line 10');
    const price = view.position.frames[0]!.variables.find(({ name }) => name === 'price')!;
    expect(price.predicted ?? price.real).toBe('2');
    session.setPoints([{ line: 8, enabled: true, condition: null }]);
    expect(spot(await session.move('backContinue'))).toBe('line total:8');
  });

  it('goes to the cursor and back to it', async () => {
    const session = await open(engine);
    expect(spot(await session.move('cursor', 11))).toBe('line total:11');
    expect(spot(await session.move('backCursor', 9))).toBe('line total:9');
  });

  it('has an address for each state that leads back to it', async () => {
    const session = await open(engine);
    const views = [session.view()];
    for (const motion of ['over', 'over', 'over', 'into', 'over', 'out'] as const) {
      views.push(await session.move(motion));
    }
    for (const view of views) {
      const again = (await open(engine, view.path)).view();
      expect(spot(again)).toBe(spot(view));
      expect(again.position.frames).toEqual(
        view.position.frames.map((frame) => ({
          ...frame,
          variables: frame.variables.map((variable) => ({ ...variable, changed: expect.any(Boolean) })),
        })),
      );
    }
  });

  it('keeps the walk that was made when one goes back in it', async () => {
    const session = await open(engine);
    for (let i = 0; i < 4; i += 1) await session.move('into');
    const view = session.goto(1);
    expect(view.walk.map(({ id }) => id)).toEqual([0, 1, 2, 3, 4]);
    expect(view.position.id).toBe(1);
    const branch = await session.move('over');
    expect(branch.walk.map(({ id }) => id)).toEqual([0, 1, 5]);
  });

  it('tells the calls of what it knows', async () => {
    const session = await open(engine);
    await session.runAhead(() => {});
    const names = (node: CallNode): unknown[] => [node.fn, ...node.children.map(names)];
    const calls = session.calls();
    if (engine === 'neural') expect(names(calls[0]!)[0]).toBe('total');
    else {
      expect(names(calls[0]!)).toEqual(['total', ['cut'], ['cut'], ['cut']]);
      expect(calls[0]).toMatchObject({ args: 'prices=[5, 2, 9], discount=3', result: '8' });
    }
  });

  it('says where a broken address stopped, and stands there', async () => {
    const session = await open(engine, 'o2!!');
    expect(session.view()).toMatchObject({ note: expect.stringContaining('no walk') });
  });
});

describe('two worlds', () => {
  it('agree where the model is right', async () => {
    const session = await open('compared');
    for (const motion of ['over', 'over', 'over', 'over'] as const) {
      const { position } = await session.move(motion);
      expect(position.differences).toEqual([]);
      expect(position.frames[0]!.variables.every(({ differs }) => !differs)).toBe(true);
      expect(position.confidence).toBe(0.75);
    }
  });

  it('show both values of a name that differs', async () => {
    const session = await open('compared', '', misled());
    await session.move('over');
    await session.move('over');
    const { position } = await session.move('over');
    const result = position.frames[0]!.variables.find(({ name }) => name === 'result');
    expect(result).toMatchObject({ predicted: '99', real: '0', differs: true });
    expect(position.differences.join()).toContain('result');
  });

  it('travel through the run, the model saying each state from the one before', async () => {
    const session = await open('compared');
    const { first } = session.view().run!;
    const view = await session.travel(first + 4, true);
    expect(view.at).toBe(first + 4);
    expect(view.position.origin).toBe('predicted');
    expect(view.position.differences).toEqual([]);
    expect((await session.travel(view.at!, false)).position.origin).toBe('real');
  });

  it('are compared on every state of the run', async () => {
    const session = await open('compared');
    const { run } = session.view();
    let last: Sweep | null = null;
    await session.sweep((sweep) => {
      last = sweep;
    });
    const verdict = [...last!.verdict];
    expect(verdict).toHaveLength(run!.depth.length);
    expect(verdict[0]).toBe(0);
    expect(verdict.slice(1).every((one) => one === 1)).toBe(true);
  });

  it('both get an edit', async () => {
    const session = await open('compared');
    await session.move('over');
    await session.move('over');
    const view = await session.set('result', '40', 0);
    expect(view.position.frames[0]!.variables.find(({ name }) => name === 'result')).toMatchObject({
      predicted: '40',
      real: '40',
    });
    expect(view.path).toBe('o2~result=40^0');
  });

  it('take no edit that is no expression, or whose names are not there', async () => {
    const session = await open('compared');
    await session.move('over');
    await session.move('over');
    const before = session.view().position.id;
    await expect(session.set('result', 'nothing + 1', 0)).rejects.toMatchObject({ code: 'E_SET' });
    expect(session.view().position.id).toBe(before);
    const alone = await open('neural');
    await alone.move('over');
    const view = await alone.set('discount', 'len(prices) + 1', 0);
    expect(view.position.frames[0]!.variables.find(({ name }) => name === 'discount')).toMatchObject({
      predicted: '4',
    });
  });

  it('answer an expression each', async () => {
    const session = await open('compared');
    await session.move('over');
    expect(await session.evaluate('len(prices) * 2', 0)).toEqual({ predicted: '6', real: '6' });
  });
});

describe('one world', () => {
  it('gives the whole run once, and again only when it is another one', async () => {
    const session = await open('recorded');
    expect(session.view().run?.number).toBe(1);
    expect((await session.move('over')).run).toBeUndefined();
  });

  it('is the predicted one where the program cannot be run', async () => {
    const never: Engines = {
      ...engines(),
      runtime: async () => ({
        ...runtime,
        run: async () => ({
          trace: { header: trace.header, events: [], end: { ...trace.end, status: 'error', events: 0 } },
          probes: [],
        }),
      }),
    };
    const session = await Session.open({ text, call, engine: 'compared', resync: false }, never);
    expect(session.view()).toMatchObject({ hasRun: false, note: expect.stringContaining('Predicted only') });
  });

  it('has no state of the other', async () => {
    expect((await open('recorded')).view().position).toMatchObject({ predicted: null });
    expect((await open('neural')).view()).toMatchObject({
      position: { real: null },
      hasRun: false,
      at: null,
    });
  });
});
