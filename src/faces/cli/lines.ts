/**
 * @file Lines to a file, as they come: what is written stays written when the run is interrupted (`PATH.part`), and
 * a file that was there before is replaced only by a whole one.
 */
import { closeSync, openSync, renameSync, statSync, unlinkSync, writeSync } from 'node:fs';
import { NpdbError } from '../../common/errors.ts';

export interface LineWriter {
  /** Adds a line to the part; a failure is kept for `finish`, for it can come in the middle of a run. */
  write(value: unknown): void;
  /** Puts the whole file in its place and removes the part. Throws `E_WRITE`. */
  finish(values: readonly unknown[]): void;
  /** Without `finish` the part stays where it is. */
  close(): void;
}

/** Throws `E_WRITE`, exit 3, for a folder or a path that cannot be written, before anything has run. */
export function lineWriter(path: string): LineWriter {
  const part = `${path}.part`;
  const there = statSync(path, { throwIfNoEntry: false });
  if (there?.isDirectory()) throw unwritable(path, { code: 'EISDIR' });
  // A device or pipe (`/dev/null`, `/dev/stdout`) is written to, never replaced by a file.
  if (there && !there.isFile()) return streamWriter(path);
  let file: number | null = attempt(path, () => openSync(part, 'w'));
  let failure: unknown;
  const close = () => {
    if (file !== null) closeSync(file);
    file = null;
  };
  return {
    write(value) {
      if (failure !== undefined || file === null) return;
      try {
        writeAll(file, value);
      } catch (error) {
        failure = error;
      }
    },
    finish(values) {
      close();
      attempt(path, () => {
        if (failure !== undefined) throw failure;
        const whole = `${path}.whole`;
        const target = openSync(whole, 'w');
        try {
          for (const value of values) writeAll(target, value);
        } finally {
          closeSync(target);
        }
        renameSync(whole, path);
        unlinkSync(part);
      });
    },
    close,
  };
}

function streamWriter(path: string): LineWriter {
  return {
    write() {},
    finish(values) {
      attempt(path, () => {
        const target = openSync(path, 'w');
        try {
          for (const value of values) writeAll(target, value);
        } finally {
          closeSync(target);
        }
      });
    },
    close() {},
  };
}

function writeAll(file: number, value: unknown): void {
  const line = Buffer.from(`${JSON.stringify(value)}\n`);
  for (let at = 0; at < line.length; ) at += writeSync(file, line, at);
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
