/**
 * @file Documents of tokens. A Markov codec's: one program's source, shared by many independent steps. The paper's: one
 * trajectory each. Steps too long for a small model are left out, and counted.
 */
import { createHash } from 'node:crypto';
import type { Random } from '../common/random.ts';
import { spellsSpecial } from '../language/pieces.ts';
import type { Codec, LossPiece, Piece, Tokenizer } from '../language/types.ts';
import type { ActionType } from '../state/types.ts';
import { drillDocuments } from './drills.ts';
import { policyOf, walkPolicies } from './policy.ts';
import { drawStep, effectOf, eventfulSteps } from './steps.ts';
import { sampleTrajectory } from './trajectory.ts';
import type { Direction, Recorded, TokenDocument } from './types.ts';

export type TrainingCodec = Pick<
  Codec,
  'name' | 'version' | 'specials' | 'context' | 'prompt' | 'echoes' | 'answer' | 'drill' | 'train'
>;

export interface DocumentOptions {
  readonly codec: TrainingCodec;
  readonly tokenizer: Tokenizer;
  readonly policy: string;
  /** Steps in a document (Markov). */
  readonly blocks: number;
  /** Steps of a program: this many times the square root of its eventful ones (Markov). */
  readonly density: number;
  /** Likelihood of a step that changes nothing, beside others (Markov); the policy's own if absent. */
  readonly trivial?: number;
  /** Documents of a program. */
  readonly documents: number;
  /** Drills of a program at most (Markov). */
  readonly drills?: number;
  /** Tokens; longer ones are left out. */
  readonly maxContext: number;
  readonly maxPrompt: number;
  readonly maxAnswer: number;
  /** Actions of a trajectory (the paper's codec). */
  readonly maxSteps: number;
}

export const DOCUMENT_DEFAULTS = {
  policy: 'compact',
  blocks: 24,
  density: 2,
  documents: 1,
  maxContext: 700,
  maxPrompt: 700,
  maxAnswer: 160,
  maxSteps: 64,
} as const;

/** What a row of the Parquet files says of one drawn walk. */
export interface Row {
  readonly id: string;
  readonly policy: string;
  readonly direction: Direction;
  readonly actions: readonly ActionType[];
  readonly context: readonly Piece[];
  readonly pieces: readonly LossPiece[];
}

export interface Tally {
  [reason: string]: number;
}

export interface Made {
  readonly documents: readonly TokenDocument[];
  readonly rows: readonly Row[];
  /** `steps`, `action:step_into`, `skipped:context`, `skipped:prompt`, `skipped:answer`, `skipped:same`, ... */
  readonly tally: Tally;
}

const count = (tally: Tally, key: string, by = 1): void => {
  tally[key] = (tally[key] ?? 0) + by;
};

/** Throws `E_POLICY` where the codec cannot use the policy. */
export function checkPolicy({ codec, policy }: Pick<DocumentOptions, 'codec' | 'policy'>): void {
  if (isMarkov(codec)) policyOf(policy);
  else walkPolicies(policy);
}

/** Steps stand by themselves: no history is needed, so many can share one source. */
export const isMarkov = (codec: TrainingCodec): boolean => codec.name === 'compact';

/** Documents of one program from the recordings of its calls. */
export function makeDocuments(
  id: string,
  runs: readonly Recorded[],
  options: DocumentOptions,
  random: Random,
): Made {
  const make = isMarkov(options.codec) ? markov : histories;
  return readable(make(id, runs, options, random), options.codec);
}

/** Rows are plain text: one in which a source or a value spells a special token would be read as if it had it. */
function readable(made: Made, { specials }: TrainingCodec): Made {
  const rows = made.rows.filter(
    ({ context, pieces }) => !spellsSpecial([...context, ...pieces.map(({ piece }) => piece)], specials),
  );
  const left = made.rows.length - rows.length;
  return left > 0 ? { ...made, rows, tally: { ...made.tally, 'rows:spell a special': left } } : made;
}

/** How many steps are worth drawing: more where more happens, but ever less so, since loops repeat. */
function worth(runs: readonly Recorded[], density: number): number {
  let steps = 0;
  for (const run of runs) steps += eventfulSteps(run);
  return Math.max(3, Math.round(density * Math.sqrt(steps)));
}

function markov(id: string, runs: readonly Recorded[], options: DocumentOptions, random: Random): Made {
  const { codec, tokenizer, blocks } = options;
  const tally: Tally = {};
  const rows: Row[] = [];
  const documents: TokenDocument[] = [];
  const first = runs[0];
  if (!first) return { documents, rows, tally };
  const context = codec.context(first.programs);
  const prefix = tokenizer.encode(context);
  if (prefix.length > options.maxContext) return { documents, rows, tally: { 'skipped:context': 1 } };
  const named = policyOf(options.policy);
  const policy = options.trivial === undefined ? named : { ...named, trivial: options.trivial };
  const seen = new Set<string>();
  const wanted = Math.min(blocks * options.documents, worth(runs, options.density));
  const drawn: { readonly ids: number[]; readonly loss: Uint8Array }[] = [];
  for (let n = 0; drawn.length < wanted && n < wanted * 3; n++) {
    const recorded = runs[n % runs.length]!;
    const step = drawStep(recorded, policy, random);
    if (!step) {
      count(tally, 'skipped:none');
      continue;
    }
    const prompt = codec.prompt(step.situation);
    const answer = codec.answer(step.situation, step.outcome);
    const asked = tokenizer.encode(prompt);
    const answered = tokenizer.encode(answer);
    if (asked.length > options.maxPrompt || answered.length > options.maxAnswer) {
      count(tally, asked.length > options.maxPrompt ? 'skipped:prompt' : 'skipped:answer');
      continue;
    }
    const ids = [...asked, ...answered];
    const key = ids.join(' ');
    if (seen.has(key)) {
      count(tally, 'skipped:same');
      continue;
    }
    seen.add(key);
    const { type } = step.situation.action;
    count(tally, `action:${type}`);
    count(tally, `effect:${effectOf(step)}`);
    count(tally, 'steps');
    drawn.push({ ids, loss: lossOf(ids.length, prompt, options) });
    rows.push({
      id: `${id}/${drawn.length - 1}`,
      policy: policy.name,
      direction: type.startsWith('inv_') ? 'inverse' : 'forward',
      actions: [type],
      context,
      pieces: [
        ...prompt.map((piece) => ({ piece, loss: false })),
        ...answer.map((piece) => ({ piece, loss: true })),
      ],
    });
  }
  for (let from = 0; from < drawn.length; from += blocks) {
    const part = drawn.slice(from, from + blocks);
    const ids = Uint16Array.from([...prefix, ...part.flatMap((block) => block.ids)]);
    const loss = new Uint8Array(ids.length);
    let at = prefix.length;
    for (const block of part) {
      loss.set(block.loss, at);
      at += block.ids.length;
    }
    documents.push({ segments: [prefix.length, ...part.map((block) => block.ids.length)], ids, loss });
  }
  const drilled = drillDocuments(runs, options, random);
  if (drilled.length > 0)
    count(
      tally,
      'drills',
      drilled.reduce((sum, { segments }) => sum + segments.length - 1, 0),
    );
  return { documents: [...documents, ...drilled], rows, tally };
}

/** What a step's tokens are to a model in training: 0 given, 1 the answer, 2 copied from the source. */
function lossOf(length: number, prompt: readonly Piece[], { codec, tokenizer }: DocumentOptions): Uint8Array {
  const loss = new Uint8Array(length);
  const echoes = codec.echoes?.(prompt) ?? [];
  let at = 0;
  for (const [index, piece] of prompt.entries()) {
    const end = at + tokenizer.encode([piece]).length;
    if (echoes[index]) loss.fill(2, at, end);
    at = end;
  }
  return loss.fill(1, at);
}

/** One trajectory a document: forward and inverse in equal parts, entries at any call. */
function histories(id: string, runs: readonly Recorded[], options: DocumentOptions, random: Random): Made {
  const { codec, tokenizer } = options;
  const tally: Tally = {};
  const rows: Row[] = [];
  const documents: TokenDocument[] = [];
  const seen = new Set<string>();
  const policies = walkPolicies(options.policy);
  for (let n = 0; n < options.documents * policies.length; n++) {
    const recorded = runs.length ? random.pick(runs) : undefined;
    const entries = recorded?.entries.filter((entry) => entry.level !== 'call') ?? [];
    if (!recorded || !entries.length) continue;
    const entry = random.weighted(entries.map((e) => [e.level === 'main' ? 4 : 1, e] as const));
    const policy = policies[n % policies.length]!;
    const trajectory = sampleTrajectory(recorded, entry, policy, random, options.maxSteps);
    if (!trajectory) {
      count(tally, 'skipped:none');
      continue;
    }
    const { shared, blocks } = codec.train(trajectory);
    const prefix = tokenizer.encode(shared);
    const segments = [prefix.length];
    const ids = [...prefix];
    const loss: number[] = prefix.map(() => 0);
    for (const block of blocks) {
      const from = ids.length;
      for (const { piece, loss: flag } of block) {
        const tokens = tokenizer.encode([piece]);
        ids.push(...tokens);
        for (let i = 0; i < tokens.length; i++) loss.push(flag ? 1 : 0);
      }
      segments.push(ids.length - from);
    }
    if (ids.length > options.maxContext + options.maxPrompt * 4) {
      count(tally, 'skipped:long');
      continue;
    }
    const key = createHash('sha1').update(ids.join(' ')).digest('base64');
    if (seen.has(key)) {
      count(tally, 'skipped:same');
      continue;
    }
    seen.add(key);
    count(tally, 'steps', trajectory.steps.length);
    for (const { action } of trajectory.steps) count(tally, `action:${action.type}`);
    documents.push({ segments, ids: Uint16Array.from(ids), loss: Uint8Array.from(loss) });
    rows.push({
      id: `${id}/${documents.length - 1}`,
      policy: policy.name,
      direction: policy.direction,
      actions: trajectory.steps.map(({ action }) => action.type),
      context: shared,
      pieces: blocks.flat(),
    });
  }
  return { documents, rows, tally };
}
