import { afterEach, describe, expect, it } from 'vitest';
import { fixtureRecording, fixtureTrace } from '../../../test/fixtures.ts';
import { fakePredictor } from '../../debugger/fake.ts';
import type { Predictor } from '../../predictor/types.ts';
import type { PythonRuntime } from '../../python/types.ts';
import type { Outcome } from '../../state/types.ts';
import { inTurns, Shared } from '../shared.ts';
import { DebugEnvironment } from './environment.ts';
import { ACTIONS, type EnvOptions } from './types.ts';

const trace = fixtureTrace('discount');
const program = { id: 'discount', code: trace.header.files[0]!.text, call: trace.header.call! };
const runtime: PythonRuntime = {
  name: 'fixture',
  protection: 'nothing runs',
  run: async () => ({ trace, probes: [] }),
  close: async () => {},
};
const predictor = (wrong?: (outcome: Outcome) => Outcome) =>
  fakePredictor(fixtureRecording('discount'), wrong);

const open: DebugEnvironment[] = [];
function make(options: Partial<EnvOptions> = {}, model: Predictor = predictor()): DebugEnvironment {
  const shared = new Shared({ predictor: model, runtime });
  const made = new DebugEnvironment({ programs: [program], engine: 'neural', ...options }, shared);
  open.push(made);
  return made;
}
afterEach(() => Promise.all(open.splice(0).map((env) => env.close())));

describe('an episode', () => {
  it.each(['neural', 'recorded', 'compared'] as const)('begins at the entry: %s', async (engine) => {
    const { observation, info } = await make({ engine }).reset({ seed: 1 });
    expect(observation).toEqual({
      kind: 'call',
      file: 'main.py',
      line: 7,
      source: 'def total(prices, discount):',
      function: 'total',
      depth: 0,
      locals: { prices: '[5, 2, 9]', discount: '3' },
      globals: {},
      value: null,
      out: '',
      stack: [{ function: 'total', line: 7 }],
      exit: null,
    });
    expect(info).toMatchObject({ program: 'discount', call: program.call, engine, steps: 0, position: 0 });
    expect(info.action_mask).toEqual([1, 1, 1, 1, 1, 1, 1, 1, 1, 0]);
  });

  it('moves by number, name or object, both ways, and is one with the recorded run', async () => {
    const [neural, recorded] = [make(), make({ engine: 'recorded' })];
    await neural.reset();
    await recorded.reset();
    const actions = [
      0,
      'step_over',
      { type: 'breakpoint', line: 3 },
      2,
      'inv_step_into',
      6,
      'inv_step_call',
    ] as const;
    for (const action of actions) {
      const [a, b] = [await neural.step(action), await recorded.step(action)];
      expect(a.observation).toEqual(b.observation);
      expect(a.info).toMatchObject({ origin: 'predicted', confidence: 0.75 });
      expect(b.info).toMatchObject({ origin: 'real', confidence: null });
    }
  });

  it('ends with the program, and takes no step after that', async () => {
    const env = make();
    await env.reset();
    const end = await env.step('continue');
    expect(end).toMatchObject({
      terminated: true,
      truncated: false,
      observation: { kind: 'exit', exit: 'normal' },
    });
    expect(end.info.action_mask).toEqual([0, 0, 0, 0, 0, 1, 1, 1, 0, 0]);
    await expect(env.step(0)).rejects.toMatchObject({ code: 'E_DONE' });
    expect(await env.reset()).toMatchObject({ info: { steps: 0 } });
  });

  it('can walk back from the end where that ends nothing', async () => {
    const env = make({ engine: 'recorded', endOnExit: false });
    await env.reset();
    expect(await env.step('continue')).toMatchObject({ terminated: false });
    expect(await env.step('inv_step_into')).toMatchObject({ observation: { kind: 'return', value: '8' } });
  });

  it('is cut after so many steps', async () => {
    const env = make({ maxSteps: 2 });
    await env.reset();
    expect(await env.step(0)).toMatchObject({ truncated: false });
    expect(await env.step(0)).toMatchObject({ truncated: true, terminated: false });
  });

  it('is cut where the model gives no answer, and says so', async () => {
    const silent: Predictor = {
      name: 'silent',
      predict: async (batch) =>
        batch.map(({ state }) => [
          {
            outcome: { type: 'state', state },
            confidence: 0,
            strategy: 'direct',
            steps: 1,
            tokens: 9,
            truncated: true,
          },
        ]),
      close: async () => {},
    };
    const env = make({}, silent);
    await env.reset();
    expect(await env.step(0)).toMatchObject({ truncated: true, info: { error: { code: 'E_NO_ANSWER' } } });
  });

  it.each([
    99,
    'fly',
    { type: 'breakpoint' },
    { type: 'breakpoint', line: 5 },
    { type: 'set', name: 'x' },
    'answer',
  ])('takes %j for no action, and stays as it is', async (action) => {
    const env = make();
    await env.reset();
    await expect(env.step(action as never)).rejects.toMatchObject({ code: 'E_ACTION' });
    expect(await env.step(0)).toMatchObject({ info: { steps: 1 } });
  });

  it('needs a reset first', async () => {
    await expect(make().step(0)).rejects.toMatchObject({ code: 'E_RESET' });
  });
});

describe('seeds', () => {
  const programs = Array.from({ length: 20 }, (_, i) => ({ ...program, id: `p${i}` }));
  const drawn = async (env: DebugEnvironment, seed?: number) => {
    const ids = [(await env.reset(seed === undefined ? {} : { seed })).info.program];
    for (let i = 0; i < 9; i += 1) ids.push((await env.reset()).info.program);
    return ids;
  };

  it('give the same episodes again, and others for other seeds', async () => {
    const [a, b] = [make({ programs }), make({ programs })];
    const first = await drawn(a, 7);
    expect(await drawn(b, 7)).toEqual(first);
    expect(await drawn(a, 7)).toEqual(first);
    expect(await drawn(a, 8)).not.toEqual(first);
    expect(new Set(first).size).toBeGreaterThan(3);
  });

  it('leave the choice of a program to who wants it', async () => {
    const env = make({ programs });
    expect(await env.reset({ program: 'p3' })).toMatchObject({ info: { program: 'p3' } });
    await expect(env.reset({ program: 'none' })).rejects.toMatchObject({ code: 'E_PROGRAM' });
  });
});

describe('rewards', () => {
  it('a goal: reached once, the episode over', async () => {
    const env = make({
      reward: { type: 'goal', function: 'cut', kind: 'return', value: '6' },
      stepCost: 0.1,
    });
    await env.reset();
    expect(await env.step({ type: 'breakpoint', line: 3 })).toMatchObject({
      reward: -0.1,
      terminated: false,
    });
    expect(await env.step('step_return')).toMatchObject({ reward: -0.1, observation: { value: '2' } });
    await env.step({ type: 'breakpoint', line: 3 });
    expect(await env.step('step_return')).toMatchObject({ reward: 0.9, terminated: true });
  });

  it.each([
    ['8', 1],
    ['8.0', 1],
    ['9', 0],
    ['nonsense', 0],
  ])('an answer: %s pays %d', async (value, reward) => {
    const env = make({ reward: { type: 'answer' } });
    const { info } = await env.reset();
    expect(info.action_mask[ACTIONS.indexOf('answer')]).toBe(1);
    expect(await env.step({ type: 'answer', value })).toMatchObject({
      reward,
      terminated: true,
      info: { truth: '8' },
    });
  });

  it('agreement of prediction and real run', async () => {
    const wrong = predictor((outcome) =>
      outcome.type === 'state' && outcome.state.stack.at(-1)!.line === 9
        ? { type: 'state', state: { ...outcome.state, kind: 'exception', value: 'ValueError()' } }
        : outcome,
    );
    const env = make({ engine: 'compared', reward: { type: 'agreement' } }, wrong);
    await env.reset();
    expect(await env.step(1)).toMatchObject({ reward: 1, info: { agrees: true } });
    expect(await env.step(1)).toMatchObject({ reward: 0, info: { agrees: false } });
    expect(() => make({ reward: { type: 'agreement' } })).toThrow(expect.objectContaining({ code: 'E_ENV' }));
  });

  it('what if: the walk goes on from the changed value', async () => {
    const env = make({ engine: 'neural' });
    await env.reset();
    const step = await env.step({ type: 'set', name: 'discount', value: '2 + 2' });
    expect(step).toMatchObject({ observation: { locals: { discount: '4' } }, info: { origin: 'edited' } });
  });
});

describe('predictions of several environments', () => {
  it('asked at the same moment go to the model as one batch', async () => {
    const sizes: number[] = [];
    const inner = predictor();
    const counting: Predictor = {
      ...inner,
      predict: (batch, options) => {
        sizes.push(batch.length);
        return inner.predict(batch, options);
      },
    };
    const shared = new Shared({ predictor: counting, runtime });
    const envs = Array.from({ length: 4 }, () => {
      const env = new DebugEnvironment({ programs: [program], engine: 'neural' }, shared);
      open.push(env);
      return env;
    });
    await Promise.all(envs.map((env) => env.reset({ seed: 0 })));
    const steps = await Promise.all(envs.map((env) => env.step(0)));
    expect(sizes).toEqual([4]);
    expect(new Set(steps.map((s) => JSON.stringify(s.observation))).size).toBe(1);
  });

  it('fail together, and the next ones are served', async () => {
    let fail = true;
    const flaky = inTurns({
      name: 'flaky',
      predict: async (batch) => {
        if (fail) throw new Error('once');
        return batch.map(() => []);
      },
      close: async () => {},
    });
    await expect(Promise.all([flaky.predict([], {}), flaky.predict([], {})])).rejects.toThrow('once');
    fail = false;
    expect(await flaky.predict([], {})).toEqual([]);
  });
});
