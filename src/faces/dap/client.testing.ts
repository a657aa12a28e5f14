/** @file For tests: an adapter on a free port, with engines over committed traces, and the protocol's own test client. */
import type { Server } from 'node:net';
import { DebugClient } from '@vscode/debugadapter-testsupport';
import type { DebugProtocol } from '@vscode/debugprotocol';
import { fixtureRecording, fixtureTrace } from '../../../test/fixtures.ts';
import { ComparedDebugger } from '../../debugger/compared.ts';
import { fakePredictor } from '../../debugger/fake.ts';
import { NeuralDebugger } from '../../debugger/neural.ts';
import { RecordedDebugger } from '../../debugger/recorded.ts';
import type { Recording } from '../../debugger/recording.ts';
import { replay } from '../../debugger/replay.ts';
import { start } from '../../debugger/start.ts';
import type { PythonRuntime } from '../../python/types.ts';
import type { Outcome } from '../../state/types.ts';
import type { Trace } from '../../trace/types.ts';
import { listen, nodeHost } from './node.ts';
import type { Session } from './types.ts';

export interface Fixture {
  readonly trace: Trace;
  readonly recording: Recording;
  /** Makes the predictor err. */
  readonly wrong?: (outcome: Outcome) => Outcome;
}

export const discount: Fixture = { trace: fixtureTrace('discount'), recording: fixtureRecording('discount') };

/** A runtime that always gives the committed trace: for what needs no second run. */
const replaying = (trace: Trace): PythonRuntime => ({
  name: 'fixture',
  protection: 'nothing runs',
  async run() {
    return { trace, probes: [] };
  },
  async close() {},
});

/** Opens the engine that the launch configuration names, over a fixture. */
export function fixtureHost(fixture: Fixture) {
  return nodeHost(async (options): Promise<Session> => {
    const { programs, state, entry } = start(options.text, options.call, options.path);
    const { trace, recording, wrong } = fixture;
    const request = {
      file: { name: 'main.py', text: options.text },
      ...(options.call ? { call: options.call } : {}),
    };
    const record = () => RecordedDebugger.start({ programs, runtime: replaying(trace), request, entry });
    const neural = () =>
      new NeuralDebugger({ programs, initial: state, predictor: fakePredictor(recording, wrong) });
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
  client.defaultTimeout = 20_000;
  return {
    client,
    port,
    async close() {
      await client.stop();
      await closed(server);
    },
  };
}

export const closed = (server: Server) => new Promise<void>((done) => server.close(() => done()));

/** Everything of a session that tests look at, shortly said. */
export class Driver {
  readonly client: DebugClient;
  readonly events: DebugProtocol.Event[] = [];

  constructor(client: DebugClient) {
    this.client = client;
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
    return this.client.waitForEvent(name, 20_000) as Promise<T>;
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
    } catch (error) {
      const text = (error as Error).message;
      const { response } = error as { response?: { body?: { error?: DebugProtocol.Message } } };
      return { id: response?.body?.error?.id ?? -1, code: /E_\w+/.exec(text)?.[0] ?? text };
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
    await Promise.all([ready, this.client.launchRequest(args as DebugProtocol.LaunchRequestArguments)]);
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
