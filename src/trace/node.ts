/** @file The trace room with files and trace sets, for Node. */
export { readTrace, readTraces, TraceWriter, writeTrace } from './files.ts';
export * from './index.ts';
export {
  openTraces,
  readManifest,
  sha256,
  shardIntact,
  shardName,
  type TraceSetManifest,
  type TraceShard,
  writeManifest,
} from './set.ts';
