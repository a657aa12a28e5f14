/** @file `npdb web`: the web face on this machine's loopback, or as a folder for any web host. */
import { spawn } from 'node:child_process';
import { cp, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { NpdbError } from '../../../common/errors.ts';
import { serveFolder } from '../../web/serve.ts';
import { example, interruptible, wholeNumber } from '../common.ts';

/** Works from `src/faces/cli/verbs` and `dist/faces/cli/verbs` alike. */
const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const FOLDER = join(ROOT, 'dist-web');

export function webVerb(npdb: Command): void {
  const command = npdb
    .command('web')
    .description('The debugger in a browser: serves it on this machine alone; nothing leaves the browser.')
    .option('--port <n>', 'the port; 0 takes a free one', wholeNumber, 8747)
    .option('--out <dir>', 'instead of serving, copy the page to a folder: any web host can serve it')
    .action(async (options: { port: number; out?: string }) => {
      await ensureFolder();
      if (options.out !== undefined) return copyTo(options.out);
      const served = await serveFolder(FOLDER, options.port);
      process.stdout.write(`${served.url}\n`);
      process.stderr.write('npdb: serving; Ctrl-C ends it.\n');
      const signal = interruptible();
      await new Promise<void>((done) => signal.addEventListener('abort', () => done(), { once: true }));
      await served.close();
    });
  example(command, 'npdb web');
}

/** In a checkout it is built where it is missing or stale; a package comes with it. Throws `E_SETUP`, `E_FILE`. */
async function ensureFolder(): Promise<void> {
  const script = join(ROOT, 'scripts', 'build-web.mjs');
  const exists = (path: string) => stat(path).then(Boolean, () => false);
  if (await exists(script)) {
    const code = await new Promise<number>((done, fail) => {
      // What it says is progress, not output.
      const child = spawn(process.execPath, [script], { stdio: ['ignore', 2, 2] });
      child.on('error', fail);
      child.on('exit', (status) => done(status ?? 1));
    });
    if (code === 0) return;
    throw new NpdbError(
      'E_SETUP',
      'The page could not be built; why stands above.',
      'Mend it and run again.',
      1,
    );
  }
  if (await exists(join(FOLDER, 'index.html'))) return;
  throw new NpdbError('E_FILE', `There is no page in ${FOLDER}.`, 'Install npdb again.', 3);
}

async function copyTo(out: string): Promise<void> {
  const target = resolve(out);
  await cp(FOLDER, target, { recursive: true, filter: (path) => !path.endsWith('.npdb-sources') });
  process.stdout.write(`${target}\n`);
}
