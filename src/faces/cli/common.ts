/** @file What the verbs share: example-first help, number options, progress, interruption, JSON. */
import { readFile } from 'node:fs/promises';
import { SingleBar } from 'cli-progress';
import { type Command, InvalidArgumentError } from 'commander';
import { NpdbError } from '../../common/errors.ts';

/** Puts a command line that runs at the top of a verb's help. */
export function example(command: Command, line: string): Command {
  return command.addHelpText('beforeAll', `Example:\n  ${line}\n`);
}

export function wholeNumber(text: string): number {
  if (/^\d+$/.test(text)) return Number(text);
  throw new InvalidArgumentError(`'${text}' is not a whole number.`);
}

export const collect = (value: string, before: string[]): string[] => [...before, value];

/** A file's text; a program's without the byte-order mark, as Python reads it. Throws `E_FILE` in words for people. */
export async function readText(path: string, what = 'file'): Promise<string> {
  try {
    const text = await readFile(path, 'utf8');
    return what === 'program' ? text.replace(/^\uFEFF/, '') : text;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const reasons: Record<string, string> = { ENOENT: 'does not exist', EISDIR: 'is a folder' };
    const reason = reasons[code ?? ''] ?? String(error);
    throw new NpdbError('E_FILE', `The ${what} ${path} ${reason}.`, 'Check the path.', 3);
  }
}

export interface Progress {
  update(done: number, note?: string): void;
  stop(): void;
}

/** A bar on a terminal, a line every five seconds elsewhere; always on stderr. */
export function progress(what: string, total: number): Progress {
  const bar = new SingleBar({
    format: `${what} {bar} {value}/{total} {note} eta {eta_formatted}`,
    stream: process.stderr,
    noTTYOutput: true,
    notTTYSchedule: 5_000,
    hideCursor: null,
    barsize: 24,
  });
  bar.start(total, 0, { note: '' });
  return { update: (done, note = '') => bar.update(done, { note }), stop: () => bar.stop() };
}

/** A signal that the first Ctrl-C aborts; the second ends the process. */
export function interruptible(): AbortSignal {
  const controller = new AbortController();
  // The listener stays: with none left, a signal would end this process before its work is put away.
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.on(name, () => {
      if (controller.signal.aborted) process.exit(130);
      controller.abort(new DOMException('interrupted', 'AbortError'));
    });
  }
  return controller.signal;
}

export function printJson(value: unknown): void {
  process.stdout.write(
    `${JSON.stringify(value, (_, v) => (v instanceof Map ? Object.fromEntries(v) : v))}\n`,
  );
}
