/** @file `npdb mcp` as an agent starts it: the built program in a child process, the official SDK's client on its pipes. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterEach, expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const npdb = fileURLToPath(new URL('../bin/npdb.js', import.meta.url));
const open: Client[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((client) => client.close()));
});

async function start(...args: string[]): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' });
  open.push(client);
  const command = { command: process.execPath, args: [npdb, 'mcp', ...args], cwd: root };
  await client.connect(new StdioClientTransport({ ...command, stderr: 'pipe' }));
  return client;
}

async function call(client: Client, name: string, args: Record<string, unknown>) {
  const { structuredContent } = await client.callTool({ name, arguments: args });
  return structuredContent as Record<string, unknown>;
}

it('debugs a real run over stdio, forwards and backwards', async () => {
  const client = await start('--python', 'python3');
  const { sessionId } = await call(client, 'create_debug_session', {});
  await call(client, 'set_breakpoint', {
    sessionId,
    file: 'examples/discount.py',
    statement: 'return result',
  });
  const stop = await call(client, 'start_debugging', {
    sessionId,
    scriptPath: 'examples/discount.py',
    call: 'total([5, 2, 9], 3)',
    engine: 'recorded',
    stopOnEntry: false,
  });
  expect(stop).toMatchObject({
    reason: 'breakpoint',
    origin: 'real',
    location: { file: 'examples/discount.py', line: 11 },
  });
  const value = await call(client, 'evaluate_expression', { sessionId, expression: 'cut(result, 1)' });
  expect(value).toMatchObject({ result: '7', origin: 'real' });
  const edit = await call(client, 'set_variable', { sessionId, name: 'result', value: 'cut(50, 8)' });
  expect(edit.changed).toEqual([{ name: 'result', value: '42', was: '8' }]);
  expect(await call(client, 'step_out', { sessionId })).toMatchObject({ returnValue: '42' });
  expect(await call(client, 'step_back', { sessionId })).toMatchObject({ location: { line: 11 } });
  expect(await call(client, 'reverse_continue', { sessionId })).toMatchObject({ reason: 'end' });
});

it('writes nothing but the protocol to stdout, and ends with its stdin', async () => {
  const child = spawn(process.execPath, [npdb, 'mcp', '--no-run'], { cwd: root });
  let out = '';
  child.stdout.on('data', (chunk) => (out += chunk));
  const ended = new Promise((resolve) => child.on('close', resolve));
  const send = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const clientInfo = { name: 'raw', version: '1' };
  send({
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo },
  });
  send({ method: 'notifications/initialized' });
  child.stdin.write('this is no JSON\n');
  send({ id: 2, method: 'no/such/method' });
  send({ id: 3, method: 'tools/call', params: { name: 'no_such_tool', arguments: {} } });
  while (out.split('\n').filter(Boolean).length < 3) await new Promise((resolve) => setTimeout(resolve, 20));
  child.stdin.end();
  expect(await ended).toBe(0);
  const messages = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(messages.map((m) => m.id).sort()).toEqual([1, 2, 3]);
  expect(messages.find((m) => m.id === 2).error.code).toBe(-32601);
});

it('serves HTTP with the token it prints', async () => {
  const child = spawn(process.execPath, [npdb, 'mcp', '--http', '--python', 'python3'], { cwd: root });
  const ended = new Promise((resolve) => child.on('close', resolve));
  let err = '';
  child.stderr.on('data', (chunk) => (err += chunk));
  while (!err.includes('Bearer')) await new Promise((resolve) => setTimeout(resolve, 20));
  const [url = ''] = /http:\S+/.exec(err) ?? [];
  const [, Authorization = ''] = /Authorization: (.*)/.exec(err) ?? [];
  const client = new Client({ name: 'test', version: '1' });
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers: { Authorization } },
  });
  await client.connect(transport as never);
  expect((await client.listTools()).tools.length).toBeGreaterThan(20);
  await client.close();
  child.kill('SIGINT');
  expect(await ended).toBe(0);
});

it('debugs a program that imports what lies beside it, for real', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'npdb-mcp-'));
  try {
    writeFileSync(join(folder, 'prices.py'), 'def half(x):\n    return x / 2\n');
    writeFileSync(join(folder, 'shop.py'), 'import prices\n\ndef sale(x):\n    return prices.half(x)\n');
    const client = await start('--python', 'python3', '--root', folder);
    const { sessionId } = await call(client, 'create_debug_session', {});
    const program = { sessionId, scriptPath: 'shop.py', call: 'sale(8)', engine: 'recorded' };
    expect(await call(client, 'start_debugging', program)).toMatchObject({ reason: 'entry' });
    for (let i = 0; i < 2; i += 1) await call(client, 'step_into', { sessionId });
    expect(await call(client, 'step_into', { sessionId })).toMatchObject({
      location: { file: 'prices.py', line: 2, function: 'half', depth: 1 },
      context: { lineContent: '    return x / 2' },
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
