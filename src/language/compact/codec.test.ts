import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Frame, State } from '../../state/types.ts';
import { Vault } from '../../state/vault.ts';
import { joinPieces, showPieces } from '../pieces.ts';
import { compactCodec as codec } from './codec.ts';
import { carried, PROGRAMS, situationAndOutcome } from './samples.testing.ts';
import { compactTokenizer as tokenizer } from './tokenizer.ts';

/** A run in the middle of everything: a generator asleep, a loop, a returned value, shared lists, four frames. */
function busy(): State {
  const frame = (
    id: number,
    scope: number,
    line: number,
    locals: Record<string, string>,
    file = 0,
  ): Frame => ({
    id,
    file,
    scope,
    fn: PROGRAMS[file]!.scopes[scope]!.qualname,
    thread: 0,
    line,
    locals: new Map(Object.entries(locals)),
    known: true,
    returned: [],
    loops: [],
    globals: new Map(),
    aliases: [],
  });
  const items = { items: '[1, 2]', größe: '0', out: '[]', item: '1' };
  const total = {
    ...frame(3, 4, 22, items),
    loops: [{ line: 20, count: 1 }],
    returned: ['4'],
    aliases: [['items', 'out']],
    pending: "ZeroDivisionError('x')",
  };
  const key = { ...frame(5, 6, 18, { x: '1' }), globals: new Map([['LIMIT', '3']]) };
  const waiting = frame(4, 3, 14, { n: '2', i: '0' });
  return {
    kind: 'return',
    value: "'a=1'",
    stack: [frame(0, 0, 1, {}, 1), frame(1, 1, 1, { f: '<function total>' }, 1), total, key],
    beyond: { frames: 6, suspended: Vault.empty<Frame>().with(4, waiting), lanes: new Map() },
  };
}

describe('the compact codec', () => {
  it('writes a prompt as the page says', () => {
    const situation = { programs: PROGRAMS, state: busy(), action: { type: 'step_into' } } as const;
    expect(showPieces(codec.prompt(situation))).toBe(
      '<|glob|>LIMIT=3<|;|>' +
        '<|asleep|><|L11|>n=2<|;|>i=0<|;|><|at|><|L14|>' +
        '<|more|>' +
        '<|frame|><|main|>#1f=<function total><|;|><|at|><|L1|>(lambdaf:f([1,2],3))(total)' +
        '<|frame|><|L17|>items=[1, 2]<|;|>größe=0<|;|>out=[]<|;|>item=1<|;|><|alias|>items out<|;|>' +
        "<|loop|><|L20|>1<|exc|>ZeroDivisionError('x')<|ret|>4<|at|><|L22|>out.append(key(item)//größe)" +
        '<|frame|><|L18|>#1x=1<|;|><|at|><|L18|>key,other=lambdax:x+LIMIT,lambdax:-x' +
        "<|return|><|val|>'a=1'<|step_into|>",
    );
    const back = { ...situation, action: { type: 'inv_step_over' } } as const;
    expect(showPieces(codec.prompt(back))).not.toMatch(/asleep|loop|exc\||ret\|/);
    const stop = { ...situation, action: { type: 'breakpoint', line: 9 } } as const;
    expect(showPieces(codec.prompt(stop))).toMatch(/<\|breakpoint\|><\|L9\|>$/);
  });

  it('writes an answer as the page says', () => {
    const state = busy();
    const [main, lambda, total] = state.stack;
    const next: State = {
      kind: 'exception',
      value: "TypeError('y')",
      out: 'hm\n',
      stack: [
        main!,
        lambda!,
        { ...total!, locals: new Map([...total!.locals, ['out', '[4]']]), aliases: [] },
      ],
    };
    const situation = { programs: PROGRAMS, state, action: { type: 'step_into' } } as const;
    expect(showPieces(codec.answer(situation, { type: 'state', state: next }))).toBe(
      "<|up|><|exception|><|L22|>out=[4]<|;|><|alias|><|;|><|val|>TypeError('y')<|out|>hm\n<|end|>",
    );
    const { loops, returned } = (
      codec.parse(situation, codec.answer(situation, { type: 'state', state: next })).outcome as {
        state: State;
      }
    ).state.stack[2]!;
    // Folded: what was returned is remembered, the loop goes on.
    expect(returned).toEqual(['4', "'a=1'"]);
    expect(loops).toEqual([{ line: 20, count: 1 }]);
  });

  it.each([
    [[{ special: '<|line|>' }, { special: '<|end|>' }]],
    [[{ special: '<|up|>' }, { special: '<|up|>' }, { special: '<|line|>' }, { special: '<|L5|>' }]],
    [[{ text: 'x=1' }]],
    [[{ special: '<|exit_normal|>' }]],
    [[{ special: '<|exit_normal|>' }, { special: '<|end|>' }, { special: '<|end|>' }]],
    [[{ special: '<|call|>' }, { special: '<|L5|>' }, { special: '<|end|>' }]],
    [
      [
        { special: '<|line|>' },
        { special: '<|L5|>' },
        { text: 'x' },
        { special: '<|;|>' },
        { special: '<|end|>' },
      ],
    ],
    [[...Array.from({ length: 9 }, () => ({ special: '<|up|>' })), { special: '<|end|>' }]],
  ])('refuses %j', (pieces) => {
    const situation = { programs: PROGRAMS, state: busy(), action: { type: 'step_into' } } as const;
    expect(() => codec.parse(situation, pieces)).toThrow(expect.objectContaining({ code: 'E_MALFORMED' }));
  });

  it('makes training text of a trajectory: prompts without loss, answers with it', () => {
    const state = busy();
    const text = codec.train({
      programs: PROGRAMS,
      steps: [
        { state, action: { type: 'step_into' } },
        { state, action: { type: 'continue' } },
      ],
      end: { type: 'exit', exit: 'normal' },
    });
    expect(text.shared).toEqual(codec.context(PROGRAMS));
    const learnt = text.blocks.map((block) =>
      showPieces(block.filter(({ loss }) => loss).map(({ piece }) => piece)),
    );
    expect(learnt[0]).toMatch(/<\|end\|>$/);
    expect(learnt[1]).toBe('<|exit_normal|><|end|>');
    expect(showPieces(text.blocks[1]!.filter(({ loss }) => !loss).map(({ piece }) => piece))).toMatch(
      /<\|continue\|>$/,
    );
  });

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
