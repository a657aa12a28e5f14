import { request } from 'node:http';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Shared } from '../shared.ts';
import { call, callTool, predictor, replaying, text } from './client.testing.ts';
import { type HttpOptions, type HttpServer, serveHttp } from './http.ts';

let http: HttpServer;
const open = (options: Partial<HttpOptions> = {}) =>
  serveHttp({ shared: new Shared({ predictor: predictor(), runtime: replaying() }), port: 0, ...options });
beforeEach(async () => {
  http = await open();
});
afterEach(() => http.close());

async function connect(server = http): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' });
  const requestInit = { headers: { Authorization: `Bearer ${server.token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(server.url), { requestInit }) as never);
  return client;
}

const INITIALIZE = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
});

/** A request with any headers, as a web page or a careless client would send it. */
function post(headers: Record<string, string>, body = INITIALIZE, path?: string): Promise<number> {
  const url = new URL(http.url);
  return new Promise((resolve, reject) => {
    const asked = request(
      {
        host: url.hostname,
        port: url.port,
        path: path ?? url.pathname,
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          Accept: 'application/json, text/event-stream',
          Authorization: `Bearer ${http.token}`,
          ...headers,
        },
      },
      (response) => {
        response.resume();
        response.on('error', () => {});
        resolve(response.statusCode ?? 0);
      },
    );
    asked.on('error', reject);
    asked.end(body);
  });
}

it('serves a whole session to the SDK client', async () => {
  const client = await connect();
  const { sessionId } = await callTool(client, 'create_debug_session');
  await callTool(client, 'start_debugging', { sessionId, code: text, call });
  expect(await callTool(client, 'step_out', { sessionId })).toMatchObject({ returnValue: '8' });
  await client.close();
});

it('keeps the sessions of two clients apart', async () => {
  const [one, two] = [await connect(), await connect()];
  const { sessionId } = await callTool(one, 'create_debug_session');
  expect(await callTool(two, 'step_over', { sessionId })).toMatchObject({ error: { code: 'E_SESSION' } });
  await Promise.all([one.close(), two.close()]);
});

describe('is closed to all but its own clients', () => {
  it.each([
    ['no token', { Authorization: '' }, 401],
    ['a wrong token', { Authorization: 'Bearer wrong-token-wrong-token' }, 401],
    ['a web page elsewhere', { Origin: 'https://example.com' }, 403],
    ['a page that only looks local', { Origin: 'http://localhost.example.com' }, 403],
    ['a page without an origin of its own', { Origin: 'null' }, 403],
    ['a host name that was rebound', { Host: 'example.com' }, 403],
    ['a connection that is not there', { 'Mcp-Session-Id': '1' }, 404],
    ['a local page with the token', { Origin: 'http://localhost:5173' }, 200],
    ['a client without origin', {}, 200],
  ])('%s', async (_, headers, status) => {
    expect(await post(headers)).toBe(status);
  });

  it('another path, a body that is no JSON, one that is too large', async () => {
    expect(await post({}, INITIALIZE, '/')).toBe(404);
    expect(await post({}, 'not json')).toBe(400);
    expect(await post({}, `"${'x'.repeat(5 * 1024 * 1024)}"`)).toBe(413);
  });

  it('is bound to this machine only', async () => {
    expect(new URL(http.url).hostname).toBe('127.0.0.1');
    await expect(open({ host: '0.0.0.0' })).rejects.toMatchObject({ code: 'E_HOST' });
    await expect(open({ token: 'short' })).rejects.toMatchObject({ code: 'E_TOKEN' });
    await expect(open({ port: Number(new URL(http.url).port) })).rejects.toMatchObject({ code: 'E_PORT' });
  });
});

it('limits connections, and closes those that nobody uses', async () => {
  const small = await open({ connections: 1, idleMs: 60_000 });
  const first = await connect(small);
  await expect(connect(small)).rejects.toThrow('Too many');
  await small.expire();
  expect(await callTool(first, 'list_debug_sessions')).toMatchObject({ count: 0 });
  await small.expire(Date.now() + 61_000);
  const second = await connect(small);
  await expect(callTool(first, 'list_debug_sessions')).rejects.toThrow();
  await Promise.all([first.close(), second.close()]);
  await small.close();
});
