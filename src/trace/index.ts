/** @file The trace room, without files: what a browser can use too. `node.ts` adds files and sets. */
export { broken, checkRecord, parseRecord, type TraceRecord } from './schema.ts';
export { parseTrace, parseTraces, TraceAssembler, traceText } from './stream.ts';
export * from './types.ts';
