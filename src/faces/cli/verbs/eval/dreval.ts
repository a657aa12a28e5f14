/** @file `npdb eval dreval`: coverage, state, path and output of calls, from predicted walks. */
import { readFile } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';
import type { Command } from 'commander';
import { dreval, readDreval } from '../../../../eval/dreval/index.ts';
import { shareText } from '../../../../eval/interval.ts';
import { BUNDLED_MODEL, loadPredictor } from '../../../../predictor/load.ts';
import { example, interruptible, printJson, progress, readText, wholeNumber } from '../../common.ts';
import { commonOptions, type EvalOptions, predictOf, runtimeOf } from './common.ts';

interface DrevalFlags extends EvalOptions {
  readonly data: string;
  readonly tasks: string;
}

export function drevalVerb(verb: Command): void {
  const command = commonOptions(verb.command('dreval'))
    .description('DREval: is a line executed, what does a variable hold, what comes next, what is returned.')
    .requiredOption('--data <file>', 'DREval_data.jsonl, plain or gzipped')
    .requiredOption('--tasks <file>', 'DREval_tasks.jsonl, plain or gzipped')
    .option('--limit <n>', 'only the first calls', wholeNumber)
    .action((options: DrevalFlags) => run(options));
  example(
    command,
    'npdb eval dreval --data DREval_data.jsonl --tasks DREval_tasks.jsonl --limit 20 --python python3',
  );
}

async function run(options: DrevalFlags): Promise<void> {
  const signal = interruptible();
  const items = readDreval(await textOf(options.data), await textOf(options.tasks)).slice(0, options.limit);
  const predictor = await loadPredictor(options.model ?? BUNDLED_MODEL);
  const runtime = await runtimeOf(options);
  const bar = progress('dreval', items.length);
  try {
    const result = await dreval(items, predictor, runtime, {
      predict: predictOf(options, signal),
      maxSteps: options.maxSteps,
      onProgress: (done) => bar.update(done),
    });
    bar.stop();
    if (options.json) printJson({ model: predictor.name, calls: items.length, ...result });
    else {
      const rows = (['coverage', 'state', 'path', 'output'] as const).map(
        (name) => `| ${name} | ${result[name].n} | ${shareText(result[name])} |`,
      );
      process.stdout.write(`${['| task | n | accuracy |', '| --- | --- | --- |', ...rows].join('\n')}\n`);
      process.stdout.write(
        `coverage F1: ${result.coverage.f1.toFixed(3)}; calls not answered: ${result.unanswered}; questions about classes, not asked: ${result.not_asked}\n`,
      );
    }
  } finally {
    bar.stop();
    await predictor.close();
    await runtime.close();
  }
}

async function textOf(path: string): Promise<string> {
  return path.endsWith('.gz')
    ? gunzipSync(await readFile(path)).toString('utf8')
    : readText(path, 'data set');
}
