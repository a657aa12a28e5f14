/** @file A Python literal as a user types it, to canonical value text. Nothing is run, no name is looked up. */
import type { Expr } from './expression/ast.ts';
import { readExpression } from './expression/read.ts';
import { formatValue } from './format.ts';
import { keyOf } from './keys.ts';
import { complexValue, formatComplex, formatFloat } from './number.ts';
import { sortElements } from './order.ts';
import { render } from './render.ts';
import type { Value } from './types.ts';

/**
 * Canonical text of a literal: displays, numbers with signs, `1+2j`, `set()`, `frozenset({1})`, `float('nan')`;
 * a long one is cut as a trace would cut it. Null for any other expression, and for `...`: in value text that
 * is the mark of a cut, `Ellipsis` the object.
 */
export function canonicalLiteral(source: string): string | null {
  const value = literalValue(source);
  return value === null ? null : formatValue(render(value));
}

/** The same as a value, whole. */
export function literalValue(source: string): Value | null {
  const expression = readExpression(source);
  return expression === null ? null : literal(expression);
}

/** The same of an expression already read. */
export function literal(expression: Expr): Value | null {
  switch (expression.type) {
    case 'value':
      return expression.value.type === 'ellipsis' ? null : expression.value;
    case 'name':
      if (expression.name === 'Ellipsis') return { type: 'ellipsis' };
      return expression.name === 'NotImplemented' ? { type: 'notimplemented' } : null;
    case 'fstring':
      return expression.parts.every((part) => typeof part === 'string')
        ? { type: 'str', value: expression.parts.join('') }
        : null;
    case 'unary':
      return signed(expression.op, literal(expression.of));
    case 'binary':
      return complexSum(expression.op, literal(expression.left), literal(expression.right));
    case 'list':
    case 'tuple': {
      const items = all(expression.items);
      return items && { type: expression.type, items };
    }
    case 'set': {
      const items = all(expression.items);
      return items && makeSet(items);
    }
    case 'dict':
      return makeDict(expression.entries);
    case 'call':
      return call(expression);
    default:
      return null;
  }
}

function all(expressions: readonly Expr[]): Value[] | null {
  const values = expressions.map(literal);
  return values.every((value) => value !== null) ? values : null;
}

function signed(op: string, value: Value | null): Value | null {
  if (value === null || (op !== '-' && op !== '+')) return null;
  if (value.type === 'int') return op === '-' ? { type: 'int', value: -value.value } : value;
  if (value.type === 'float') return op === '-' ? float(-value.value) : value;
  if (value.type !== 'complex') return null;
  const { real, imag } = complexValue(value.text);
  return op === '-' ? { type: 'complex', text: formatComplex(-real, -imag) } : value;
}

function complexSum(op: string, left: Value | null, right: Value | null): Value | null {
  if (left === null || right?.type !== 'complex' || (op !== '+' && op !== '-')) return null;
  if (left.type !== 'int' && left.type !== 'float') return null;
  const { real, imag } = complexValue(right.text);
  const whole = Number(left.value);
  // Python converts the real number first, so that its zero imaginary part is added too.
  const sum = op === '+' ? [whole + real, 0 + imag] : [whole - real, 0 - imag];
  return { type: 'complex', text: formatComplex(sum[0] as number, sum[1] as number) };
}

/** Distinct elements, the first of equal ones; null where one is unhashable. */
function makeSet(items: readonly Value[]): Value | null {
  const found = new Map<string, Value>();
  for (const item of items) {
    const key = keyOf(item);
    if (key === 'unhashable') return null;
    // Only nan has an unknown key among literals, and each is an element of its own.
    const text = key === 'unknown' ? `?${found.size}` : key.key;
    if (!found.has(text)) found.set(text, item);
  }
  return { type: 'set', items: sortElements([...found.values()]) };
}

/** Of equal keys the first one and the last value. */
function makeDict(pairs: readonly (readonly [Expr | null, Expr])[]): Value | null {
  const found = new Map<string, readonly [Value, Value]>();
  for (const [keyExpression, valueExpression] of pairs) {
    const name = keyExpression && literal(keyExpression);
    const value = literal(valueExpression);
    const key = name ? keyOf(name) : 'unhashable';
    if (name === null || value === null || key === 'unhashable') return null;
    const text = key === 'unknown' ? `?${found.size}` : key.key;
    found.set(text, [found.get(text)?.[0] ?? name, value]);
  }
  return { type: 'dict', entries: [...found.values()] };
}

function call(expression: Extract<Expr, { type: 'call' }>): Value | null {
  if (expression.of.type !== 'name' || expression.keywords.length > 0 || expression.args.length > 1)
    return null;
  const [only] = expression.args;
  const value = only === undefined ? undefined : literal(only);
  if (value === null) return null;
  switch (expression.of.name) {
    case 'set':
    case 'frozenset': {
      const set = elements(value);
      if (set === null || expression.of.name === 'set') return set;
      return {
        type: 'call',
        name: 'frozenset',
        args: set.type === 'set' && set.items.length === 0 ? [] : [set],
        fields: [],
      };
    }
    case 'float':
      return value?.type === 'str' ? special(value.value) : null;
    case 'list':
    case 'tuple':
      return value === undefined ? { type: expression.of.name, items: [] } : null;
    case 'dict':
      return value === undefined ? { type: 'dict', entries: [] } : null;
    default:
      return null;
  }
}

function elements(value: Value | undefined): Value | null {
  if (value === undefined) return { type: 'set', items: [] };
  if (value.type === 'dict' && value.entries.length === 0) return { type: 'set', items: [] };
  return value.type === 'set' || value.type === 'list' || value.type === 'tuple'
    ? makeSet(value.items)
    : null;
}

/** `float('nan')`, `float('-inf')`: floats that have no other literal. */
function special(text: string): Value | null {
  const found = /^\s*([+-]?)(nan|inf(?:inity)?)\s*$/i.exec(text);
  if (found === null) return null;
  if (found[2]?.toLowerCase() === 'nan') return float(Number.NaN);
  return float(found[1] === '-' ? -Infinity : Infinity);
}

function float(value: number): Value {
  return { type: 'float', value, text: formatFloat(value) };
}
