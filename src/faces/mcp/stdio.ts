/** @file The server over stdin and stdout, for an agent that starts it. stdout carries the protocol and nothing else. */
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { createMcpServer, type McpOptions } from './server.ts';

/** Ends when the client closes stdin or the signal aborts. */
export async function serveStdio(options: McpOptions, signal: AbortSignal): Promise<void> {
  // A library that prints must not break the protocol.
  console.log = console.info = console.debug = console.error;
  const { server, close } = createMcpServer(options);
  const ended = new Promise<void>((resolve) => {
    process.stdin.once('end', resolve);
    process.stdin.once('close', resolve);
    server.server.onclose = resolve;
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  await server.connect(new StdioServerTransport());
  await ended;
  await close();
}
