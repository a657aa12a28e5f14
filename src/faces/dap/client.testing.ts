/** @file For tests: an adapter on a free port, with engines over committed traces, and the protocol's own test client. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DebugClient } from '@vscode/debugadapter-testsupport';
import type { DebugProtocol } from '@vscode/debugprotocol';
import { afterAll } from 'vitest';
import { fixtureRecording, fixtureTrace } from '../../../test/fixtures.ts';
import { ComparedDebugger } from '../../debugger/compared.ts';
import { fakePredictor } from '../../debugger/fake.ts';
import { evaluateIn, NeuralDebugger } from '../../debugger/neural.ts';
import { RecordedDebugger } from '../../debugger/recorded.ts';
import type { Recording } from '../../debugger/recording.ts';
import { replay } from '../../debugger/replay.ts';
import { start } from '../../debugger/start.ts';
import type { Predictor } from '../../predictor/types.ts';
import type { Probe, ProbeResult, PythonRuntime } from '../../python/types.ts';
import type { Program } from '../../source/types.ts';
import { TraceStates } from '../../state/index.ts';
import type { Outcome } from '../../state/types.ts';
import type { Trace } from '../../trace/types.ts';
import { listen, nodeHost } from './node.ts';
import type { Session } from './types.ts';

export interface Fixture {
  readonly trace: Trace;
  readonly recording: Recording;
  /** Makes the predictor err. */
  readonly wrong?: (outcome: Outcome) => Outcome;
  /** Each prediction takes so long. */
  readonly delayMs?: number;
}

export const discount: Fixture = { trace: fixtureTrace('discount'), recording: fixtureRecording('discount') };

export const work: Fixture = {
  trace: fixtureTrace('../dap/work'),
  recording: fixtureRecording('../dap/work'),
};

/** The fixture's program as a file; removed when the tests of the file are over. */
export function programFile(
  fixture: Fixture,
  name: string,
): { readonly path: string; readonly call: string } {
  const folder = mkdtempSync(join(tmpdir(), 'npdb-dap-'));
  const path = join(folder, name);
  writeFileSync(path, fixture.trace.header.files[0]!.text);
  afterAll(() => rmSync(folder, { recursive: true }));
  return { path, call: fixture.trace.header.call! };
}

/** A runtime that always gives the committed trace, and answers probes from its states as far as those show values. */
const replaying = (trace: Trace, programs: readonly Program[]): PythonRuntime => ({
  name: 'fixture',
  protection: 'nothing runs',
  async run({ probes = [] }) {
    const states = new TraceStates(trace, programs);
    const answer = ({ at, up = 0 }: Probe, expression: string): ProbeResult[] => {
      const found = evaluateIn(states.at(at), programs, expression, up, false);
      return found.type === 'value' ? [{ value: found.value, type: '' }] : [];
    };
    return { trace, probes: probes.map((probe) => probe.expressions.flatMap((e) => answer(probe, e))) };
  },
  async close() {},
});

/** As slow as a large model, and as willing to stop. */
const slowed = (predictor: Predictor, delayMs: number): Predictor => ({
  name: predictor.name,
  async predict(batch, options) {
    await new Promise<void>((done, fail) => {
      const timer = setTimeout(done, delayMs);
      options?.signal?.addEventListener('abort', () => {
        clearTimeout(timer);
        fail(options.signal?.reason);
      });
    });
    return predictor.predict(batch, options);
  },
  close: () => predictor.close(),
});

/** Opens the engine that the launch configuration names, over a fixture. */
export function fixtureHost(fixture: Fixture) {
  return nodeHost(async (options): Promise<Session> => {
    const { programs, state, entry } = start(options.text, options.call, options.path);
    const { trace, recording, wrong, delayMs = 0 } = fixture;
    const request = {
      file: { name: 'main.py', text: options.text },
      ...(options.call ? { call: options.call } : {}),
    };
    const record = () =>
      RecordedDebugger.start({ programs, runtime: replaying(trace, programs), request, entry });
    const predictor = fakePredictor(recording, wrong);
    const neural = () =>
      new NeuralDebugger({
        programs,
        initial: state,
        predictor: delayMs > 0 ? slowed(predictor, delayMs) : predictor,
      });
    const files = { programs, names: [options.path, '<call>'] };
    const close = async () => {};
    if (options.engine === 'recorded') return { debug: await record(), files, close };
    if (options.engine === 'compared') {
      const debug = new ComparedDebugger(neural(), await record(), { resync: options.resync ?? false });
      return { debug, files, close };
    }
    const debug = neural();
    return { debug, files, compare: async (position) => replay(debug, position, await record()), close };
  });
}

export interface Connected {
  readonly client: DebugClient;
  readonly port: number;
  close(): Promise<void>;
}

export async function connected(host: Parameters<typeof listen>[0]): Promise<Connected> {
  const { port, server } = await listen(host, 0);
  const client = new DebugClient('node', '', 'npdb');
  await client.start(port);
  client.defaultTimeout = 100_000;
  return {
    client,
    port,
    async close() {
      // A session that has ended answers no more.
      await Promise.race([client.stop(), new Promise((done) => setTimeout(done, 1_000))]);
      (client as unknown as { stopAdapter(): void }).stopAdapter();
      await closed(server);
    },
  };
}

export const closed = (server: Server) => new Promise<void>((done) => server.close(() => done()));

/** Everything of a session that tests look at, shortly said. */
export class Driver {
  readonly client: DebugClient;
  readonly events: DebugProtocol.Event[] = [];
  #failure: DebugProtocol.Message | undefined;

  constructor(client: DebugClient) {
    this.client = client;
    client.setMaxListeners(0);
    // The client keeps only the message of an error response.
    const inner = client as unknown as { dispatch(body: string): void };
    const dispatch = inner.dispatch.bind(client);
    inner.dispatch = (body) => {
      const message = JSON.parse(body) as DebugProtocol.ErrorResponse;
      if (message.type === 'response' && !message.success) this.#failure = message.body?.error;
      dispatch(body);
    };
    for (const name of [
      'stopped',
      'output',
      'terminated',
      'exited',
      'breakpoint',
      'invalidated',
      'progressStart',
      'progressEnd',
      'initialized',
    ]) {
      client.on(name, (event: DebugProtocol.Event) => this.events.push(event));
    }
  }

  /** The next event of this name, from now on. */
  event<T extends DebugProtocol.Event>(name: string): Promise<T> {
    return this.client.waitForEvent(name, 100_000) as Promise<T>;
  }

  /** Any request; the body of its answer. */
  async ask<T>(command: string, args?: object): Promise<T> {
    const response = await this.client.customRequest(command, args);
    return response.body as T;
  }

  /** A request that must fail: its error. */
  async fails(command: string, args?: object): Promise<{ id: number; code: string }> {
    try {
      await this.client.customRequest(command, args);
    } catch {
      return { id: this.#failure?.id ?? -1, code: String(this.#failure?.variables?.code) };
    }
    throw new Error(`${command} did not fail`);
  }

  async launch(args: object, prepare: () => Promise<unknown> = async () => {}): Promise<void> {
    await this.client.initializeRequest({
      adapterID: 'npdb',
      linesStartAt1: true,
      columnsStartAt1: true,
      pathFormat: 'path',
      supportsInvalidatedEvent: true,
      supportsProgressReporting: true,
    });
    const ready = this.event('initialized')
      .then(prepare)
      .then(() => this.client.configurationDoneRequest());
    const { stopOnEntry, noDebug } = args as { stopOnEntry?: boolean; noDebug?: boolean };
    const entry = stopOnEntry && !noDebug ? this.event('stopped') : null;
    await Promise.all([
      ready,
      entry,
      this.client.launchRequest(args as DebugProtocol.LaunchRequestArguments),
    ]);
  }

  /** Sends a motion and waits until the program stands still again; where it stands. */
  async go(command: string, args: object = { threadId: 1 }): Promise<string> {
    const stopped = this.settled();
    await this.ask(command, args);
    return stopped;
  }

  /** `step total:8`, or `terminated`. */
  async settled(): Promise<string> {
    const ended = this.event('terminated').then(() => null);
    const event = await Promise.race([this.event<DebugProtocol.StoppedEvent>('stopped'), ended]);
    if (!event) return 'terminated';
    return `${event.body.reason} ${await this.where(event.body.threadId ?? 1)}`;
  }

  async frames(threadId = 1): Promise<DebugProtocol.StackFrame[]> {
    return (await this.ask<DebugProtocol.StackTraceResponse['body']>('stackTrace', { threadId })).stackFrames;
  }

  async where(threadId = 1): Promise<string> {
    const [top] = await this.frames(threadId);
    return `${top?.name.split('  #')[0]}:${top?.line}`;
  }

  /** Variables of a scope whose name begins so, `name=value`. */
  async variables(scope: string, frame = 0): Promise<DebugProtocol.Variable[]> {
    const id = (await this.frames())[frame]!.id;
    const { scopes } = await this.ask<DebugProtocol.ScopesResponse['body']>('scopes', { frameId: id });
    const found = scopes.find((s) => s.name.startsWith(scope));
    if (!found) throw new Error(`no scope ${scope}: ${scopes.map((s) => s.name).join(', ')}`);
    return this.children(found.variablesReference);
  }

  async children(variablesReference: number, page: object = {}): Promise<DebugProtocol.Variable[]> {
    const body = await this.ask<DebugProtocol.VariablesResponse['body']>('variables', {
      variablesReference,
      ...page,
    });
    return body.variables;
  }

  async frameId(up = 0): Promise<number> {
    return (await this.frames())[up]!.id;
  }

  output(category?: string): string {
    return this.events
      .filter((e) => e.event === 'output' && (category === undefined || e.body.category === category))
      .map((e) => e.body.output as string)
      .join('');
  }
}

export const texts = (variables: readonly DebugProtocol.Variable[]) =>
  variables.map((v) => `${v.name}=${v.value}`);
