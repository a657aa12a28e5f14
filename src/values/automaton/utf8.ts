/**
 * @file Characters beyond ASCII, byte by byte: a lead byte is only taken if some allowed character follows,
 * so that the automaton never walks into a dead end.
 */
import { isNameContinue, isNameStart, mayBePrintable } from '../unicode.ts';

/** `t`: printable text. `n`: a name goes on. `s`: a name begins. */
export type CharacterClass = 't' | 'n' | 's';

const ALLOWED: Readonly<Record<CharacterClass, (codePoint: number) => boolean>> = {
  t: mayBePrintable,
  n: isNameContinue,
  s: isNameStart,
};
const SMALLEST = [0, 0x80, 0x800, 0x10000];
const viable = new Map<string, boolean>();

/** The bits of a lead byte as a mode `<more><bits>`, `more` continuation bytes to come; undefined if no lead byte. */
export function utf8Start(byte: number, type: CharacterClass): string | undefined {
  if (byte < 0xc2 || byte > 0xf4) return undefined;
  const more = byte < 0xe0 ? 1 : byte < 0xf0 ? 2 : 3;
  return check(more, more, byte & (0x3f >> more), type);
}

/** After a continuation byte: the next mode, `''` when the character is complete, undefined if not allowed. */
export function utf8Next(mode: string, byte: number, type: CharacterClass): string | undefined {
  if ((byte & 0xc0) !== 0x80) return undefined;
  const length = Number(mode[0]);
  const left = Number(mode[1]) - 1;
  return check(length, left, (Number.parseInt(mode.slice(2), 16) << 6) | (byte & 0x3f), type);
}

function check(length: number, left: number, bits: number, type: CharacterClass): string | undefined {
  const mode = `${length}${left}${bits.toString(16)}`;
  const key = type + mode;
  let known = viable.get(key);
  if (known === undefined) {
    known = anyAllowed(length, left, bits, ALLOWED[type]);
    viable.set(key, known);
  }
  if (!known) return undefined;
  return left === 0 ? '' : mode;
}

function anyAllowed(length: number, left: number, bits: number, allowed: (code: number) => boolean): boolean {
  const first = Math.max(bits << (6 * left), SMALLEST[length] as number);
  const last = Math.min(((bits + 1) << (6 * left)) - 1, 0x10ffff);
  for (let code = first; code <= last; code += 1) {
    if (allowed(code)) return true;
  }
  return false;
}
