/** @file A debugger as a reinforcement learning environment. */
export { DebugEnvironment, type ResetOptions } from './environment.ts';
export { EnvironmentServer, PROTOCOL_VERSION, programsOf } from './rpc.ts';
export { serveLines } from './stdio.ts';
export * from './types.ts';
