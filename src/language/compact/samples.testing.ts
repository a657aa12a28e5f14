/** @file Random situations and outcomes over one small program, for this folder's tests. */
import fc from 'fast-check';
import { parseProgram } from '../../source/index.ts';
import type { Program } from '../../source/types.ts';
import type { Action, Frame, Locals, Outcome, State, StateKind } from '../../state/types.ts';
import { formatValue } from '../../values/index.ts';
import { anyValue } from '../../values/samples.testing.ts';
import type { Situation } from '../types.ts';

const SOURCE = `LIMIT = 3
NAME = '<|end|>'

class Box:
    size = 2

    def grow(self, by):
        self.size += by
        return self.size

def squares(n):
    i = 0
    while i < n:
        yield i * i
        i += 1

def total(items, größe):
    key, other = lambda x: x + LIMIT, lambda x: -x
    out = []
    for item in items:
        try:
            out.append(key(item) // größe)
        except ZeroDivisionError as error:
            print(error, NAME)
    return out
`;

export const PROGRAMS: readonly Program[] = [
  parseProgram(SOURCE),
  parseProgram('(lambda f: f([1, 2], 3))(total)', '<call>'),
];

/** Text that is hard on a codec: specials' names, separators of the format, quotes, line ends, all planes. */
const hardText = fc.oneof(
  fc.constantFrom('', '<|end|>', '<|L3|>', "it's", 'a=1<|;|>b=2', '\n\r\t', '\\', '"\'"', '漢😀\u0301', '#1'),
  fc.string({ unit: 'grapheme', maxLength: 8 }),
);

const value = fc.oneof(
  { weight: 3, arbitrary: anyValue.map(formatValue) },
  hardText.map((text) => formatValue({ type: 'str', value: text })),
);

const places = PROGRAMS.flatMap(({ scopes }, file) => scopes.map((scope) => ({ file, scope })));

function localsOf(names: readonly string[]): fc.Arbitrary<Locals> {
  return fc
    .subarray([...names], { minLength: 0 })
    .chain((some) =>
      fc
        .tuple(...some.map(() => value))
        .map((values) => new Map(some.map((name, i) => [name, values[i]!] as const))),
    );
}

function aliasesOf(locals: Locals): fc.Arbitrary<readonly (readonly string[])[]> {
  const names = [...locals.keys()];
  const one = names.length < 2 ? [] : [names.slice(0, 2)];
  return fc.constantFrom([], one, names.length < 4 ? one : [names.slice(0, 2), names.slice(2)]);
}

const KIND_OF_SCOPE = { module: 'module', class: 'class', lambda: 'lambda', function: undefined } as const;

function frame(id: number): fc.Arbitrary<Frame> {
  return fc.constantFrom(...places).chain(({ file, scope }) => {
    const main = file > 0 && scope.kind === 'module';
    const kind = scope.generator ? 'generator' : main ? undefined : KIND_OF_SCOPE[scope.kind];
    return fc
      .record({
        line: fc.constantFrom(scope.line, ...PROGRAMS[file]!.linesOf(scope.id)),
        locals: localsOf(scope.names),
        known: fc.boolean(),
        globals: localsOf(scope.globals),
        returned: fc.array(value, { maxLength: 2 }),
        loops: fc.array(fc.record({ line: fc.constant(12), count: fc.nat(99) }), { maxLength: 2 }),
        pending: fc.option(value, { nil: undefined }),
      })
      .chain(({ pending, ...parts }) =>
        aliasesOf(parts.locals).map((aliases) => ({
          id,
          file,
          scope: scope.id,
          fn: scope.qualname,
          ...(kind && { kind }),
          thread: 0,
          aliases,
          ...parts,
          ...(pending !== undefined && { pending }),
        })),
      );
  });
}

const stack = fc
  .integer({ min: 1, max: 5 })
  .chain((depth) => fc.tuple(...Array.from({ length: depth }, (_, id) => frame(id))));

const kinds: readonly StateKind[] = ['call', 'line', 'return', 'exception', 'yield', 'resume', 'line_call'];

const state: fc.Arbitrary<State> = fc
  .record({ kind: fc.constantFrom(...kinds), stack, value: fc.option(value, { nil: undefined }) })
  .map(({ value: given, ...rest }) => ({ ...rest, ...(given !== undefined && { value: given }) }));

const action: fc.Arbitrary<Action> = fc.oneof(
  fc.constantFrom<Action>(
    { type: 'step_into' },
    { type: 'step_over' },
    { type: 'step_return' },
    { type: 'continue' },
    { type: 'inv_step_into' },
    { type: 'inv_step_over' },
    { type: 'inv_step_call' },
  ),
  fc.integer({ min: 1, max: 22 }).map((line): Action => ({ type: 'breakpoint', line })),
);

/** The same frame somewhat later: some locals changed, some gone, another line. */
function moved(old: Frame): fc.Arbitrary<Frame> {
  const names = PROGRAMS[old.file]!.scopes[old.scope]!.names;
  return fc
    .record({
      set: localsOf(names),
      del: fc.subarray([...old.locals.keys()]),
      line: fc.constantFrom(old.line, 1),
    })
    .chain(({ set, del, line }) => {
      const kept = [...old.locals].filter(([name]) => !del.includes(name));
      const locals = new Map([...(old.known ? kept : []), ...set]);
      return aliasesOf(locals).map((aliases): Frame => ({ ...old, locals, line, aliases }));
    });
}

function after(before: State, { type }: Action): fc.Arbitrary<State> {
  const backwards = type.startsWith('inv_');
  const depth = before.stack.length;
  const shape = fc.record({
    kind: fc.constantFrom(...kinds),
    ups: fc.integer({ min: 0, max: depth }),
    pushes: fc.integer({ min: 0, max: 2 }),
    given: fc.option(value, { nil: undefined }),
    out: fc.option(hardText, { nil: undefined }),
    err: fc.option(hardText, { nil: undefined }),
  });
  return shape.chain(({ kind, ups, pushes, given, out, err }) => {
    // A forward action leads to the call of a new frame, a backward one to that of a frame already there.
    const call = kind === 'call';
    const least = ups === depth || (call && !backwards) ? 1 : 0;
    const count = call && backwards && ups < depth ? 0 : Math.max(pushes, least);
    const kept = before.stack.slice(0, depth - ups);
    const last = kept.pop();
    const base = last ? fc.oneof(moved(last), fc.constant(last)).map((frame) => [frame]) : fc.constant([]);
    const fresh = fc.tuple(...Array.from({ length: count }, (_, k) => frame(100 + k)));
    return fc.tuple(base, fresh).map(([under, pushed]) => {
      const frames = [...kept, ...under, ...pushed];
      const top = frames.pop()!;
      const line = call ? PROGRAMS[top.file]!.scopes[top.scope]!.line : top.line;
      return {
        kind,
        stack: [...frames, { ...top, line }],
        ...(given !== undefined && { value: given }),
        ...(out !== undefined && { out }),
        ...(err !== undefined && { err }),
      };
    });
  });
}

export const situationAndOutcome: fc.Arbitrary<{ situation: Situation; outcome: Outcome }> = fc
  .tuple(state, action)
  .chain(([before, move]) => {
    const situation = { programs: PROGRAMS, state: before, action: move };
    const exit = fc
      .record({
        exit: fc.constantFrom('normal', 'error', 'never' as const),
        exception: fc.option(value, { nil: undefined }),
        out: fc.option(hardText, { nil: undefined }),
      })
      .map(
        ({ exit, exception, out }): Outcome => ({
          type: 'exit',
          exit: exit as 'normal',
          ...(exception !== undefined && { exception }),
          ...(out !== undefined && { out }),
        }),
      );
    const next = after(before, move).map((state): Outcome => ({ type: 'state', state }));
    const outcome = fc.oneof(
      { weight: 8, arbitrary: next },
      { weight: 1, arbitrary: exit },
      { weight: 1, arbitrary: fc.constant<Outcome>({ type: 'entry' }) },
    );
    return outcome.map((given) => ({ situation, outcome: given }));
  });

/** What the language carries of an outcome, in a form that `toEqual` compares by content. */
export function carried(outcome: Outcome): unknown {
  if (outcome.type !== 'state') return outcome;
  const { kind, stack, value, out, err } = outcome.state;
  const top = stack.length - 1;
  return {
    kind,
    value,
    out,
    err,
    stack: stack.map(({ file, scope, fn, line, locals, known, aliases, globals }, index) => ({
      file,
      scope,
      fn,
      line,
      locals: new Map([...locals].sort()),
      known,
      aliases,
      // Globals are only carried for the current frame.
      ...(index === top && { globals: new Map([...globals].sort()) }),
    })),
  };
}
