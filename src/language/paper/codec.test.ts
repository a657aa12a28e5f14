import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseProgram } from '../../source/index.ts';
import { applyEdit } from '../../state/edit.ts';
import type { Action, Frame, Outcome, State } from '../../state/types.ts';
import { formatValue } from '../../values/index.ts';
import { anyValue } from '../../values/samples.testing.ts';
import { joinPieces, showPieces } from '../pieces.ts';
import { PieceReader } from '../reader.ts';
import type { Piece, Situation } from '../types.ts';
import { paperCodec as codec } from './codec.ts';
import { applyLocals, localsPieces, readLocals, type Shown } from './locals.ts';
import { sourcePieces } from './source.ts';
import { paperTokenizer as tokenizer } from './tokenizer.ts';

const SOURCE = `NOTE = '<|end_of_text|>'  # not the end

def sign(n):
    if n > 0:
        return n
    elif n < 0:
        return n
    raise ValueError('größe "0"')

def count(n):
    while n:
        got = yield n
        n -= 1

def f(x):
    r = x + sign(x)
    del x
    for i in count(r):
        r += i
    return r
`;
const programs = [parseProgram(SOURCE), parseProgram('f(5)', '<call>')];
const [SIGN, COUNT, F] = [1, 2, 3];

function frame(scope: number, line: number, locals: Record<string, string>, id = 0, file = 0): Frame {
  const { qualname } = programs[file]!.scopes[scope]!;
  return {
    ...{ id, file, scope, line, thread: 0, known: true },
    fn: file > 0 ? '<call>' : qualname,
    locals: new Map(Object.entries(locals)),
    ...{ returned: [], loops: [], globals: new Map(), aliases: [] },
  };
}

const state = (kind: State['kind'], stack: Frame[], value?: string): State => ({
  kind,
  stack,
  ...(value !== undefined && { value }),
});
const called = state('call', [frame(F, 15, { x: '5' })]);
const atLine = (line: number, locals: Record<string, string>) => state('line', [frame(F, line, locals)]);

function situation(
  now: State,
  type: Exclude<Action['type'], 'breakpoint'>,
  ...history: Situation['history'] & {}
) {
  return { programs, state: now, action: { type }, history } satisfies Situation;
}
const into = (now: State) => ({ state: now, action: { type: 'step_into' } }) as const;
const to = (next: State): Outcome => ({ type: 'state', state: next });
const say = (where: Situation, outcome: Outcome) => showPieces(codec.answer(where, outcome));
const ask = (where: Situation) => showPieces(codec.prompt(where));

/** Text as pieces: what looks like a special is one. */
function pieces(text: string): Piece[] {
  return text
    .split(/(<\|\w+\|>)/)
    .filter((part) => part !== '')
    .map((part) => (codec.specials.includes(part) ? { special: part } : { text: part }));
}

describe('the text', () => {
  it('is the paper’s example', () => {
    const paper = [parseProgram('def f(x):\n    r = x + 1\n    return r\n')];
    const on = (
      kind: State['kind'],
      line: number,
      locals: Record<string, string>,
      value?: string,
    ): State => ({
      kind,
      stack: [{ ...frame(1, line, locals), fn: 'f' }],
      ...(value && { value }),
    });
    const { shared, blocks } = codec.train({
      programs: paper,
      steps: [
        { state: on('call', 1, { x: '5' }), action: { type: 'step_into' } },
        { state: on('line', 2, { x: '5' }), action: { type: 'step_into' } },
        { state: on('line', 3, { x: '5', r: '6' }), action: { type: 'breakpoint', line: 3 } },
        { state: on('return', 3, { x: '5', r: '6' }, '6'), action: { type: 'continue' } },
      ],
      end: { type: 'exit', exit: 'normal' },
    });
    const block = blocks[0]!;
    expect(showPieces([...shared, ...block.map(({ piece }) => piece)])).toBe(
      '<|begin_of_text|><|trace_context_start|>def f(x):\n    r = x + 1\n    return r' +
        '<|frame_sep|><|call_sep|><|src_sep|>def f(x):<|arg_sep|>{"x": "5"}<|action_sep|><|step_into|>' +
        '<|frame_sep|><|line_sep|><|arg_sep|>{"..": ".."}<|src_sep|>    r = x + 1<|action_sep|><|step_into|>' +
        '<|frame_sep|><|line_sep|><|arg_sep|>{"..": "..", "r": "6"}<|src_sep|>    return r<|action_sep|><|breakpoint|>    return r' +
        '<|frame_sep|><|return_sep|><|src_sep|>    return r<|arg_sep|>"6"<|action_sep|><|continue|>' +
        '<|frame_sep|><|exit_normal|><|trace_end|><|end_of_text|>',
    );
    const learnt = block.filter(({ loss }) => loss).map(({ piece }) => showPieces([piece]));
    expect(learnt).not.toContain('<|step_into|>');
    expect(learnt.filter((text) => text === '<|frame_sep|>')).toHaveLength(4);
  });

  it('is what docs/language.md shows', () => {
    const page = readFileSync(new URL('../../../docs/language.md', import.meta.url), 'utf8');
    const [, forward, , backward] = page.slice(page.indexOf('## paper')).split('```');
    const shown = (block: string) =>
      block
        .split('\n')
        .filter((row) => row.startsWith('<|frame_sep|>'))
        .map((row) => row.replace(/ {4}in full: .*$/, '').trimEnd());
    const two = [
      parseProgram('def g(y):\n    return [y, "a"]\n\ndef f(x):\n    r = g(x)\n    del x\n    return r\n'),
    ];
    const one = (scope: number, line: number, locals: Record<string, string>, id: number): Frame => ({
      ...frame(SIGN, line, locals, id),
      ...{ scope, fn: two[0]!.scopes[scope]!.qualname },
    });
    const f = (line: number, locals: Record<string, string>) => one(2, line, locals, 0);
    const list = "[5, 'a']";
    const walk = (ends: Outcome, ...steps: [State, Action['type'], number?][]) => {
      const { blocks } = codec.train({
        programs: two,
        steps: steps.map(([now, type, line]) => ({ state: now, action: { type, line } as Action })),
        end: ends,
      });
      const text = showPieces(blocks[0]!.map(({ piece }) => piece));
      return text.split(/(?=<\|frame_sep\|>)/);
    };
    const [call, line] = [state('call', [f(4, { x: '5' })]), state('line', [f(5, { x: '5' })])];
    expect(
      walk(
        { type: 'exit', exit: 'normal' },
        [call, 'step_into'],
        [line, 'step_into'],
        [state('call', [...line.stack, one(1, 1, { y: '5' }, 1)]), 'step_return'],
        [state('return', [...line.stack, one(1, 2, { y: '5' }, 1)], list), 'step_into'],
        [state('line', [f(6, { x: '5', r: list })]), 'step_into'],
        [state('line', [f(7, { r: list })]), 'breakpoint', 7],
        [state('return', [f(7, { r: list })], list), 'continue'],
      ),
    ).toEqual(shown(forward!));
    expect(
      walk(
        { type: 'entry' },
        [state('return', [{ ...f(7, {}), known: false }], list), 'inv_step_into'],
        [state('line', [f(7, { r: list })]), 'inv_step_over'],
        [state('line', [f(6, { r: list, x: '5' })]), 'inv_step_into'],
        [state('line_call', line.stack.slice()), 'inv_step_call'],
        [call, 'inv_step_into'],
      ),
    ).toEqual(shown(backward!));
  });

  it('has the source as it is, comments and all, and the call only if the walk passes through it', () => {
    expect(showPieces(codec.context(programs))).toBe(
      `<|begin_of_text|><|trace_context_start|>${SOURCE.trimEnd()}`,
    );
    expect(ask(situation(called, 'step_into'))).not.toContain('f(5)');
    const line = state('line', [frame(0, 1, {}, 0, 1)]);
    expect(ask(situation(line, 'step_over'))).toBe(
      '\n\nf(5)<|frame_sep|><|line_sep|><|arg_sep|>{}<|src_sep|>f(5)<|action_sep|><|step_over|>',
    );
  });

  it('writes deltas within a frame, and in full after a change of scope', () => {
    const before = atLine(16, { x: '5' });
    const inside = state('return', [...before.stack, frame(SIGN, 5, { n: '5' }, 1)], '5');
    const after = atLine(17, { x: '5', r: '10' });
    expect(say(situation(before, 'step_over', into(called)), to(after))).toContain('{"..": "..", "r": "10"}');
    expect(say(situation(inside, 'step_into', into(before)), to(after))).toContain('{"x": "5", "r": "10"}');
    const gone = atLine(18, { r: '10' });
    expect(say(situation(after, 'step_into'), to(gone))).toContain('{"..": "..", "x": null}');
  });

  it('takes deltas from what was shown, not from what a value’s frame does not show', () => {
    const line = atLine(16, { x: '5' });
    // The exception's state knows more than its text says.
    const raised = state('exception', [frame(F, 16, { x: '5', r: '0' })], "ValueError('y')");
    const next = atLine(17, { x: '5', r: '0' });
    expect(say(situation(raised, 'step_into', into(line)), to(next))).toContain('{"..": "..", "r": "0"}');
  });

  it('writes backward frames source first, in full only at a call or where nothing was shown', () => {
    const end = state('return', [{ ...frame(F, 20, {}), known: false }], '6');
    const back = situation(end, 'inv_step_into');
    expect(ask(back)).toBe(
      '<|frame_sep|><|inv_return_sep|><|src_sep|>    return r<|arg_sep|>"6"<|action_sep|><|inv_step_into|>',
    );
    const line = atLine(20, { r: '6', i: '1' });
    expect(say(back, to(line))).toBe(
      '<|frame_sep|><|inv_line_sep|><|src_sep|>    return r<|arg_sep|>{"r": "6", "i": "1"}<|action_sep|>',
    );
    const step = { state: end, action: { type: 'inv_step_into' } } as const;
    const earlier = state('line_call', [frame(F, 18, { r: '6' })]);
    expect(say(situation(line, 'inv_step_over', step), to(earlier))).toBe(
      '<|frame_sep|><|inv_line_call_sep|><|src_sep|>    for i in count(r):<|arg_sep|>{"..": "..", "i": null}<|action_sep|>',
    );
    expect(say(situation(line, 'inv_step_call', step), to(called))).toBe(
      '<|frame_sep|><|inv_call_sep|><|src_sep|>def f(x):<|arg_sep|>{"x": "5"}<|action_sep|>',
    );
    expect(say(situation(called, 'inv_step_over'), { type: 'entry' })).toBe(
      '<|frame_sep|><|inv_exit_entry|><|trace_end|><|end_of_text|>',
    );
  });

  it('has tokens for generators', () => {
    const g = (line: number, locals: Record<string, string>) => frame(COUNT, line, locals, 1);
    const line = state('line', [frame(F, 18, { r: '2' }), g(12, { n: '2' })]);
    const yields = state('yield', line.stack.slice(), '2');
    expect(say(situation(line, 'step_into'), to(yields))).toBe(
      '<|frame_sep|><|yield_sep|><|src_sep|>        got = yield n<|arg_sep|>"2"<|action_sep|>',
    );
    const caller = atLine(18, { r: '2', i: '2' });
    const resumed = state('resume', [...caller.stack, g(12, { n: '2' })]);
    expect(say(situation(caller, 'step_into'), to(resumed))).toBe(
      '<|frame_sep|><|resume_sep|><|src_sep|>        got = yield n<|arg_sep|>{"n": "2"}<|action_sep|>',
    );
    expect(say(situation(resumed, 'inv_step_into'), to(yields))).toContain('<|inv_yield_sep|>');
  });

  it('writes a set as a rewritten prompt: the edited frame in full, the one before it not at all', () => {
    const line = atLine(18, { r: '10' });
    const before = atLine(17, { x: '5', r: '10' });
    const edited = applyEdit(line, { name: 'r', value: '\'a\\n"b"\'' });
    const where = situation(edited, 'step_over', into(called), into(before), into(line));
    expect(ask(where).split('<|frame_sep|>').slice(-2)).toEqual([
      '<|line_sep|><|arg_sep|>{"..": "..", "r": "10"}<|src_sep|>    del x<|action_sep|><|step_into|>',
      '<|line_sep|><|arg_sep|>{"r": "\'a\\\\n\\"b\\"\'"}<|src_sep|>    for i in count(r):<|action_sep|><|step_over|>',
    ]);
    const twice = applyEdit(edited, { name: 'r', value: '0' });
    expect(ask(situation(twice, 'step_over', into(before), into(line), into(edited)))).toContain(
      '{"r": "0"}',
    );
    // The next frame differs from the edited one.
    const next = atLine(20, { r: '0' });
    expect(say(situation(twice, 'step_over', into(line), into(edited)), to(next))).toContain('{"..": ".."}');
  });
});

describe('an answer read', () => {
  const line = (text: string) => `<|frame_sep|><|line_sep|><|arg_sep|>${text}<|action_sep|>`;
  const read = (where: Situation, text: string) => codec.parse(where, pieces(text));
  const topOf = (outcome: Outcome) => (outcome.type === 'state' ? outcome.state.stack.at(-1)! : null);

  it('finds the line by what can follow, and says which else it could be', () => {
    const at = (n: number) => state('line', [frame(SIGN, n, { n: '5' })]);
    const text = line('{"..": ".."}<|src_sep|>        return n');
    expect(topOf(read(situation(at(4), 'step_into'), text).outcome)!.line).toBe(5);
    expect(topOf(read(situation(at(6), 'step_into'), text).outcome)!.line).toBe(7);
    const jump = read(
      situation(at(4), 'step_return'),
      '<|frame_sep|><|return_sep|><|src_sep|>        return n<|arg_sep|>"5"<|action_sep|>',
    );
    expect(topOf(jump.outcome)!.line).toBe(5);
    expect(jump.ambiguous).toEqual([7]);
    // What the jump has done to the locals, the text does not say.
    expect(topOf(jump.outcome)).toMatchObject({ known: false, locals: new Map() });
  });

  it('keeps frame numbers, loop counts and callers, as a fold of the step would', () => {
    const loop = { line: 18, count: 2 };
    const caller = { ...frame(0, 1, {}, 7, 1) };
    const now = state('line', [caller, { ...frame(F, 19, { r: '3', i: '1' }, 8), loops: [loop] }]);
    const { outcome } = read(
      situation(now, 'step_into'),
      line('{"..": "..", "r": "4"}<|src_sep|>    for i in count(r):'),
    );
    expect(topOf(outcome)).toMatchObject({ id: 8, line: 18, loops: [{ line: 18, count: 3 }] });
    expect((outcome as { state: State }).state.stack[0]).toBe(caller);
  });

  it('pushes a frame for a breakpoint in another function, and takes one below where its values are there', () => {
    const now = state('line', [frame(F, 16, { x: '5' }, 1)]);
    const stop = (line: number) => ({ programs, state: now, action: { type: 'breakpoint', line } }) as const;
    const deep = read(stop(5), line('{"n": "5"}<|src_sep|>        return n')).outcome;
    expect((deep as { state: State }).state.stack.map(({ fn }) => fn)).toEqual(['f', 'sign']);
    const inside = { ...now, stack: [...now.stack, frame(SIGN, 4, { n: '5' }, 2)] };
    const up = codec.parse(
      { ...stop(17), state: inside },
      pieces(line('{"x": "5", "r": "10"}<|src_sep|>    del x')),
    ).outcome;
    expect((up as { state: State }).state.stack.map(({ id }) => id)).toEqual([1]);
  });

  it('allows any caller, or the end, once a breakpoint has made the depth uncertain', () => {
    const deep = state('return', [frame(F, 16, { x: '5' }, 1), frame(SIGN, 5, {}, 2)], '5');
    const jump = { state: called, action: { type: 'breakpoint', line: 5 } } as const;
    const takes = (where: Situation, text: string) =>
      tokenizer
        .encode(pieces(text))
        .reduce<ReturnType<typeof codec.mask> | null>(
          (at, id) => tokenizer.symbols(id)!.reduce((s, symbol) => s?.next(symbol) ?? null, at),
          codec.mask(where),
        )?.done ?? false;
    const over = '<|frame_sep|><|exit_normal|><|trace_end|><|end_of_text|>';
    expect(takes(situation(deep, 'step_into'), over)).toBe(false);
    expect(takes(situation(deep, 'step_into', jump), over)).toBe(true);
    const other = line('{"n": "1", "got": "None"}<|src_sep|>        n -= 1');
    expect(takes(situation(deep, 'step_into'), other)).toBe(false);
    expect(takes(situation(deep, 'step_into', jump), other)).toBe(true);
  });

  it('takes any line of the program where no step leads to one that reads so', () => {
    const far = read(
      situation(atLine(16, { x: '5' }), 'step_into'),
      line('{"..": ".."}<|src_sep|>    return r'),
    );
    expect(topOf(far.outcome)!.line).toBe(20);
    const call = read(
      situation(atLine(20, {}), 'step_into'),
      '<|frame_sep|><|call_sep|><|src_sep|>def sign(n):<|arg_sep|>{"n": "1"}<|action_sep|>',
    );
    expect(topOf(call.outcome)).toMatchObject({ fn: 'sign', line: 3 });
  });

  it.each([
    ['', 'nothing'],
    ['<|frame_sep|>', 'no kind'],
    ['<|line_sep|><|arg_sep|>{"..": ".."}<|src_sep|>    return r<|action_sep|>', 'no frame'],
    [line('{"..": ".."}<|src_sep|>    return q'), 'no line of the program'],
    [line('{"x": 5}<|src_sep|>    return r'), 'a number'],
    [line('["x"]<|src_sep|>    return r'), 'a list'],
    [line('{"x": "5"<|src_sep|>    return r'), 'no JSON'],
    [line('"5"<|src_sep|>    return r'), 'no object'],
    [`${line('{"..": ".."}<|src_sep|>    return r')}<|step_into|>`, 'more'],
    ['<|frame_sep|><|inv_line_sep|><|src_sep|>    return r<|arg_sep|>{"..": ".."}<|action_sep|>', 'backward'],
    ['<|frame_sep|><|line_sep|><|src_sep|>    return r<|arg_sep|>{"..": ".."}<|action_sep|>', 'source first'],
    ['<|frame_sep|><|return_sep|><|src_sep|>    return r<|arg_sep|>{"r": "1"}<|action_sep|>', 'no value'],
    ['<|frame_sep|><|exit_normal|>', 'no end'],
    ['<|frame_sep|><|exit_normal|><|trace_end|><|end_of_text|><|action_sep|>', 'more after the end'],
  ])('refuses %s (%s)', (text) => {
    const where = situation(atLine(18, { r: '1' }), 'step_into');
    expect(() => read(where, text)).toThrow(expect.objectContaining({ code: 'E_MALFORMED' }));
  });
});

describe('locals as JSON', () => {
  const value = fc.oneof(
    anyValue.map(formatValue),
    fc.string({ unit: 'grapheme' }).map((text) => formatValue({ type: 'str', value: text })),
    fc.constantFrom('"', '\\', '..', 'null', '<|arg_sep|>', "'\n'", '', '[1, ...+3]'),
  );
  const names = fc.constantFrom('x', 'y', 'größe', '__proto__', 'null', 'Ω', 'self');
  const locals = fc
    .uniqueArray(fc.tuple(names, value), { selector: ([name]) => name })
    .map((entries) => new Map(entries));
  const shown: fc.Arbitrary<Shown> = fc.record({ locals, known: fc.boolean() });

  it('come back from what they differ from, whatever that was', () => {
    fc.assert(
      fc.property(fc.option(shown), shown, (base, now) => {
        const written = localsPieces(base, now);
        expect(() => JSON.parse(showPieces(written))).not.toThrow();
        const read = readLocals(new PieceReader(written));
        // What was known once is not unknown later: no text says so.
        const known = now.known || (base?.known ?? false);
        const { locals: got, known: all } = applyLocals(base, read);
        expect(new Map([...got].sort())).toEqual(new Map([...now.locals].sort()));
        expect(all).toBe(known);
      }),
      { numRuns: 50 },
    );
  });
});

describe('special tokens', () => {
  it('are those of the paper, each one token, the answer’s end first', () => {
    expect(codec.specials[0]).toBe('<|action_sep|>');
    expect(codec.specials).toHaveLength(33);
    expect(tokenizer.encode(codec.specials.map((special) => ({ special })))).toEqual([
      ...codec.specials.keys(),
    ]);
    for (const name of [
      'step_over',
      'exit_never',
      'inv_line_call_sep',
      'inv_exception_sep',
      'inv_exit_entry',
    ]) {
      expect(codec.specials).toContain(`<|${name}|>`);
    }
  });

  it('are never made of a source or a value that spells one', () => {
    const where = situation(atLine(16, { x: "'<|call_sep|>'" }), 'step_into');
    const ids = tokenizer.encode([...codec.context(programs), ...codec.prompt(where)]);
    const id = (name: string) => codec.specials.indexOf(`<|${name}|>`);
    expect(ids).not.toContain(id('end_of_text'));
    expect(ids).not.toContain(id('call_sep'));
    const next = atLine(17, { x: "'<|call_sep|>'", r: "'<|action_sep|><|src_sep|>'" });
    const answer = tokenizer.decode(tokenizer.encode(codec.answer(where, to(next))));
    const { outcome } = codec.parse(where, answer);
    expect((outcome as { state: State }).state.stack[0]!.locals).toEqual(next.stack[0]!.locals);
  });

  it('part nothing but the text: pieces survive the tokenizer', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(showPieces(sourcePieces(text))).toBe(text);
        const all = [{ special: '<|src_sep|>' }, ...sourcePieces(text)];
        expect(tokenizer.decode(tokenizer.encode(all))).toEqual(joinPieces(all));
      }),
    );
    const source = sourcePieces(SOURCE);
    expect(showPieces(source)).toBe(SOURCE);
    expect(source.length).toBeGreaterThan(100);
  });
});
