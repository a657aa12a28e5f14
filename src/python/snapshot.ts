/**
 * @file The started interpreter's memory, kept on disk so that the next sandbox begins with it. It is taken
 * before the sandbox has run any program, and only ever read by a sandbox made of the same files: Node, Pyodide,
 * `sandbox.mjs`, `walled.mjs` and the tracer are part of its name. Without a place to keep it, starting is just slower.
 */
import { createHash } from 'node:crypto';
import { createWriteStream, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { READER, SANDBOX, TRACER, TRACER_PARTS, WALLED } from './paths.ts';

/** Where this interpreter's snapshot is or would be; `null`: nowhere. */
export function snapshotPath(pyodide: string, folder: string): string | null {
  const hash = createHash('sha256').update(process.version).update(process.arch);
  const files = [join(pyodide, 'package.json'), SANDBOX, WALLED, READER, TRACER, ...TRACER_PARTS];
  for (const path of files) hash.update(readFileSync(path));
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch {
    return null;
  }
  return join(folder, `${hash.digest('hex').slice(0, 32)}.snapshot`);
}

let parts = 0;

export const snapshotExists = (path: string): boolean => existsSync(path);

/** Keeps what comes, if it comes whole; the snapshots of other versions go. Never fails. */
export async function saveSnapshot(stream: Readable, path: string, whole: Promise<boolean>): Promise<void> {
  // Two sandboxes of one process may both be the first.
  const part = `${path}.${process.pid}.${++parts}.part`;
  try {
    await pipeline(stream, createWriteStream(part, { mode: 0o600 }));
    if (!(await whole)) throw new Error('not whole');
    const folder = dirname(path);
    for (const name of readdirSync(folder)) {
      if (name.endsWith('.snapshot')) rmSync(join(folder, name), { force: true });
    }
    await rename(part, path);
  } catch {
    rmSync(part, { force: true });
  }
}

export function dropSnapshot(path: string): void {
  rmSync(path, { force: true });
}
