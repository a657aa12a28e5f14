/** @file `npdb debug FILE [CALL]`, the default verb: pdb's prompt over an engine. */
import { createInterface } from 'node:readline/promises';
import { stripVTControlCharacters } from 'node:util';
import { type Command, Option } from 'commander';
import { NpdbError } from '../../../common/errors.ts';
import type { EngineName, Position } from '../../../debugger/types.ts';
import type { Strategy } from '../../../predictor/types.ts';
import type { Outcome } from '../../../state/types.ts';
import { collect, example, printJson, readText, wholeNumber } from '../common.ts';
import { Shell } from '../pdb/shell.ts';
import { openSession } from '../session.ts';

export interface DebugOptions {
  readonly engine: EngineName;
  readonly command: string[];
  readonly model?: string;
  readonly python: string;
  readonly strategy: Strategy;
  readonly seed: number;
  readonly mask: boolean;
  readonly resync?: boolean;
  readonly json?: boolean;
}

export function debugVerb(npdb: Command): void {
  const command = npdb
    .command('debug', { isDefault: true })
    .argument('<file>', 'a Python file')
    .argument(
      '[call]',
      'a call of one of its functions, "f(1, [2])"; without it the file is debugged as a script',
    )
    .description('Debug a program: predicted, recorded, or both compared.')
    .addOption(
      new Option('--engine <name>', 'neural: predicted, never run; recorded: a real run; compared: both')
        .choices(['neural', 'recorded', 'compared'])
        .default('neural'),
    )
    .option('-c, --command <command>', 'a debugger command, run first; may be repeated', collect, [])
    .option('--model <dir>', 'the model (default: the bundled one)')
    .option('--python <name>', 'what runs the program where it is run: pyodide, or an interpreter', 'pyodide')
    .addOption(
      new Option('--strategy <name>', 'how jumps are answered')
        .choices(['auto', 'direct', 'rollout'])
        .default('auto'),
    )
    .option('--seed <n>', 'for everything sampled', wholeNumber, 0)
    .option('--no-mask', 'decode without the language mask')
    .option('--resync', 'compared: set the model back on the real state after each difference')
    .option('--json', 'one JSON object per command')
    .action((file: string, call: string | undefined, options: DebugOptions) =>
      debugFile(file, call, options),
    );
  example(command, 'npdb examples/discount.py "total([5, 2, 9], 3)" -c step -c next -c "p result" -c quit');
}

export async function debugFile(
  file: string,
  call: string | undefined,
  options: DebugOptions,
): Promise<void> {
  const text = await readFile(file);
  const session = await openSession({
    ...options,
    text,
    path: file,
    ...(call === undefined ? {} : { call }),
  });
  const controller = { current: new AbortController() };
  const lines: string[] = [];
  const plain = process.stdout.isTTY !== true;
  const print = (line: string) => {
    if (options.json) lines.push(line);
    else process.stdout.write(`${plain ? stripVTControlCharacters(line) : line}\n`);
  };
  const shell = new Shell({
    debug: session.debug,
    files: session.files,
    print,
    signal: () => controller.current.signal,
    ...(session.compare ? { compare: session.compare } : {}),
  });
  const emit = (command: string | null) => {
    if (!options.json) return;
    const { failure } = shell;
    const error = failure && { code: failure.code, message: failure.message, hint: failure.hint };
    const position = shownPosition(session.debug.current);
    printJson({
      command,
      output: lines.splice(0).map(stripVTControlCharacters),
      position,
      ...(error ? { error } : {}),
    });
  };
  try {
    if (!options.json) print(`${file}: ${session.debug.about}`);
    shell.show();
    emit(null);
    for (const given of options.command) {
      const ended = await shell.execute(given);
      emit(given);
      if (ended) return;
    }
    await prompt(shell, controller, emit, options.json ?? false);
  } finally {
    await session.close();
  }
}

/** Without `beyond`: what an engine keeps for itself. */
export function shownPosition(position: Position): Position {
  const shown = (outcome: Outcome): Outcome => {
    if (outcome.type !== 'state') return outcome;
    const { beyond: _, ...state } = outcome.state;
    return { ...outcome, state };
  };
  const { real } = position;
  return { ...position, outcome: shown(position.outcome), ...(real ? { real: shown(real) } : {}) };
}

/** Reads commands until `quit` or the end of input. Ctrl-C stops a running command, not the session. */
async function prompt(
  shell: Shell,
  controller: { current: AbortController },
  emit: (command: string) => void,
  quiet: boolean,
): Promise<void> {
  const terminal = process.stdin.isTTY === true && process.stdout.isTTY === true;
  const reader = createInterface({
    input: process.stdin,
    output: terminal ? process.stdout : undefined,
    terminal,
    prompt: quiet ? '' : '(Pdb) ',
  });
  reader.on('SIGINT', () => {
    controller.current.abort(new NpdbError('E_INTERRUPTED', 'Stopped.', 'The position is as before.'));
    controller.current = new AbortController();
    if (terminal) reader.prompt();
  });
  if (terminal) reader.prompt();
  for await (const line of reader) {
    const ended = await shell.execute(line);
    emit(line);
    if (ended) break;
    if (terminal) reader.prompt();
  }
  reader.close();
}

async function readFile(file: string): Promise<string> {
  try {
    return await readText(file, 'program');
  } catch (error) {
    if (error instanceof NpdbError && /^[a-z][a-z-]*$/.test(file)) {
      throw new NpdbError('E_VERB', `${file} is neither a verb nor a file.`, 'See `npdb --help`.');
    }
    throw error;
  }
}
