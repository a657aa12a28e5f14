/**
 * @file How a tool is defined: its arguments, its answer within the byte budget, errors as answers. No tool throws at
 * the protocol for what a user can cause, and none writes to stdout.
 */
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import type {
  CallToolResult,
  ServerNotification,
  ServerRequest,
  ToolAnnotations,
} from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { NpdbError } from '../../../common/errors.ts';
import type { Shared } from '../../shared.ts';
import { DEFAULT_BYTES, fit, LEAST_BYTES, MOST_BYTES, WHOLE_BYTES } from '../budget.ts';
import type { DebugSession, Sessions } from '../sessions.ts';
import type { ErrorReply } from '../types.ts';

export type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>;

/** What every tool works with. */
export interface Kit {
  readonly server: McpServer;
  readonly sessions: Sessions;
  readonly shared: Shared;
  /** Folders whose Python files may be named. */
  readonly roots: readonly string[];
  /** Bytes of a reply where the call does not say. */
  readonly replyBytes?: number;
}

export interface ToolInfo<Shape extends z.ZodRawShape> {
  readonly title: string;
  readonly description: string;
  readonly input: Shape;
  /** It was asked for one thing: that is not cut without need. */
  readonly whole?: boolean;
  readonly annotations?: ToolAnnotations;
}

/** From create_debug_session; its name says enough. */
export const sessionId = z.string();

const maxBytes = z.number().int().min(LEAST_BYTES).max(MOST_BYTES).optional().describe('Of the reply.');

export function defineTool<Shape extends z.ZodRawShape>(
  kit: Kit,
  name: string,
  info: ToolInfo<Shape>,
  run: (args: z.infer<z.ZodObject<Shape>>, extra: Extra) => Promise<object>,
): void {
  // A misspelt argument is said, not passed over.
  const schema = z.strictObject({ ...info.input, maxBytes });
  const handler = async (given: unknown, extra: Extra): Promise<CallToolResult> => {
    const args = given as z.infer<z.ZodObject<Shape>> & { maxBytes?: number };
    const budget = args.maxBytes ?? (info.whole ? WHOLE_BYTES : (kit.replyBytes ?? DEFAULT_BYTES));
    try {
      return result(fit(await run(args, extra), budget));
    } catch (error) {
      return { ...result(fit(failure(error, sessionOf(kit, args)), budget)), isError: true };
    }
  };
  kit.server.registerTool(
    name,
    {
      title: info.title,
      description: info.description,
      inputSchema: schema,
      annotations: { openWorldHint: false, ...info.annotations },
    },
    handler as never,
  );
}

function result(reply: object): CallToolResult {
  const text = JSON.stringify(reply);
  return {
    content: [{ type: 'text', text }],
    structuredContent: JSON.parse(text) as Record<string, unknown>,
  };
}

/** A user's mistake has a code and a hint; an abandoned call says so; anything else is a fault of ours. */
export function failure(error: unknown, session?: DebugSession): ErrorReply {
  const where = session && {
    state: session.state,
    ...(session.opened ? { position: session.opened.debug.current.id } : {}),
  };
  const { code, message, hint } =
    error instanceof NpdbError
      ? error
      : error instanceof Error && error.name === 'AbortError'
        ? { code: 'E_INTERRUPTED', message: 'The call was stopped.', hint: 'The position is as before.' }
        : {
            code: 'E_INTERNAL',
            message: error instanceof Error ? error.message : String(error),
            hint: 'This is a fault of npdb; the session stays usable.',
          };
  return { success: false, error: { code, message, hint }, ...where };
}

function sessionOf(kit: Kit, args: object): DebugSession | undefined {
  if (!('sessionId' in args)) return undefined;
  return kit.sessions.all.find((session) => session.id === args.sessionId);
}
