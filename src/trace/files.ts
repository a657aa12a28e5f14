/**
 * @file Trace files, plain or gzipped (by name when written, by content when read), streamed. Node only.
 * A file is replaced only once the new one is complete.
 */
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { rename } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { constants, createGzip } from 'node:zlib';
import { NpdbError } from '../common/errors.ts';
import { readLines } from '../common/lines.ts';
import { broken, parseRecord } from './schema.ts';
import { TraceAssembler, traceText } from './stream.ts';
import type { Trace } from './types.ts';

/** All traces of a file, in order. Every trace before a broken place is yielded before `E_TRACE_BROKEN` is thrown. */
export async function* readTraces(path: string): AsyncGenerator<Trace> {
  const assembler = new TraceAssembler();
  let number = 0;
  try {
    for await (const line of readLines(path)) {
      number = line.number;
      if (line.text === '') continue;
      if (line.open && assembler.inside) throw broken(number, 'is cut off: the file stops inside it');
      const trace = assembler.push(parseRecord(line.text, number), number);
      if (trace) yield trace;
    }
  } catch (error) {
    throw error instanceof NpdbError ? inFile(path, error) : inFile(path, unreadable(number + 1, error));
  }
  if (assembler.inside) throw inFile(path, broken(number, 'is the last one, and the trace has no end'));
}

/** The one trace of a file. */
export async function readTrace(path: string): Promise<Trace> {
  let only: Trace | null = null;
  for await (const trace of readTraces(path)) {
    if (only) {
      throw new NpdbError(
        'E_TRACE_BROKEN',
        `${path} holds more than one trace.`,
        'Use `npdb trace` on one call, or name the set.',
        3,
      );
    }
    only = trace;
  }
  if (!only) throw inFile(path, broken(1, 'is missing: the file is empty'));
  return only;
}

/** Gzipped if the name ends in `.gz`. */
export async function writeTrace(path: string, trace: Trace): Promise<void> {
  const writer = new TraceWriter(`${path}.part`, path.endsWith('.gz'));
  try {
    await writer.write(trace);
  } finally {
    await writer.close();
  }
  await rename(`${path}.part`, path);
}

/**
 * Writes traces one after the other. Each `write` is flushed to the file before it resolves, so a
 * process killed at any time leaves every trace written before readable.
 */
export class TraceWriter {
  readonly #out: Writable;
  readonly #file: Writable;
  readonly #gzip: ReturnType<typeof createGzip> | null;
  #failed: Error | null = null;

  constructor(path: string, gzip: boolean) {
    this.#file = createWriteStream(path);
    this.#gzip = gzip ? createGzip({ level: 6 }) : null;
    this.#out = this.#gzip ?? this.#file;
    this.#gzip?.pipe(this.#file);
    for (const stream of [this.#file, this.#out]) {
      stream.on('error', (error) => {
        this.#failed = error;
      });
    }
  }

  async write(trace: Trace): Promise<void> {
    const room = this.#out.write(traceText(trace));
    if (this.#gzip) await new Promise<void>((done) => this.#gzip!.flush(constants.Z_SYNC_FLUSH, done));
    else if (!room) await Promise.race([once(this.#out, 'drain'), once(this.#out, 'close')]);
    if (this.#failed) throw writeFailed(this.#failed);
  }

  async close(): Promise<void> {
    this.#out.end();
    try {
      await finished(this.#file);
    } catch (error) {
      throw writeFailed(error as Error);
    }
  }
}

// --- internal ---

function inFile(path: string, error: NpdbError): NpdbError {
  if (error.code !== 'E_TRACE_BROKEN' && error.code !== 'E_TRACE_VERSION') return error;
  return new NpdbError(error.code, `${path}: ${error.message}`, error.hint, error.exit, { cause: error });
}

function unreadable(line: number, cause: unknown): NpdbError {
  return broken(line, `cannot be read: ${(cause as Error).message}`);
}

function writeFailed(cause: Error): NpdbError {
  return new NpdbError(
    'E_WRITE',
    `cannot write the trace: ${cause.message}.`,
    'Check the path and the free space.',
    3,
    { cause },
  );
}
