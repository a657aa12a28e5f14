/**
 * @file Reading program sets: JSON Lines, plain or gzipped, `{id, code, calls, expected?}`; CRUXEval's own
 * file (`{code, input, output, id}`) is read as it is: one call, `f(<input>)`. Node only.
 */
import { z } from 'zod';
import { NpdbError } from '../common/errors.ts';
import { readLines } from '../common/lines.ts';
import type { ProgramEntry } from './types.ts';

const entry = z.object({
  id: z.string().min(1),
  code: z.string(),
  calls: z.array(z.string().min(1)),
  expected: z.array(z.string().nullable()).optional(),
});

const cruxeval = z.object({ id: z.string().min(1), code: z.string(), input: z.string(), output: z.string() });

/** All programs in order. Throws `E_PROGRAM_SET` with the line number at the first bad line, `E_FILE`. */
export async function* readPrograms(path: string): AsyncGenerator<ProgramEntry> {
  const seen = new Map<string, number>();
  let number = 0;
  try {
    for await (const line of readLines(path)) {
      number = line.number;
      if (line.text.trim() === '') continue;
      const program = parseProgram(line.text, path, number);
      const before = seen.get(program.id);
      if (before !== undefined) {
        throw problem(path, number, `has the id ${JSON.stringify(program.id)} of line ${before}`);
      }
      seen.set(program.id, number);
      yield program;
    }
  } catch (error) {
    if (error instanceof NpdbError) throw error;
    throw problem(path, number + 1, `cannot be read: ${(error as Error).message}`);
  }
}

/** Several sets as one list; ids must differ across them too. */
export async function loadPrograms(paths: readonly string[]): Promise<ProgramEntry[]> {
  const all = new Map<string, ProgramEntry>();
  for (const path of paths) {
    for await (const program of readPrograms(path)) {
      if (all.has(program.id)) {
        throw new NpdbError(
          'E_PROGRAM_SET',
          `${path}: the id ${JSON.stringify(program.id)} is in an earlier set too.`,
          'Name each set once, and give each program its own id.',
        );
      }
      all.set(program.id, program);
    }
  }
  return [...all.values()];
}

export function parseProgram(text: string, path: string, number: number): ProgramEntry {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw problem(path, number, 'is not JSON');
  }
  if (isCruxeval(json)) {
    const row = check(cruxeval, json, path, number);
    return { id: row.id, code: row.code, calls: [`f(${row.input})`], expected: [row.output] };
  }
  const row = check(entry, json, path, number);
  if (row.expected && row.expected.length !== row.calls.length) {
    throw problem(path, number, `has ${row.calls.length} calls but ${row.expected.length} expected values`);
  }
  const { expected, ...rest } = row;
  return expected ? { ...rest, expected } : rest;
}

// --- internal ---

function isCruxeval(json: unknown): boolean {
  return typeof json === 'object' && json !== null && 'input' in json && !('calls' in json);
}

function check<T>(schema: z.ZodType<T>, json: unknown, path: string, number: number): T {
  const parsed = schema.safeParse(json);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0]!;
  const where = issue.path.length > 0 ? `\`${issue.path.join('.')}\`: ` : '';
  throw problem(path, number, `is no program: ${where}${issue.message}`);
}

function problem(path: string, number: number, what: string): NpdbError {
  return new NpdbError(
    'E_PROGRAM_SET',
    `${path}: line ${number} ${what}.`,
    'Each line is {"id": ..., "code": ..., "calls": ["f(1)", ...], "expected": [...]}, or a line of CRUXEval.',
    3,
  );
}
