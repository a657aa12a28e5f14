/**
 * @file Literals of a program's text as values. Syntax alone: nothing is looked up or computed, but for signs
 * and `1+2j`. What is no literal gives null.
 */
import type { Expr } from '../values/expression/ast.ts';
import { readExpression } from '../values/expression/read.ts';
import { formatValue } from '../values/format.ts';
import { formatComplex, formatFloat } from '../values/number.ts';
import type { Value } from '../values/types.ts';

export function readLiteral(text: string): Value | null {
  const expression = readExpression(text);
  return expression && literal(expression);
}

export function literal(expression: Expr): Value | null {
  switch (expression.type) {
    case 'value':
      return expression.value;
    case 'unary':
      return signed(expression.op, literal(expression.of));
    case 'binary':
      return complex(expression.op, literal(expression.left), literal(expression.right));
    case 'list':
    case 'tuple': {
      const items = all(expression.items);
      return items && { type: expression.type, items };
    }
    case 'set': {
      const items = all(expression.items);
      return items?.every(hashable) ? set(items) : null;
    }
    case 'dict': {
      const keys = all(expression.entries.map(([key]) => key));
      const values = all(expression.entries.map(([, value]) => value));
      return keys && values && keys.every(hashable) ? dict(keys, values) : null;
    }
    default:
      return null;
  }
}

function all(expressions: readonly (Expr | null)[]): Value[] | null {
  const values = expressions.map((expression) => expression && literal(expression));
  return values.every((value) => value !== null) ? values : null;
}

function signed(op: string, value: Value | null): Value | null {
  if (op === 'not' || op === '~') return null;
  if (value?.type === 'int') return op === '+' ? value : { type: 'int', value: -value.value };
  if (value?.type === 'float') return op === '+' ? value : float(-value.value);
  if (value?.type !== 'complex' || value.text.startsWith('(')) return null;
  // -(0+2j) is -0-2j.
  const imaginary = Number(value.text.slice(0, -1));
  return op === '+' ? value : { type: 'complex', text: formatComplex(-0, -imaginary) };
}

const float = (value: number): Value => ({ type: 'float', value, text: formatFloat(value) });

function complex(op: string, left: Value | null, right: Value | null): Value | null {
  if ((op !== '+' && op !== '-') || right?.type !== 'complex' || right.text.startsWith('(')) return null;
  if (left?.type !== 'int' && left?.type !== 'float') return null;
  const imaginary = Number(right.text.slice(0, -1));
  return { type: 'complex', text: formatComplex(Number(left.value), op === '-' ? -imaginary : imaginary) };
}

const hashable = (value: Value) => identity(value) !== null;

/** Equal texts: equal as dictionary keys (`1`, `True` and `1.0` are). Null: cannot be a key. */
function identity(value: Value): string | null {
  switch (value.type) {
    case 'list':
    case 'dict':
    case 'set':
      return null;
    case 'bool':
      return value.value ? '1' : '0';
    case 'float':
      return Number.isInteger(value.value) ? String(BigInt(value.value)) : value.text;
    case 'tuple': {
      const parts = value.items.map(identity);
      return parts.includes(null) ? null : `(${parts.join(',')})`;
    }
    default:
      return formatValue(value);
  }
}

/** The first of equal elements stays; canonical order: numbers by value, then strings, then the rest by text. */
function set(items: readonly Value[]): Value {
  const kept = new Map<string, Value>();
  for (const item of items) if (!kept.has(identity(item)!)) kept.set(identity(item)!, item);
  const rank = (value: Value) => (/int|float|bool/.test(value.type) ? 0 : value.type === 'str' ? 1 : 2);
  const order = (a: Value, b: Value) => {
    if (rank(a) !== rank(b)) return rank(a) - rank(b);
    if ('value' in a && 'value' in b && rank(a) < 2)
      return a.value < b.value ? -1 : a.value > b.value ? 1 : 0;
    return formatValue(a) < formatValue(b) ? -1 : 1;
  };
  return { type: 'set', items: [...kept.values()].sort(order) };
}

/** Of equal keys the first stays, with the last value. */
function dict(keys: readonly Value[], values: readonly Value[]): Value {
  const entries = new Map<string, readonly [Value, Value]>();
  keys.forEach((key, i) => {
    const same = identity(key)!;
    entries.set(same, [entries.get(same)?.[0] ?? key, values[i]!]);
  });
  return { type: 'dict', entries: [...entries.values()] };
}
