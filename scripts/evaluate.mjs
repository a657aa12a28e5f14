// Every figure of the model card: runs the evaluations of one model, keeps each result with the hash of the weights, and
// writes figures.json and README.md beside them. Interrupted, it goes on where it stopped.
//
//   node scripts/evaluate.mjs [--quick] [--model models/small] [--held models/small/held.jsonl.gz] [--limit 800]
//                             [--python python3] [--only held_states,exits_direct]
//
// `--quick`: a few states of each evaluation, to see that all of it works; nothing is written beside the weights, and the
// figures go to the terminal. Each evaluation has its own limit (`--help` lists them); `--only` runs some of them.
// CRUXEval and DREval are looked for in NPDB_DATA (default ../shared/data), and left out where they are not. They are only
// judged on, never tuned on.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from './bootstrap.mjs';
import { figureTables, modelCard } from './model-card.mjs';

/** Programs or states of each evaluation: in full, and with `--quick`. */
const LIMITS = {
  limit: [800, 8], // CRUXEval states an action
  'held-limit': [300, 8], // held-back states an action
  'output-limit': [800, 16],
  'rollout-limit': [400, 8],
  'states-rollout-limit': [100, 4],
  'input-limit': [800, 4],
  'checked-limit': [200, 2],
  'consistent-limit': [200, 2],
  'dreval-limit': [0, 2], // calls; 0: all
  'exits-limit': [60, 4], // of each exit
};
const { values: options } = parseArgs({
  options: {
    model: { type: 'string', default: 'models/small' },
    held: { type: 'string', default: 'models/small/held.jsonl.gz' },
    exits: { type: 'string', default: 'models/exits.jsonl.gz' },
    python: { type: 'string', default: 'python3' },
    proposals: { type: 'string', default: '16' },
    quick: { type: 'boolean', default: false },
    only: { type: 'string' },
    log: { type: 'string' },
    help: { type: 'boolean', short: 'h' },
    ...Object.fromEntries(Object.keys(LIMITS).map((name) => [name, { type: 'string' }])),
  },
});
if (options.help) {
  const limits = Object.entries(LIMITS).map(
    ([name, [full, quick]]) => `  --${name} ${full || 'all'} (quick: ${quick})`,
  );
  process.stdout.write(
    `node scripts/evaluate.mjs [--quick] [--only NAME,NAME]; limits:\n${limits.join('\n')}\n`,
  );
  process.exit(0);
}
const limit = (name) => options[name] ?? String(LIMITS[name][options.quick ? 1 : 0]);
const data = process.env.NPDB_DATA ?? join(root, '..', 'shared', 'data');
const crux = join(data, 'eval', 'cruxeval.jsonl');
const dreval = ['dreval_data', 'dreval_tasks'].map((name) => join(data, 'eval', `${name}.jsonl.gz`));
const model = resolve(options.model);
const hashOf = (name) =>
  createHash('sha256')
    .update(readFileSync(join(model, name)))
    .digest('hex')
    .slice(0, 12);
const weights = hashOf('model.safetensors');
// Confidences are part of judged states, and their fit is kept here.
const meta = hashOf('npdb.json');
const cache = join(root, '.cache', 'evaluate', options.quick ? `${weights}-quick` : weights);
mkdirSync(cache, { recursive: true });

const common = ['--model', model, '--json', '--seed', '0'];
const python = ['--python', options.python, '--trusted'];
const next = (count, ...more) => ['eval', 'next-state', ...common, ...python, '--limit', count, ...more];
// Every judged state is kept: an interrupted evaluation goes on within itself, and the report is made of them.
const records = (name) => join(cache, `${name}-${meta}.jsonl`);
// Rollouts longer than any of these programs needs only repeat themselves.
const rollout = ['--strategy', 'rollout', '--max-steps', '120'];
const cruxeval = (count, ...more) => [
  'eval',
  'cruxeval',
  ...common,
  ...python,
  '--data',
  crux,
  '--limit',
  limit(count),
  ...more,
];
const jumps = ['--action', 'step_return', '--action', 'breakpoint'];
const exits = (...more) => [
  'eval',
  'exits',
  ...common,
  '--data',
  resolve(options.exits),
  '--limit',
  limit('exits-limit'),
  ...more,
];
const drevalLimit = limit('dreval-limit') === '0' ? [] : ['--limit', limit('dreval-limit')];
/** What each needs beside the model; where that is missing, the evaluation is left out and the card says nothing of it. */
const EVALUATIONS = {
  held_states: [next(limit('held-limit'), '--programs', resolve(options.held)), options.held],
  cruxeval_states: [next(limit('limit'), '--programs', crux), crux],
  cruxeval_rollout: [next(limit('states-rollout-limit'), '--programs', crux, ...rollout, ...jumps), crux],
  output_direct: [cruxeval('output-limit', '--mode', 'output', '--strategy', 'direct'), crux],
  output_rollout: [cruxeval('rollout-limit', '--mode', 'output', ...rollout), crux],
  input: [cruxeval('input-limit', '--mode', 'input', '--proposals', '1'), crux],
  input_consistent: [cruxeval('consistent-limit', '--mode', 'input', '--consistent', '8'), crux],
  input_checked: [cruxeval('checked-limit', '--mode', 'input', '--proposals', options.proposals), crux],
  exits_direct: [exits('--strategy', 'direct'), options.exits],
  exits_rollout: [exits(...rollout), options.exits],
  // Of the states that were just judged: asks nothing, so it is never taken from the cache.
  calibration: [
    ['eval', 'calibration', '--json', '--records', records('held_states')],
    records('held_states'),
    'anew',
  ],
  dreval: [
    [
      'eval',
      'dreval',
      ...common,
      ...python,
      '--data',
      dreval[0],
      '--tasks',
      dreval[1],
      ...drevalLimit,
      '--max-steps',
      '120',
    ],
    dreval[0],
  ],
};
const STATES = new Set(['held_states', 'cruxeval_states', 'cruxeval_rollout']);

/** The JSON that a command prints. */
function run(args, json = true) {
  return new Promise((done, fail) => {
    const child = spawn(process.execPath, ['bin/npdb.js', ...args], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let out = '';
    child.stdout.on('data', (chunk) => (out += chunk));
    child.on('error', fail);
    child.on('exit', (code) =>
      code === 0 ? done(json ? JSON.parse(out) : null) : fail(new Error(`exit ${code}: ${args.join(' ')}`)),
    );
  });
}

const names = options.only?.split(',');
const unknown = names?.filter((name) => !(name in EVALUATIONS)) ?? [];
if (unknown.length > 0) {
  process.stderr.write(
    `There is no ${unknown.join(', ')}; there are ${Object.keys(EVALUATIONS).join(', ')}.\n`,
  );
  process.exit(2);
}
const figures = {};
for (const [name, [args, needs, anew]] of Object.entries(EVALUATIONS)) {
  const path = join(cache, `${name}.json`);
  // Paths differ between machines; all else that was asked must be the same for a kept result to hold.
  const command = args.map((arg) => (arg.includes('/') ? basename(arg) : arg)).join(' ');
  const kept = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : null;
  const wanted = !names || names.includes(name);
  let result = kept?.command === command && !anew ? kept : null;
  if (!result && wanted && !existsSync(resolve(root, needs))) {
    process.stderr.write(`npdb: ${name} is left out: ${needs} is missing\n`);
  } else if (!result && wanted) {
    process.stderr.write(`npdb: ${name}\n`);
    const began = Date.now();
    const keep = STATES.has(name) ? ['--records', records(name)] : [];
    result = { command, ...(await run([...args, ...keep])), seconds: 0 };
    result.seconds = Math.round((Date.now() - began) / 1000);
    writeFileSync(path, JSON.stringify(result, null, 1));
  }
  if (result) figures[name] = result;
}
if (existsSync(records('held_states'))) {
  const beside = options.model === 'models/small' ? join(root, 'docs') : model;
  const report = join(options.quick ? cache : beside, 'report.html');
  await run(['eval', 'report', records('held_states'), '-o', report], false);
  process.stderr.write(`npdb: ${report}\n`);
}
if (options.quick) {
  process.stdout.write(`${figureTables(figures).join('\n\n')}\n`);
} else {
  const about = JSON.parse(readFileSync(join(model, 'npdb.json'), 'utf8'));
  const log = options.log
    ? readFileSync(options.log, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
    : JSON.parse(readFileSync(join(model, 'loss.json'), 'utf8'));
  if (options.log) writeFileSync(join(model, 'loss.json'), `${JSON.stringify(log)}\n`);
  writeFileSync(join(model, 'figures.json'), `${JSON.stringify(figures, null, 1)}\n`);
  writeFileSync(join(model, 'README.md'), modelCard(about, figures, log));
  process.stdout.write(`${join(options.model, 'README.md')}\n`);
}
