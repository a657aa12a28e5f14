/** @file Letting other work have its turn, in Node and in browsers alike. */

/** Resolves after what already waits (timers due, messages, input) has had its turn. */
export function breathe(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}
