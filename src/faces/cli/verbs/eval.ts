/** @file `npdb eval next-state | cruxeval`: how good a model is, as tables or JSON. */
import { writeFile } from 'node:fs/promises';
import { type Command, Option } from 'commander';
import { NpdbError } from '../../../common/errors.ts';
import { Random } from '../../../common/random.ts';
import { type Recording, record } from '../../../debugger/recording.ts';
import { baselinePredictor } from '../../../eval/baseline.ts';
import { cruxeval } from '../../../eval/cruxeval.ts';
import { shareText } from '../../../eval/interval.ts';
import { nextState } from '../../../eval/nextState.ts';
import { nextStateTable } from '../../../eval/report.ts';
import { ACTIONS } from '../../../eval/sample.ts';
import { BUNDLED_MODEL, loadPredictor } from '../../../predictor/load.ts';
import type { PredictOptions, Strategy } from '../../../predictor/types.ts';
import { loadPrograms } from '../../../programs/index.ts';
import type { ProgramEntry } from '../../../programs/types.ts';
import { openRuntime } from '../../../python/index.ts';
import type { ActionType } from '../../../state/types.ts';
import { collect, example, interruptible, printJson, progress, readText, wholeNumber } from '../common.ts';

interface EvalOptions {
  readonly programs: string[];
  readonly data?: string;
  readonly model?: string;
  readonly python: string;
  readonly trusted?: boolean;
  readonly limit?: number;
  readonly seed: number;
  readonly strategy: Strategy;
  readonly mask: boolean;
  readonly maxSteps: number;
  readonly json?: boolean;
  readonly action: string[];
  readonly ids?: string;
  readonly mode: 'output' | 'input';
  readonly jump: 'step_return' | 'breakpoint';
  readonly proposals: number;
  readonly generations?: string;
}

export function evalVerb(npdb: Command): void {
  const verb = npdb.command('eval').description('Judge a model.');
  verb.action(() => {
    verb.outputHelp({ error: true });
    throw new NpdbError('E_USAGE', 'Which evaluation?', 'Say: npdb eval next-state, or npdb eval cruxeval.');
  });
  const next = common(verb.command('next-state'))
    .description('Next-state accuracy per action: whole-state exact match, greedy, with components.')
    .requiredOption('--programs <set>', 'programs to judge on; may be repeated', collect, [])
    .option('--limit <n>', 'states per action', wholeNumber, 800)
    .option('--action <name>', 'only this action; may be repeated', collect, [])
    .option('--ids <file>', 'only the programs with these ids, one a line')
    .action((options: EvalOptions) => runNextState(options));
  example(next, 'npdb eval next-state --programs examples/programs.jsonl --limit 20 --python python3');
  const crux = common(verb.command('cruxeval'))
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
    .option('--limit <n>', 'only the first programs', wholeNumber)
    .option('--generations <file>', "also write the answers in the benchmark's own format")
    .action((options: EvalOptions) => runCruxeval(options));
  example(crux, 'npdb eval cruxeval --data examples/programs.jsonl --mode output --limit 20');
}

function common(command: Command): Command {
  return command
    .option('--model <dir>', 'the model (default: the bundled one)')
    .option('--python <name>', 'what runs the programs: pyodide, or an interpreter', 'pyodide')
    .option('--trusted', 'the programs are trusted: one process serves many of them, much faster')
    .option('--seed <n>', 'which states are drawn, and all sampling', wholeNumber, 0)
    .addOption(
      new Option('--strategy <name>', 'how jumps are answered')
        .choices(['auto', 'direct', 'rollout'])
        .default('direct'),
    )
    .option('--max-steps <n>', 'longest rollout; beyond it the answer counts as wrong', wholeNumber, 400)
    .option('--no-mask', 'decode without the language mask')
    .option('--json', 'JSON instead of a table');
}

async function runNextState(options: EvalOptions): Promise<void> {
  const signal = interruptible();
  const actions = options.action.length > 0 ? options.action.map(actionNamed) : ACTIONS;
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

async function runCruxeval(options: EvalOptions): Promise<void> {
  const signal = interruptible();
  const programs = (await loadPrograms([options.data!])).slice(0, options.limit);
  const predictor = await loadPredictor(options.model ?? BUNDLED_MODEL);
  const runtime = options.mode === 'input' ? await runtimeOf(options) : undefined;
  const bar = progress(`cruxeval ${options.mode}`, programs.length);
  try {
    const result = await cruxeval(programs, predictor, {
      mode: options.mode,
      jump: options.jump,
      proposals: options.proposals,
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

function predictOf(options: EvalOptions, signal: AbortSignal): PredictOptions {
  const { strategy, seed, mask, maxSteps } = options;
  return { strategy, seed, mask, maxSteps, signal };
}

function runtimeOf(options: EvalOptions) {
  return openRuntime(options.python, { pool: options.trusted ?? false });
}

function actionNamed(name: string): ActionType {
  const found = ACTIONS.find((a) => a === name);
  if (found) return found;
  throw new NpdbError('E_ACTION', `There is no action ${name}.`, `Actions: ${ACTIONS.join(', ')}.`);
}

async function chosen(options: EvalOptions): Promise<ProgramEntry[]> {
  const programs = await loadPrograms(options.programs);
  if (options.ids === undefined) return programs;
  const ids = new Set((await readText(options.ids, 'list of ids')).split('\n').filter(Boolean));
  return programs.filter((p) => ids.has(p.id));
}

/** One call of each program, at most as many as could be drawn from; the choice is seeded by the set's order. */
async function recordAll(
  programs: readonly ProgramEntry[],
  options: EvalOptions,
  limit: number,
  signal: AbortSignal,
): Promise<Recording[]> {
  const random = new Random('programs', options.seed);
  const order = programs.map((p) => ({ p, key: random.next() })).sort((a, b) => a.key - b.key);
  const runtime = await runtimeOf(options);
  const picked = order.slice(0, limit);
  const bar = progress('recording', picked.length);
  const recordings: Recording[] = [];
  let done = 0;
  try {
    for (let i = 0; i < picked.length; i += 16) {
      signal.throwIfAborted();
      const made = await Promise.all(
        picked.slice(i, i + 16).map(({ p, key }) => {
          const index = Math.floor(((key * 1e6) % 1) * Math.max(1, p.calls.length));
          return record(p, index, runtime, { events: 3_000, timeMs: 10_000 });
        }),
      );
      recordings.push(...made.filter((r) => r !== null));
      bar.update((done += made.length));
    }
  } finally {
    bar.stop();
    await runtime.close();
  }
  return recordings;
}
