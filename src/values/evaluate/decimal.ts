/** @file Exact decimal rounding of floats, halves to even, as CPython's `round` and format codes do. */
import { formatFloat } from '../number.ts';

/** `value * 10 ** places`, rounded half to even; exact. The value must be finite. */
export function scaled(value: number, places: number): bigint {
  const { mantissa, exponent } = binary(value);
  let numerator = mantissa;
  let denominator = 1n;
  if (exponent >= 0) numerator <<= BigInt(exponent);
  else denominator <<= BigInt(-exponent);
  if (places >= 0) numerator *= 10n ** BigInt(places);
  else denominator *= 10n ** BigInt(-places);
  return halfEven(numerator, denominator);
}

/** A rational rounded half to even; the denominator is positive. */
export function halfEven(numerator: bigint, denominator: bigint): bigint {
  const negative = numerator < 0n;
  const size = negative ? -numerator : numerator;
  const whole = size / denominator;
  const twice = (size % denominator) * 2n;
  const up = twice > denominator || (twice === denominator && whole % 2n === 1n);
  const rounded = up ? whole + 1n : whole;
  return negative ? -rounded : rounded;
}

/** Digits with `places` after the point, without a sign: `1.50`. */
export function fixed(value: number, places: number): string {
  const digits = scaled(Math.abs(value), places)
    .toString()
    .padStart(places + 1, '0');
  return places === 0 ? digits : `${digits.slice(0, -places)}.${digits.slice(-places)}`;
}

/** `d.ddde+xx` with `places` digits after the point, without a sign. */
export function scientific(value: number, places: number): string {
  if (value === 0) return `0${places > 0 ? `.${'0'.repeat(places)}` : ''}e+00`;
  const { digits, exponent } = significant(value, places + 1);
  const size = String(Math.abs(exponent)).padStart(2, '0');
  return `${digits[0]}${places > 0 ? `.${digits.slice(1)}` : ''}e${exponent < 0 ? '-' : '+'}${size}`;
}

/** `count` significant digits, and the exponent of the first. */
export function significant(
  value: number,
  count: number,
): { readonly digits: string; readonly exponent: number } {
  if (value === 0) return { digits: '0'.repeat(count), exponent: 0 };
  let exponent = Math.floor(Math.log10(Math.abs(value)));
  let digits = scaled(Math.abs(value), count - 1 - exponent).toString();
  // log10 may be off by one, and rounding may carry.
  if (digits.length < count) {
    exponent -= 1;
    digits = scaled(Math.abs(value), count - 1 - exponent).toString();
  }
  if (digits.length > count) {
    exponent += 1;
    digits = scaled(Math.abs(value), count - 1 - exponent).toString();
  }
  return { digits, exponent };
}

/** `round(value, places)` of a finite float. */
export function roundFloat(value: number, places: number): number {
  if (places > 400) return value;
  if (places < -310) return value < 0 ? -0 : 0;
  const rounded = scaled(value, places);
  const result = Number(`${rounded}e${-places}`);
  return result === 0 && (value < 0 || Object.is(value, -0)) ? -0 : result;
}

/** Shortest digits, as `repr`. */
export function shortest(value: number): string {
  return formatFloat(value);
}

function binary(value: number): { readonly mantissa: bigint; readonly exponent: number } {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  const raw = view.getBigUint64(0);
  const exponent = Number((raw >> 52n) & 0x7ffn);
  const fraction = raw & 0xfffffffffffffn;
  const mantissa = exponent === 0 ? fraction : fraction | 0x10000000000000n;
  return { mantissa: value < 0 ? -mantissa : mantissa, exponent: Math.max(exponent, 1) - 1075 };
}
