/** @file For tests: a client of the official SDK on a server in the same process, and an engine without weights. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { fixtureRecording, fixtureTrace } from '../../../test/fixtures.ts';
import { fakePredictor } from '../../debugger/fake.ts';
import type { Predictor } from '../../predictor/types.ts';
import type { PythonRuntime, RunRequest } from '../../python/types.ts';
import type { Outcome } from '../../state/types.ts';
import { Shared, type SharedOptions } from '../shared.ts';
import { createMcpServer, type McpOptions } from './server.ts';

export type Reply = Record<string, unknown> & { success: boolean };

export interface TestClient {
  readonly client: Client;
  /** Calls a tool; the text and the structured content must say the same. */
  call(name: string, args?: Record<string, unknown>): Promise<Reply>;
  /** A session at the entry of the fixture's call. */
  start(options?: Record<string, unknown>): Promise<string>;
  readonly requests: RunRequest[];
  close(): Promise<void>;
}

export const trace = fixtureTrace('discount');
export const text = trace.header.files[0]!.text;
export const call = trace.header.call!;

/** Answers from the committed recording. */
export const predictor = (wrong?: (outcome: Outcome) => Outcome): Predictor =>
  fakePredictor(fixtureRecording('discount'), wrong);

/** A runtime that always gives the committed trace. */
export function replaying(requests: RunRequest[] = []): PythonRuntime {
  return {
    name: 'fixture',
    protection: 'nothing runs',
    async run(request) {
      requests.push(request);
      return { trace, probes: [] };
    },
    async close() {},
  };
}

export async function callTool(
  client: Client,
  name: string,
  args: Record<string, unknown> = {},
): Promise<Reply> {
  const result = await client.callTool({ name, arguments: args });
  const content = result.content as { type: string; text: string }[];
  const reply = JSON.parse(content[0]!.text) as Reply;
  // What the protocol itself refuses has no structured content.
  if (result.structuredContent && JSON.stringify(result.structuredContent) !== content[0]!.text) {
    throw new Error('text and structured content differ');
  }
  if (Boolean(result.isError) === reply.success) throw new Error('isError and success differ');
  return reply;
}

export async function connect(
  options: Partial<McpOptions> = {},
  shared: SharedOptions = {},
): Promise<TestClient> {
  const requests: RunRequest[] = [];
  const debug = createMcpServer({
    shared: new Shared({ predictor: predictor(), runtime: replaying(requests), ...shared }),
    ...options,
  });
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: 'test', version: '1' });
  await Promise.all([debug.server.connect(ours), client.connect(theirs)]);
  const ask = (name: string, args?: Record<string, unknown>) => callTool(client, name, args);
  return {
    client,
    requests,
    call: ask,
    async start(more = {}) {
      const { sessionId } = await ask('create_debug_session', { name: 'discount' });
      const reply = await ask('start_debugging', { sessionId, code: text, call, ...more });
      if (!reply.success) throw new Error(JSON.stringify(reply));
      return sessionId as string;
    },
    async close() {
      await client.close();
      await debug.close();
    },
  };
}
