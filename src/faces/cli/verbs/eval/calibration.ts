/** @file `npdb eval calibration`: how honest a model's confidences are, and the fit that mends them. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Command } from 'commander';
import { baselinePredictor } from '../../../../eval/baseline.ts';
import {
  fitLogistic,
  type Judged,
  type Observed,
  type Reliability,
  reliability,
} from '../../../../eval/calibration.ts';
import { nextState } from '../../../../eval/nextState.ts';
import type { Fit } from '../../../../predictor/calibration.ts';
import { BUNDLED_MODEL, loadPredictor } from '../../../../predictor/load.ts';
import { sameOutcome } from '../../../../state/index.ts';
import type { ActionType } from '../../../../state/types.ts';
import { example, interruptible, printJson, progress } from '../../common.ts';
import { actionsOf, chosen, predictOf, recordAll, type StateOptions, stateOptions } from './common.ts';

interface CalibrationOptions extends StateOptions {
  readonly fit?: boolean;
}

export function calibrationVerb(verb: Command): void {
  const calibration = stateOptions(verb.command('calibration'))
    .description('Confidence: calibration error over 15 bins of equal mass, AUROC of spotting a wrong state.')
    .option('--fit', "fit the confidences on these programs and write the fit into the model's npdb.json")
    .action((options: CalibrationOptions) => run(options));
  example(
    calibration,
    'npdb eval calibration --programs examples/programs.jsonl --limit 20 --python python3',
  );
}

async function run(options: CalibrationOptions): Promise<void> {
  const signal = interruptible();
  const actions = actionsOf(options);
  const limit = options.limit ?? 800;
  const model = options.model ?? BUNDLED_MODEL;
  const programs = await chosen(options);
  const predictor = await loadPredictor(model);
  const observed = new Map<ActionType, Observed[]>(actions.map((type) => [type, []]));
  const judged = new Map<ActionType, Judged[]>(actions.map((type) => [type, []]));
  try {
    const recordings = await recordAll(programs, options, limit, signal);
    const bar = progress('predicting', limit * actions.length);
    await nextState(recordings, predictor, baselinePredictor(), {
      limit,
      seed: options.seed,
      actions,
      predict: predictOf(options, signal),
      onProgress: (done, _, action) => bar.update(done, action),
      onResult: ({ situation, truth }, { outcome, confidence, logProbability, tokens, truncated }) => {
        const { type } = situation.action;
        const right = !truncated && sameOutcome(outcome, truth);
        judged.get(type)!.push({ confidence, right });
        if (!truncated && logProbability !== undefined)
          observed.get(type)!.push({ logProbability, tokens, right });
      },
    });
    bar.stop();
  } finally {
    await predictor.close();
  }
  const results = Object.fromEntries([...judged].map(([type, points]) => [type, reliability(points)]));
  const fits = options.fit ? await writeFits(model, observed) : undefined;
  const about = { model: predictor.name, programs: programs.length, seed: options.seed };
  if (options.json) printJson({ ...about, actions: results, ...(fits && { fits }) });
  else process.stdout.write(table(results));
}

/** Fits into `npdb.json`; actions whose answers were all right or all wrong keep what they had. */
async function writeFits(
  model: string,
  observed: ReadonlyMap<ActionType, readonly Observed[]>,
): Promise<Record<string, Fit>> {
  const path = join(model, 'npdb.json');
  const meta = JSON.parse(await readFile(path, 'utf8')) as { calibration?: Record<string, Fit> };
  const calibration: Record<string, Fit> = { ...meta.calibration };
  for (const [type, points] of observed) {
    const fit = fitLogistic(points);
    if (fit) calibration[type] = fit.map((x) => Number(x.toFixed(4))) as unknown as Fit;
  }
  await writeFile(path, `${JSON.stringify({ ...meta, calibration }, null, 2)}\n`);
  return calibration;
}

function table(results: Readonly<Record<string, Reliability>>): string {
  const rows = Object.entries(results).map(
    ([type, { n, ece, auroc }]) =>
      `| ${type} | ${n} | ${ece.toFixed(3)} | ${auroc === null ? '-' : auroc.toFixed(3)} |`,
  );
  return ['| action | n | calibration error | AUROC |', '| --- | --- | --- | --- |', ...rows, ''].join('\n');
}
