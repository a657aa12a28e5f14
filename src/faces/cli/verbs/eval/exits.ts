/** @file `npdb eval exits`: does a call end normally, with an error, never. */
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { exitsTable, judgeExits, readExits } from '../../../../eval/exits.ts';
import { shareText } from '../../../../eval/interval.ts';
import { BUNDLED_MODEL, loadPredictor } from '../../../../predictor/load.ts';
import { example, interruptible, printJson, progress, wholeNumber } from '../../common.ts';
import { commonOptions, type EvalOptions, predictOf } from './common.ts';

/** Works from `src` and `dist` alike. */
const BUNDLED_EXITS = fileURLToPath(new URL('../../../../../models/exits.jsonl.gz', import.meta.url));

interface ExitsFlags extends EvalOptions {
  readonly data: string;
}

export function exitsVerb(verb: Command): void {
  const command = commonOptions(verb.command('exits'), { runs: false })
    .description('How calls end, by `continue` from the call: normally, with an error, never.')
    .option('--data <file>', 'a set made by scripts/exit-set.mjs (default: the bundled one)', BUNDLED_EXITS)
    .option('--limit <n>', 'only the first so many of each exit', wholeNumber)
    .action((options: ExitsFlags) => run(options));
  example(command, 'npdb eval exits --limit 10');
}

async function run(options: ExitsFlags): Promise<void> {
  const signal = interruptible();
  const rows = await readExits(options.data, options.limit);
  const predictor = await loadPredictor(options.model ?? BUNDLED_MODEL);
  const bar = progress('exits', rows.length);
  try {
    const result = await judgeExits(rows, predictor, {
      predict: predictOf(options, signal),
      onProgress: (done) => bar.update(done),
    });
    bar.stop();
    const about = { model: predictor.name, strategy: options.strategy, seed: options.seed };
    if (options.json) printJson({ ...about, ...result });
    else {
      const text = [
        exitsTable(result, shareText),
        '',
        `right: ${shareText(result.accuracy)} of ${result.n}; always the same end: ${shareText(result.baseline)}; refused: ${result.refused}`,
        '',
      ];
      process.stdout.write(text.join('\n'));
    }
  } finally {
    bar.stop();
    await predictor.close();
  }
}
