/**
 * @file A plain Python value as `read.mjs` writes it: `['[', ['i', '-1f'], ['s', 'x']]`, a letter for the exact type and
 * then what it holds. Numbers are text: integers in base 16, floats as JavaScript writes them.
 */
import { formatComplex, formatFloat } from '../values/number.ts';
import type { Value } from '../values/types.ts';

/** Throws on what is none: the sandbox is broken. */
export function parseEncoded(json: unknown): Value {
  if (!Array.isArray(json)) throw new Error('a malformed value');
  const [kind, ...parts] = json as [unknown, ...unknown[]];
  const values = (): Value[] => parts.map(parseEncoded);
  switch (kind) {
    case 'N':
      return { type: 'none' };
    case '.':
      return { type: 'ellipsis' };
    case 'T':
    case 'F':
      return { type: 'bool', value: kind === 'T' };
    case 'i':
      return { type: 'int', value: integer(text(parts[0])) };
    case 'f': {
      const value = Number(text(parts[0]));
      return { type: 'float', value, text: formatFloat(value) };
    }
    case 'c':
      return { type: 'complex', text: formatComplex(Number(text(parts[0])), Number(text(parts[1]))) };
    case 's':
      return { type: 'str', value: text(parts[0]) };
    case 'b':
      return { type: 'bytes', value: octets(text(parts[0])) };
    case '[':
      return { type: 'list', items: values() };
    case '(':
      return { type: 'tuple', items: values() };
    case '<':
      return { type: 'set', items: values() };
    case '>': {
      const items = values();
      const args: Value[] = items.length > 0 ? [{ type: 'set', items }] : [];
      return { type: 'call', name: 'frozenset', args, fields: [] };
    }
    case '{': {
      const flat = values();
      const entries = flat.flatMap((key, i) => (i % 2 === 0 ? [[key, flat[i + 1]!] as const] : []));
      return { type: 'dict', entries };
    }
    default:
      throw new Error('a malformed value');
  }
}

/** Whether all of it is data that `read.mjs` can read. */
export function isPlain(value: Value): boolean {
  // What is not shown may be anything.
  if ('cut' in value && value.cut !== undefined) return false;
  switch (value.type) {
    case 'list':
    case 'tuple':
    case 'set':
      return value.items.every(isPlain);
    case 'dict':
      return value.entries.every(([key, item]) => isPlain(key) && isPlain(item));
    case 'call':
      return value.name === 'frozenset';
    case 'notimplemented':
    case 'utc':
    case 'opaque':
    case 'alias':
    case 'cut':
      return false;
    default:
      return true;
  }
}

// --- internal ---

function text(part: unknown): string {
  if (typeof part !== 'string') throw new Error('a malformed value');
  return part;
}

function octets(digits: string): Uint8Array {
  return Uint8Array.from(digits.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

function integer(digits: string): bigint {
  return digits.startsWith('-') ? -BigInt(`0x${digits.slice(1)}`) : BigInt(`0x${digits}`);
}
