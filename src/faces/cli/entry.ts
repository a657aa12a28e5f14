/** @file Programs on the command line: `FILE [CALL] [-- ARGS]` and, as Python has it, `-m MODULE [ARGS]`. */
import { text } from 'node:stream/consumers';
import type { Command } from 'commander';
import { NpdbError } from '../../common/errors.ts';
import { moduleRequest, scriptRequest } from '../../programs/index.ts';
import type { RunRequest } from '../../python/types.ts';
import { collect, readText } from './common.ts';

/** As they come from commander. */
export interface EntryFlags {
  readonly module?: string;
  readonly root?: string[] | undefined;
  readonly stdin?: string;
  readonly python: string;
}

const VERBS = new Set(['trace', 'debug']);

/** All that follows `-m MODULE` is the module's: a `--` between says so to the parser of options. */
export function markModule(argv: readonly string[]): string[] {
  const at = argv.findIndex((arg) => arg === '-m' || arg === '--module' || arg === '--');
  if (at < 0 || argv[at] === '--' || !VERBS.has(argv[0] ?? '')) return [...argv];
  return [...argv.slice(0, at + 2), '--', ...argv.slice(at + 2)];
}

export function entryOptions(command: Command): Command {
  return command
    .argument('[args...]', "the program's own arguments, after --")
    .option('-m, --module <name>', 'as `python -m`: run a module; all that follows is its own')
    .option('--root <dir>', 'record code below this folder (default: the working folder)', collect, [])
    .option('--stdin <path>', "a file for the program's standard input; - is npdb's own");
}

/** What the positional arguments mean. `npdb` has the command line as it was typed. */
export function positional(npdb: Command, given: readonly string[], module: string | undefined) {
  if (module !== undefined) return { argv: given };
  const raw = (npdb as Command & { readonly rawArgs: string[] }).rawArgs;
  const dashes = raw.indexOf('--');
  const argv = dashes < 0 ? [] : raw.slice(dashes + 1);
  const [file, call, ...more] = given.slice(0, given.length - argv.length);
  if (more.length > 0) {
    throw new NpdbError(
      'E_USAGE',
      `Too many arguments: ${more.join(' ')}.`,
      "The program's own come after --.",
    );
  }
  return { file, call, argv };
}

/** The runtime that an entry needs; CPython, with a word about it, where none was chosen and the sandbox cannot. */
export function pythonFor(flags: EntryFlags, command: Command): string {
  const inPlace = flags.module !== undefined || (flags.root ?? []).length > 0;
  if (!inPlace || command.getOptionValueSource('python') !== 'default') return flags.python;
  process.stderr.write('npdb: run by python3, as you, in this folder (--python names another interpreter)\n');
  return 'python3';
}

/** Throws `E_FILE`, `E_MODULE`. */
export async function entryRequest(
  file: string,
  source: string,
  python: string,
  flags: EntryFlags,
  argv: readonly string[],
): Promise<RunRequest> {
  const stdin = flags.stdin === undefined ? undefined : await inputText(flags.stdin);
  const options = {
    folder: process.cwd(),
    roots: flags.root ?? [],
    argv,
    ...(stdin === undefined ? {} : { stdin }),
  };
  if (flags.module !== undefined) return moduleRequest(flags.module, options);
  return scriptRequest(file, source, python === 'pyodide' ? 'pyodide' : 'cpython', options);
}

async function inputText(path: string): Promise<string> {
  return path === '-' ? text(process.stdin) : readText(path, 'input');
}
