/** @file A class attribute from its parts. */

/** Undefined where nothing is left. */
export function classes(...parts: readonly (string | false | undefined)[]): string | undefined {
  const given = parts.filter((part) => part !== undefined && part !== false && part !== '');
  return given.length > 0 ? given.join(' ') : undefined;
}
