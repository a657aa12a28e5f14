/**
 * @file The schema of one line of a trace. `types.ts` is the contract, this is its check at the edge:
 * files, and the output of a child process that ran an untrusted program.
 */
import { z } from 'zod';
import { NpdbError } from '../common/errors.ts';
import { TRACE_VERSION, type TraceEnd, type TraceEvent, type TraceFile, type TraceHeader } from './types.ts';

const natural = z.int().nonnegative();
const positive = z.int().positive();
const values = z.record(z.string(), z.string());
const names = z.array(z.string());

const limits = z.strictObject({
  events: positive,
  timeMs: positive,
  memoryMb: positive,
  outputBytes: natural,
});

const valueLimits = z.strictObject({ items: natural, chars: natural, depth: natural, leaves: natural });

const header = z.strictObject({
  e: z.literal('header'),
  version: z.int(),
  python: z.string(),
  implementation: z.enum(['cpython', 'pyodide']),
  hashSeed: z.string(),
  limits,
  values: valueLimits,
  files: z.array(z.strictObject({ name: z.string(), text: z.string() })).min(1),
  id: z.string().optional(),
  call: z.string().optional(),
});

const event = z.strictObject({
  e: z.enum(['call', 'line', 'return', 'exception', 'yield', 'resume']),
  f: natural,
  l: positive,
  s: natural.optional(),
  p: natural.optional(),
  fn: z.string().optional(),
  k: z.enum(['module', 'class', 'lambda', 'generator', 'coroutine', 'asyncgen']).optional(),
  t: positive.optional(),
  set: values.optional(),
  del: names.optional(),
  g: values.optional(),
  a: z.array(names).optional(),
  v: z.string().optional(),
  o: z.string().optional(),
  err: z.string().optional(),
  w: z
    .array(z.union([z.tuple([z.string(), z.string()]), z.tuple([z.string(), z.string(), z.literal(1)])]))
    .optional(),
});

const file = z.strictObject({ e: z.literal('file'), name: z.string(), text: z.string() });

const end = z.strictObject({
  e: z.literal('end'),
  status: z.enum(['normal', 'error', 'exit', 'cut']),
  reason: z.enum(['events', 'time', 'memory', 'output', 'recursion', 'settrace', 'killed']).optional(),
  exception: z.string().optional(),
  code: z.int().optional(),
  value: z.string().optional(),
  events: natural,
  o: z.string().optional(),
  err: z.string().optional(),
});

export type TraceRecord = TraceHeader | TraceFile | TraceEvent | TraceEnd;

/** `line` from 1. */
export function broken(line: number, what: string): NpdbError {
  return new NpdbError(
    'E_TRACE_BROKEN',
    `line ${line} of the trace ${what}.`,
    'Record it again, or use the traces before that line.',
    3,
  );
}

/** Throws `E_TRACE_BROKEN` with the line number, or `E_TRACE_VERSION`. */
export function parseRecord(text: string, line: number): TraceRecord {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw broken(line, 'is not JSON');
  }
  return checkRecord(json, line);
}

export function checkRecord(json: unknown, line: number): TraceRecord {
  const kind = kindOf(json);
  if (kind === 'header') checkVersion((json as { version?: unknown }).version, line);
  const schema = kind === 'header' ? header : kind === 'end' ? end : kind === 'file' ? file : event;
  const parsed = schema.safeParse(json);
  // As it came: the schema's own result has its keys in another order.
  if (parsed.success) return json as TraceRecord;
  const issue = parsed.error.issues[0]!;
  const where = issue.path.length > 0 ? `\`${issue.path.join('.')}\`: ` : '';
  throw broken(line, `is no valid ${kind}: ${where}${issue.message}`);
}

// --- internal ---

function kindOf(json: unknown): string {
  if (typeof json !== 'object' || json === null) return 'record';
  const kind = (json as { e?: unknown }).e;
  return typeof kind === 'string' ? kind : 'record';
}

function checkVersion(version: unknown, line: number): void {
  if (version === TRACE_VERSION) return;
  if (typeof version !== 'number') throw broken(line, 'is a header without a version');
  throw new NpdbError(
    'E_TRACE_VERSION',
    `the trace has version ${version}, this program reads version ${TRACE_VERSION}.`,
    'Record it again with this version.',
    3,
  );
}
