/** @file `npdb eval calibration`: how honest a model's confidences are, and the fit that mends them. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Command } from 'commander';
import { NpdbError } from '../../../../common/errors.ts';
import type { Recording } from '../../../../debugger/recording.ts';
import { baselinePredictor } from '../../../../eval/baseline.ts';
import { fitLogistic, fitThreshold, type Reliability, reliability } from '../../../../eval/calibration.ts';
import { nextState } from '../../../../eval/nextState.ts';
import { readRecords } from '../../../../eval/recordFile.ts';
import { calibrated, type Fit } from '../../../../predictor/calibration.ts';
import { BUNDLED_MODEL, loadPredictor } from '../../../../predictor/load.ts';
import type { PredictOptions, Predictor } from '../../../../predictor/types.ts';
import { sameOutcome } from '../../../../state/index.ts';
import type { ActionType } from '../../../../state/types.ts';
import { example, interruptible, printJson, progress } from '../../common.ts';
import { actionsOf, chosen, predictOf, recordAll, type StateOptions, stateOptions } from './common.ts';

interface CalibrationOptions extends StateOptions {
  readonly fit?: boolean;
  /** False: how sure a direct jump must be is left as it was. */
  readonly rollouts?: boolean;
  readonly records?: string;
}

export function calibrationVerb(verb: Command): void {
  const calibration = stateOptions(verb.command('calibration'))
    .description('Confidence: calibration error over 15 bins of equal mass, AUROC of spotting a wrong state.')
    .option(
      '--fit',
      "fit the confidences on these programs, and how sure a direct jump must be; into the model's npdb.json",
    )
    .option('--records <file>', 'of the states that `next-state --records` judged: no model is asked')
    .option(
      '--no-rollouts',
      'with --fit: leave alone how sure a direct jump must be, which takes long rollouts',
    )
    .action((options: CalibrationOptions) =>
      options.records ? ofRecords(options.records, options) : run(options),
    );
  example(
    calibration,
    'npdb eval calibration --programs examples/programs.jsonl --limit 20 --python python3',
  );
}

/** Actions that can be answered directly or by silent steps. */
const JUMPS: readonly ActionType[] = ['step_return', 'breakpoint', 'continue'];

/** A fit needs more than records hold, and other programs than a test's. */
function ofRecords(path: string, options: CalibrationOptions): void {
  if (options.fit || options.programs.length > 0) {
    throw new NpdbError('E_USAGE', '--records holds all that is judged.', 'Leave out --programs and --fit.');
  }
  const { asked, records } = readRecords(path);
  const actions = [...new Set(records.map((r) => r.action))];
  const results = Object.fromEntries(
    actions.map((type) => [type, reliability(records.filter((r) => r.action === type))]),
  );
  if (options.json) printJson({ model: asked.model, seed: asked.seed, actions: results });
  else process.stdout.write(table(results));
}

async function run(options: CalibrationOptions): Promise<void> {
  if (options.programs.length === 0) {
    throw new NpdbError('E_USAGE', 'Which programs?', 'Give --programs SET, or --records FILE.');
  }
  const signal = interruptible();
  const actions = actionsOf(options);
  const limit = options.limit ?? 800;
  const model = options.model ?? BUNDLED_MODEL;
  const programs = await chosen(options);
  const predictor = await loadPredictor(model);
  const { seed } = options;
  try {
    const recordings = await recordAll(programs, options, limit, signal);
    const judge = { recordings, predictor, limit, seed };
    const judged = await judgeAll(judge, actions, predictOf(options, signal));
    const results = Object.fromEntries([...judged].map(([type, points]) => [type, reliability(points)]));
    let fits: Fits | undefined;
    if (options.fit) {
      const jumps = options.rollouts === false ? [] : actions.filter((type) => JUMPS.includes(type));
      const rolled = await judgeAll(judge, jumps, { ...predictOf(options, signal), strategy: 'rollout' });
      fits = await writeFits(model, judged, rolled);
    }
    const about = { model: predictor.name, programs: programs.length, seed };
    if (options.json) printJson({ ...about, actions: results, ...fits });
    else process.stdout.write(table(results));
  } finally {
    await predictor.close();
  }
}

interface Judge {
  readonly recordings: readonly Recording[];
  readonly predictor: Predictor;
  readonly limit: number;
  readonly seed: number;
}

interface Point {
  readonly confidence: number;
  readonly right: boolean;
  /** Of a direct answer. */
  readonly logProbability: number | null;
  readonly tokens: number;
}

/** The same states for the same seed, in the same order, however they are answered. */
async function judgeAll(
  { recordings, predictor, limit, seed }: Judge,
  actions: readonly ActionType[],
  predict: PredictOptions,
): Promise<Map<ActionType, Point[]>> {
  const judged = new Map<ActionType, Point[]>(actions.map((type) => [type, []]));
  const bar = progress(`predicting (${predict.strategy})`, limit * actions.length);
  await nextState(recordings, predictor, baselinePredictor(), {
    limit,
    seed,
    actions,
    predict,
    onProgress: (done, _, action) => bar.update(done, action),
    onResult: ({ situation, truth }, { outcome, confidence, logProbability, tokens, truncated, cut }) => {
      const right = !truncated && sameOutcome(outcome, truth);
      const whole = !truncated && !cut && logProbability !== undefined;
      judged
        .get(situation.action.type)!
        .push({ confidence, right, tokens, logProbability: whole ? logProbability : null });
    },
  });
  bar.stop();
  return judged;
}

interface Fits {
  readonly calibration: Record<string, Fit>;
  readonly directFrom?: number;
}

/** Fits into `npdb.json`; actions whose answers were all right or all wrong keep what they had. */
async function writeFits(
  model: string,
  judged: ReadonlyMap<ActionType, readonly Point[]>,
  rolled: ReadonlyMap<ActionType, readonly Point[]>,
): Promise<Fits> {
  const path = join(model, 'npdb.json');
  const meta = JSON.parse(await readFile(path, 'utf8')) as { calibration?: Record<string, Fit> };
  const calibration: Record<string, Fit> = { ...meta.calibration };
  for (const [type, points] of judged) {
    const whole = points.flatMap(({ logProbability, ...rest }) =>
      logProbability === null ? [] : [{ ...rest, logProbability }],
    );
    const fit = fitLogistic(whole);
    if (fit) calibration[type] = fit.map((x) => Number(x.toFixed(4))) as unknown as Fit;
  }
  const jumps = [...rolled].flatMap(([type, points]) =>
    points.map((point, i) => {
      const { logProbability, tokens, right } = judged.get(type)![i]!;
      const confidence = logProbability === null ? 0 : calibrated(calibration[type], logProbability, tokens);
      return { confidence, direct: right, rollout: point.right };
    }),
  );
  const direct = jumps.length > 0 ? { directFrom: Number(fitThreshold(jumps).toFixed(3)) } : {};
  await writeFile(path, `${JSON.stringify({ ...meta, calibration, ...direct }, null, 2)}\n`);
  return { calibration, ...direct };
}

function table(results: Readonly<Record<string, Reliability>>): string {
  const rows = Object.entries(results).map(
    ([type, { n, ece, auroc }]) =>
      `| ${type} | ${n} | ${ece.toFixed(3)} | ${auroc === null ? '-' : auroc.toFixed(3)} |`,
  );
  return ['| action | n | calibration error | AUROC |', '| --- | --- | --- | --- |', ...rows, ''].join('\n');
}
