/** @file One connection's server: tools, resources, prompts and instructions over its own sessions. No transport. */
import { readFileSync } from 'node:fs';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { z } from 'zod';
import type { Shared } from '../shared.ts';
import { debugPrompt, INSTRUCTIONS, inputPrompt } from './instructions.ts';
import { registerResources } from './resources.ts';
import { type SessionLimits, Sessions } from './sessions.ts';
import { breakpointTools } from './tools/breakpoints.ts';
import { inspectTools } from './tools/inspect.ts';
import type { Kit } from './tools/kit.ts';
import { lifecycleTools } from './tools/lifecycle.ts';
import { motionTools } from './tools/motion.ts';
import { worldTools } from './tools/world.ts';

export interface McpOptions {
  /** Model and runtime; lent, not closed. */
  readonly shared: Shared;
  /** Folders whose Python files a client may name; the working folder if absent. */
  readonly roots?: readonly string[];
  /** Bytes of a reply where the call does not say. */
  readonly replyBytes?: number;
  readonly sessions?: Partial<SessionLimits>;
}

export interface DebugServer {
  readonly server: McpServer;
  readonly sessions: Sessions;
  /** Closes the sessions, then the connection. */
  close(): Promise<void>;
}

/** Works from `src/faces/mcp/` and `dist/faces/mcp/` alike. */
const VERSION = (
  JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as { version: string }
).version;

export function createMcpServer(options: McpOptions): DebugServer {
  const server = new McpServer(
    { name: 'npdb', title: 'Neural debugger for Python', version: VERSION },
    { instructions: INSTRUCTIONS, maxToolInputElements: 10_000 },
  );
  const sessions = new Sessions(options.sessions);
  const kit: Kit = {
    server,
    sessions,
    shared: options.shared,
    roots: options.roots ?? [process.cwd()],
    ...(options.replyBytes === undefined ? {} : { replyBytes: options.replyBytes }),
  };
  for (const register of [lifecycleTools, breakpointTools, motionTools, inspectTools, worldTools])
    register(kit);
  registerResources(server, sessions);
  registerPrompts(server);
  sessions.onChange = () => {
    if (server.isConnected()) server.sendResourceListChanged();
  };
  return {
    server,
    sessions,
    async close() {
      sessions.onChange = () => {};
      await sessions.closeAll();
      await server.close();
    },
  };
}

function registerPrompts(server: McpServer): void {
  const text = (content: string) => ({
    messages: [{ role: 'user' as const, content: { type: 'text' as const, text: content } }],
  });
  server.registerPrompt(
    'debug_code_that_cannot_run',
    {
      title: 'Find a bug without running the program',
      description: 'Predict, compare with what should be, step to the first wrong value, test the idea.',
      argsSchema: { file: z.string(), call: z.string(), symptom: z.string() },
    },
    ({ file, call, symptom }) => text(debugPrompt(file, call, symptom)),
  );
  server.registerPrompt(
    'find_input',
    {
      title: 'Find inputs for an output',
      description: 'Which arguments make a function return a value?',
      argsSchema: { file: z.string(), function: z.string(), value: z.string() },
    },
    (args) => text(inputPrompt(args.file, args.function, args.value)),
  );
}
