import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatValue } from '../format.ts';
import { parseValue } from '../parse.ts';
import { anyValue, CANONICAL, mulberry } from '../samples.testing.ts';
import { type ValueState, valueAutomaton } from './automaton.ts';

const encoder = new TextEncoder();

function walk(text: string): ValueState | null {
  let state: ValueState | null = valueAutomaton();
  for (const byte of encoder.encode(text)) state = state?.next(byte) ?? null;
  return state;
}

function accepts(bytes: Uint8Array): boolean {
  let state: ValueState | null = valueAutomaton();
  for (const byte of bytes) state = state?.next(byte) ?? null;
  return state?.accepting === true;
}

function parses(bytes: Uint8Array): boolean {
  try {
    parseValue(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes));
    return true;
  } catch {
    return false;
  }
}

const allowedBytes = new Map<string, readonly number[]>();

function allowed(state: ValueState): readonly number[] {
  let found = allowedBytes.get(state.key);
  if (found === undefined) {
    found = Array.from({ length: 256 }, (_, byte) => byte).filter((byte) => state.next(byte) !== null);
    allowedBytes.set(state.key, found);
  }
  return found;
}

/** A finished walk, or null after too many bytes. After `closing` bytes, bytes that end things come first. */
function randomText(random: () => number, closing: number): Uint8Array | null {
  const bytes: number[] = [];
  let state = valueAutomaton();
  for (let length = 0; length < 250; length += 1) {
    const all = allowed(state);
    if (state.accepting && (all.length === 0 || length > closing || random() < 0.05))
      return Uint8Array.from(bytes);
    // Every state leads somewhere.
    if (all.length === 0)
      throw new Error(`dead end after ${new TextDecoder().decode(Uint8Array.from(bytes))}`);
    const kind = random();
    const some = all.filter((byte) => {
      if (length > closing) return '])}>\'"(.,:= '.includes(String.fromCharCode(byte));
      return kind < 0.3 ? byte >= 0x80 : kind < 0.6 ? byte < 0x30 : byte >= 0x30 && byte < 0x80;
    });
    const from = some.length > 0 && random() < 0.9 ? some : all;
    const byte = from[Math.floor(random() * from.length)] as number;
    bytes.push(byte);
    state = state.next(byte) as ValueState;
  }
  return null;
}

describe('the automaton of value text', () => {
  it.each(CANONICAL)('accepts %s', (text) => {
    expect(walk(text)?.accepting).toBe(true);
  });

  it.each([
    '01',
    '-',
    '-0',
    '1.',
    '1.50',
    '00.5',
    '1.5e5',
    '1e+15',
    '1e-04',
    '1.e+16',
    '10e+16',
    '0.00001',
    '123456789012345678.0',
    '1.0j',
    '(1+2)',
    '(1)',
    '(1, )',
    '[1,2]',
    '[1 ]',
    '[,]',
    '[1, 2',
    '{1: 2, 3}',
    '{1, 2: 3}',
    '{1, }',
    'true',
    'Tru',
    'f(',
    'f(x=1, 2)',
    'f(x= 1)',
    'f.(x=1)',
    'f.<locals>(x=1)',
    "'a",
    `'it\\'s'`,
    `"a"`,
    `"a\\"b"`,
    "'\\q'",
    "'\\x41'",
    "'\\u0041'",
    "'\n'",
    '<a',
    '<a<b>',
    '<>',
    '...+3',
    '[...+0]',
    '[...+3, 1]',
    '&1 1',
    '&0 []',
    '&1 (1,)',
    '*',
    '(True)',
    'None(x=1)',
    "b'é'",
    "u'a'",
    '[1]]',
    'f(x=...+3)',
    'f(x=1, ...)',
    '{1: ...+2}',
    'x',
    'x.y',
    '1_000',
    '+1',
    ' 1',
    '1 ',
  ])('does not accept %s', (text) => {
    expect(walk(text)?.accepting ?? false).toBe(false);
  });

  it('gives equal keys to equal futures inside strings and containers', () => {
    expect(walk("['abc")?.key).toBe(walk("['x\\n\\u1234é")?.key);
    expect(walk('[1, 2, ')?.key).toBe(walk("['a', {}, ")?.key);
    expect(walk('Point(x=1, ')?.key).toBe(walk('Line(start=2, ')?.key);
    expect(walk('[12345678901234567890')?.key).toBe(walk('[999999999999999999')?.key);
  });

  it('ends at a terminator, and only after a complete value', () => {
    const end = (text: string) => {
      let state: ValueState | null = valueAutomaton([10]);
      for (const byte of encoder.encode(text)) state = state?.next(byte) ?? null;
      return state;
    };
    expect(end('[1]\n')?.done).toBe(true);
    expect(end('[1\n')).toBeNull();
    expect(end('[1]\n')?.next(10)).toBeNull();
  });

  it('bounds nesting without a dead end', () => {
    const deep = walk('['.repeat(40));
    expect(deep?.next(91)).toBeNull();
    expect(walk(`${'['.repeat(40)}...${']'.repeat(40)}`)?.accepting).toBe(true);
  });

  it('accepts every formatted value', () => {
    fc.assert(
      fc.property(anyValue, (value) => {
        expect(walk(formatValue(value))?.accepting).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it('only walks to texts that parse', () => {
    let done = 0;
    for (let seed = 0; seed < 1500; seed += 1) {
      const text = randomText(mulberry(seed), seed % 50);
      if (text === null) continue;
      done += 1;
      expect(parses(text), new TextDecoder().decode(text)).toBe(true);
    }
    expect(done).toBeGreaterThan(1000);
  });

  it('rejects corrupted texts that do not parse', () => {
    fc.assert(
      fc.property(anyValue, fc.nat(), fc.nat(255), (value, at, byte) => {
        const bytes = encoder.encode(formatValue(value));
        bytes[at % bytes.length] = byte;
        if (accepts(bytes)) expect(parses(bytes), new TextDecoder().decode(bytes)).toBe(true);
      }),
      { numRuns: 1500 },
    );
  });
});
