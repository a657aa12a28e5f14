/** @file A debugger as a reinforcement learning environment. */

export { Shared, type SharedOptions } from '../shared.ts';
export { DebugEnvironment, type ResetOptions } from './environment.ts';
export { EnvironmentServer, PROTOCOL_VERSION, programsOf } from './rpc.ts';
export { serveLines } from './stdio.ts';
export * from './types.ts';
