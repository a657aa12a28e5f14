/**
 * @file Lines of a UTF-8 file, plain or gzipped (told by its first bytes, not its name), streamed with
 * constant memory. Node only. Splits on `\n` alone: JSON text may hold U+2028 and `\r`, at which
 * `node:readline` would split too.
 */
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { constants, createGunzip } from 'node:zlib';
import { NpdbError } from './errors.ts';

export interface FileLine {
  /** From 1. */
  readonly number: number;
  readonly text: string;
  /** The file ended without a line end after this one. */
  readonly open: boolean;
}

/**
 * Yields every complete line before a broken place in the compressed data, then throws the stream's error.
 * Data that merely stops early is no error here: the last line is `open`.
 */
export async function* readLines(path: string): AsyncGenerator<FileLine> {
  const decoder = new TextDecoder();
  let rest = '';
  let number = 0;
  for await (const chunk of bytesOf(path)) {
    const parts = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = parts.pop() as string;
    for (const text of parts) yield { number: ++number, text, open: false };
  }
  rest += decoder.decode();
  if (rest !== '') yield { number: ++number, text: rest, open: true };
}

export function fileMissing(path: string, cause: unknown): NpdbError {
  const code = (cause as NodeJS.ErrnoException).code;
  const what = code === 'ENOENT' ? 'there is no such file' : (cause as Error).message;
  return new NpdbError('E_FILE', `cannot read ${path}: ${what}.`, 'Check the path.', 3, { cause });
}

// --- internal ---

async function isGzip(path: string): Promise<boolean> {
  try {
    const file = await open(path);
    try {
      const { bytesRead, buffer } = await file.read(Buffer.alloc(2), 0, 2, 0);
      return bytesRead === 2 && buffer[0] === 0x1f && buffer[1] === 0x8b;
    } finally {
      await file.close();
    }
  } catch (error) {
    throw fileMissing(path, error);
  }
}

/** A stream's async iterator drops what is buffered when an error comes; listening keeps it. */
async function* bytesOf(path: string): AsyncGenerator<Buffer> {
  const gzip = await isGzip(path);
  const file = createReadStream(path);
  const source = gzip ? file.pipe(createGunzip({ finishFlush: constants.Z_SYNC_FLUSH })) : file;
  const queue: Buffer[] = [];
  let ended = false;
  let failed: Error | null = null;
  let wake: () => void = () => {};
  const fail = (error: Error): void => {
    failed = error;
    wake();
  };
  file.on('error', fail);
  source.on('error', fail);
  source.on('end', () => {
    ended = true;
    wake();
  });
  source.on('data', (chunk: Buffer) => {
    queue.push(chunk);
    if (queue.length > 16) source.pause();
    wake();
  });
  try {
    for (;;) {
      const chunk = queue.shift();
      if (chunk) yield chunk;
      else if (failed) throw failed;
      else if (ended) return;
      else {
        const waiting = new Promise<void>((resolve) => {
          wake = resolve;
        });
        source.resume();
        await waiting;
      }
    }
  } finally {
    file.destroy();
    source.destroy();
  }
}
