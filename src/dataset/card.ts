/** @file The data card: what a data set holds, where it comes from, what was left out, and how to make it again. */
import type { Plan } from './plan.ts';

export interface CardFacts {
  readonly [key: string]: unknown;
  readonly counts: Readonly<
    Record<string, { readonly documents: number; readonly tokens: number; readonly trained: number }>
  >;
  readonly bySource: Readonly<
    Record<string, { readonly programs: number; readonly documents: number; readonly tokens: number }>
  >;
  readonly tally: Readonly<Record<string, number>>;
  readonly failed: readonly unknown[];
}

const grouped = (value: number): string => value.toLocaleString('en-US');

/** Markdown. */
export function dataCard(facts: CardFacts, plan: Plan): string {
  const line = (...cells: readonly (string | number)[]) =>
    `| ${cells.map((cell) => (typeof cell === 'number' ? grouped(cell) : cell)).join(' | ')} |`;
  const sources = plan.sources.map(({ name, programs, licence, sha256, seed }) => {
    const made = facts.bySource[name] ?? { programs: 0, documents: 0, tokens: 0 };
    return line(
      name,
      programs,
      made.programs,
      made.documents,
      made.tokens,
      licence,
      sha256 ? sha256.slice(0, 16) : `seed ${seed}`,
    );
  });
  const counts = Object.entries(facts.counts).map(([split, c]) =>
    line(split, plan.splits[split as 'train'].length, c.documents, c.tokens, c.trained),
  );
  const actions = Object.entries(facts.tally)
    .filter(([key]) => key.startsWith('action:'))
    .sort((a, b) => b[1] - a[1]);
  const skipped = Object.entries(facts.tally).filter(([key]) => key.startsWith('skipped:'));
  return `# Data card

Debugger steps (state, action, next state) from traces of small Python programs, as tokens of the \`${String(facts.codec)}\` language.

## Made by
- shard format ${String(facts.version)}, codec \`${String(facts.codec)}\` ${String(facts.codecVersion)}, tokenizer \`${String(facts.tokenizer)}\`, trace version ${String(facts.traceVersion)}, ${String(facts.python)}
- seed ${String(facts.seed)}, policy \`${String(facts.policy)}\`, at most ${String(facts.calls)} calls of a program, ${JSON.stringify(facts.limits)}${facts.limit === undefined ? '' : `\n- only the first ${String(facts.limit)} programs of the seeded order`}
- at most ${String(facts.blocks)} steps in a document, ${String(facts.documents)} documents of a program; context, prompt and answer of at most ${String(facts.maxContext)}, ${String(facts.maxPrompt)} and ${String(facts.maxAnswer)} tokens

## Sources
| source | programs | used | documents | tokens | licence | sha256 (or seed) |
|---|---:|---:|---:|---:|---|---|
${sources.join('\n')}

## Splits
| split | programs | documents | tokens | of them trained on |
|---|---:|---:|---:|---:|
${counts.join('\n')}
${line('dev', plan.splits.dev.length, 'held back', '', '')}
${line('test', plan.splits.test.length, 'held back', '', '')}

By the hash of a program's normal form (names, layout, comments, docstrings, annotations and imports do not count) and the seed. Near-duplicates
(Jaccard of token 5-grams from 0.7) share a split: ${grouped(plan.near)} of the programs have one.

## Left out
| why | programs |
|---|---:|
${line('equal to an earlier program', plan.excluded.equal)}
${line('equal to an evaluation program, or holds an equal function', plan.excluded['eval-equal'])}
${line('nearly equal to one', plan.excluded['eval-near'])}

Compared with: ${plan.exclusionSets.map(({ name, programs }) => `${name} (${grouped(programs)} programs)`).join(', ') || 'none'}.

## Steps
| action | steps |
|---|---:|
${actions.map(([key, value]) => line(key.slice(7), value)).join('\n')}

Drawn but not kept: ${skipped.map(([key, value]) => `${key.slice(8)} ${grouped(value)}`).join(', ') || 'none'}. Programs that failed: ${facts.failed.length}.
`;
}
