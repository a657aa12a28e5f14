/**
 * @file Number texts, byte by byte, in exactly the shapes of `repr`: no leading zeros, fixed notation for
 * exponents -4 to 15, at most 17 significant digits. A mode is a short string that names what can follow:
 *
 *   `-`      after a minus               `0`, `-0`  a lone zero
 *   `i<n>`   n digits of an integer (17: more than a float's 16)
 *   `p<n>`   after the point, n significant digits before it (0: the whole part is zero)
 *   `z<k>`   `0.` and k zeros            `f<n><last><e>`  fraction; n digits in all; last digit `o` (".0"),
 *   `e...`   the exponent's own text      `z` (zero), `d` (other); `e` if an exponent may follow
 *   `w...`   the rest of `inf`, `infj` after a minus, or `nan`, `inf` in an imaginary part
 */

const MAX_DIGITS = 17;
const MAX_WHOLE = 16;

/** The mode after `byte`, or undefined where the number's text does not go on with it. */
export function numberNext(mode: string, byte: number): string | undefined {
  const digit = byte >= 48 && byte <= 57 ? byte - 48 : -1;
  switch (mode[0]) {
    case '-':
      if (mode === '-0') return byte === 46 ? 'p0' : undefined;
      if (byte === 105) return 'wi';
      return digit < 0 ? undefined : digit === 0 ? '-0' : 'i1';
    case '0':
      return byte === 46 ? 'p0' : undefined;
    case 'i':
      return integer(Number(mode.slice(1)), byte, digit);
    case 'p':
      return digit < 0 ? undefined : point(Number(mode.slice(1)), digit);
    case 'z': {
      const zeros = Number(mode.slice(1));
      if (digit > 0) return 'f1d';
      return digit === 0 && zeros < 3 ? `z${zeros + 1}` : undefined;
    }
    case 'f':
      return fraction(mode, byte, digit);
    case 'e':
      return exponent(mode, byte, digit);
    case 'w':
      return word(mode, byte);
    default:
      return undefined;
  }
}

/** The first mode of a number that starts with `byte`. */
export function numberStart(byte: number): string | undefined {
  if (byte === 45) return '-';
  return byte === 48 ? '0' : byte > 48 && byte <= 57 ? 'i1' : undefined;
}

/** What an imaginary part may start with, after its sign. */
export function imaginaryStart(byte: number): string | undefined {
  if (byte === 105) return 'wi';
  return byte === 110 ? 'wn' : byte === 45 ? undefined : numberStart(byte);
}

/** The digits so far are a whole int or float. */
export function numberComplete(mode: string): boolean {
  return (
    mode === 'z1' || /^f\d+o/.test(mode) || (mode !== '-0' && (mode[0] === 'i' || componentComplete(mode)))
  );
}

/** The digits so far are a whole component of a complex number: as a float, but `2`, not `2.0`. */
export function componentComplete(mode: string): boolean {
  if (mode === '0' || mode === '-0' || mode === 'winf' || mode === 'wnan') return true;
  if (mode[0] === 'i') return Number(mode.slice(1)) <= MAX_WHOLE;
  return /^f\d+d/.test(mode) || (mode[0] === 'e' && exponentComplete(mode));
}

function integer(digits: number, byte: number, digit: number): string | undefined {
  if (digit >= 0) return `i${Math.min(digits + 1, MAX_WHOLE + 1)}`;
  if (byte === 46 && digits <= MAX_WHOLE) return `p${digits}`;
  return byte === 101 && digits === 1 ? 'e' : undefined;
}

function point(whole: number, digit: number): string {
  if (whole === 0) return digit === 0 ? 'z1' : 'f1d';
  return `f${whole + 1}${digit === 0 ? 'o' : 'd'}${whole === 1 ? 'e' : ''}`;
}

function fraction(mode: string, byte: number, digit: number): string | undefined {
  const [, count = '', last = '', mayExponent = ''] = /^f(\d+)(\w)(e?)$/.exec(mode) ?? [];
  if (byte === 101) return last === 'd' && mayExponent !== '' ? 'e' : undefined;
  const digits = Number(count) + 1;
  // A zero is never the last digit, so there must be room for another one.
  if (digit < 0 || digits > (digit === 0 ? MAX_DIGITS - 1 : MAX_DIGITS)) return undefined;
  return `f${digits}${digit === 0 ? 'z' : 'd'}${mayExponent}`;
}

function exponent(mode: string, byte: number, digit: number): string | undefined {
  if (mode === 'e') return byte === 43 ? 'e+' : byte === 45 ? 'e-' : undefined;
  if (digit < 0 || mode.length >= 5) return undefined;
  const digits = mode.slice(2) + digit;
  const negative = mode[1] === '-';
  const largest = negative ? 324 : 308;
  if (digits === '0') return negative ? 'e-0' : undefined;
  const fits = digits.length === 3 ? digits[0] !== '0' && Number(digits) <= largest : true;
  const next = `e${mode[1]}${digits}`;
  const dead = digits.length === 2 && !exponentComplete(next) && digits[0] === '0';
  return fits && !dead ? next : undefined;
}

function exponentComplete(mode: string): boolean {
  return mode.length >= 4 && Number(mode.slice(2)) >= (mode[1] === '-' ? 5 : 16);
}

function word(mode: string, byte: number): string | undefined {
  const next = mode + String.fromCharCode(byte);
  return 'winf'.startsWith(next) || 'wnan'.startsWith(next) ? next : undefined;
}
