/**
 * @file A key for each hashable value: equal keys if and only if the values are equal and hash alike in
 * Python (1, 1.0 and True are one key). What a set or dict is looked up by.
 */
import { complexValue } from './number.ts';
import type { Value } from './types.ts';

/** `unhashable`: Python raises TypeError. `unknown`: user code, or a part that is not shown. */
export type Key = { readonly key: string } | 'unhashable' | 'unknown';

export function keyOf(value: Value): Key {
  switch (value.type) {
    case 'none':
    case 'ellipsis':
    case 'notimplemented':
    case 'utc':
      return { key: value.type };
    case 'bool':
      return { key: `n${value.value ? 1 : 0}` };
    case 'int':
      return { key: `n${value.value}` };
    case 'float':
      return numberKey(value.value);
    case 'complex': {
      const { real, imag } = complexValue(value.text);
      if (imag === 0) return numberKey(real);
      return Number.isNaN(real) || Number.isNaN(imag) ? 'unknown' : { key: `c${real + 0},${imag}` };
    }
    case 'str':
      return value.cut === undefined ? { key: `s${value.value}` } : 'unknown';
    case 'bytes':
      return value.cut === undefined ? { key: `b${value.value.join()}` } : 'unknown';
    case 'tuple':
      return value.cut === undefined ? joined('t', value.items.map(keyOf)) : 'unknown';
    case 'list':
    case 'set':
    case 'dict':
      return 'unhashable';
    case 'call':
      return callKey(value);
    case 'opaque':
      // Classes of the language are single objects; other opaque texts may be shared by different ones.
      return /^class '(int|str|float|bool|list|dict|tuple|set|frozenset|bytes|complex|NoneType|object|type)'$/.test(
        value.text,
      )
        ? { key: `o${value.text}` }
        : 'unknown';
    default:
      return 'unknown';
  }
}

function numberKey(value: number): Key {
  // Each nan is its own key: equal only to the very same object, which a text cannot tell.
  if (Number.isNaN(value)) return 'unknown';
  return { key: Number.isInteger(value) ? `n${BigInt(value)}` : `f${value}` };
}

function callKey(value: Extract<Value, { type: 'call' }>): Key {
  const [first] = value.args;
  if (value.name === 'frozenset' && value.fields.length === 0) {
    if (first === undefined) return { key: 'z()' };
    if (first.type !== 'set' || first.cut !== undefined) return 'unknown';
    const keys = first.items.map(keyOf);
    return joined(
      'z',
      keys.every((key) => typeof key === 'object')
        ? [...keys].sort((a, b) => (a.key < b.key ? -1 : 1))
        : keys,
    );
  }
  if (/^(deque|defaultdict|Counter|OrderedDict|bytearray)$/.test(value.name)) return 'unhashable';
  return 'unknown';
}

function joined(kind: string, keys: readonly Key[]): Key {
  if (keys.includes('unhashable')) return 'unhashable';
  const texts = keys.map((key) => (typeof key === 'object' ? `${key.key.length}:${key.key}` : null));
  return texts.every((text) => text !== null) ? { key: `${kind}(${texts.join('')})` } : 'unknown';
}
