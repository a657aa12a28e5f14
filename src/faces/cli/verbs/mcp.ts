/** @file `npdb mcp`: the debugger as a Model Context Protocol server, for agents (docs/mcp.md). */
import type { Command } from 'commander';
import { NpdbError } from '../../../common/errors.ts';
import { collect, example, interruptible, wholeNumber } from '../common.ts';

interface McpVerbOptions {
  readonly http?: boolean;
  readonly host: string;
  readonly port?: number;
  readonly root: string[];
  readonly model?: string;
  readonly python: string;
  readonly run: boolean;
  readonly replyBytes?: number;
  readonly sessions?: number;
  readonly idle?: number;
}

export function mcpVerb(npdb: Command): void {
  const command = npdb
    .command('mcp')
    .description('Serve agents over the Model Context Protocol: on stdin and stdout, or on local HTTP.')
    .option('--http', 'streamable HTTP on this machine; the token is $NPDB_MCP_TOKEN, or made up and printed')
    .option('--host <address>', 'with --http: a loopback address', '127.0.0.1')
    .option('--port <n>', 'with --http: 0 is any free one (default: 0)', wholeNumber)
    .option(
      '--root <dir>',
      'a folder whose Python files may be named; may be repeated (default: .)',
      collect,
      [],
    )
    .option('--model <dir>', 'the model (default: the bundled one)')
    .option(
      '--python <name>',
      'what runs a program where that is asked for: pyodide, or an interpreter',
      'pyodide',
    )
    .option('--no-run', 'never run a program: the neural engine only')
    .option('--reply-bytes <n>', 'largest reply where a call does not say (default: 4000)', wholeNumber)
    .option('--sessions <n>', 'most sessions of a connection (default: 8)', wholeNumber)
    .option('--idle <minutes>', 'close a session after so long without a call (default: 30)', wholeNumber)
    .action((options: McpVerbOptions) => serve(options));
  example(command, 'npdb mcp --no-run </dev/null');
}

async function serve(options: McpVerbOptions): Promise<void> {
  if (options.replyBytes !== undefined && options.replyBytes < 1_000) {
    throw new NpdbError('E_USAGE', 'A reply needs 1000 bytes at least.', 'Raise --reply-bytes.');
  }
  // Loaded here: the SDK is only needed by this verb.
  const { serveHttp, serveStdio, Shared } = await import('../../mcp/index.ts');
  const { model, python, run } = options;
  const shared = new Shared({ python, mayRun: run, ...(model === undefined ? {} : { model }) });
  const { sessions: most, idle, replyBytes } = options;
  const common = {
    shared,
    roots: options.root.length > 0 ? options.root : [process.cwd()],
    ...(replyBytes === undefined ? {} : { replyBytes }),
    sessions: {
      ...(most === undefined ? {} : { most }),
      ...(idle === undefined ? {} : { idleMs: idle * 60_000 }),
    },
  };
  const signal = interruptible();
  try {
    if (!options.http) return await serveStdio(common, signal);
    const token = process.env.NPDB_MCP_TOKEN;
    const http = await serveHttp({
      ...common,
      host: options.host,
      port: options.port ?? 0,
      ...(token ? { token } : {}),
    });
    process.stderr.write(`npdb mcp: ${http.url}\n`);
    if (!token) process.stderr.write(`npdb mcp: Authorization: Bearer ${http.token}\n`);
    await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
    await http.close();
  } finally {
    await shared.close();
  }
}
