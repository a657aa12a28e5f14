/** @file `npdb eval next-state`: whole-state exact match per action, as a table, JSON, judged states, or a page. */
import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Command } from 'commander';
import { NpdbError } from '../../../../common/errors.ts';
import { baselinePredictor } from '../../../../eval/baseline.ts';
import { reportHtml } from '../../../../eval/html/index.ts';
import { nextState } from '../../../../eval/nextState.ts';
import { keyOf, type StateRecord } from '../../../../eval/record.ts';
import { type Asked, openRecords } from '../../../../eval/recordFile.ts';
import { nextStateTable } from '../../../../eval/report.ts';
import { BUNDLED_MODEL, loadPredictor } from '../../../../predictor/load.ts';
import type { ProgramEntry } from '../../../../programs/types.ts';
import { example, interruptible, printJson, progress } from '../../common.ts';
import { actionsOf, chosen, predictOf, recordAll, type StateOptions, stateOptions } from './common.ts';

interface NextOptions extends StateOptions {
  readonly quick?: boolean;
  readonly records?: string;
  readonly html?: string;
}

/** States per action of `--quick`. */
const QUICK = 24;

export function nextStateVerb(verb: Command): void {
  const next = stateOptions(verb.command('next-state'))
    .description('Next-state accuracy per action: whole-state exact match, greedy, with components.')
    .option(
      '--quick',
      `a first look in under two minutes: ${QUICK} states per action, on the held-back programs`,
    )
    .option('--records <file>', 'keep each judged state (JSON Lines); interrupted, it goes on from there')
    .option('--html <file>', 'also write a page with plots and examples of errors')
    .action((options: NextOptions) => runNextState(options.quick ? quick(options) : options));
  example(next, 'npdb eval next-state --programs examples/programs.jsonl --limit 20 --python python3');
}

/** Held-back programs ship with the model and are trusted: one process serves them all. */
function quick(options: NextOptions): NextOptions {
  const bundled = join(options.model ?? BUNDLED_MODEL, 'held.jsonl.gz');
  const programs = options.programs.length > 0 ? options.programs : [bundled];
  return { ...options, programs, limit: options.limit ?? QUICK, trusted: true };
}

async function runNextState(options: NextOptions): Promise<void> {
  if (options.programs.length === 0) {
    throw new NpdbError('E_USAGE', 'Which programs?', 'Give --programs SET, or --quick.');
  }
  const signal = interruptible();
  const actions = actionsOf(options);
  const programs = await chosen(options);
  const limit = options.limit ?? 800;
  // The model before the programs: recording takes minutes, a wrong path is seen at once.
  const model = options.model ?? BUNDLED_MODEL;
  const predictor = await loadPredictor(model);
  let bar: ReturnType<typeof progress> | undefined;
  try {
    const asked = await askedOf(options, predictor.name, model, programs);
    const file = options.records ? openRecords(options.records, asked) : undefined;
    const recordings = await recordAll(programs, options, limit, signal);
    const predicting = progress('predicting', limit * actions.length);
    bar = predicting;
    const records = new Map<string, StateRecord>();
    const scores = await nextState(recordings, predictor, baselinePredictor(), {
      limit,
      seed: options.seed,
      actions,
      predict: predictOf(options, signal),
      allows: (sample) => predictor.allows(sample.situation, sample.truth),
      ...(file && { known: file.known }),
      onRecord: (record) => file?.append(record),
      onJudged: (record) => records.set(keyOf(record), record),
      onProgress: (done, _, action) => predicting.update(done, action),
    });
    predicting.stop();
    if (options.html) await writeFile(options.html, reportHtml({ asked, records: [...records.values()] }));
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

async function askedOf(
  options: NextOptions,
  name: string,
  model: string,
  programs: readonly ProgramEntry[],
): Promise<Asked> {
  const hash = (...parts: readonly (string | Uint8Array)[]) => {
    const made = createHash('sha256');
    for (const part of parts) made.update(part);
    return made.digest('hex').slice(0, 12);
  };
  const { strategy, seed, mask, maxSteps } = options;
  return {
    model: name,
    weights: hash(await readFile(join(model, 'model.onnx')), await readFile(join(model, 'npdb.json'))),
    programs: `${programs.length}, ${hash(JSON.stringify(programs))}`,
    strategy,
    seed,
    mask,
    maxSteps,
  };
}
