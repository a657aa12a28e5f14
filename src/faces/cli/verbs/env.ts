/** @file `npdb env`: environments for training policies, JSON-RPC 2.0 on stdin and stdout (docs/env.md). */
import { type Command, Option } from 'commander';
import type { EngineName } from '../../../debugger/types.ts';
import { example, interruptible, readText, wholeNumber } from '../common.ts';

interface EnvVerbOptions {
  readonly engine: EngineName;
  readonly programs?: string;
  readonly expected?: string;
  readonly maxSteps?: number;
  readonly model?: string;
  readonly python: string;
  readonly run: boolean;
}

export function envVerb(npdb: Command): void {
  const command = npdb
    .command('env')
    .argument('[file]', 'a Python file: the environment named "default" is over it')
    .argument('[call]', 'a call of one of its functions; without it the file is debugged as a script')
    .description('Environments to train policies on (reset, step), JSON-RPC 2.0 on stdin and stdout.')
    .addOption(
      new Option('--engine <name>', 'of the default environment')
        .choices(['neural', 'recorded', 'compared'])
        .default('neural'),
    )
    .option('--programs <set>', 'instead of a file: the default environment draws from a program set')
    .option('--max-steps <n>', 'of an episode (default: 200)', wholeNumber)
    .option('--model <dir>', 'the model (default: the bundled one)')
    .option(
      '--python <name>',
      'what runs a program where that is asked for: pyodide, or an interpreter',
      'pyodide',
    )
    .option('--no-run', 'never run a program: the neural engine only')
    .action((file: string | undefined, call: string | undefined, options: EnvVerbOptions) =>
      serve(file, call, options),
    );
  example(
    command,
    `npdb env examples/discount.py "total([5, 2], 3)" --engine recorded <<< '{"jsonrpc": "2.0", "id": 1, "method": "reset"}'`,
  );
}

async function serve(
  file: string | undefined,
  call: string | undefined,
  options: EnvVerbOptions,
): Promise<void> {
  const { EnvironmentServer, programsOf, serveLines } = await import('../../env/index.ts');
  const { Shared } = await import('../../shared.ts');
  const { model, python, run, engine, maxSteps } = options;
  const programs = [
    ...(file === undefined
      ? []
      : [{ id: file, code: await readText(file, 'program'), ...(call === undefined ? {} : { call }) }]),
    ...(options.programs === undefined ? [] : await programsOf(options.programs)),
  ];
  const shared = new Shared({ python, mayRun: run, ...(model === undefined ? {} : { model }) });
  const server = new EnvironmentServer(shared);
  try {
    if (programs.length > 0) {
      await server.add('default', { programs, engine, ...(maxSteps === undefined ? {} : { maxSteps }) });
    }
    await serveLines(server, interruptible());
  } finally {
    await shared.close();
  }
}
