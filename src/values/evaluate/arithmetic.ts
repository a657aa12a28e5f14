/** @file Numbers: Python's int (bigint) and float operators. Booleans are integers. */

import type { Value } from '../types.ts';
import { float, type Item, int } from './items.ts';
import { PythonError, Unknown } from './run.ts';

const MAX_BITS = 1 << 16;
const EXACT = 2n ** 53n;

export type Numeric = bigint | number;

/** Undefined if the object is no real number. */
export function numeric(item: Item): Numeric | undefined {
  if (item.type === 'int' || item.type === 'float') return item.value;
  return item.type === 'bool' ? BigInt(item.value) : undefined;
}

/** The result of `a op b`; undefined if the operator is not for such numbers. */
export function arithmetic(op: string, a: Numeric, b: Numeric): Value | undefined {
  if (typeof a === 'bigint' && typeof b === 'bigint') return integers(op, a, b);
  return op === '**' ? power(toFloat(a), toFloat(b)) : floats(op, toFloat(a), toFloat(b));
}

/** As `float(n)`: rounded to nearest, OverflowError beyond. */
export function toFloat(value: Numeric): number {
  const converted = Number(value);
  if (typeof value === 'bigint' && !Number.isFinite(converted))
    throw new PythonError('OverflowError', 'int too large to convert to float');
  return converted;
}

function integers(op: string, a: bigint, b: bigint): Value | undefined {
  switch (op) {
    case '+':
      return int(a + b);
    case '-':
      return int(a - b);
    case '*':
      guard(bits(a) + bits(b));
      return int(a * b);
    case '/':
      return float(trueDivision(a, b));
    case '//':
      return int(floorDivision(a, b));
    case '%':
      return int(modulo(a, b));
    case '**':
      return integerPower(a, b);
    case '<<':
      if (b < 0n) throw new PythonError('ValueError', 'negative shift count');
      guard(a === 0n ? 0 : bits(a) + Number(b));
      return int(a === 0n ? 0n : a << b);
    case '>>':
      if (b < 0n) throw new PythonError('ValueError', 'negative shift count');
      return int(b > MAX_BITS ? (a < 0n ? -1n : 0n) : a >> b);
    case '&':
      return int(a & b);
    case '|':
      return int(a | b);
    case '^':
      return int(a ^ b);
    default:
      return undefined;
  }
}

export function floorDivision(a: bigint, b: bigint): bigint {
  if (b === 0n) throw new PythonError('ZeroDivisionError', 'integer division or modulo by zero');
  const quotient = a / b;
  return a % b !== 0n && a < 0n !== b < 0n ? quotient - 1n : quotient;
}

export function modulo(a: bigint, b: bigint): bigint {
  if (b === 0n) throw new PythonError('ZeroDivisionError', 'integer modulo by zero');
  const rest = a % b;
  return rest !== 0n && rest < 0n !== b < 0n ? rest + b : rest;
}

function trueDivision(a: bigint, b: bigint): number {
  if (b === 0n) throw new PythonError('ZeroDivisionError', 'division by zero');
  const exact = (n: bigint): boolean => n <= EXACT && n >= -EXACT;
  if (exact(a) && exact(b)) return a === 0n ? 0 : Number(a) / Number(b);
  if (a % b === 0n && exact(a / b)) return Number(a / b);
  throw new Unknown('it divides very large integers');
}

function integerPower(a: bigint, b: bigint): Value {
  if (b < 0n) {
    if (a === 0n) throw new PythonError('ZeroDivisionError', '0.0 cannot be raised to a negative power');
    return power(toFloat(a), toFloat(b));
  }
  if (a === 0n || a === 1n || a === -1n) return int(b === 0n ? 1n : a === -1n && b % 2n === 0n ? 1n : a);
  guard(bits(a) * Number(b));
  return int(a ** b);
}

function floats(op: string, a: number, b: number): Value | undefined {
  switch (op) {
    case '+':
      return float(a + b);
    case '-':
      return float(a - b);
    case '*':
      return float(a * b);
    case '/':
      if (b === 0) throw new PythonError('ZeroDivisionError', 'float division by zero');
      return float(a / b);
    case '//':
      return float(floatDivmod(a, b, 'float floor division by zero')[0]);
    case '%':
      return float(floatDivmod(a, b, 'float modulo')[1]);
    default:
      return undefined;
  }
}

/** As CPython's `float_divmod`. */
export function floatDivmod(a: number, b: number, message: string): readonly [number, number] {
  if (b === 0) throw new PythonError('ZeroDivisionError', message);
  let rest = a % b;
  let quotient = (a - rest) / b;
  if (rest !== 0) {
    if (b < 0 !== rest < 0) {
      rest += b;
      quotient -= 1;
    }
  } else rest = b < 0 ? -0 : 0;
  if (quotient === 0 || Number.isNaN(quotient))
    return [Number.isNaN(quotient) ? quotient : a / b < 0 ? -0 : 0, rest];
  let floored = Math.floor(quotient);
  if (quotient - floored > 0.5) floored += 1;
  return [floored, rest];
}

/**
 * Only where the result is exact: C libraries differ in the last digit of others (measured: 163 of 200,000
 * squares by `pow` are not the rounded square).
 */
function power(a: number, b: number): Value {
  if (a === 0 && b < 0)
    throw new PythonError('ZeroDivisionError', '0.0 cannot be raised to a negative power');
  if (b === 0 || a === 1) return float(1);
  if (b === 1) return float(a);
  if (!Number.isFinite(a) || !Number.isFinite(b)) {
    if (Number.isNaN(a) || Number.isNaN(b)) return float(Number.NaN);
    return float(a === -1 ? 1 : a ** b);
  }
  if (b === 0.5 && a >= 0 && Number.isInteger(Math.sqrt(a)) && Math.sqrt(a) ** 2 === a && a < Number(EXACT))
    return float(Math.sqrt(a));
  const exact = Number.isInteger(a) && Number.isInteger(b) && Math.abs(b) <= 1100;
  if (exact && b > 0) {
    const result = BigInt(a) ** BigInt(Math.min(b, 60));
    if (b <= 60 && result <= EXACT && result >= -EXACT)
      return float(Number(result) === 0 ? a ** b : Number(result));
  }
  // A power of two to a negative power is exact too.
  if (exact && b < 0 && b >= -60 && (Math.abs(a) & (Math.abs(a) - 1)) === 0 && Math.abs(a) < 1024)
    return float(1 / a ** -b);
  throw new Unknown('the last digit of a power of floats differs between machines');
}

function bits(value: bigint): number {
  return value.toString(16).length * 4;
}

function guard(size: number): void {
  if (size > MAX_BITS) throw new Unknown('the integer is too large');
}
