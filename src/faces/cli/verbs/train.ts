/** @file `npdb train`: the Python training code, in its own environment, as one verb. */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { NpdbError } from '../../../common/errors.ts';
import { example } from '../common.ts';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));

export function trainVerb(npdb: Command): void {
  const command = npdb
    .command('train')
    .description(
      'Train a model on shards, then export it. All options of `python -m training.pretrain` are taken.',
    )
    .requiredOption('--shards <dir...>', 'folders of shards, DIR or DIR:WEIGHT')
    .requiredOption('--out <dir>', 'checkpoint and log; a run found there goes on')
    .option('--size <name>', 'the one dial: tiny, xs, s, m, l, xl, 1.8b', 's')
    .option('--minutes <n>', 'length of the run by the clock')
    .option('--export <dir>', 'also write weights for `--model` there')
    .allowUnknownOption()
    .argument('[more...]', 'further options, as training.pretrain has them')
    .action((more: string[], options: Record<string, string | string[]>) => train(more, options));
  example(command, 'npdb train --shards data/example --out checkpoints/example --size tiny --minutes 1');
}

async function train(more: readonly string[], options: Record<string, string | string[]>): Promise<void> {
  const { export: exported, ...rest } = options;
  const args = Object.entries(rest).flatMap(([name, value]) => [`--${name}`, ...[value].flat()]);
  const { ensurePython } = (await import(
    new URL('../../../../scripts/bootstrap.mjs', import.meta.url).href
  )) as {
    ensurePython(): Promise<string>;
  };
  const python = await ensurePython();
  await run(python, ['-m', 'training.pretrain', ...args, ...more]);
  if (exported) {
    await run(python, [
      '-m',
      'training.export',
      '--checkpoint',
      String(options.out),
      '--out',
      String(exported),
    ]);
  }
}

/** The training code reports its own errors, one line each; its exit status is ours. */
async function run(python: string, args: readonly string[]): Promise<void> {
  const code = await new Promise<number>((resolve, reject) => {
    const child = spawn(python, args, { cwd: ROOT, stdio: 'inherit' });
    // Ctrl-C reaches the child itself; it saves its checkpoint and ends.
    process.once('SIGTERM', () => child.kill('SIGTERM'));
    process.on('SIGINT', () => {});
    child.on('error', reject);
    child.on('exit', (status) => resolve(status ?? 1));
  });
  if (code === 0) return;
  throw new NpdbError(
    'E_TRAINING',
    `Training ended with status ${code}.`,
    'Its own message stands above.',
    1,
  );
}
