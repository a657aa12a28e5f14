/**
 * @file Judged states on disk, one JSON object a line, after a first line that says what was asked of which model. An
 * interrupted evaluation of the same question goes on after its last whole line. Node only.
 */
import { appendFileSync, existsSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { NpdbError } from '../common/errors.ts';
import { keyOf, type StateRecord } from './record.ts';

/** What must be equal for records to belong together. */
export interface Asked {
  readonly model: string;
  /** Of the weights; another model of the same name is another question. */
  readonly weights: string;
  /** The programs' ids and texts. */
  readonly programs: string;
  readonly strategy: string;
  readonly seed: number;
  readonly mask: boolean;
  readonly maxSteps: number;
}

export interface RecordFile {
  readonly known: ReadonlyMap<string, StateRecord>;
  append(record: StateRecord): void;
}

export interface Records {
  readonly asked: Asked;
  readonly records: readonly StateRecord[];
}

/** Throws `E_RECORDS` where the file answers another question, so that nothing of it is overwritten. */
export function openRecords(path: string, asked: Asked): RecordFile {
  const kept = existsSync(path) ? readWhole(path) : null;
  if (!kept) writeFileSync(path, `${JSON.stringify({ asked })}\n`);
  else if (JSON.stringify(kept.asked) !== JSON.stringify(asked)) {
    const part = (Object.keys(asked) as (keyof Asked)[]).find((k) => asked[k] !== kept.asked[k]);
    throw new NpdbError(
      'E_RECORDS',
      `${path} holds another evaluation: its ${part ?? 'question'} differs.`,
      'Give another file, or remove this one.',
    );
  } else truncateSync(path, kept.bytes);
  return {
    known: new Map((kept?.records ?? []).map((record) => [keyOf(record), record])),
    // At once: what is judged is kept even where the process is killed.
    append: (record) => appendFileSync(path, `${JSON.stringify(record)}\n`),
  };
}

/** Throws `E_RECORDS`, `E_FILE`. */
export function readRecords(path: string): Records {
  if (!existsSync(path)) throw new NpdbError('E_FILE', `${path} does not exist.`, 'Check the path.', 3);
  const found = readWhole(path);
  if (found) return found;
  throw new NpdbError(
    'E_RECORDS',
    `${path} holds no judged states.`,
    'Make it: npdb eval next-state --records FILE.',
    3,
  );
}

// --- internal ---

/** Null for an empty file. A last line that was cut off is left out; `bytes`: up to there. */
function readWhole(path: string): (Records & { readonly bytes: number }) | null {
  const text = readFileSync(path, 'utf8');
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  const [first, ...lines] = whole.split('\n').filter(Boolean);
  if (first === undefined) {
    if (text.trim() === '') return null;
    throw notOurs(path);
  }
  try {
    const { asked } = JSON.parse(first) as { asked?: Asked };
    if (!asked) throw notOurs(path);
    return {
      asked,
      records: lines.map((line) => JSON.parse(line) as StateRecord),
      bytes: Buffer.byteLength(whole),
    };
  } catch {
    throw notOurs(path);
  }
}

const notOurs = (path: string) =>
  new NpdbError('E_RECORDS', `${path} is no file of judged states.`, 'Give another file.', 3);
