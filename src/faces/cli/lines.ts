/**
 * @file Lines to a file, as they come: what is written stays written when the run is interrupted (`PATH.part`), and
 * a file that was there before is replaced only by a whole one. No line is kept in memory for longer than a moment.
 */
import {
  closeSync,
  mkdtempSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { NpdbError } from '../../common/errors.ts';

export interface LineWriter {
  /** Adds a line to the part, within a twentieth of a second; a failure is kept for `finish`, for it can come in a run. */
  write(value: unknown): void;
  /** Puts the whole file in its place, the lines written between `before` and `after`, and removes the part. Throws `E_WRITE`. */
  finish(before: readonly unknown[], after: readonly unknown[]): void;
  /** Without `finish` the part stays where it is. */
  close(): void;
}

const BLOCK = 1 << 16;
const DELAY_MS = 50;

/** Throws `E_WRITE`, exit 3, for a folder or a path that cannot be written, before anything has run. */
export function lineWriter(path: string): LineWriter {
  const there = statSync(path, { throwIfNoEntry: false });
  if (there?.isDirectory()) throw unwritable(path, { code: 'EISDIR' });
  // A device or pipe (`/dev/null`, `/dev/stdout`) is written to, never replaced by a file, and nothing lies beside it.
  const replaced = !there || there.isFile();
  const part = replaced ? `${path}.part` : join(mkdtempSync(join(tmpdir(), 'npdb-')), 'part');
  let file: number | null = attempt(path, () => openSync(part, 'w'));
  let waiting = '';
  let timer: NodeJS.Timeout | null = null;
  let failure: unknown;
  const flush = () => {
    if (timer) clearTimeout(timer);
    timer = null;
    const text = waiting;
    waiting = '';
    if (file === null || failure !== undefined) return;
    try {
      writeAll(file, Buffer.from(text));
    } catch (error) {
      failure = error;
    }
  };
  const close = () => {
    flush();
    if (file !== null) closeSync(file);
    file = null;
    if (!replaced) rmSync(dirname(part), { recursive: true, force: true });
  };
  return {
    write(value) {
      waiting += `${JSON.stringify(value)}\n`;
      if (waiting.length >= BLOCK) flush();
      else timer ??= setTimeout(flush, DELAY_MS);
    },
    finish(before, after) {
      flush();
      attempt(path, () => {
        if (failure !== undefined) throw failure;
        const target = replaced ? `${path}.whole` : path;
        const whole = openSync(target, 'w');
        try {
          for (const value of before) writeAll(whole, lineOf(value));
          copyAll(part, whole);
          for (const value of after) writeAll(whole, lineOf(value));
        } finally {
          closeSync(whole);
        }
        close();
        if (!replaced) return;
        renameSync(target, path);
        unlinkSync(part);
      });
    },
    close,
  };
}

const lineOf = (value: unknown): Buffer => Buffer.from(`${JSON.stringify(value)}\n`);

function writeAll(file: number, data: Buffer): void {
  for (let at = 0; at < data.length; ) at += writeSync(file, data, at);
}

function copyAll(from: string, to: number): void {
  const source = openSync(from, 'r');
  try {
    const block = Buffer.alloc(1 << 20);
    for (let size = 0; (size = readSync(source, block)) > 0; ) writeAll(to, block.subarray(0, size));
  } finally {
    closeSync(source);
  }
}

function attempt<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw unwritable(path, error);
  }
}

function unwritable(path: string, error: unknown): NpdbError {
  const { code } = error as NodeJS.ErrnoException;
  const reasons: Record<string, string> = {
    ENOENT: 'its folder does not exist',
    ENOTDIR: 'its folder is a file',
    EISDIR: 'it is a folder',
    EACCES: 'permission denied',
    ENOSPC: 'the disk is full',
  };
  const why = reasons[code ?? ''] ?? String(error);
  return new NpdbError('E_WRITE', `Cannot write ${path}: ${why}.`, 'Give another path with -o.', 3);
}
