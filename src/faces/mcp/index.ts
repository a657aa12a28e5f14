/** @file The MCP face: a debugger for agents. */

export { Shared, type SharedOptions } from '../shared.ts';
export { type HttpOptions, type HttpServer, serveHttp } from './http.ts';
export { createMcpServer, type DebugServer, type McpOptions } from './server.ts';
export { serveStdio } from './stdio.ts';
export type * from './types.ts';
