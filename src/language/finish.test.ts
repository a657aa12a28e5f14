import { describe, expect, it } from 'vitest';
import { parseProgram } from '../source/index.ts';
import { compactCodec as codec } from './compact/codec.ts';
import { compactTokenizer as tokenizer } from './compact/tokenizer.ts';
import { shortestEnd } from './finish.ts';
import { stateAt } from './states.testing.ts';
import type { AutomatonState, Piece } from './types.ts';

const program = parseProgram('def f(total, text):\n    total_sum = {total}\n    return total\n');
const state = stateAt(program, 2, { total: '1' });
const situation = { programs: [program], state, action: { type: 'step_into' } } as const;

function after(pieces: readonly Piece[]): AutomatonState {
  let at: AutomatonState = codec.mask(situation);
  for (const id of tokenizer.encode(pieces))
    for (const symbol of tokenizer.symbols(id)!) at = at.next(symbol)!;
  return at;
}

const begun: readonly (readonly Piece[])[] = [
  [],
  [{ special: '<|work|>' }, { text: 'total=[1, {' }, { chars: "'a" }],
  [{ special: '<|work|>' }, { text: 'total_' }],
  [{ special: '<|line|>' }, { special: '<|L3|>' }, { text: 'total_sum={(1, "it\'s' }],
  [{ special: '<|line|>' }, { special: '<|L3|>' }, { text: "text='\\x0" }],
  [{ special: '<|line|>' }, { special: '<|L3|>' }, { text: 'total=Node(val=[[1.5e' }],
  [{ special: '<|exception|>' }],
];

describe('the shortest end of an answer', () => {
  it.each(begun.map((pieces) => [pieces.map((p) => Object.values(p)[0]).join(''), pieces] as const))(
    'closes what is open: %s',
    (_, pieces) => {
      const symbols = shortestEnd(after(pieces), codec.specials.length)!;
      let at: AutomatonState | null = after(pieces);
      for (const symbol of symbols) at = at?.next(symbol) ?? null;
      expect(at?.done).toBe(true);
      expect(symbols.length).toBeLessThan(24);
    },
  );

  it('is empty where the answer has ended', () => {
    const ended = after([{ special: '<|line|>' }, { special: '<|L3|>' }, { special: '<|end|>' }]);
    expect(shortestEnd(ended, codec.specials.length)).toEqual([]);
  });
});
