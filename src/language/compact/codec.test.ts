import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { joinPieces, showPieces } from '../pieces.ts';
import { compactCodec as codec } from './codec.ts';
import { carried, PROGRAMS, situationAndOutcome } from './samples.testing.ts';
import { compactTokenizer as tokenizer } from './tokenizer.ts';

describe('the compact codec', () => {
  it('reads back every answer it writes', () => {
    fc.assert(
      fc.property(situationAndOutcome, ({ situation, outcome }) => {
        const pieces = codec.answer(situation, outcome);
        const parsed = codec.parse(situation, pieces);
        expect(carried(parsed.outcome)).toEqual(carried(outcome));
        expect(parsed.ambiguous).toEqual([]);
      }),
      { numRuns: 250 },
    );
  });

  it('survives the tokenizer', () => {
    fc.assert(
      fc.property(situationAndOutcome, ({ situation, outcome }) => {
        for (const pieces of [codec.prompt(situation), codec.answer(situation, outcome)]) {
          expect(tokenizer.decode(tokenizer.encode(pieces))).toEqual(joinPieces(pieces));
        }
      }),
      { numRuns: 100 },
    );
  });

  it('never makes a special token of a text that spells one', () => {
    const context = codec.context(PROGRAMS);
    expect(showPieces(context)).toContain("NAME='<|end|>'");
    const end = tokenizer.encode([{ special: '<|end|>' }]);
    expect(tokenizer.encode(context)).not.toContain(end[0]);
    expect(tokenizer.encode([{ chars: '<|end|>' }])).not.toContain(end[0]);
    expect(tokenizer.encode([{ text: '<|end|>' }])).not.toContain(end[0]);
  });
});
