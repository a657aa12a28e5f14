/**
 * @file The server over streamable HTTP, on this machine only: bound to a loopback address, every request with a
 * bearer token, `Host` and `Origin` checked so that no web page can reach it through the user's browser (DNS
 * rebinding; MCP specification, "Transports: security warning"). Each connection has sessions of its own.
 */
import { createHash, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { NpdbError } from '../../common/errors.ts';
import { createMcpServer, type DebugServer, type McpOptions } from './server.ts';

export interface HttpOptions extends McpOptions {
  /** A loopback address. */
  readonly host?: string;
  /** 0: any free one. */
  readonly port: number;
  /** Made up if absent. */
  readonly token?: string;
  /** Connections at a time. */
  readonly connections?: number;
  /** A connection without requests for so long is closed, ms. */
  readonly idleMs?: number;
}

export interface HttpServer {
  readonly url: string;
  readonly token: string;
  /** Closes the connections that nobody used for too long; done by itself every minute. */
  expire(now?: number): Promise<void>;
  close(): Promise<void>;
}

interface Connection {
  readonly transport: StreamableHTTPServerTransport;
  readonly debug: DebugServer;
  usedAt: number;
  /** Requests and streams that are open. */
  open: number;
}

const LOOPBACK = new Set(['127.0.0.1', '::1', 'localhost']);
const MOST_BODY = 4 * 1024 * 1024;
const CONNECTIONS = 16;
const IDLE_MS = 60 * 60_000;
/** Shorter ones are guessed. */
const LEAST_TOKEN = 16;

/** Throws `E_HOST`, `E_TOKEN`, `E_PORT`. */
export async function serveHttp(options: HttpOptions): Promise<HttpServer> {
  const host = options.host ?? '127.0.0.1';
  if (!LOOPBACK.has(host)) {
    throw new NpdbError('E_HOST', `${host} is no loopback address.`, 'Use 127.0.0.1, or a tunnel to it.');
  }
  const token = options.token ?? randomBytes(24).toString('base64url');
  if (token.length < LEAST_TOKEN) {
    throw new NpdbError(
      'E_TOKEN',
      `The token is shorter than ${LEAST_TOKEN} characters.`,
      'Choose a longer one.',
    );
  }
  const connections = new Map<string, Connection>();
  const server = createServer((request, response) => {
    answer(request, response, { options, token, connections }).catch((error: unknown) => {
      process.stderr.write(`npdb mcp: ${error instanceof Error ? error.stack : String(error)}\n`);
      refuse(response, 500, -32603, 'Internal error.');
    });
  });
  server.requestTimeout = 0;
  const port = await listen(server, host, options.port);
  const idle = options.idleMs ?? IDLE_MS;
  const expire = (now = Date.now()) => closeIdle(connections, idle, now);
  const timer = setInterval(() => void expire(), Math.min(idle, 60_000));
  timer.unref();
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${port}/mcp`,
    token,
    expire,
    async close() {
      clearInterval(timer);
      await Promise.allSettled([...connections.values()].map(({ debug }) => debug.close()));
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

// --- internal ---

interface Context {
  readonly options: HttpOptions;
  readonly token: string;
  readonly connections: Map<string, Connection>;
}

async function answer(request: IncomingMessage, response: ServerResponse, context: Context): Promise<void> {
  const { connections } = context;
  if (!localName(request.headers.host)) return refuse(response, 403, -32000, 'Host is not this machine.');
  const { origin } = request.headers;
  if (origin !== undefined && !localOrigin(origin))
    return refuse(response, 403, -32000, 'Origin is not allowed.');
  if (new URL(request.url ?? '/', 'http://localhost').pathname !== '/mcp') {
    return refuse(response, 404, -32000, 'The endpoint is /mcp.');
  }
  if (!bears(request.headers.authorization, context.token)) {
    response.setHeader('WWW-Authenticate', 'Bearer');
    return refuse(response, 401, -32000, 'A bearer token is needed: the one npdb mcp printed.');
  }
  const id = request.headers['mcp-session-id'];
  const known = typeof id === 'string' ? connections.get(id) : undefined;
  if (id !== undefined && !known) return refuse(response, 404, -32001, 'There is no such connection.');
  const connection = known ?? (await connect(context));
  if (!connection) return refuse(response, 503, -32000, 'Too many connections.');
  connection.open += 1;
  response.once('close', () => {
    connection.open -= 1;
    connection.usedAt = Date.now();
    // It never was initialised: nobody can come back to it.
    if (!known && connection.transport.sessionId === undefined) void connection.debug.close();
  });
  await connection.transport.handleRequest(request, response);
}

/** Null where there are too many. */
async function connect({ options, connections }: Context): Promise<Connection | null> {
  if (connections.size >= (options.connections ?? CONNECTIONS)) return null;
  const debug = createMcpServer(options);
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    maxRequestBodySize: MOST_BODY,
    onsessioninitialized: (id) => {
      connections.set(id, connection);
    },
    onsessionclosed: async (id) => {
      connections.delete(id);
      await debug.sessions.closeAll();
    },
  });
  const connection: Connection = { transport, debug, usedAt: Date.now(), open: 0 };
  await debug.server.connect(transport as never);
  return connection;
}

async function closeIdle(connections: Map<string, Connection>, idle: number, now: number): Promise<void> {
  for (const [id, connection] of connections) {
    // An open stream is a client that waits for notifications; only its requests keep it alive.
    if (connection.open > 1 || now - connection.usedAt < idle) continue;
    connections.delete(id);
    await connection.debug.close();
  }
}

/** `Host` and `Origin` name this machine, whatever the port. */
function localName(host: string | undefined): boolean {
  try {
    return host !== undefined && LOOPBACK.has(new URL(`http://${host}`).hostname.replace(/^\[|\]$/g, ''));
  } catch {
    return false;
  }
}

function localOrigin(origin: string): boolean {
  return /^https?:\/\/[^/]+$/.test(origin) && localName(origin.replace(/^https?:\/\//, ''));
}

/** Compared in constant time: the time must not tell how much of a guess is right. */
function bears(header: string | undefined, token: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  const [, given = ''] = /^Bearer (.+)$/i.exec(header ?? '') ?? [];
  return timingSafeEqual(digest(given), digest(token));
}

function refuse(response: ServerResponse, status: number, code: number, message: string): void {
  if (response.headersSent) {
    response.end();
    return;
  }
  response.writeHead(status, { 'Content-Type': 'application/json' });
  response.end(JSON.stringify({ jsonrpc: '2.0', error: { code, message }, id: null }));
}

function listen(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      const why = cause.code === 'EADDRINUSE' ? 'is in use' : `cannot be used: ${cause.message}`;
      reject(
        new NpdbError('E_PORT', `Port ${port} ${why}.`, 'Choose another with --port, or 0.', 2, { cause }),
      );
    });
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port));
  });
}
