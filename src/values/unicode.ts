/**
 * @file Which characters Python's `repr` leaves as they are, and which may stand in a name. By Unicode
 * category, as CPython decides it; the categories of a character can differ between Unicode versions only
 * for characters assigned between them.
 */

const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Zs}]/u;
/** Unprintable in every Unicode version: what is unassigned today may be printable to a newer Python. */
const NEVER_PRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Zs}\p{Noncharacter_Code_Point}]/u;
const NAME_START = /[\p{XID_Start}_]/u;
const NAME_CONTINUE = /\p{XID_Continue}/u;

/** `str.isprintable` of one code point. */
export function isPrintable(codePoint: number): boolean {
  if (codePoint < 0x7f) return codePoint >= 0x20;
  return codePoint > 0xa0 && !UNPRINTABLE.test(String.fromCodePoint(codePoint));
}

/** Whether some Python version prints this code point as it is. */
export function mayBePrintable(codePoint: number): boolean {
  if (codePoint < 0x7f) return codePoint >= 0x20;
  return codePoint > 0xa0 && !NEVER_PRINTABLE.test(String.fromCodePoint(codePoint));
}

export function isNameStart(codePoint: number): boolean {
  return NAME_START.test(String.fromCodePoint(codePoint));
}

export function isNameContinue(codePoint: number): boolean {
  return NAME_CONTINUE.test(String.fromCodePoint(codePoint));
}
