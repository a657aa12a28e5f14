import { afterEach, describe, expect, it } from 'vitest';
import type { Predictor } from '../../predictor/types.ts';
import { connect, predictor, type TestClient } from './client.testing.ts';
import { Sessions } from './sessions.ts';

let agent: TestClient | undefined;
afterEach(async () => {
  await agent?.close();
  agent = undefined;
});

/** Answers when it is let go. */
function slow(): Predictor & { asked: Promise<void>; release(): void; batches: number } {
  const inner = predictor();
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  let tell = () => {};
  const asked = new Promise<void>((resolve) => (tell = resolve));
  const made = {
    name: 'slow',
    asked,
    batches: 0,
    release: () => release(),
    predict: async (...[batch, options]: Parameters<Predictor['predict']>) => {
      made.batches += 1;
      tell();
      await Promise.race([
        held,
        new Promise((_, reject) => {
          options?.signal?.addEventListener('abort', () => reject(options.signal!.reason), { once: true });
        }),
      ]);
      return inner.predict(batch, options);
    },
    close: async () => {},
  };
  return made;
}

describe('sessions', () => {
  it('know nothing of each other', async () => {
    agent = await connect();
    const [a, b] = [await agent.start(), await agent.start()];
    await agent.call('set_variable', { sessionId: a, name: 'discount', value: '1' });
    await agent.call('set_breakpoint', { sessionId: a, line: 9 });
    const other = await agent.call('get_local_variables', { sessionId: b, names: ['discount'] });
    expect(other.variables).toMatchObject([{ value: '3' }]);
    expect(await agent.call('list_breakpoints', { sessionId: b })).toMatchObject({ count: 0 });
  });

  it('of one connection cannot be reached from another', async () => {
    agent = await connect();
    const other = await connect();
    const sessionId = await agent.start();
    expect(await other.call('step_over', { sessionId })).toMatchObject({ error: { code: 'E_SESSION' } });
    expect(await other.call('list_debug_sessions')).toMatchObject({ count: 0 });
    await other.close();
  });

  it('are limited in number, and free again when closed', async () => {
    agent = await connect({ sessions: { most: 2 } });
    const sessionId = await agent.start();
    await agent.start();
    const third = await agent.call('create_debug_session');
    expect(third).toMatchObject({ success: false, error: { code: 'E_SESSION_LIMIT' } });
    await agent.call('close_debug_session', { sessionId });
    expect(await agent.call('create_debug_session')).toMatchObject({ success: true });
  });

  it('expire when nobody uses them, not while they are used', async () => {
    const sessions = new Sessions({ idleMs: 1_000 });
    const [old, fresh] = [sessions.create('old'), sessions.create('fresh')];
    fresh.usedAt = old.usedAt + 900;
    await sessions.expire(old.usedAt + 1_500);
    expect(sessions.all).toEqual([fresh]);
    expect(() => sessions.get(old.id)).toThrow(expect.objectContaining({ code: 'E_SESSION_EXPIRED' }));
    expect(() => sessions.get('never')).toThrow(expect.objectContaining({ code: 'E_SESSION' }));
    await sessions.closeAll();
  });
});

describe('a call that takes long', () => {
  it('answers in time with where it got to, and stays usable', async () => {
    const model = slow();
    agent = await connect({}, { predictor: model });
    const sessionId = await agent.start();
    const stop = await agent.call('step_over', { sessionId, timeoutMs: 20 });
    expect(stop).toMatchObject({ success: true, reason: 'timeout', position: 0, state: 'paused' });
    model.release();
    expect(await agent.call('step_over', { sessionId })).toMatchObject({ reason: 'step', position: 1 });
  });

  it('is stopped by pause_execution', async () => {
    const model = slow();
    agent = await connect({}, { predictor: model });
    const sessionId = await agent.start();
    const going = agent.call('continue_execution', { sessionId });
    await model.asked;
    const { sessions } = await agent.call('list_debug_sessions');
    expect(sessions).toMatchObject([{ state: 'running' }]);
    await agent.call('pause_execution', { sessionId });
    expect(await going).toMatchObject({ reason: 'pause', position: 0 });
    expect(await agent.call('pause_execution', { sessionId })).toMatchObject({ state: 'paused' });
  });

  it('that the client gave up leaves the session where it was', async () => {
    const model = slow();
    agent = await connect({}, { predictor: model });
    const sessionId = await agent.start();
    const controller = new AbortController();
    const going = agent.client.callTool({ name: 'step_over', arguments: { sessionId } }, undefined, {
      signal: controller.signal,
    });
    await model.asked;
    controller.abort();
    await expect(going).rejects.toThrow();
    model.release();
    expect(await agent.call('step_over', { sessionId })).toMatchObject({ position: 1 });
  });

  it('holds up the calls of its own session only; closing ends it', async () => {
    const model = slow();
    agent = await connect({}, { predictor: model });
    const [a, b] = [await agent.start(), await agent.start()];
    const going = agent.call('step_over', { sessionId: a });
    await model.asked;
    expect(await agent.call('get_source_context', { sessionId: b })).toMatchObject({ success: true });
    await agent.call('close_debug_session', { sessionId: a });
    expect(await going).toMatchObject({ success: false });
  });

  it('predictions of two sessions take turns', async () => {
    const model = slow();
    agent = await connect({}, { predictor: model });
    const [a, b] = [await agent.start(), await agent.start()];
    const both = [a, b].map((sessionId) => agent!.call('step_into', { sessionId }));
    await model.asked;
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(model.batches).toBe(1);
    model.release();
    expect(await Promise.all(both)).toMatchObject([{ position: 1 }, { position: 1 }]);
  });
});

it('never runs a program where that is not allowed', async () => {
  agent = await connect({}, { mayRun: false });
  const sessionId = await agent.start();
  await agent.call('step_over', { sessionId });
  for (const [tool, args] of [
    ['compare_with_real', { sessionId }],
    ['start_debugging', { sessionId, code: 'x = 1\n', engine: 'recorded' }],
    ['start_debugging', { sessionId, code: 'x = 1\n', engine: 'compared' }],
  ] as const) {
    expect(await agent.call(tool, args)).toMatchObject({ error: { code: 'E_NO_RUN' } });
  }
  expect(agent.requests).toEqual([]);
});
