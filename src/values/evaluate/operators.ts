/** @file Binary and unary operators, with CPython's messages for operands that do not fit. */
import type { Value } from '../types.ts';
import { arithmetic, numeric } from './arithmetic.ts';
import { percentFormat } from './format-spec.ts';
import {
  asIndex,
  bool,
  float,
  hidden,
  type Item,
  inner,
  int,
  isBuiltin,
  lengthOf,
  truthOf,
  typeName,
  whole,
} from './items.ts';
import { hashKey, makeDict, makeFrozen, makeSet } from './iterate.ts';
import { PythonError, type Run, typeError, Unknown } from './run.ts';

const MAX_ITEMS = 10_000;
const MAX_CHARACTERS = 100_000;

export function binary(run: Run, op: string, a: Item, b: Item): Item {
  run.tick();
  const [x, y] = [numeric(a), numeric(b)];
  if (x !== undefined && y !== undefined) {
    if (a.type === 'bool' && b.type === 'bool' && /^[&|^]$/.test(op)) return logical(op, a.value, b.value);
    const result = arithmetic(op, x, y);
    if (result) return result;
    throw unsupported(op, a, b);
  }
  if (!isBuiltin(a)) throw hidden(a);
  if (op === '%' && a.type === 'str') return percentFormat(run, whole(a).value, b);
  if (!isBuiltin(b)) throw hidden(b);
  if (a.type === 'complex' || b.type === 'complex') {
    if ((x ?? y) !== undefined || a.type === b.type)
      throw new Unknown('complex arithmetic is not evaluated here');
  }
  if (op === '+') return concatenate(run, a, b);
  if (op === '*') return repeat(run, a, b);
  if (/^[-&|^]$/.test(op)) {
    const result = setOperation(run, op, a, b);
    if (result) return result;
    // Key views and the mappings of collections have operators with more than their own kind.
    for (const item of [a, b]) if (item.type === 'call' && item.name !== 'frozenset') throw hidden(item);
  }
  if (a.type === 'bytes' && op === '%') throw new Unknown('formatting of bytes is not evaluated here');
  // Two objects of library types may know an operator that the plain containers lack.
  if (a.type === 'call' && b.type === 'call' && a.name === b.name) throw hidden(a);
  if ([a, b].some((item) => item.type === 'opaque' && item.text.startsWith('class '))) throw hidden(a);
  throw unsupported(op, a, b);
}

export function unary(op: '-' | '+' | '~' | 'not', of: Item): Item {
  if (op === 'not') return bool(!truthOf(of));
  const value = numeric(of);
  if (typeof value === 'bigint') return int(op === '-' ? -value : op === '~' ? ~value : value);
  if (typeof value === 'number' && op !== '~') return float(op === '-' ? -value : value);
  if (of.type === 'complex' || !isBuiltin(of)) throw hidden(of);
  if (of.type === 'call' && of.name === 'Counter') throw hidden(of);
  throw typeError(`bad operand type for unary ${op}: '${typeName(of)}'`);
}

function unsupported(op: string, a: Item, b: Item): Error {
  const name = op === '**' ? '** or pow()' : op;
  return typeError(`unsupported operand type(s) for ${name}: '${typeName(a)}' and '${typeName(b)}'`);
}

function logical(op: string, a: boolean, b: boolean): Value {
  return bool(op === '&' ? a && b : op === '|' ? a || b : a !== b);
}

function concatenate(run: Run, a: Item, b: Item): Item {
  if (a.type === 'str') {
    if (b.type !== 'str') throw typeError(`can only concatenate str (not "${typeName(b)}") to str`);
    return { type: 'str', value: limited(run, whole(a).value + whole(b).value) };
  }
  if (a.type === 'list' || a.type === 'tuple') {
    if (b.type !== a.type)
      throw typeError(`can only concatenate ${a.type} (not "${typeName(b)}") to ${a.type}`);
    const items = [...whole(a).items, ...whole(b).items];
    run.tick(items.length);
    return { type: a.type, items };
  }
  if (a.type === 'bytes' && b.type === 'bytes')
    return { type: 'bytes', value: Uint8Array.from([...whole(a).value, ...whole(b).value]) };
  if (a.type === 'bytes') throw typeError(`can't concat ${typeName(b)} to bytes`);
  if (a.type === 'call' && b.type === 'call' && a.name === b.name) throw hidden(a);
  if (a.type === 'call' && a.name === 'deque')
    throw typeError(`can only concatenate deque (not "${typeName(b)}") to deque`);
  throw unsupported('+', a, b);
}

function repeat(run: Run, a: Item, b: Item): Item {
  if (a.type === 'call' && a.name === 'deque') throw hidden(a);
  const [sequence, count] = isSequence(a) ? [a, b] : [b, a];
  if (!isSequence(sequence)) {
    if (b.type === 'call' && b.name === 'deque') throw hidden(b);
    throw unsupported('*', a, b);
  }
  const times = asIndex(count);
  if (times === undefined) throw typeError(`can't multiply sequence by non-int of type '${typeName(count)}'`);
  if (times >= 2n ** 63n || times < -(2n ** 63n))
    throw new PythonError('OverflowError', "cannot fit 'int' into an index-sized integer");
  const size = Number(times < 0n ? 0n : times) * (lengthOf(sequence) ?? 0);
  if (size > (sequence.type === 'str' ? MAX_CHARACTERS : MAX_ITEMS))
    throw new Unknown('the result is too long');
  const repeats = size === 0 ? 0 : Number(times);
  run.tick(size / 20);
  if (sequence.type === 'str') return { type: 'str', value: whole(sequence).value.repeat(repeats) };
  if (sequence.type === 'bytes') {
    const bytes = [...whole(sequence).value];
    return { type: 'bytes', value: Uint8Array.from(Array.from({ length: repeats }, () => bytes).flat()) };
  }
  const items = whole(sequence).items;
  return { type: sequence.type, items: Array.from({ length: repeats }, () => items).flat() };
}

type Sequence = Extract<Value, { type: 'list' | 'tuple' | 'str' | 'bytes' }>;

function isSequence(item: Item): item is Sequence {
  return item.type === 'list' || item.type === 'tuple' || item.type === 'str' || item.type === 'bytes';
}

function limited(run: Run, text: string): string {
  if (text.length > MAX_CHARACTERS) throw new Unknown('the result is too long');
  run.tick(text.length / 50);
  return text;
}

/** Sets, frozen sets, key views; and `|` of dicts. Undefined for other operands. */
function setOperation(run: Run, op: string, a: Item, b: Item): Item | undefined {
  if (op === '|' && a.type === 'dict' && b.type === 'dict')
    return makeDict([...whole(a).entries, ...whole(b).entries]);
  const [x, y] = [setItems(a), setItems(b)];
  if (x === undefined || y === undefined) return undefined;
  run.tick(x.length + y.length);
  const result = combine(op, x, y);
  return a.type === 'call' && a.name === 'frozenset' ? makeFrozen(result) : result;
}

export function combine(op: string, a: readonly Value[], b: readonly Value[]): Value {
  const [x, y] = [new Set(a.map(hashKey)), new Set(b.map(hashKey))];
  const onlyA = a.filter((item) => !y.has(hashKey(item)));
  if (op === '-') return makeSet(onlyA);
  if (op === '&') {
    // Which of two equal elements (1, 1.0) survives depends on the sizes.
    const [from, other] = a.length <= b.length ? [a, y] : [b, x];
    return makeSet(from.filter((item) => other.has(hashKey(item))));
  }
  if (op === '|') return makeSet([...a, ...b]);
  return makeSet([...onlyA, ...b.filter((item) => !x.has(hashKey(item)))]);
}

function setItems(item: Item): readonly Value[] | undefined {
  if (item.type === 'set') return whole(item).items;
  if (item.type !== 'call' || item.name !== 'frozenset') return undefined;
  const set = inner(item);
  return set?.type === 'set' ? whole(set).items : undefined;
}
