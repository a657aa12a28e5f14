// The model card: text around figures that other commands measured. Every number here is read, none is written.

import { exitsTable } from '../dist/eval/exits.js';
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
  add(
    'input, of 8 answers the first that the model itself leads to the output (none run)',
    f.input_consistent,
  );
  if (f.input_checked) {
    add('input, the most confident of several proposals', f.input_checked);
    add('input, some proposal passes when run', f.input_checked, 'checked');
  }
  return table(['task', 'programs', 'pass@1', 'not answerable (counted as wrong)'], rows);
}

/** Tables of what was measured; what was not is left out. */
export function figureTables(f) {
  const parts = [];
  const add = (title, ...text) => parts.push(`### ${title}`, ...text);
  if (f.held_states)
    add(
      `Programs held back from training (${f.held_states.programs} programs)`,
      stateTable(f.held_states.actions),
    );
  if (f.cruxeval_states)
    add(
      `CRUXEval programs (${f.cruxeval_states.programs}), jumps direct`,
      stateTable(f.cruxeval_states.actions),
    );
  if (f.cruxeval_rollout) add('CRUXEval programs, jumps by rollout', stateTable(f.cruxeval_rollout.actions));
  if (f.output_direct || f.output_rollout || f.input || f.input_consistent || f.input_checked) {
    add('CRUXEval, pass@1', cruxevalTable(f));
    if (f.input)
      parts.push(`Input exact match (the very arguments of the data set): ${percent(f.input.exact_match)}.`);
  }
  if (f.dreval) {
    const tasks = ['coverage', 'state', 'path', 'output'];
    add(
      `DREval (${f.dreval.calls} calls, by predicted walks)`,
      table(
        ['task', 'questions', 'accuracy'],
        tasks.map((name) => [name, f.dreval[name].n, withInterval(f.dreval[name])]),
      ),
      `Coverage F1: ${f.dreval.coverage.f1.toFixed(3)}. Calls not answered (counted as wrong): ${f.dreval.unanswered}; questions about classes, not asked: ${f.dreval.not_asked}.`,
    );
  }
  for (const [how, result] of [
    ['direct', f.exits_direct],
    ['by rollout', f.exits_rollout],
  ])
    if (result)
      add(
        `How calls end, \`continue\` ${how}`,
        exitsTable(result, withInterval),
        `Right: ${withInterval(result.accuracy)} of ${result.n}; always the same end: ${percent(result.baseline.share)}; refused: ${result.refused}.`,
      );
  if (f.calibration) {
    const rows = Object.entries(f.calibration.actions).map(([action, { n, ece, auroc }]) => [
      action,
      n,
      ece.toFixed(3),
      auroc === null ? '-' : auroc.toFixed(3),
    ]);
    add(
      'Confidence, on held-back programs',
      table(['action', 'n', 'calibration error', 'AUROC of spotting a wrong state'], rows),
    );
  }
  return parts;
}

/** `meta`: npdb.json. `figures`: what `scripts/evaluate.mjs` gathered. `log`: the training log. */
export function modelCard(meta, figures, log) {
  const shards = (meta.training.shards ?? []).map((one) => one.meta ?? {});
  const shard = shards[0] ?? {};
  const args = meta.training.arguments ?? {};
  const last = log.filter((e) => 'tokens' in e).at(-1) ?? {};
  const million = (tokens) => `${((tokens ?? 0) / 1e6).toFixed(1)} M`;
  const total = (key) => shards.reduce((sum, one) => sum + (one.counts?.train?.[key] ?? 0), 0);
  const gathered = new Map();
  for (const one of shards) {
    for (const [name, { programs, tokens }] of Object.entries(one.bySource ?? {})) {
      const row = gathered.get(name) ?? { programs: 0, tokens: 0, licence: one.licences?.[name] ?? '' };
      gathered.set(name, { ...row, programs: row.programs + programs, tokens: row.tokens + tokens });
    }
  }
  const sources = [...gathered]
    .sort(([, a], [, b]) => b.tokens - a.tokens)
    .map(([name, s]) => [name, s.programs, million(s.tokens), s.licence]);
  const open = shards.filter((one) => !(one.exclusionSets?.length > 0));
  const openTokens = open.reduce((sum, one) => sum + (one.counts?.train?.tokens ?? 0), 0);
  const filtered = `CRUXEval and DREval programs, and near duplicates of them, are excluded${
    open.length > 0
      ? `, but from ${open.length} of the ${shards.length} sets of shards (${million(openTokens)} tokens, generated programs only), which were not compared with them: of other generated programs 0.7 % were left out as near duplicates`
      : ''
  }.`;
  const lineage = meta.training.lineage ?? [];
  const seen = lineage.reduce((sum, run) => sum + run.tokens, 0) + (last.tokens ?? 0);
  const parts = [
    `# The bundled model: \`small\``,
    `A Llama of ${meta.layers} layers, width ${meta.heads * meta.headWidth}, ${meta.vocabularySize} tokens, context ${meta.contextLength}, trained from scratch in the \`${meta.codec}\` language (docs/language.md). It predicts the next state of a Python program from its source, the current stack and a debugger action. It is a first model, small and briefly trained: read the figures before you rely on it.`,
    '## Figures',
    'Whole-state exact match, greedy, under the language mask, with 95 % intervals. Baseline: copy the locals, take the likeliest successor by syntax, return None. Changed states: those where copying the values is wrong (so the baseline has none of them by definition). Event, line, locals, value: shares right of each component. Malformed: answers that hit the token limit. Refused: programs or states longer than the context, counted as wrong. Forbidden: true answers that the mask does not allow. Inverse jumps (`inv_step_call`) start from a return value alone. Evaluations of fewer than 800 programs take the first ones of the file. What each figure means: docs/evaluation.md.',
  ];
  parts.push(...figureTables(figures));
  parts.push(
    'The command: `node scripts/evaluate.mjs` (CRUXEval and DREval are looked for in `NPDB_DATA`). `figures.json` has every number; `held.jsonl.gz` the held-back programs.',
    '## Training',
    `The last run: seed ${args.seed}, size \`${args.size}\`, ${args.optimizer}, ${args.minutes} minutes on two busy CPU cores, ${million(last.tokens)} tokens seen, of ${million(total('tokens'))} in the shards (${million(total('trained'))} of them predicted, the rest source and current state).`,
    ...(lineage.length > 0
      ? [
          `It began from the weights of ${lineage.length} runs before it, each from those of the one before; ${million(seen)} tokens in all (docs/log.md says what changed between them):`,
          table(
            ['run', 'tokens', 'steps', 'language', 'programs'],
            lineage.map((run, i) => [
              i + 1,
              million(run.tokens),
              run.steps,
              `${meta.codec} ${run.codecVersion}`,
              Object.values(run.programs).reduce((a, b) => a + b, 0),
            ]),
          ),
          'Sources of the last run, as of those before it:',
        ]
      : []),
    table(['source', 'programs', 'tokens', 'licence'], sources),
    `Traces: ${shard.python}, up to ${shard.calls} calls of each program, ${shard.limits?.events} events of each. ${filtered} The share-alike set is not used.`,
    '### Loss',
    lossTable(log),
    '## Licence and limits',
    'MIT. Programs longer than 511 lines, and sources and states over the context, are refused. Loop counts, generators and aliasing are seen only as far as the language carries them. It has seen small, deterministic, self-contained programs only. Its training traces were made before a fault of the tracer was mended that left out names which become None (5 of 525 sampled programs).',
  );
  return `${parts.join('\n\n')}\n`;
}
