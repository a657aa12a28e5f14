import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatValue } from '../../values/index.ts';
import { anyValue } from '../../values/samples.testing.ts';
import type { Bytes } from '../automaton.ts';
import { showPieces } from '../pieces.ts';
import { paperCodec as codec } from './codec.ts';
import { type Holder, ObjectText, ValueText } from './json.ts';
import { paperTokenizer as tokenizer } from './tokenizer.ts';
import { mask, walkOf } from './walks.testing.ts';

function after<B extends Bytes<B>>(start: B, text: string): B | null {
  let at: B | null = start;
  for (const byte of new TextEncoder().encode(text)) at = at?.next(byte) ?? null;
  return at;
}
const takes = <B extends Bytes<B>>(start: B, text: string) => after(start, text)?.accepting ?? false;

describe('a value as a JSON string', () => {
  it('is what JSON writes of value texts, and nothing else', () => {
    fc.assert(
      fc.property(anyValue.map(formatValue), (value) => {
        expect(takes(ValueText.start, JSON.stringify(value))).toBe(true);
      }),
      { numRuns: 50 },
    );
    for (const text of ['5', '""', '"x"', '"\\"a"', '"\'\\n\'"', '"\'a\nb\'"', '"[1"', '"1"2', '"\\u0031"']) {
      expect(takes(ValueText.start, text), text).toBe(false);
    }
    expect(takes(ValueText.start, String.raw`"'\\n\\\\\"'"`)).toBe(true);
  });

  it('has one key for texts with one future', () => {
    expect(after(ValueText.start, '"[1, 2, ')!.key).toBe(after(ValueText.start, String.raw`"['\"', `)!.key);
    expect(after(ValueText.start, '"1')!.key).not.toBe(after(ValueText.start, '"1.')!.key);
  });
});

describe('locals as a JSON object', () => {
  const x: Holder = { rest: 'always', names: ['x', 'xs'], gone: ['x'] };
  const y: Holder = { rest: 'never', names: ['y'], gone: [] };
  const z: Holder = { rest: 'either', names: ['x', 'z'], gone: ['z'] };

  it.each([
    [[x], '{"..": ".."}', true],
    [[x], '{}', false],
    [[x], '{"x": "1"}', false],
    [[x], '{"..": "..", "x": "1"}', true],
    [[x], '{"..": "..", "x": null}', true],
    [[x], '{"..": "..", "xs": null}', false],
    [[x], '{"..": "..", "x": "1", "x": "2"}', false],
    [[x], '{"..": "..", "x": "1", "xs": "2"}', true],
    [[x], '{"..": "..", "x": "1", }', false],
    [[x], '{"..": "..","x": "1"}', false],
    [[x], '{"..": "1"}', false],
    [[y], '{}', true],
    [[y], '{"..": ".."}', false],
    [[y], '{"y": "[1"}', false],
    [[y], '{"y": null}', false],
    [[z], '{"z": null}', false],
    [[z], '{"..": "..", "z": null}', true],
    // What is written tells which frame is meant.
    [[x, y], '{"y": "1"}', true],
    [[x, y], '{"..": "..", "y": "1"}', false],
    [[x, y, z], '{"..": "..", "z": "1", "xs": "1"}', false],
    [[x, y, z], '{"x": "1", "z": "2"}', true],
    [[{ ...y, names: [] }], '{}', true],
    [[{ ...y, names: [] }], '{"', false],
  ] as const)('%j, %s: %s', (holders, text, yes) => {
    expect(takes(ObjectText.of<Holder>(holders), text)).toBe(yes);
  });

  it('knows whose it can be', () => {
    const start = ObjectText.of<Holder>([x, y, z]);
    expect(start.holders).toHaveLength(3);
    expect(after(start, '{"..": ".."}')!.holders).toEqual([x, z]);
    expect(after(start, '{"..": "..", "xs": "1"}')!.holders).toEqual([x]);
    expect(after(start, '{"y": "1"}')!.holders).toEqual([y]);
  });

  it('has one key for texts with one future, and others for others', () => {
    const [one, two] = [ObjectText.of<Holder>([x]), ObjectText.of<Holder>([{ ...x }])];
    expect(after(one, '{"..": "..", "x": "[1, ')!.key).toBe(after(two, '{"..": "..", "x": "[\'a\', ')!.key);
    expect(after(one, '{"..": "..", "x": "1"')!.key).not.toBe(after(one, '{"..": "..", "xs": "1"')!.key);
    const other = ObjectText.of<Holder>([{ ...x, gone: [] }]);
    expect(after(one, '{"..": "..", "x": ')!.key).not.toBe(after(other, '{"..": "..", "x": ')!.key);
  });
});

describe('the mask of answers', () => {
  const situations = fc
    .tuple(fc.constantFrom('paper', 'paper-inverse'), fc.nat(), fc.nat())
    .map(([policy, seed, n]) => {
      const walk = walkOf(seed, policy, 12);
      if (!walk) return null;
      const i = n % walk.steps.length;
      return { programs: walk.programs, ...walk.steps[i]!, history: walk.steps.slice(0, i) };
    })
    .filter((situation) => situation !== null);

  it('does not lead anywhere but to an answer that can be read', () => {
    const closing = tokenizer.encode([...`]})>'"\``].map((chars) => ({ chars })));
    fc.assert(
      fc.property(situations, fc.integer({ min: 1, max: 2 ** 31 - 2 }), (situation, first) => {
        let seed = first;
        let state = codec.mask(situation);
        const ids: number[] = [];
        while (!state.done && ids.length < 250) {
          const allowed = [...mask.allowed(state).entries()].flatMap(([id, yes]) => (yes ? [id] : []));
          if (allowed.length === 0) expect.fail(`stuck after ${showPieces(tokenizer.decode(ids))}`);
          seed = (seed * 48271) % 2147483647;
          // Mostly end things where they can end, or the walk takes too long.
          const ends = allowed.filter((id) => id < codec.specials.length || closing.includes(id));
          const from = ends.length > 0 && seed % 4 > 0 ? ends : allowed;
          ids.push(from[seed % from.length]!);
          state = mask.advance(state, ids[ids.length - 1]!)!;
        }
        if (state.done) {
          const { outcome } = codec.parse(situation, tokenizer.decode(ids));
          // And what was read is written the same way.
          if (outcome.type === 'state') {
            const again = showPieces(codec.answer(situation, outcome));
            const said = showPieces(tokenizer.decode(ids));
            expect(again.split('<|arg_sep|>')[0]).toBe(said.split('<|arg_sep|>')[0]);
          }
        }
      }),
      { numRuns: 20 },
    );
  });

  it('agrees with trying every token', () => {
    fc.assert(
      fc.property(situations, fc.array(fc.nat(), { maxLength: 30 }), (situation, choices) => {
        let state = codec.mask(situation);
        for (const choice of choices) {
          const allowed = [...mask.allowed(state).entries()].flatMap(([id, yes]) => (yes ? [id] : []));
          if (allowed.length > 0) state = mask.advance(state, allowed[choice % allowed.length]!)!;
        }
        const tried = Array.from({ length: tokenizer.size }, (_, id) => (mask.advance(state, id) ? 1 : 0));
        expect([...mask.allowed(state)]).toEqual(tried);
      }),
      { numRuns: 15 },
    );
  });
});
