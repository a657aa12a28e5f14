/** @file Default limits, and a request as the tracer reads it: every limit spelt out. */
import { NpdbError } from '../common/errors.ts';
import type { Limits, ValueLimits } from '../trace/types.ts';
import type { RunRequest } from './types.ts';

export const DEFAULT_LIMITS: Limits = {
  events: 100_000,
  timeMs: 10_000,
  memoryMb: 512,
  outputBytes: 1_000_000,
};

/** The value table's own (`docs/trace.md`). */
export const DEFAULT_VALUES: ValueLimits = { items: 100, chars: 300, depth: 8, leaves: 400 };

/** A request with all limits given. */
export type FullRequest = RunRequest & {
  readonly limits: Limits;
  readonly values: ValueLimits;
  /** The sandbox reads the call's value itself (`read.mjs`). */
  readonly read?: boolean;
  /** The tracer's lines begin with this word: what a program writes to the same descriptor does not. */
  readonly secret?: string;
};

export function fullRequest(request: RunRequest): FullRequest {
  const limits = { ...DEFAULT_LIMITS, ...request.limits };
  const values = { ...DEFAULT_VALUES, ...request.values };
  for (const [name, value] of [...Object.entries(limits), ...Object.entries(values)]) {
    const least = name in DEFAULT_LIMITS && name !== 'outputBytes' ? 1 : 0;
    if (Number.isInteger(value) && value >= least) continue;
    throw new NpdbError(
      'E_LIMITS',
      `the limit ${name} is ${value}.`,
      `Give a whole number from ${least} up.`,
    );
  }
  return { ...request, limits, values };
}

/** One line of JSON. Keys that are undefined are left out. */
export function requestLine(request: FullRequest): string {
  return `${JSON.stringify(request)}\n`;
}
