/** @file `npdb train`: the Python training code, in its own environment, as one verb. */
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
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
    .option('--init <dir>', 'exported weights to start from')
    .option('--export <dir>', 'also write weights for `--model` there')
    .allowUnknownOption()
    .argument('[more...]', 'further options, as training.pretrain has them')
    .action((more: string[], options: TrainOptions) => train(more, options));
  example(command, 'npdb train --shards data/example --out checkpoints/example --size tiny --minutes 1');
}

type TrainOptions = Readonly<Record<string, string | string[]>>;

/** The training code runs in npdb's own folder: paths are made absolute, `DIR:WEIGHT` with its weight. */
export function absolute(options: TrainOptions, cwd: string): TrainOptions {
  const paths = new Set(['shards', 'out', 'export', 'init']);
  return Object.fromEntries(
    Object.entries(options).map(([name, value]) => {
      if (!paths.has(name)) return [name, value];
      return [name, typeof value === 'string' ? resolve(cwd, value) : value.map((one) => resolve(cwd, one))];
    }),
  );
}

async function train(more: readonly string[], options: TrainOptions): Promise<void> {
  const { export: exported, ...rest } = absolute(options, process.cwd());
  const args = Object.entries(rest).flatMap(([name, value]) => [`--${name}`, ...[value].flat()]);
  const { ensurePython } = (await import(
    new URL('../../../../scripts/bootstrap.mjs', import.meta.url).href
  )) as {
    ensurePython(): Promise<string>;
  };
  const python = await ensurePython();
  const trained = await run(python, ['-m', 'training.pretrain', ...args, ...more]);
  const status =
    trained === 0 && exported
      ? await run(python, [
          '-m',
          'training.export',
          '--checkpoint',
          String(rest.out),
          '--out',
          String(exported),
        ])
      : trained;
  process.exitCode = status;
}

/** The training code reports its own errors, one line each; its exit status is ours. */
function run(python: string, args: readonly string[]): Promise<number> {
  return new Promise<number>((done, reject) => {
    const child = spawn(python, args, { cwd: ROOT, stdio: 'inherit' });
    // Ctrl-C reaches the child itself; it saves its checkpoint and ends.
    let interrupted = false;
    const ignore = () => {
      interrupted = true;
    };
    const pass = () => {
      interrupted = true;
      child.kill('SIGTERM');
    };
    process.on('SIGINT', ignore);
    process.on('SIGTERM', pass);
    child.on('error', reject);
    child.on('exit', (status, signal) => {
      process.off('SIGINT', ignore);
      process.off('SIGTERM', pass);
      // A run that saved its checkpoint and ended well was interrupted all the same: nothing is exported.
      done(exitStatus(status, signal) || (interrupted ? 130 : 0));
    });
  });
}

/** As a shell counts it: 128 and the signal's number, 130 for an interrupt. */
export function exitStatus(status: number | null, signal: NodeJS.Signals | null): number {
  return signal === null ? (status ?? 1) : 128 + constants.signals[signal];
}
