/** @file `npdb eval cruxeval`: output and input prediction, pass@1. */
import { writeFile } from 'node:fs/promises';
import { type Command, Option } from 'commander';
import { cruxeval } from '../../../../eval/cruxeval.ts';
import { shareText } from '../../../../eval/interval.ts';
import { BUNDLED_MODEL, loadPredictor } from '../../../../predictor/load.ts';
import { loadPrograms } from '../../../../programs/index.ts';
import { example, interruptible, printJson, progress, wholeNumber } from '../../common.ts';
import { commonOptions, type EvalOptions, predictOf, runtimeOf } from './common.ts';

interface CruxOptions extends EvalOptions {
  readonly data: string;
  readonly mode: 'output' | 'input';
  readonly jump: 'step_return' | 'breakpoint';
  readonly proposals: number;
  readonly consistent: number;
  readonly generations?: string;
}

export function cruxevalVerb(verb: Command): void {
  const crux = commonOptions(verb.command('cruxeval'))
    .description('CRUXEval pass@1: output by a jump from the call, input by the inverse.')
    .requiredOption('--data <file>', "CRUXEval's own file, or any program set with expected values")
    .addOption(
      new Option('--mode <mode>', 'which side is predicted').choices(['output', 'input']).default('output'),
    )
    .addOption(
      new Option('--jump <action>', 'output: which jump is asked')
        .choices(['step_return', 'breakpoint'])
        .default('step_return'),
    )
    .option('--proposals <n>', 'input: proposals that are checked by running', wholeNumber, 1)
    .option(
      '--consistent <n>',
      "input: proposals judged by the model's own forward prediction, none run",
      wholeNumber,
      1,
    )
    .option('--limit <n>', 'only the first programs', wholeNumber)
    .option('--generations <file>', "also write the answers in the benchmark's own format")
    .action((options: CruxOptions) => runCruxeval(options));
  example(crux, 'npdb eval cruxeval --data examples/programs.jsonl --mode output --limit 20');
}

async function runCruxeval(options: CruxOptions): Promise<void> {
  const signal = interruptible();
  const programs = (await loadPrograms([options.data])).slice(0, options.limit);
  const predictor = await loadPredictor(options.model ?? BUNDLED_MODEL);
  const runtime = options.mode === 'input' ? await runtimeOf(options) : undefined;
  const bar = progress(`cruxeval ${options.mode}`, programs.length);
  try {
    const result = await cruxeval(programs, predictor, {
      mode: options.mode,
      jump: options.jump,
      proposals: options.proposals,
      consistent: options.consistent,
      predict: predictOf(options, signal),
      ...(runtime ? { runtime } : {}),
      onProgress: (done, _, right) => bar.update(done, `${right} right`),
    });
    bar.stop();
    const { generations, ...figures } = result;
    if (options.generations)
      await writeFile(options.generations, `${JSON.stringify(generations, null, 1)}\n`);
    const about = { model: predictor.name, strategy: options.strategy, seed: options.seed };
    if (options.json) printJson({ ...about, ...figures });
    else {
      const lines = [`${options.mode} pass@1: ${shareText(result.interval)} of ${programs.length} programs`];
      if (result.exact_match !== undefined) {
        lines.push(`input exact match: ${(100 * result.exact_match).toFixed(1)} %`);
      }
      if (result.checked && options.proposals > 1) {
        lines.push(`some of ${options.proposals} proposals passes when run: ${shareText(result.checked)}`);
      }
      lines.push(`not answerable (counted as wrong): ${result.unanswered}`);
      process.stdout.write(`${lines.join('\n')}\n`);
    }
  } finally {
    bar.stop();
    await predictor.close();
    await runtime?.close();
  }
}
