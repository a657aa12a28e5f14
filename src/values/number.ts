/**
 * @file Numbers as Python writes them. Digits come from JavaScript's shortest round-trip conversion, which
 * picks the same digits as CPython's `repr`; only the layout (when to use an exponent) differs.
 */

export const INT = /0|-?[1-9][0-9]*/y;
/** A float as `float.__repr__` writes it. */
export const FLOAT = /-?(?:(?:0|[1-9][0-9]*)\.[0-9]+(?:e[+-][0-9]{2,3})?|[1-9]e[+-][0-9]{2,3}|inf)|nan/y;
const PART = '(?:(?:0|[1-9][0-9]*)(?:\\.[0-9]+)?(?:e[+-][0-9]{2,3})?|inf|nan)';
export const COMPLEX = new RegExp(`-?${PART}j|\\(-?${PART}[+-]${PART}j\\)`, 'y');

export function formatFloat(value: number): string {
  const text = formatDigits(value);
  return /^-?[0-9]+$/.test(text) ? `${text}.0` : text;
}

/** `repr(complex(real, imag))`: a real part of exactly 0.0 is left out. */
export function formatComplex(real: number, imag: number): string {
  const imagText = formatDigits(imag);
  if (Object.is(real, 0)) return `${imagText}j`;
  return `(${formatDigits(real)}${imagText.startsWith('-') ? '' : '+'}${imagText}j)`;
}

/** The number a float text means; `inf` and `nan` included. */
export function floatValue(text: string): number {
  if (text.endsWith('inf')) return text.startsWith('-') ? -Infinity : Infinity;
  return text.endsWith('nan') ? Number.NaN : Number(text);
}

/** The parts of a complex text in canonical form. */
export function complexValue(text: string): { readonly real: number; readonly imag: number } {
  const inner = text.startsWith('(') ? text.slice(1, -2) : text.slice(0, -1);
  if (!text.startsWith('(')) return { real: 0, imag: floatValue(inner) };
  const split = /^(-?(?:inf|nan|[0-9.]+(?:e[+-][0-9]+)?))([+-].*)$/.exec(inner);
  return { real: floatValue(split?.[1] ?? ''), imag: floatValue((split?.[2] ?? '').replace(/^\+/, '')) };
}

/** Python's `repr` format of a double without the forced `.0`. */
function formatDigits(value: number): string {
  if (Number.isNaN(value)) return 'nan';
  if (!Number.isFinite(value)) return value > 0 ? 'inf' : '-inf';
  if (value === 0) return Object.is(value, -0) ? '-0' : '0';
  const [mantissa = '', exponentText = '0'] = Math.abs(value).toExponential().split('e');
  const sign = value < 0 ? '-' : '';
  const exponent = Number(exponentText);
  if (exponent < -4 || exponent >= 16) {
    const size = String(Math.abs(exponent)).padStart(2, '0');
    return `${sign}${mantissa}e${exponent < 0 ? '-' : '+'}${size}`;
  }
  const digits = mantissa.replace('.', '');
  if (exponent < 0) return `${sign}0.${'0'.repeat(-exponent - 1)}${digits}`;
  const whole = digits.slice(0, exponent + 1).padEnd(exponent + 1, '0');
  const rest = digits.slice(exponent + 1);
  return sign + whole + (rest === '' ? '' : `.${rest}`);
}
