/** The debugger as a Model Context Protocol server in the same process: `npdb/mcp`. As a program: `npdb mcp`. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { createMcpServer, Shared } from 'npdb/mcp';

const shared = new Shared();
const { server, close } = createMcpServer({ shared, replyBytes: 2_000 });
const [ours, theirs] = InMemoryTransport.createLinkedPair();
const client = new Client({ name: 'example', version: '1' });
await Promise.all([server.connect(ours), client.connect(theirs)]);

/** @param {string} name @param {Record<string, unknown>} args */
const call = async (name, args) => {
  const { structuredContent } = await client.callTool({ name, arguments: args });
  return /** @type {Record<string, any>} */ (structuredContent);
};
const { sessionId } = await call('create_debug_session', {});
const code = 'def double(x):\n    y = x * 2\n    return y\n';
await call('start_debugging', { sessionId, code, call: 'double(3)', engine: 'recorded' });
console.log((await call('step_out', { sessionId })).message); // STOP step: return at main.py:3 in double -> 6 (real)
await client.close();
await close();
await shared.close();
