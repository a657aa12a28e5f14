import { describe, expect, it } from 'vitest';
import { parseProgram } from '../../source/index.ts';
import type { Operation, Outcome, State } from '../../state/types.ts';
import { showPieces } from '../pieces.ts';
import { stateAt } from '../states.testing.ts';
import type { LossPiece } from '../types.ts';
import { compactCodec as codec } from './codec.ts';

const program = parseProgram(
  'def f(s, n):\n    t = s.upper() + str(n)\n    for c in t:\n        g(c)\n    return t\n\ndef g(c):\n    return c\n',
);
const at = (line: number, locals: Record<string, string>, kind?: State['kind']): State =>
  stateAt(program, line, locals, kind);
const work: Operation[] = [
  { label: 's=', value: "'a'" },
  { label: 'upper:', value: "'A'" },
  { label: 'n=', value: '1' },
  { label: 'str:', value: "'1'" },
];
const before = at(2, { s: "'a'", n: '1' });
const after: Outcome = { type: 'state', state: at(3, { s: "'a'", n: '1', t: "'A1'" }), work };
const drill = (state: State, outcome: Outcome) =>
  codec.drill!({ programs: [program], state, action: { type: 'step_into' } }, outcome);
const text = (pieces: readonly LossPiece[], loss: boolean) =>
  showPieces(pieces.filter((p) => p.loss === loss).map(({ piece }) => piece));

describe('a drill', () => {
  const pieces = drill(before, after)!;

  it('gives the line and what its names hold', () => {
    expect(text(pieces, false)).toBe(
      "<|at|><|L2|>t=s.upper()+str(n)<|line|><|step_into|><|work|>'a'<|;|>1<|;|><|L3|>",
    );
  });

  it('asks for the operations and the state they lead to, not for its line', () => {
    expect(text(pieces, true)).toBe("s=upper:'A'<|;|>n=str:'1'<|;|><|line|>t='A1'<|;|><|end|>");
  });

  it('is none where the line alone does not tell', () => {
    expect(drill(before, { ...after, work: [] })).toBeNull();
    // A later visit of a loop needs what it goes over.
    expect(drill(at(3, {}), { type: 'state', state: at(4, { c: "'A'" }), work })).toBeNull();
    expect(drill(at(2, {}, 'return'), after)).toBeNull();
    const many = Array.from({ length: 60 }, (): Operation => ({ label: 's=', value: "'some value'" }));
    expect(drill(before, { ...after, work: many })).toBeNull();
    const called = { ...at(7, { c: "'A'" }, 'call').stack[0]!, id: 1, scope: 2 };
    expect(
      drill(at(4, { c: "'A'" }), { type: 'state', state: { kind: 'call', stack: [called] }, work }),
    ).toBeNull();
  });
});
