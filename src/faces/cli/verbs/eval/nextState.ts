/** @file `npdb eval next-state`: whole-state exact match per action, as a table or JSON. */
import type { Command } from 'commander';
import { baselinePredictor } from '../../../../eval/baseline.ts';
import { nextState } from '../../../../eval/nextState.ts';
import { nextStateTable } from '../../../../eval/report.ts';
import { BUNDLED_MODEL, loadPredictor } from '../../../../predictor/load.ts';
import { example, interruptible, printJson, progress } from '../../common.ts';
import { actionsOf, chosen, predictOf, recordAll, type StateOptions, stateOptions } from './common.ts';

export function nextStateVerb(verb: Command): void {
  const next = stateOptions(verb.command('next-state'))
    .description('Next-state accuracy per action: whole-state exact match, greedy, with components.')
    .action((options: StateOptions) => runNextState(options));
  example(next, 'npdb eval next-state --programs examples/programs.jsonl --limit 20 --python python3');
}

async function runNextState(options: StateOptions): Promise<void> {
  const signal = interruptible();
  const actions = actionsOf(options);
  const programs = await chosen(options);
  const limit = options.limit ?? 800;
  // The model before the programs: recording takes minutes, a wrong path is seen at once.
  const predictor = await loadPredictor(options.model ?? BUNDLED_MODEL);
  let bar: ReturnType<typeof progress> | undefined;
  try {
    const recordings = await recordAll(programs, options, limit, signal);
    const predicting = progress('predicting', limit * actions.length);
    bar = predicting;
    const scores = await nextState(recordings, predictor, baselinePredictor(), {
      limit,
      seed: options.seed,
      actions,
      predict: predictOf(options, signal),
      allows: (sample) => predictor.allows(sample.situation, sample.truth),
      onProgress: (done, _, action) => predicting.update(done, action),
    });
    predicting.stop();
    const about = {
      model: predictor.name,
      programs: recordings.length,
      strategy: options.strategy,
      seed: options.seed,
    };
    if (options.json) printJson({ ...about, actions: scores });
    else process.stdout.write(nextStateTable(about, scores));
  } finally {
    bar?.stop();
    await predictor.close();
  }
}
