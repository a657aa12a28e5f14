// From a fresh clone to better weights: data by seed, training from the committed weights, export, calibration, and a
// comparison on development programs that decides which weights are kept. `runs/cpu.sh` and `runs/gpu.sh` call it.
//
//   node scripts/recipe.mjs --minutes 60                       size s, on the CPU
//   node scripts/recipe.mjs --minutes 1 --size tiny --programs 60 --limit 8 --model data/toy   everything, at toy scale
//
// Every step resumes: the same command goes on where it was stopped. Program sets beside the clone (NPDB_DATA) are used
// where they are there, evaluation programs are left out of them; otherwise all data is generated.
import { spawnSync } from 'node:child_process';
import { appendFileSync, cpSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { ensureBuild, ensurePackages, ensurePython, root, run } from './bootstrap.mjs';

const { values: options } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    size: { type: 'string', default: 's' },
    /** The weights to better; where there are none, training begins from scratch. */
    model: { type: 'string', default: 'models/small' },
    seed: { type: 'string', default: '1' },
    /** Generated programs; by default as many as the minutes can read once. */
    programs: { type: 'string' },
    /** States per action of the comparison. */
    limit: { type: 'string', default: '200' },
    context: { type: 'string', default: '1536' },
    batch: { type: 'string', default: '6144' },
    /** Only build the data. */
    'data-only': { type: 'boolean', default: false },
  },
});

const minutes = Number(options.minutes);
if (!(minutes > 0)) fail('E_USAGE', `--minutes ${options.minutes} is no number of minutes.`, 2);
/** What a minute of training reads, measured for size s on two cores (docs/log.md): 8,000 tokens/s, 700 a program. */
const PROGRAMS_A_MINUTE = 680;
const programs = Number(options.programs ?? Math.min(60_000, Math.round(minutes * PROGRAMS_A_MINUTE)));
const name = `${basename(options.model)}-${options.size}-${options.seed}`;
const data = join('data', `recipe-${name}-${programs}`);
const checkpoint = join('checkpoints', `recipe-${name}-${programs}`);
const candidate = join(checkpoint, 'export');

await ensurePackages();
await ensureBuild();
const python = await ensurePython();

await step('data', process.execPath, [
  'bin/npdb.js',
  'dataset',
  ...sets(),
  ...judgedOn(),
  ...['--generate', shares(programs), '--mutations', '1', '-o', data, '--seed', options.seed, '--no-parquet'],
  ...[
    '--drills',
    '40',
    '--calls',
    '6',
    '--density',
    '2.5',
    '--max-prompt',
    '512',
    '--max-answer',
    '220',
    '--python',
    python,
  ],
]);
if (options['data-only']) process.exit(0);
const init = existsSync(join(options.model, 'npdb.json')) ? ['--init', options.model] : [];
await step('training', python, [
  ...['-m', 'training.pretrain', '--shards', data, '--out', checkpoint, ...init, '--size', options.size],
  ...[
    '--minutes',
    options.minutes,
    '--context',
    options.context,
    '--batch',
    options.batch,
    '--seed',
    options.seed,
  ],
]);
await step('export', python, ['-m', 'training.export', '--checkpoint', checkpoint, '--out', candidate]);

const dev = ['dev.jsonl', 'dev-generated.jsonl'].map((file) => join(data, file)).filter(existsSync);
const held = dev.flatMap((file) => ['--programs', file]);
// The fit is made on other states of the development programs than the comparison (another seed).
await step('calibration', process.execPath, [
  ...['bin/npdb.js', 'eval', 'calibration', '--model', candidate, ...held, '--limit', options.limit, '--fit'],
  ...['--seed', '7', '--python', python, '--trusted'],
]);
const after = judged(candidate);
const before = init.length > 0 ? judged(options.model) : null;
const better = before === null || after.score > before.score;
const line = {
  at: new Date().toISOString(),
  ...options,
  programs,
  data,
  before,
  after,
  kept: better ? 'new' : 'old',
};
mkdirSync(join(root, 'runs', 'log'), { recursive: true });
appendFileSync(join(root, 'runs', 'log', `${name}.jsonl`), `${JSON.stringify(line)}\n`);
if (better) {
  mkdirSync(options.model, { recursive: true });
  for (const file of readdirSync(candidate))
    cpSync(join(candidate, file), join(options.model, file), { recursive: true });
}
say(
  `exact match on development programs, mean over actions: ${percent(before?.score)} -> ${percent(after.score)}`,
);
say(
  better ? `${options.model} holds the new weights` : `${options.model} keeps its weights: they are better`,
);
say('next: npm run verify -- evaluate writes all figures of the model card');

// --- internal ---

function say(text) {
  process.stdout.write(`recipe: ${text}\n`);
}

function fail(code, text, status) {
  process.stderr.write(`${code}: ${text}\n`);
  process.exit(status);
}

function percent(x) {
  return x === undefined ? 'none' : `${(100 * x).toFixed(1)} %`;
}

async function step(what, command, args) {
  say(`${what}: ${basename(command)} ${args.join(' ')}`);
  const code = await run(command, args);
  if (code !== 0) fail('E_RECIPE', `${what} ended with ${code}; the same command goes on from there.`, code);
}

/** Single operations, several statements, several functions. */
function shares(total) {
  const [one, two] = [Math.round(total * 0.45), Math.round(total * 0.3)];
  return `${one},${two},${total - one - two}`;
}

/** What the model card's figures are made on is never trained on, whatever the seed of the splits. */
function judgedOn() {
  return ['models/small/held.jsonl.gz', 'models/exits.jsonl.gz']
    .filter((file) => existsSync(join(root, file)))
    .flatMap((file) => ['--exclude', file]);
}

/** The share-alike set stays out: weights trained on it would have to be shared alike. */
function sets() {
  const folder = process.env.NPDB_DATA ?? join(root, '..', 'shared', 'data');
  if (!existsSync(join(folder, 'train'))) return [];
  const named = (under, keep) =>
    readdirSync(join(folder, under))
      .filter((file) => /\.jsonl(\.gz)?$/.test(file) && keep(file))
      .sort()
      .map((file) => join(folder, under, file));
  return [
    ...named('train', (file) => !file.startsWith('leetcode_doocs')).flatMap((file) => ['--programs', file]),
    ...named('eval', (file) => !/tasks/.test(file)).flatMap((file) => ['--exclude', file]),
  ];
}

/** Exact match of each action on the development programs, and their mean. */
function judged(model) {
  say(`judging ${model}`);
  const args = [
    'bin/npdb.js',
    'eval',
    'next-state',
    '--model',
    model,
    ...held,
    '--limit',
    options.limit,
    '--json',
  ];
  const { status, stdout } = spawnSync(process.execPath, [...args, '--python', python, '--trusted'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 2 ** 28,
  });
  if (status !== 0) fail('E_RECIPE', `judging ${model} ended with ${status}.`, 1);
  const { actions } = JSON.parse(stdout.toString());
  const exact = Object.fromEntries(Object.entries(actions).map(([action, s]) => [action, s.exact_match]));
  const all = Object.values(exact);
  return { score: all.reduce((a, b) => a + b, 0) / all.length, actions: exact };
}
