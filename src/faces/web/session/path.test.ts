import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Leg, readPath, writePath } from './path.ts';

const action = fc.oneof(
  fc
    .constantFrom(
      'step_into',
      'step_over',
      'step_return',
      'continue',
      'inv_step_into',
      'inv_step_over',
      'inv_step_call',
    )
    .map((type) => ({ type }) as const),
  fc.nat().map((line) => ({ type: 'breakpoint', line }) as const),
);
const leg: fc.Arbitrary<Leg> = fc.oneof(
  { weight: 4, arbitrary: action.map((one) => ({ type: 'act', action: one }) as Leg) },
  fc.nat().map((at) => ({ type: 'travel', at }) as Leg),
  fc
    .record({
      edit: fc.record({ name: fc.string({ minLength: 1 }), value: fc.string() }),
      up: fc.nat(9),
    })
    .map((set) => ({ type: 'set', ...set }) as Leg),
);

describe('a walk as text', () => {
  it('is read as it was written', () => {
    fc.assert(
      fc.property(fc.array(leg), (legs) => {
        expect(readPath(writePath(legs))).toEqual(legs);
      }),
    );
  });

  it('counts steps of one kind', () => {
    const over: Leg = { type: 'act', action: { type: 'step_over' } };
    const into: Leg = { type: 'act', action: { type: 'step_into' } };
    expect(writePath([over, over, over, into, over])).toBe('o3io');
    expect(writePath([{ type: 'set', edit: { name: 'x', value: "'a b'" }, up: 1 }])).toBe("~x='a%20b'^1");
  });

  it.each(['z', 'o99999999', '~x', 'i~', '@', 't'])('is refused where it is none: %s', (text) => {
    expect(() => readPath(text)).toThrow(expect.objectContaining({ code: 'E_ADDRESS' }));
  });
});
