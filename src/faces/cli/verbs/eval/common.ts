/** @file What the evaluations share: their options, the programs chosen, and recordings of them. */
import { type Command, Option } from 'commander';
import { NpdbError } from '../../../../common/errors.ts';
import { Random } from '../../../../common/random.ts';
import { type Recording, record } from '../../../../debugger/recording.ts';
import { ACTIONS } from '../../../../eval/sample.ts';
import type { PredictOptions, Strategy } from '../../../../predictor/types.ts';
import { loadPrograms } from '../../../../programs/index.ts';
import type { ProgramEntry } from '../../../../programs/types.ts';
import { openRuntime } from '../../../../python/index.ts';
import type { ActionType } from '../../../../state/types.ts';
import { collect, progress, readText, wholeNumber } from '../../common.ts';

/** Options of every evaluation. */
export interface EvalOptions {
  readonly model?: string;
  readonly python: string;
  readonly trusted?: boolean;
  readonly limit?: number;
  readonly seed: number;
  readonly strategy: Strategy;
  readonly mask: boolean;
  readonly maxSteps: number;
  readonly json?: boolean;
}

/** Options of those that judge states of recorded runs. */
export interface StateOptions extends EvalOptions {
  readonly programs: string[];
  readonly action: string[];
  readonly ids?: string;
}

/** `runs`: whether the evaluation runs programs at all. */
export function commonOptions(command: Command, { runs } = { runs: true }): Command {
  command.option('--model <dir>', 'the model (default: the bundled one)');
  if (runs) {
    command
      .option('--python <name>', 'what runs the programs: pyodide, or an interpreter', 'pyodide')
      .option('--trusted', 'the programs are trusted: one process serves many of them, much faster');
  }
  return command
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

export function stateOptions(command: Command): Command {
  return commonOptions(command)
    .option('--programs <set>', 'programs to judge on; may be repeated', collect, [])
    .option('--limit <n>', 'states per action (default: 800)', wholeNumber)
    .option('--action <name>', 'only this action; may be repeated', collect, [])
    .option('--ids <file>', 'only the programs with these ids, one a line');
}

export function actionsOf(options: StateOptions): readonly ActionType[] {
  return options.action.length > 0 ? options.action.map(actionNamed) : ACTIONS;
}

export function predictOf(options: EvalOptions, signal: AbortSignal): PredictOptions {
  const { strategy, seed, mask, maxSteps } = options;
  return { strategy, seed, mask, maxSteps, signal };
}

export function runtimeOf(options: EvalOptions) {
  return openRuntime(options.python, { pool: options.trusted ?? false });
}

export async function chosen(options: StateOptions): Promise<ProgramEntry[]> {
  const programs = await loadPrograms(options.programs);
  if (options.ids === undefined) return programs;
  const ids = new Set((await readText(options.ids, 'list of ids')).split('\n').filter(Boolean));
  return programs.filter((p) => ids.has(p.id));
}

/** One call of each program, at most as many as could be drawn from; the choice is seeded by the set's order. */
export async function recordAll(
  programs: readonly ProgramEntry[],
  options: StateOptions,
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

function actionNamed(name: string): ActionType {
  const found = ACTIONS.find((a) => a === name);
  if (found) return found;
  throw new NpdbError('E_ACTION', `There is no action ${name}.`, `Actions: ${ACTIONS.join(', ')}.`);
}
