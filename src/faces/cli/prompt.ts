/**
 * @file The prompt: a terminal's line editing with completion and a history that is kept, or plain lines from a pipe; and
 * the start-up files, as pdb has `.pdbrc`.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { NpdbError } from '../../common/errors.ts';
import { complete } from './pdb/complete.ts';
import type { Shell } from './pdb/shell.ts';

const RC = '.npdbrc';
/** Lines kept from one session to the next. */
const HISTORY = 1000;

/** The commands of `~/.npdbrc`, then of `./.npdbrc`; `#` begins a comment line. Files that are not there have none. */
export async function startCommands(
  home: string = homedir(),
  folder: string = process.cwd(),
): Promise<string[]> {
  const paths = [...new Set([resolve(home, RC), resolve(folder, RC)])];
  const texts = await Promise.all(paths.map((path) => readFile(path, 'utf8').catch(() => '')));
  return texts
    .flatMap((text) => text.split('\n'))
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
}

/** Where the history is kept: `$NPDB_HISTORY`, or `~/.npdb_history`; empty: nowhere. */
function historyPath(): string {
  return process.env.NPDB_HISTORY ?? join(homedir(), '.npdb_history');
}

/** Newest first, as `readline` wants it. */
async function readHistory(): Promise<string[]> {
  const path = historyPath();
  const text = path === '' ? '' : await readFile(path, 'utf8').catch(() => '');
  return text.split('\n').filter(Boolean).reverse();
}

async function keepHistory(newestFirst: readonly string[]): Promise<void> {
  const path = historyPath();
  if (path === '') return;
  // A home that cannot be written is no reason to end badly.
  await writeFile(path, `${newestFirst.slice(0, HISTORY).reverse().join('\n')}\n`, { mode: 0o600 }).catch(
    () => {},
  );
}

export interface PromptOptions {
  readonly shell: Shell;
  readonly controller: { current: AbortController };
  /** Called after each command. */
  readonly emit: (command: string) => void;
  /** Print no prompt. */
  readonly quiet: boolean;
}

/** Reads commands until `quit` or the end of input. Ctrl-C stops a running command, not the session. */
export async function prompt({ shell, controller, emit, quiet }: PromptOptions): Promise<void> {
  const terminal = process.stdin.isTTY === true && process.stdout.isTTY === true;
  let history: string[] = terminal ? await readHistory() : [];
  const reader = createInterface({
    input: process.stdin,
    output: terminal ? process.stdout : undefined,
    terminal,
    history,
    historySize: HISTORY,
    removeHistoryDuplicates: true,
    ...(terminal ? { completer: (line: string) => complete(shell, line) } : {}),
  });
  const ask = () => {
    reader.setPrompt(quiet ? '' : shell.prompt);
    if (terminal) reader.prompt();
  };
  reader.on('history', (lines) => {
    history = lines;
  });
  reader.on('SIGINT', () => {
    controller.current.abort(new NpdbError('E_INTERRUPTED', 'Stopped.', 'The position is as before.'));
    controller.current = new AbortController();
    ask();
  });
  ask();
  for await (const line of reader) {
    const ended = await shell.execute(line);
    emit(line);
    if (ended) break;
    ask();
  }
  reader.close();
  if (terminal) await keepHistory(history);
}
