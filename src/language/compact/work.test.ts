import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseProgram } from '../../source/index.ts';
import type { Operation, State } from '../../state/types.ts';
import { VocabularyMask } from '../mask.ts';
import { showPieces } from '../pieces.ts';
import { stateAt } from '../states.testing.ts';
import { compactCodec as codec } from './codec.ts';
import { compactTokenizer as tokenizer } from './tokenizer.ts';
import { workPieces } from './work.ts';

/** Every label of the properties below stands in line 2. */
const EVERY = "# + ** < <= == != >> | not in is not for f'' [ { , ( t";
const program = parseProgram(`def f(s, n):\n    t = s.upper() + str(n) ${EVERY}\n    return t\n`);
const at = (line: number, locals: Record<string, string>): State => stateAt(program, line, locals);
const state = at(2, { s: "'a'", n: '1' });
const situation = { programs: [program], state, action: { type: 'step_into' } } as const;
const next = at(3, { s: "'a'", n: '1', t: "'A1'" });
const work: Operation[] = [
  { label: 's=', value: "'a'" },
  { label: 'upper:', value: "'A'" },
  { label: 'n=', value: '1' },
  { label: 'str:', value: "'1'" },
];
const written = (operations: readonly Operation[]) =>
  codec.answer(situation, { type: 'state', state: next, work: operations });

const mask = new VocabularyMask(tokenizer);
function allowed(ids: readonly number[]): boolean {
  let automaton = codec.mask(situation);
  for (const id of ids) {
    if (mask.allowed(automaton)[id] === 0) return false;
    automaton = mask.advance(automaton, id)!;
  }
  return automaton.done;
}

const labels = fc.constantFrom(
  ...['s=', 'n=', 't=', 'upper:', 'str:', 'f:', '[]:', '():', '[:', '(:', '{:', 'is not:', 'not in:', 'for:'],
  ...['+:', '**:', '<:', '<=:', '==:', '!=:', '>>:', '|:', 'not:', 'in:', 'is:'],
);
const values = fc.constantFrom(
  '1',
  '-2.5',
  "'a:b=c'",
  "['x', 1]",
  '{1: 2}',
  'True',
  'None',
  '(3,)',
  "b'\\x00'",
);
const operations = fc.array(fc.record({ label: labels, value: values }), { maxLength: 12 });

describe('the work of a step', () => {
  it('is written before the state, name by name and operation by operation', () => {
    expect(showPieces(written(work))).toContain("s='a'");
    expect(showPieces(written(work))).toContain("upper:'A'");
  });

  it('is read back, and changes nothing of the state', () => {
    fc.assert(
      fc.property(operations, (drawn) => {
        const { outcome } = codec.parse(situation, tokenizer.decode(tokenizer.encode(written(drawn))));
        const bare = codec.parse(situation, written([])).outcome;
        expect(outcome).toEqual(drawn.length > 0 ? { ...bare, work: drawn } : bare);
      }),
    );
  });

  it('is allowed by the mask, whatever its operations', () => {
    fc.assert(fc.property(operations, (drawn) => allowed(tokenizer.encode(written(drawn)))));
    expect(allowed(tokenizer.encode(written([{ label: 'zzz=', value: '1' }])))).toBe(false);
    expect(allowed(tokenizer.encode(written([{ label: 's=', value: '[1' }])))).toBe(false);
    // Of the program, but not of the line.
    expect(allowed(tokenizer.encode(written([{ label: 'f=', value: '1' }])))).toBe(true);
    expect(allowed(tokenizer.encode(written([{ label: 'return=', value: '1' }])))).toBe(false);
    expect(allowed(tokenizer.encode(written([{ label: '//:', value: '1' }])))).toBe(false);
  });

  it('is only part of single steps', () => {
    const jump = { ...situation, action: { type: 'step_return' } } as const;
    const answer = codec.answer(jump, { type: 'state', state: next, work });
    expect(showPieces(answer)).not.toContain('work');
  });

  it('tells a loop what it goes over, numbered by the visits that take it', () => {
    const prompt = (over: string) => {
      const frame = { ...state.stack[0]!, loops: [{ line: 2, count: 2, over }] };
      return showPieces(codec.prompt({ ...situation, state: { ...state, stack: [frame] } }));
    };
    expect(prompt("'ab'")).toContain("<|loop|><|L2|>2<|over|>1: 'a', 2: 'b'<|at|>");
    expect(prompt("[(0, 'a'), (1, 'b')]")).toContain("<|over|>1: (0, 'a'), 2: (1, 'b')<|at|>");
    expect(prompt('range(1, 3)')).toContain('<|over|>range(1, 3)<|at|>');
  });

  it('leaves details out where it would be long', () => {
    const item = (label: string, inside: boolean): Operation => ({
      label,
      value: "'abcdefghij'",
      ...(inside && { inside: true }),
    });
    const shown = (drawn: Operation[]) => showPieces(workPieces(drawn));
    const many = Array.from({ length: 9 }, () => [item('s=', true), item('upper:', true)]).flat();
    expect(shown([item('n=', false), ...many])).not.toContain('s=');
    expect(shown([item('n=', false), ...many, ...many])).not.toContain('upper:');
    expect(shown([item('n=', false), ...many, ...many])).toContain('n=');
    expect(shown(Array.from({ length: 30 }, () => item('str:', false)))).toBe('');
  });
});
