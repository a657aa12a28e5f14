/** @file `npdb dataset`: program sets and generated programs to shards for training. */
import { writeFile } from 'node:fs/promises';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { NpdbError } from '../../../common/errors.ts';
import {
  BUILD_DEFAULTS,
  buildDataset,
  generatePrograms,
  type LevelCounts,
  POLICY_NAMES,
  shareOut,
} from '../../../dataset/index.ts';
import { CODEC_NAMES, languageOf } from '../../../language/index.ts';
import { openRuntime } from '../../../python/index.ts';
import { collect, example, interruptible, printJson, progress, wholeNumber } from '../common.ts';

interface DatasetOptions {
  readonly programs: string[];
  readonly generate: LevelCounts;
  readonly exclude: string[];
  readonly output: string;
  readonly calls: number;
  readonly seed: number;
  readonly codec: string;
  readonly policy?: string;
  readonly python: string;
  readonly events: number;
  readonly mutations: number;
  readonly density: number;
  readonly trivial?: number;
  readonly blocks: number;
  readonly documents: number;
  readonly drills: number;
  readonly maxContext: number;
  readonly maxPrompt: number;
  readonly maxAnswer: number;
  readonly maxSteps: number;
  readonly limit?: number;
  readonly chunk: number;
  readonly workers: number;
  readonly parquet: boolean;
  readonly json?: boolean;
}

export function datasetVerb(npdb: Command): void {
  const command = npdb
    .command('dataset')
    .description('Build training shards: trace, tree, trajectories, tokens. Resumes where it stopped.')
    .option('--programs <set...>', 'program sets, JSON Lines, plain or gzipped', [])
    .option(
      '--generate <n>',
      'also this many generated programs; or, by level, N,N,N: single operations, several statements, several functions',
      levelCounts,
      [0, 0, 0] as LevelCounts,
    )
    .option('--exclude <file>', 'evaluation programs that must not be in it; may be repeated', collect, [])
    .requiredOption('-o, --output <dir>', 'where to')
    .option('--calls <n>', 'calls traced of each program', wholeNumber, BUILD_DEFAULTS.calls)
    .option('--events <n>', 'events traced of each call', wholeNumber, BUILD_DEFAULTS.limits.events)
    .addOption(
      new Option('--codec <name>', 'the language: single steps (compact), or walks as text (paper)')
        .choices(CODEC_NAMES)
        .default('compact'),
    )
    .addOption(
      new Option('--policy <name>', "how walks are sampled; the default is the codec's").choices(
        POLICY_NAMES,
      ),
    )
    .option(
      '--mutations <n>',
      "besides, so many calls of each set's program with changed arguments that take another path",
      wholeNumber,
      BUILD_DEFAULTS.mutations,
    )
    .option(
      '--density <x>',
      'steps of a program: this many times the square root of its eventful states',
      positive,
      BUILD_DEFAULTS.density,
    )
    .option(
      '--trivial <x>',
      "likelihood of a step that changes nothing, 0 to 1; the default is the policy's",
      share,
    )
    .option('--blocks <n>', 'steps in a document', wholeNumber, BUILD_DEFAULTS.blocks)
    .option(
      '--drills <n>',
      "besides, so many of a program's steps cut down to the operations of their line",
      wholeNumber,
      0,
    )
    .option('--documents <n>', 'documents of a program', wholeNumber, BUILD_DEFAULTS.documents)
    .option('--max-context <n>', 'tokens of source', wholeNumber, BUILD_DEFAULTS.maxContext)
    .option('--max-prompt <n>', 'tokens of a state and action', wholeNumber, BUILD_DEFAULTS.maxPrompt)
    .option('--max-answer <n>', 'tokens of an answer', wholeNumber, BUILD_DEFAULTS.maxAnswer)
    .option('--max-steps <n>', 'actions of a walk (paper)', wholeNumber, BUILD_DEFAULTS.maxSteps)
    .option('--limit <n>', 'only the first programs of the seeded order', wholeNumber)
    .option('--chunk <n>', 'programs in a chunk', wholeNumber, BUILD_DEFAULTS.chunk)
    .option('--workers <n>', 'programs at work at a time', wholeNumber, BUILD_DEFAULTS.workers)
    .option('--no-parquet', 'leave out the same steps as text')
    .option('--seed <n>', 'same seed, same bytes', wholeNumber, 0)
    .option('--python <name>', 'pyodide, or an interpreter (much faster)', 'pyodide')
    .option('--json', 'the result as JSON')
    .action((options: DatasetOptions) => build(options));
  example(
    command,
    'npdb dataset --programs examples/programs.jsonl --generate 20 -o data/example --python python3',
  );
}

async function build(options: DatasetOptions): Promise<void> {
  if (options.programs.length === 0 && total(options.generate) === 0) {
    throw new NpdbError('E_USAGE', 'No programs.', 'Give --programs SET or --generate N.');
  }
  if (options.output.endsWith('.jsonl')) {
    if (options.programs.length > 0) {
      throw new NpdbError(
        'E_USAGE',
        'Shards need a folder; a .jsonl file takes generated programs only.',
        'Give -o DIR, or leave out --programs.',
      );
    }
    const lines = [...generatePrograms(options.seed, options.generate)].map((p) => JSON.stringify(p));
    await writeFile(options.output, `${lines.join('\n')}\n`);
    process.stdout.write(`${lines.length} generated programs in ${options.output}\n`);
    return;
  }
  const runtime = await openRuntime(options.python, { pool: true });
  let bar: ReturnType<typeof progress> | undefined;
  try {
    const result = await buildDataset({
      ...BUILD_DEFAULTS,
      ...languageOf(options.codec),
      sets: options.programs,
      exclude: options.exclude,
      ...(total(options.generate) > 0 ? { generate: { counts: options.generate, seed: options.seed } } : {}),
      seed: options.seed,
      policy: options.policy ?? options.codec,
      calls: options.calls,
      limits: { ...BUILD_DEFAULTS.limits, events: options.events },
      mutations: options.mutations,
      density: options.density,
      ...(options.trivial === undefined ? {} : { trivial: options.trivial }),
      blocks: options.blocks,
      documents: options.documents,
      drills: options.drills,
      maxContext: options.maxContext,
      maxPrompt: options.maxPrompt,
      maxAnswer: options.maxAnswer,
      maxSteps: options.maxSteps,
      ...(options.limit === undefined ? {} : { limit: options.limit }),
      chunk: Math.max(1, options.chunk),
      workers: Math.max(1, options.workers),
      parquet: options.parquet,
      out: options.output,
      runtime,
      signal: interruptible(),
      onProgress(p) {
        if (p.phase === 'plan') return;
        bar ??= progress('building', p.total);
        bar.update(p.done, `${(p.tokens / 1e6).toFixed(1)} M tokens`);
      },
    });
    bar?.stop();
    const { plan, failed, ...figures } = result;
    if (options.json) printJson({ ...figures, excluded: plan.excluded, failed: failed.length });
    else {
      const { documents, tokens, trained } = figures;
      process.stdout.write(`${documents} documents, ${tokens} tokens, ${trained} of them trained on\n`);
      process.stdout.write(`excluded: ${JSON.stringify(plan.excluded)}; card: ${options.output}/card.md\n`);
    }
    for (const f of failed) process.stderr.write(`npdb: ${f.id} failed: ${f.why}\n`);
  } finally {
    bar?.stop();
    await runtime.close();
  }
}

const total = (counts: LevelCounts): number => counts.reduce((sum, n) => sum + n, 0);

/** `300`, or `150,100,50`. */
function levelCounts(text: string): LevelCounts {
  const counts = text.split(',').map(wholeNumber);
  if (counts.length === 1) return shareOut(counts[0]!);
  const [one, two, three, ...more] = counts;
  if (one !== undefined && two !== undefined && three !== undefined && !more.length) return [one, two, three];
  throw new InvalidArgumentError(`'${text}' is neither one number nor three.`);
}

function positive(text: string): number {
  const value = Number(text);
  if (text.trim() !== '' && value > 0 && Number.isFinite(value)) return value;
  throw new InvalidArgumentError(`'${text}' is not a positive number.`);
}

function share(text: string): number {
  const value = Number(text);
  if (text.trim() !== '' && value >= 0 && value <= 1) return value;
  throw new InvalidArgumentError(`'${text}' is not a number from 0 to 1.`);
}
