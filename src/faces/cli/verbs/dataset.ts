/** @file `npdb dataset`: program sets and generated programs to shards for training. */
import { writeFile } from 'node:fs/promises';
import { type Command, Option } from 'commander';
import { NpdbError } from '../../../common/errors.ts';
import { BUILD_DEFAULTS, buildDataset, generatePrograms, POLICY_NAMES } from '../../../dataset/index.ts';
import { CODEC_NAMES, languageOf } from '../../../language/index.ts';
import { openRuntime } from '../../../python/index.ts';
import { collect, example, interruptible, printJson, progress, wholeNumber } from '../common.ts';

interface DatasetOptions {
  readonly programs: string[];
  readonly generate: number;
  readonly exclude: string[];
  readonly output: string;
  readonly calls: number;
  readonly seed: number;
  readonly codec: string;
  readonly policy?: string;
  readonly python: string;
  readonly events: number;
  readonly json?: boolean;
}

export function datasetVerb(npdb: Command): void {
  const command = npdb
    .command('dataset')
    .description('Build training shards: trace, tree, trajectories, tokens. Resumes where it stopped.')
    .option('--programs <set...>', 'program sets, JSON Lines, plain or gzipped', [])
    .option('--generate <n>', 'also this many generated programs', wholeNumber, 0)
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
  if (options.programs.length === 0 && options.generate === 0) {
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
      ...(options.generate > 0 ? { generate: { count: options.generate, seed: options.seed } } : {}),
      seed: options.seed,
      policy: options.policy ?? options.codec,
      calls: options.calls,
      limits: { ...BUILD_DEFAULTS.limits, events: options.events },
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
