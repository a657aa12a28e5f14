// The model card: text around figures that other commands measured. Every number here is read, none is written.

import { stateTable } from '../dist/eval/report.js';

const percent = (x) => `${(100 * x).toFixed(1)} %`;
const withInterval = (s) =>
  s.n === 0 ? '-' : `${percent(s.share)} [${(100 * s.low).toFixed(1)}, ${(100 * s.high).toFixed(1)}]`;
const row = (cells) => `| ${cells.join(' | ')} |`;
const table = (head, rows) => [row(head), row(head.map(() => '---')), ...rows.map(row)].join('\n');

/** About twenty points of the loss curve. */
function lossTable(log) {
  const steps = log.filter((entry) => 'loss' in entry && 'step' in entry);
  const every = Math.max(1, Math.floor(steps.length / 18));
  const shown = steps.filter((_, i) => i % every === every - 1 || i === steps.length - 1);
  const evals = log.filter((entry) => 'eval_loss' in entry);
  const loss = table(
    ['step', 'tokens', 'loss', 'minutes'],
    shown.map((e) => [
      e.step,
      `${(e.tokens / 1e6).toFixed(2)} M`,
      e.loss.toFixed(3),
      ((e.elapsed_s ?? 0) / 60).toFixed(1),
    ]),
  );
  if (evals.length === 0) return loss;
  const keys = Object.keys(evals[0]).filter((k) => k.startsWith('eval') && typeof evals[0][k] === 'number');
  return `${loss}\n\nOn validation programs (teacher forced):\n\n${table(
    ['step', ...keys.map((k) => k.replaceAll('_', ' '))],
    evals.map((e) => [e.step, ...keys.map((k) => (Number.isInteger(e[k]) ? e[k] : e[k].toFixed(3)))]),
  )}`;
}

function cruxevalTable(f) {
  const rows = [];
  const add = (name, result, key = 'interval') =>
    result && rows.push([name, result[key].n, withInterval(result[key]), result.unanswered]);
  add('output, `step_return`, direct', f.output_direct);
  add('output, `step_return`, rollout', f.output_rollout);
  add('input, first answer (run only to score it)', f.input);
  if (f.input_checked) {
    add('input, the most confident of several proposals', f.input_checked);
    add('input, some proposal passes when run', f.input_checked, 'checked');
  }
  return table(['task', 'programs', 'pass@1', 'not answerable (counted as wrong)'], rows);
}

/** `meta`: npdb.json. `figures`: what `scripts/evaluate.mjs` gathered. `log`: the training log. */
export function modelCard(meta, figures, log) {
  const shard = meta.training.shards?.[0]?.meta ?? {};
  const args = meta.training.arguments ?? {};
  const counts = shard.counts ?? {};
  const last = log.filter((e) => 'tokens' in e).at(-1) ?? {};
  const sources = Object.entries(shard.bySource ?? {})
    .sort((a, b) => b[1].tokens - a[1].tokens)
    .map(([name, s]) => [name, s.programs, `${(s.tokens / 1e6).toFixed(2)} M`, shard.licences?.[name] ?? '']);
  const parts = [
    `# The bundled model: \`small\``,
    `A Llama of ${meta.layers} layers, width ${meta.heads * meta.headWidth}, ${meta.vocabularySize} tokens, context ${meta.contextLength}, trained from scratch in the \`${meta.codec}\` language (docs/language.md). It predicts the next state of a Python program from its source, the current stack and a debugger action. It is a first model, small and briefly trained: read the figures before you rely on it.`,
    '## Figures',
    'Whole-state exact match, greedy, under the language mask, with 95 % intervals. Baseline: copy the locals, take the likeliest successor by syntax, return None. Changed states: those where copying the values is wrong (so the baseline has none of them by definition). Event, line, locals, value: shares right of each component. Malformed: answers that hit the token limit. Refused: programs or states longer than the context, counted as wrong. Forbidden: true answers that the mask does not allow. Inverse jumps (`inv_step_call`) start from a return value alone. Evaluations of fewer than 800 programs take the first ones of the file.',
  ];
  if (figures.held_states)
    parts.push(
      `### Programs held back from training (${figures.held_states.programs} programs)`,
      stateTable(figures.held_states.actions),
    );
  if (figures.cruxeval_states)
    parts.push(
      `### CRUXEval programs (${figures.cruxeval_states.programs}), jumps direct`,
      stateTable(figures.cruxeval_states.actions),
    );
  if (figures.cruxeval_rollout)
    parts.push('### CRUXEval programs, jumps by rollout', stateTable(figures.cruxeval_rollout.actions));
  if (figures.output_direct) {
    parts.push('### CRUXEval, pass@1', cruxevalTable(figures));
    if (figures.input)
      parts.push(
        `Input exact match (the very arguments of the data set): ${percent(figures.input.exact_match)}.`,
      );
  }
  parts.push(
    'The command: `node scripts/evaluate.mjs` (CRUXEval is looked for in `NPDB_DATA`). `figures.json` has every number; `held.jsonl.gz` the held-back programs.',
    '## Training',
    `Seed ${args.seed}, size \`${args.size}\`, ${args.optimizer}, ${args.minutes} minutes on two CPU cores, ${((last.tokens ?? 0) / 1e6).toFixed(1)} M tokens seen, of ${((counts.train?.tokens ?? 0) / 1e6).toFixed(1)} M in the shards (${((counts.train?.trained ?? 0) / 1e6).toFixed(2)} M of them predicted, the rest source and current state).`,
    table(['source', 'programs', 'tokens', 'licence'], sources),
    `Traces: ${shard.python}, up to ${shard.calls} calls of each program, ${shard.limits?.events} events of each. CRUXEval and DREval programs, and near duplicates of them, are excluded. The share-alike set is not used.`,
    '### Loss',
    lossTable(log),
    '## Licence and limits',
    'MIT. Programs longer than 511 lines, and sources and states over the context, are refused. Loop counts, generators and aliasing are seen only as far as the language carries them. It has seen small, deterministic, self-contained programs only. Its training traces were made before a fault of the tracer was mended that left out names which become None (5 of 525 sampled programs).',
  );
  return `${parts.join('\n\n')}\n`;
}
