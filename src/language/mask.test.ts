import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseProgram } from '../source/index.ts';
import type { Action, State } from '../state/types.ts';
import { compactCodec as codec } from './compact/codec.ts';
import { situationAndOutcome } from './compact/samples.testing.ts';
import { compactTokenizer as tokenizer } from './compact/tokenizer.ts';
import { VocabularyMask } from './mask.ts';
import { showPieces } from './pieces.ts';
import { frameAt } from './states.testing.ts';
import type { AutomatonState, Piece } from './types.ts';

const mask = new VocabularyMask(tokenizer);
const PROGRAM = parseProgram(`def g(x):
    return x

def f(n):
    total = 0
    for i in range(n):
        if i % 2:
            total += g(i)
        else:
            total = None
    return total
`);

const frame = (scope: number, line: number, locals: Record<string, string>, id?: number) =>
  frameAt(PROGRAM, scope, line, locals, id);

const at = (line: number): State => ({
  kind: 'line',
  stack: [frame(2, line, { n: '3', total: '0', i: '1' })],
});

function start(state: State, type: Exclude<Action['type'], 'breakpoint'> = 'step_into'): AutomatonState {
  return codec.mask({ programs: [PROGRAM], state, action: { type } });
}

/** The automaton after the pieces; null where one of their tokens is not allowed. */
function after(state: AutomatonState | null, ...pieces: Piece[]): AutomatonState | null {
  for (const id of tokenizer.encode(pieces)) {
    if (!state || mask.allowed(state)[id] === 0) return null;
    state = mask.advance(state, id);
  }
  return state;
}

const s = (name: string): Piece => ({ special: `<|${name}|>` });
const t = (text: string): Piece => ({ text });

function specials(state: AutomatonState): string[] {
  const allowed = mask.allowed(state);
  return codec.specials.filter((_, id) => allowed[id] === 1).sort();
}

describe('what may follow', () => {
  it('is known by kinds and lines from the source', () => {
    expect(specials(start(at(7)))).toEqual(['<|exception|>', '<|line|>', '<|work|>']);
    expect(specials(after(start(at(7)), s('line'))!)).toEqual(['<|L10|>', '<|L8|>']);
    expect(specials(after(start(at(8)), s('line'))!)).toEqual(['<|L6|>']);
    expect(specials(after(start(at(8)), s('call'))!)).toEqual(['<|L1|>']);
    expect(specials(start(at(11)))).toContain('<|return|>');
    expect(specials(start(at(6)))).not.toContain('<|return|>');
  });

  it('never goes down by step_over, and leaves the entry only at its end', () => {
    expect(specials(start(at(8), 'step_over'))).not.toContain('<|call|>');
    expect(specials(start(at(8), 'step_over'))).not.toContain('<|exit_normal|>');
    const end: State = { ...at(11), kind: 'return', value: '0' };
    expect(specials(start(end))).toEqual(['<|exit_error|>', '<|exit_normal|>']);
    expect(specials(start(end, 'continue'))).toEqual(['<|exit_error|>', '<|exit_never|>', '<|exit_normal|>']);
    const call: State = { kind: 'call', stack: [frame(2, 4, { n: '3' })] };
    expect(specials(start(call, 'inv_step_into'))).toEqual(['<|inv_exit_entry|>']);
  });

  it('goes up once from the end of a call', () => {
    const returned: State = {
      kind: 'return',
      value: '1',
      stack: [frame(2, 8, {}), frame(1, 2, { x: '1' }, 1)],
    };
    expect(specials(start(returned))).toEqual(['<|up|>', '<|work|>']);
    const up = after(start(returned), s('up'))!;
    expect(specials(up)).toEqual(['<|call|>', '<|exception|>', '<|line|>']);
    expect(specials(after(up, s('line'))!)).toEqual(['<|L6|>']);
  });

  it('takes names of the frame only, each once, and whole values', () => {
    const changed = after(start(at(8)), s('line'), s('L6'))!;
    expect(after(changed, t('total=12'), s(';'), s('end'))?.done).toBe(true);
    expect(after(changed, t('totals'))).toBeNull();
    expect(after(changed, t('x'))).toBeNull();
    expect(after(changed, t('total=[1'), s(';'))).toBeNull();
    expect(after(changed, t('total=[1, '))).not.toBeNull();
    expect(after(changed, t('total=1'), s(';'), t('total'))).toBeNull();
    expect(after(changed, s('del'), t('i'), s(';'), s('end'))?.done).toBe(true);
    expect(after(changed, s('alias'), t('i total'), s(';'), s('end'))?.done).toBe(true);
    expect(after(changed, s('alias'), t('i i'))).toBeNull();
    expect(after(changed, s('val'))).toBeNull();
  });

  it('asks for the value of a return and for well-formed output', () => {
    const returned = after(start(at(11)), s('return'), s('L11'))!;
    expect(after(returned, s('end'))).toBeNull();
    expect(after(returned, s('val'), { chars: "'é'" }, s('out'), { chars: 'é\n' }, s('end'))?.done).toBe(
      true,
    );
    const out = after(returned, s('val'), { chars: '0' }, s('out'))!;
    const lead = mask.advance(out, tokenizer.encode([{ chars: 'é' }])[0]!)!;
    expect(specials(lead)).toEqual([]);
  });

  it('does not lead anywhere but to an answer that can be read', () => {
    const closing = tokenizer.encode([...`]})>'"`].map((chars) => ({ chars })));
    fc.assert(
      fc.property(situationAndOutcome, fc.integer({ min: 1, max: 2 ** 31 - 2 }), ({ situation }, first) => {
        let seed = first;
        let state = codec.mask(situation);
        const ids: number[] = [];
        while (!state.done && ids.length < 300) {
          const allowed = [...mask.allowed(state).entries()].flatMap(([id, yes]) => (yes ? [id] : []));
          if (allowed.length === 0) expect.fail(`stuck after ${showPieces(tokenizer.decode(ids))}`);
          seed = (seed * 48271) % 2147483647;
          // Mostly end things where they can end, or the walk takes too long.
          const ends = allowed.filter((id) => id < codec.specials.length || closing.includes(id));
          const from = ends.length > 0 && seed % 4 > 0 ? ends : allowed;
          ids.push(from[seed % from.length]!);
          state = mask.advance(state, ids[ids.length - 1]!)!;
        }
        if (state.done) expect(() => codec.parse(situation, tokenizer.decode(ids))).not.toThrow();
      }),
      { numRuns: 40 },
    );
  });
});

describe('the vocabulary adapter', () => {
  it('agrees with trying every token', () => {
    for (const state of [start(at(8)), after(start(at(8)), s('line'), s('L6'), t('total='))!]) {
      const tried = Array.from({ length: tokenizer.size }, (_, id) => {
        const symbols = tokenizer.symbols(id);
        let now: AutomatonState | null = symbols ? state : null;
        for (const symbol of symbols ?? []) now = now?.next(symbol) ?? null;
        return now ? 1 : 0;
      });
      expect([...mask.allowed(state)]).toEqual(tried);
    }
  });

  it('keeps masks by key', () => {
    const inside = (text: string) => after(start(at(8)), s('line'), s('L6'), t(`total='${text}`))!;
    expect(inside('abc').key).toBe(inside('some other text').key);
    expect(mask.allowed(inside('abc'))).toBe(mask.allowed(inside('x')));
  });
});
