/**
 * @file Values in full, by replay: a trace holds what is shown of a value; the run is deterministic, so running it
 * again up to that state has the value itself.
 */
import { NpdbError } from '../common/errors.ts';
import type { PlannedEdit, ProbeResult, PythonRuntime, RunRequest } from '../python/types.ts';
import type { Trace } from '../trace/types.ts';

/** Bytes of a full value's text, where no other limit is given. */
export const FULL_BYTES = 1_000_000;

export interface FullOptions {
  /** Frames up from the current one; 0 if absent. */
  readonly up?: number;
  /** Of the text, in UTF-8; beyond it the text is cut as in a trace. `FULL_BYTES` if absent. */
  readonly bytes?: number;
  /** That the recorded run was made with. */
  readonly edits?: readonly PlannedEdit[];
  readonly signal?: AbortSignal;
}

/**
 * The value of an expression at the state of event `at` of the request's run. Null where the run does not reach it
 * again. The result's `cut` says that the limit was too small for all of it.
 */
export async function fullValue(
  runtime: PythonRuntime,
  request: RunRequest,
  at: number,
  expression: string,
  options: FullOptions = {},
): Promise<ProbeResult | null> {
  const { up = 0, bytes = FULL_BYTES, edits = [], signal } = options;
  if (!Number.isInteger(bytes) || bytes < 1) {
    throw new NpdbError('E_ARGUMENT', `${bytes} is no number of bytes.`, 'Give a whole number from 1 up.');
  }
  // Nothing after the state is needed: stop right behind it.
  const limits = { ...request.limits, events: at + 2 };
  const probes = [{ at, expressions: [expression], up, bytes }];
  const result = await runtime.run({ ...request, limits, edits, probes }, signal ? { signal } : {});
  return result.probes[0]?.[0] ?? null;
}

/** The request that makes a trace again, as far as the trace knows it: its input and arguments are not in it. */
export function requestOf({ header }: Trace): RunRequest {
  const { files, call, limits, values } = header;
  const modules = files.slice(call === undefined ? 1 : 2);
  return {
    file: files[0]!,
    ...(call === undefined ? {} : { call }),
    ...(modules.length > 0 ? { modules } : {}),
    limits,
    values,
  };
}
