/**
 * @file Failures as DAP error responses (specification: `ErrorResponse`, `Message`). `Message.id` is a number that
 * clients may key on: each code has its own, for ever. Add at the end of its group; never renumber.
 */
import type { DebugProtocol } from '@vscode/debugprotocol';
import { z } from 'zod';
import { NpdbError } from '../../common/errors.ts';

const IDS: Readonly<Record<string, number>> = {
  // The protocol itself.
  E_INTERNAL: 1000,
  E_REQUEST: 1001,
  E_ARGUMENTS_SHAPE: 1002,
  E_NOT_LAUNCHED: 1003,
  E_RUNNING: 1004,
  E_ALREADY_LAUNCHED: 1005,
  E_CANCELLED: 1006,
  E_ATTACH: 1007,
  E_PATH_FORMAT: 1008,
  E_REFERENCE: 1009,
  E_NOT_INITIALIZED: 1010,
  E_ORDER: 1011,
  // Starting.
  E_FILE: 2000,
  E_MODULE: 2001,
  E_SYNTAX: 2002,
  E_CALL: 2003,
  E_FUNCTION: 2004,
  E_ARGUMENTS: 2005,
  E_NOT_REACHED: 2006,
  E_PYTHON_MISSING: 2007,
  E_RUNTIME: 2008,
  E_MODEL_MISSING: 2009,
  E_MODEL_BROKEN: 2010,
  E_MODEL_VERSION: 2011,
  E_TOKENIZER: 2012,
  E_LIMITS: 2013,
  E_PROJECT: 2014,
  // Moving.
  E_CUT: 3000,
  E_NO_ANSWER: 3001,
  E_CONTEXT_LENGTH: 3002,
  E_TOO_LONG: 3003,
  E_ENDED: 3004,
  E_POSITION: 3005,
  E_NOT_RECORDED: 3006,
  E_JUMP: 3007,
  E_TARGET: 3008,
  E_MODEL: 3009,
  E_INTERRUPTED: 3010,
  E_NO_FRAME_START: 3011,
  // Looking and changing.
  E_FRAME: 4000,
  E_NAME: 4001,
  E_SET: 4002,
  E_EVALUATION: 4003,
  E_UNKNOWN: 4004,
  E_READ_ONLY: 4005,
  E_STATEMENT: 4006,
  E_NO_EXCEPTION: 4007,
  E_NEEDS_MODEL: 4008,
  E_NO_RETURN: 4009,
  E_NOT_IN_FUNCTION: 4010,
  E_NO_RUNTIME: 4011,
  E_NO_WALK: 4012,
  E_COMMAND: 4013,
  E_ARGUMENT: 4014,
  E_VALUE: 4015,
  E_SOURCE: 4016,
  E_LARGE: 4017,
  // Breakpoints.
  E_BREAKPOINT: 5000,
  E_HIT_CONDITION: 5001,
};

/** Any other code of ours: not numbered yet. */
const OTHER = 1999;

export const errorId = (code: string): number => IDS[code] ?? OTHER;
export const errorCodes = (): readonly string[] => Object.keys(IDS);

export function messageOf(error: unknown): DebugProtocol.Message {
  const known = asError(error);
  const hint = known.hint === '' ? '' : ` ${known.hint}`;
  return {
    id: errorId(known.code),
    format: '{code}: {what}{hint}',
    variables: { code: known.code, what: known.message, hint },
    showUser: true,
  };
}

/** Everything that can be thrown, as an error with a code. */
export function asError(error: unknown): NpdbError {
  if (error instanceof NpdbError) return error;
  if (error instanceof z.ZodError) {
    const [issue] = error.issues;
    const where = issue?.path.length ? `\`${issue.path.join('.')}\`: ` : '';
    return new NpdbError('E_ARGUMENTS_SHAPE', `${where}${issue?.message ?? 'wrong arguments'}.`, '');
  }
  if (error instanceof Error && error.name === 'AbortError') return cancelled();
  const what = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return new NpdbError('E_INTERNAL', what, 'This is a fault of npdb.', 1);
}

export const cancelled = (): NpdbError => new NpdbError('E_CANCELLED', 'cancelled', '', 130);
