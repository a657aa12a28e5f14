/**
 * @file Whether a model foresees how a call ends: `continue` from the call, over programs that return, raise or never end, a
 * third each (`models/exits.jsonl.gz`). Nothing is run.
 */
import { z } from 'zod';
import { NpdbError } from '../common/errors.ts';
import { readLines } from '../common/lines.ts';
import type { ExitRow } from '../dataset/exits.ts';
import { start } from '../debugger/start.ts';
import type { Situation } from '../language/types.ts';
import type { Prediction, PredictOptions, Predictor } from '../predictor/types.ts';
import type { Exit } from '../state/types.ts';
import { type Share, share } from './interval.ts';

/** `none`: no answer within the limits, or none that is an end. */
export type Answer = Exit | 'none';

const TRUTHS: readonly Exit[] = ['normal', 'error', 'never'];
const ANSWERS: readonly Answer[] = [...TRUTHS, 'none'];

export interface ExitsResult {
  readonly n: number;
  readonly accuracy: Share;
  /** By true exit. */
  readonly classes: Readonly<Record<Exit, Share>>;
  /** Rows are truths, columns answers; counts. */
  readonly confusion: Readonly<Record<Exit, Readonly<Record<Answer, number>>>>;
  /** Always the end that is the most frequent in the set. */
  readonly baseline: Share;
  /** Programs more than the language or the model can hold; they count as `none`. */
  readonly refused: number;
}

export interface ExitsOptions {
  readonly predict: PredictOptions;
  readonly onProgress?: (done: number, total: number) => void;
}

const row = z.object({
  id: z.string(),
  code: z.string(),
  calls: z.tuple([z.string()]),
  exit: z.enum(['normal', 'error', 'never']),
  exception: z.string().optional(),
  from: z.string(),
  made: z.enum(['given', 'call', 'code']),
});

/** The rows of a set, at most `each` of each exit. Throws `E_EXIT_SET` at the first bad line, `E_FILE`. */
export async function readExits(path: string, each = Number.POSITIVE_INFINITY): Promise<ExitRow[]> {
  const rows: ExitRow[] = [];
  const counts: Record<Exit, number> = { normal: 0, error: 0, never: 0 };
  for await (const { text, number } of readLines(path)) {
    if (text.trim() === '') continue;
    const { success, data } = row.safeParse(jsonOf(text));
    if (!success) {
      throw new NpdbError(
        'E_EXIT_SET',
        `${path}, line ${number}, is no row of an exit set.`,
        'Make one: node scripts/exit-set.mjs -o FILE.',
        3,
      );
    }
    if (counts[data.exit]++ < each) rows.push(data as ExitRow);
  }
  return rows;
}

/** Calls asked at a time: a rollout is as long as its longest. */
const CHUNK = 32;

export async function judgeExits(
  rows: readonly ExitRow[],
  predictor: Predictor,
  { predict, onProgress }: ExitsOptions,
): Promise<ExitsResult> {
  const answers: Answer[] = [];
  let refused = 0;
  for (let i = 0; i < rows.length; i += CHUNK) {
    const chunk = rows.slice(i, i + CHUNK);
    const situations = chunk.map(situationOf);
    const held = situations.filter((s) => s !== null);
    const predicted = await predictor.predict(held, predict);
    let next = 0;
    for (const situation of situations) {
      const prediction = situation ? predicted[next++]![0]! : null;
      if (!prediction || prediction.refused) refused += 1;
      answers.push(answerOf(prediction));
    }
    onProgress?.(answers.length, rows.length);
  }
  const count = (truth: Exit, answer: Answer) =>
    rows.filter((row, i) => row.exit === truth && answers[i] === answer).length;
  const of = (truth: Exit) => rows.filter((row) => row.exit === truth).length;
  const perTruth = <T>(make: (truth: Exit) => T) =>
    Object.fromEntries(TRUTHS.map((truth) => [truth, make(truth)])) as Record<Exit, T>;
  const hits = TRUTHS.reduce((sum, truth) => sum + count(truth, truth), 0);
  return {
    n: rows.length,
    accuracy: share(hits, rows.length),
    classes: perTruth((truth) => share(count(truth, truth), of(truth))),
    confusion: perTruth(
      (truth) =>
        Object.fromEntries(ANSWERS.map((answer) => [answer, count(truth, answer)])) as Record<Answer, number>,
    ),
    baseline: share(Math.max(...TRUTHS.map(of)), rows.length),
    refused,
  };
}

/** Markdown: a row a true end, what was answered, the share right. */
export function exitsTable({ confusion, classes }: ExitsResult, shareText: (s: Share) => string): string {
  const line = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`;
  const head = ['truly', ...ANSWERS.map((a) => `answered ${a}`), 'right'];
  const rows = TRUTHS.map((truth) => [
    truth,
    ...ANSWERS.map((answer) => confusion[truth][answer]),
    shareText(classes[truth]),
  ]);
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

// --- internal ---

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const REFUSED = new Set<string>(['E_TOO_LONG', 'E_CALL', 'E_FUNCTION', 'E_ARGUMENTS']);

/** Null where the call cannot be entered without running something. */
function situationOf(row: ExitRow): Situation | null {
  try {
    const { programs, state } = start(row.code, row.calls[0]!);
    return { programs, state, action: { type: 'continue' } };
  } catch (error) {
    if (error instanceof NpdbError && REFUSED.has(error.code)) return null;
    throw error;
  }
}

function answerOf(prediction: Prediction | null): Answer {
  if (!prediction || prediction.truncated || prediction.outcome.type !== 'exit') return 'none';
  return prediction.outcome.exit;
}
