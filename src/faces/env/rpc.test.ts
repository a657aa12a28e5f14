import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fixtureRecording, fixtureTrace } from '../../../test/fixtures.ts';
import { fakePredictor } from '../../debugger/fake.ts';
import { Shared } from '../shared.ts';
import { EnvironmentServer } from './rpc.ts';

const trace = fixtureTrace('discount');
const program = { code: trace.header.files[0]!.text, call: trace.header.call! };
let server: EnvironmentServer;
let id = 0;
beforeEach(() => {
  server = new EnvironmentServer(
    new Shared({ predictor: fakePredictor(fixtureRecording('discount')), mayRun: false }),
  );
});
afterEach(() => server.close());

interface Answer {
  readonly id: number;
  readonly result?: Record<string, unknown>;
  readonly error?: {
    readonly code: number;
    readonly message: string;
    readonly data?: { readonly code: string };
  };
}
const line = (method: string, params: object = {}) => {
  id += 1;
  return { jsonrpc: '2.0', id, method, params };
};
const send = async (message: unknown) =>
  JSON.parse((await server.handle(JSON.stringify(message)))!) as Answer;
const ask = (method: string, params: object = {}) => send(line(method, params));

describe('the protocol', () => {
  it('makes, resets, steps and closes environments', async () => {
    expect((await ask('spec')).result).toMatchObject({ protocol: 1, environments: [] });
    expect((await ask('make', { env: 'a', programs: [program] })).result).toMatchObject({
      env: 'a',
      programs: 1,
    });
    expect((await ask('reset', { env: 'a', seed: 3 })).result).toMatchObject({
      observation: { kind: 'call' },
    });
    expect((await ask('step', { env: 'a', action: 0 })).result).toMatchObject({
      observation: { kind: 'line', line: 8 },
      reward: 0,
      terminated: false,
      truncated: false,
    });
    expect((await ask('close', { env: 'a' })).result).toEqual({ closed: 'a' });
    expect((await ask('step', { env: 'a', action: 0 })).error?.data?.code).toBe('E_ENV');
  });

  it('draws from a program set, each call a program', async () => {
    const made = await ask('make', { set: 'examples/programs.jsonl', reward: { type: 'answer' } });
    expect(made.result).toMatchObject({ programs: 14 });
    await ask('reset', { program: 'digits#0' });
    expect((await ask('step', { action: { type: 'answer', value: '8' } })).result).toMatchObject({
      reward: 1,
    });
  });

  it('answers a batch as a batch, notifications not at all', async () => {
    await ask('make', { env: 'a', programs: [program] });
    await ask('make', { env: 'b', programs: [program] });
    const [first, second] = [line('reset', { env: 'a' }), line('reset', { env: 'b' })];
    const batch = [first, second, { jsonrpc: '2.0', method: 'spec' }];
    const answers = (await send(batch)) as unknown as Answer[];
    expect(answers.map((a) => a.id)).toEqual([first.id, second.id]);
    expect(await server.handle(JSON.stringify({ jsonrpc: '2.0', method: 'spec' }))).toBeNull();
    expect(await server.handle(JSON.stringify([{ jsonrpc: '2.0', method: 'spec' }]))).toBeNull();
  });

  it('keeps the order of one environment, though all is asked at once', async () => {
    await ask('make', { programs: [program] });
    const answers = await Promise.all([ask('reset'), ask('step', { action: 0 }), ask('step', { action: 0 })]);
    expect(answers.map((a) => (a.result as { info: { steps: number } }).info.steps)).toEqual([0, 1, 2]);
  });
});

describe('what is wrong is said as JSON-RPC says it', () => {
  it.each([
    ['no JSON', 'not json', -32700],
    ['no request', '1', -32600],
    ['an empty batch', '[]', -32600],
    ['another version', '{"jsonrpc": "1.0", "id": 1, "method": "spec"}', -32600],
    ['an unknown method', '{"jsonrpc": "2.0", "id": 1, "method": "fly"}', -32601],
    ['an unknown parameter', '{"jsonrpc": "2.0", "id": 1, "method": "make", "params": {"prog": []}}', -32602],
    ['a wrong type', '{"jsonrpc": "2.0", "id": 1, "method": "step", "params": {"action": null}}', -32602],
    ['no program', '{"jsonrpc": "2.0", "id": 1, "method": "make"}', -32000],
    ['no environment', '{"jsonrpc": "2.0", "id": 1, "method": "reset"}', -32000],
  ])('%s', async (_, text, code) => {
    expect(JSON.parse((await server.handle(text))!).error.code).toBe(code);
  });

  it('a real run where none is allowed', async () => {
    await ask('make', { programs: [program], engine: 'recorded' });
    expect((await ask('reset')).error?.data?.code).toBe('E_NO_RUN');
  });

  it('any line gets one answer and no crash', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.string(),
          fc.json(),
          fc.jsonValue().map((v) => JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'make', params: v })),
        ),
        async (text) => {
          const answer = await server.handle(text);
          if (answer !== null) expect(JSON.parse(answer)).toBeDefined();
        },
      ),
      { numRuns: 300 },
    );
  });
});
