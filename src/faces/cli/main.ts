/**
 * @file The command `npdb`: verbs, and how failures end. A user's mistake is one line with a stable code on stderr
 * and a documented exit status; anything else is a fault of ours and shows its stack.
 *
 * Exit statuses: 0 done, 1 internal error, 2 bad usage or input, 3 a missing or broken file, 4 stopped by a limit,
 * 130 interrupted.
 */
import { Command, CommanderError } from 'commander';
import { NpdbError } from '../../common/errors.ts';
import { markModule } from './entry.ts';
import { dapVerb } from './verbs/dap.ts';
import { datasetVerb } from './verbs/dataset.ts';
import { debugVerb } from './verbs/debug.ts';
import { demoVerb } from './verbs/demo.ts';
import { envVerb } from './verbs/env.ts';
import { evalVerb } from './verbs/eval/index.ts';
import { mcpVerb } from './verbs/mcp.ts';
import { traceVerb } from './verbs/trace.ts';
import { trainVerb } from './verbs/train.ts';
import { webVerb } from './verbs/web.ts';

function program(): Command {
  const npdb = new Command('npdb')
    .description('The neural debugger for Python: a language model predicts the program states.')
    .helpCommand(false)
    .enablePositionalOptions()
    .showHelpAfterError(false)
    .exitOverride()
    .configureOutput({ outputError: () => {} });
  for (const verb of [
    debugVerb,
    demoVerb,
    traceVerb,
    datasetVerb,
    trainVerb,
    webVerb,
    evalVerb,
    mcpVerb,
    envVerb,
    dapVerb,
  ])
    verb(npdb);
  return npdb;
}

async function main(argv: readonly string[]): Promise<number> {
  try {
    const npdb = program();
    if (argv.length === 0) {
      npdb.outputHelp();
      return 2;
    }
    await npdb.parseAsync(markModule(argv), { from: 'user' });
    return Number(process.exitCode ?? 0);
  } catch (error) {
    return report(error);
  }
}

function report(error: unknown): number {
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return 0;
    const what = error.message.replace(/^error: /, '');
    process.stderr.write(`E_USAGE: ${what} See \`npdb --help\`.\n`);
    return 2;
  }
  if (error instanceof NpdbError) {
    process.stderr.write(`${error.line()}\n`);
    return error.exit;
  }
  if (error instanceof Error && error.name === 'AbortError') {
    process.stderr.write('E_INTERRUPTED: Stopped; what was written stays.\n');
    return 130;
  }
  process.stderr.write(`E_INTERNAL: ${error instanceof Error ? error.stack : String(error)}\n`);
  return 1;
}

// A reader that closes the pipe (`npdb ... | head`) is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
});

process.exitCode = await main(process.argv.slice(2));
