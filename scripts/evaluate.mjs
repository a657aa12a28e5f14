// Every figure of the model card: runs the evaluations of one model, keeps each result with the hash of the weights, and
// writes figures.json and README.md beside them. Interrupted, it goes on where it stopped.
//
//   node scripts/evaluate.mjs [--model models/small] [--held models/small/held.jsonl.gz] [--limit 800] [--python python3]
//
// CRUXEval is looked for in NPDB_DATA (default ../shared/data). It is only judged on, never tuned on.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from './bootstrap.mjs';
import { modelCard } from './model-card.mjs';

const { values: options } = parseArgs({
  options: {
    model: { type: 'string', default: 'models/small' },
    held: { type: 'string', default: 'models/small/held.jsonl.gz' },
    limit: { type: 'string', default: '800' },
    'checked-limit': { type: 'string', default: '200' },
    'rollout-limit': { type: 'string', default: '400' },
    'held-limit': { type: 'string', default: '300' },
    python: { type: 'string', default: 'python3' },
    proposals: { type: 'string', default: '16' },
    only: { type: 'string' },
    log: { type: 'string' },
  },
});
const data = process.env.NPDB_DATA ?? join(root, '..', 'shared', 'data');
const crux = join(data, 'eval', 'cruxeval.jsonl');
const model = resolve(options.model);
const weights = createHash('sha256')
  .update(readFileSync(join(model, 'model.safetensors')))
  .digest('hex')
  .slice(0, 12);
const cache = join(root, '.cache', 'evaluate', weights);
mkdirSync(cache, { recursive: true });

const common = ['--model', model, '--json', '--seed', '0'];
const python = ['--python', options.python, '--trusted'];
const next = (limit, ...more) => ['eval', 'next-state', ...common, ...python, '--limit', limit, ...more];
// Rollouts longer than any of these programs needs only repeat themselves.
const rollout = ['--strategy', 'rollout', '--max-steps', '120'];
const cruxeval = (...more) => ['eval', 'cruxeval', ...common, ...python, '--data', crux, ...more];
const EVALUATIONS = {
  cruxeval_states: next(options.limit, '--programs', crux),
  held_states: next(options['held-limit'], '--programs', options.held),
  cruxeval_rollout: next(
    '100',
    '--programs',
    crux,
    ...rollout,
    '--action',
    'step_return',
    '--action',
    'breakpoint',
  ),
  output_direct: cruxeval('--mode', 'output', '--strategy', 'direct'),
  output_rollout: cruxeval('--mode', 'output', '--limit', options['rollout-limit'], ...rollout),
  input: cruxeval('--mode', 'input', '--proposals', '1'),
  input_checked: cruxeval(
    '--mode',
    'input',
    '--proposals',
    options.proposals,
    '--limit',
    options['checked-limit'],
  ),
};

function run(args) {
  return new Promise((done, fail) => {
    const child = spawn(process.execPath, ['bin/npdb.js', ...args], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let out = '';
    child.stdout.on('data', (chunk) => (out += chunk));
    child.on('error', fail);
    child.on('exit', (code) =>
      code === 0 ? done(JSON.parse(out)) : fail(new Error(`exit ${code}: ${args.join(' ')}`)),
    );
  });
}

const figures = {};
for (const [name, args] of Object.entries(EVALUATIONS)) {
  const path = join(cache, `${name}.json`);
  // Paths differ between machines; all else that was asked must be the same for a kept result to hold.
  const command = args.map((arg) => (arg.includes('/') ? basename(arg) : arg)).join(' ');
  const kept = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : null;
  const wanted = !options.only || options.only.split(',').includes(name);
  let result = kept?.command === command ? kept : null;
  if (!result && wanted) {
    process.stderr.write(`npdb: ${name}\n`);
    const began = Date.now();
    result = { command, ...(await run(args)), seconds: 0 };
    result.seconds = Math.round((Date.now() - began) / 1000);
    writeFileSync(path, JSON.stringify(result, null, 1));
  }
  if (result) figures[name] = result;
}
writeFileSync(join(model, 'figures.json'), `${JSON.stringify(figures, null, 1)}\n`);
const meta = JSON.parse(readFileSync(join(model, 'npdb.json'), 'utf8'));
const log = options.log
  ? readFileSync(options.log, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
  : JSON.parse(readFileSync(join(model, 'loss.json'), 'utf8'));
if (options.log) writeFileSync(join(model, 'loss.json'), `${JSON.stringify(log)}\n`);
writeFileSync(join(model, 'README.md'), modelCard(meta, figures, log));
process.stdout.write(`${join(options.model, 'README.md')}\n`);
