/** @file `npdb dap`: the debug adapter for editors, over stdio or on a local port. */
import { type Command, InvalidArgumentError } from 'commander';
import { example, interruptible } from '../common.ts';

export function dapVerb(npdb: Command): void {
  const command = npdb
    .command('dap')
    .description('The debug adapter for editors (Debug Adapter Protocol), over stdin and stdout.')
    .option('--server <port>', 'listen on this port of this machine instead (0: any free one)', port)
    .action(async ({ server }: { server?: number }) => {
      const { connect, listen, nodeHost } = await import('../../dap/index.ts');
      const host = nodeHost();
      if (server === undefined) {
        // Nothing but messages may be written here, whoever calls console.log.
        const output = process.stdout;
        console.log = console.info = console.debug = console.error;
        await connect(host, process.stdin, output);
        process.exit(0);
      }
      const signal = interruptible();
      const listening = await listen(host, server);
      process.stderr.write(`npdb dap: listening on 127.0.0.1:${listening.port}\n`);
      await new Promise<void>((done) => signal.addEventListener('abort', () => done(), { once: true }));
      listening.server.close();
      process.exit(0);
    });
  example(command, 'npdb dap --server=4711');
}

function port(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) < 65_536) return Number(text);
  throw new InvalidArgumentError(`'${text}' is no port.`);
}
