/**
 * @file The one error class. Every failure a user can cause has a stable code (`E_...`), a message
 * that says what happened, a hint that says what to do next, and an exit status. Exit statuses:
 * 0 done, 1 internal error, 2 bad usage or bad input, 3 a missing or broken file, 4 a limit or
 * the sandbox stopped the work, 130 interrupted.
 */

export type ExitStatus = 1 | 2 | 3 | 4 | 130;

export class NpdbError extends Error {
  override readonly name = 'NpdbError';
  readonly code: `E_${string}`;
  /** What the user can do about it; one sentence. */
  readonly hint: string;
  readonly exit: ExitStatus;

  constructor(
    code: `E_${string}`,
    message: string,
    hint: string,
    exit: ExitStatus = 2,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.code = code;
    this.hint = hint;
    this.exit = exit;
  }

  /** One line for a terminal: `E_CODE: what happened. What to do.` */
  line(): string {
    return `${this.code}: ${this.message} ${this.hint}`.trim();
  }
}

/** A broken invariant of our own: never the user's fault. */
export function internal(message: string): Error {
  return new Error(`internal: ${message}`);
}
