/** @file `npdb debug FILE [CALL]`, the default verb: pdb's prompt over an engine. */
import { stripVTControlCharacters } from 'node:util';
import { type Command, Option } from 'commander';
import { NpdbError } from '../../../common/errors.ts';
import type { EntryCall } from '../../../debugger/entry.ts';
import type { EngineName, Position } from '../../../debugger/types.ts';
import type { Strategy } from '../../../predictor/types.ts';
import type { Outcome } from '../../../state/types.ts';
import { collect, example, printJson, readText, wholeNumber } from '../common.ts';
import { entryOptions, entryRequest, positional, pythonFor } from '../entry.ts';
import { Shell } from '../pdb/shell.ts';
import { prompt, startCommands } from '../prompt.ts';
import { openSession } from '../session.ts';

export interface DebugOptions {
  readonly engine: EngineName;
  readonly command: string[];
  readonly model?: string;
  readonly module?: string;
  readonly root?: string[];
  readonly stdin?: string;
  readonly at?: string;
  readonly python: string;
  readonly strategy: Strategy;
  readonly seed: number;
  readonly mask: boolean;
  readonly resync?: boolean;
  readonly json?: boolean;
  /** False: no `.npdbrc` is read. */
  readonly rc?: boolean;
}

export function debugVerb(npdb: Command): void {
  const command = npdb
    .command('debug', { isDefault: true })
    .argument('[file]', 'a Python file')
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
    .option('--at <function>', 'recorded: begin at its call; FUNCTION:3 at its third')
    .option('--no-rc', 'do not read ~/.npdbrc and ./.npdbrc')
    .option('--json', 'one JSON object per command')
    .action(
      async (
        file: string | undefined,
        call: string | undefined,
        args: string[],
        options: DebugOptions,
        self: Command,
      ) => {
        const given = [file, call, ...args].filter((arg) => arg !== undefined);
        const named = positional(npdb, given, options.module);
        if (options.module === undefined && named.file === undefined) {
          throw new NpdbError('E_USAGE', 'Nothing to debug.', 'Name a FILE, or a module with -m.');
        }
        const flags = { ...options, root: options.root ?? [], python: pythonFor(options, self) };
        await debugFile(named.file ?? '<main>', named.call, flags, named.argv);
      },
    );
  entryOptions(command);
  example(command, 'npdb examples/discount.py "total([5, 2, 9], 3)" -c step -c next -c "p result" -c quit');
}

export async function debugFile(
  file: string,
  call: string | undefined,
  options: DebugOptions,
  argv: readonly string[] = [],
): Promise<void> {
  const { engine, module } = options;
  if (engine === 'neural' && (module !== undefined || options.at !== undefined)) {
    throw new NpdbError('E_USAGE', 'Only a recorded run begins there.', 'Add --engine recorded.');
  }
  const source = module === undefined ? await readFile(file) : '';
  const flags = { ...options, root: options.root ?? [] };
  const request = await entryRequest(file, source, options.python, flags, argv);
  const { text } = request.file;
  const { at: _, stdin: _stdin, ...rest } = options;
  const session = await openSession({
    ...rest,
    text,
    path: file,
    request,
    ...(options.at === undefined ? {} : { at: entryCall(options.at) }),
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
    const first = options.rc === false ? [] : await startCommands();
    for (const given of [...first, ...options.command]) {
      const ended = await shell.execute(given);
      emit(given);
      if (ended) return;
    }
    await prompt({ shell, controller, emit, quiet: options.json ?? false });
  } finally {
    await session.close();
  }
}

/** `f` or `f:3`. */
function entryCall(text: string): EntryCall {
  const [, fn = '', nth = '1'] = /^(.+?)(?::(\d+))?$/.exec(text) ?? [];
  return { fn, nth: Number(nth) };
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
