/** @file DREval's two files (Chen et al., ICSE 2025: `DREval_data.jsonl`, `DREval_tasks.jsonl`), as questions about calls. */
import { z } from 'zod';
import { NpdbError } from '../../common/errors.ts';

export interface Question {
  /** From 1, in the program's text. */
  readonly line: number;
  /** A name, attribute or subscript. */
  readonly variable: string;
}

/** One program under one input. */
export interface Item {
  readonly id: string;
  readonly code: string;
  /** Null: a class with a script of assertions, which has no one call. */
  readonly call: string | null;
  /** A literal. */
  readonly expected: string;
  readonly questions: readonly Question[];
}

const row = z.object({
  task_id: z.string(),
  entry_point: z.string(),
  code: z.string(),
  inputs: z.array(z.string()),
  outputs: z.array(z.string()),
});

const task = z.object({
  task_id: z.string(),
  tasks: z.array(
    z.object({
      input_idx: z.number().int().min(0),
      task: z.array(z.object({ lineno: z.number().int().min(1), var: z.string() })),
    }),
  ),
});

/** Throws `E_DREVAL` where the texts are not these files, or not of one another. */
export function readDreval(data: string, tasks: string): Item[] {
  const rows = new Map(linesOf(data, row, 'data').map((one) => [one.task_id, one]));
  return linesOf(tasks, task, 'tasks').flatMap(({ task_id, tasks: asked }) => {
    const program = rows.get(task_id);
    if (!program) throw broken(`the data has no ${task_id}, of which the tasks ask`);
    return asked.map(({ input_idx, task: questions }): Item => {
      const input = program.inputs[input_idx] ?? '';
      // Functions have their arguments as a tuple, `(1, 'a',)`; classes a script.
      const call = /^\s*\(/.test(input) ? `${program.entry_point}${input.trim()}` : null;
      return {
        id: `${task_id}#${input_idx}`,
        code: program.code,
        call,
        expected: program.outputs[input_idx] ?? '',
        questions: questions.map(({ lineno, var: variable }) => ({ line: lineno, variable })),
      };
    });
  });
}

function linesOf<T>(text: string, schema: z.ZodType<T>, what: string): T[] {
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line, i) => {
      try {
        return schema.parse(JSON.parse(line));
      } catch (cause) {
        throw broken(`line ${i + 1} of the ${what} is no row of it`, cause);
      }
    });
}

function broken(why: string, cause?: unknown): NpdbError {
  return new NpdbError(
    'E_DREVAL',
    `These are not DREval's files: ${why}.`,
    'Give DREval_data.jsonl with --data and DREval_tasks.jsonl with --tasks.',
    3,
    { cause },
  );
}
