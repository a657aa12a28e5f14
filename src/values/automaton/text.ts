/**
 * @file Quoted text (str, bytes) byte by byte, as `repr` writes it: quotes, escapes, UTF-8. A mode is
 * `<kind><quote><seen><rest>`: kind `s` or `b`; seen tells what decides the quote (`repr` uses `"` only for
 * text with a `'` and without a `"`); rest is empty, or an unfinished escape or character.
 */
import { utf8Next, utf8Start } from './utf8.ts';

/** Seen so far: `0` nothing of note, `d` a double quote, `n` an escaped single quote that needs a double one. */
const QUOTES: Readonly<Record<number, string>> = { 39: "'", 34: '"' };
const HEX_LENGTH: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 };

export function textStart(kind: 's' | 'b', byte: number): string | undefined {
  const quote = QUOTES[byte];
  return quote === undefined ? undefined : `${kind}${quote}0`;
}

/** The next mode, `''` after the closing quote, undefined where `repr` never goes on so. */
export function textNext(mode: string, byte: number): string | undefined {
  const base = mode.slice(0, 3);
  const rest = mode.slice(3);
  if (rest === '') return character(base, byte);
  if (rest[0] === '\\') return escapeNext(base, rest, byte);
  const more = utf8Next(rest.slice(1), byte, 't');
  return more === undefined ? undefined : more === '' ? base : `${base}c${more}`;
}

function character(base: string, byte: number): string | undefined {
  const kind = base[0];
  const single = base[1] === "'";
  const seen = base[2];
  if (byte === 39) {
    if (single) return seen === 'n' ? undefined : '';
    return `${kind}"d`;
  }
  if (byte === 34) {
    if (single) return `${kind}'d`;
    return seen === 'd' ? '' : undefined;
  }
  if (byte === 92) return `${base}\\`;
  if (byte < 0x80) return byte >= 0x20 && byte < 0x7f ? base : undefined;
  const more = kind === 's' ? utf8Start(byte, 't') : undefined;
  return more === undefined ? undefined : `${base}c${more}`;
}

function escapeNext(base: string, rest: string, byte: number): string | undefined {
  const letter = String.fromCharCode(byte);
  if (rest === '\\') {
    if (letter === "'" && base[1] === "'") return base[2] === '0' ? `${base.slice(0, 2)}n` : base;
    if ('nrt\\'.includes(letter)) return base;
    return letter === 'x' || (base[0] === 's' && (letter === 'u' || letter === 'U'))
      ? `${base}\\${letter}`
      : undefined;
  }
  if (!/[0-9a-f]/.test(letter)) return undefined;
  const kind = rest[1] as string;
  const digits = rest.slice(2) + letter;
  if (!allowed(base[0] as string, kind, digits)) return undefined;
  return digits.length === HEX_LENGTH[kind] ? base : `${base}\\${kind}${forget(kind, digits)}`;
}

/** Whether an escape that `repr` writes starts with these digits. */
function allowed(text: string, kind: string, digits: string): boolean {
  if (kind === 'u') return !digits.startsWith('00');
  if (kind === 'U') return /^0(0(0([1-9a-f]|$)|1(0|$)|$)|$)/.test(digits);
  if (text === 'b') return /^([0189a-f].?|7f?)$/.test(digits) && !/^0[9ad]/.test(digits);
  return /^(0[^9ad]?|1.?|7f?|[89].?|a[0d]?)$/.test(digits);
}

/** Digits that decide nothing more are all alike. */
function forget(kind: string, digits: string): string {
  if (kind === 'u') return digits === '0' ? digits : 'f'.repeat(digits.length);
  return kind === 'U' && digits.length >= 4 ? `0001${'f'.repeat(digits.length - 4)}` : digits;
}
