import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyThreads, anyTrace } from '../tree/traces.testing.ts';
import { advance } from './advance.ts';
import { diffOutcome, diffState, sameOutcome, sameState } from './compare.ts';
import { applyEdit } from './edit.ts';
import { rootedAt, TraceStates } from './states.ts';
import type { Frame, State } from './types.ts';
import { Vault } from './vault.ts';

const frame = (locals: Record<string, string>, rest: Partial<Frame> = {}): Frame => ({
  id: 0,
  file: 0,
  scope: 1,
  fn: 'f',
  thread: 0,
  line: 2,
  locals: new Map(Object.entries(locals)),
  known: true,
  returned: [],
  loops: [],
  globals: new Map(),
  aliases: [],
  ...rest,
});
const state = (...stack: Frame[]): State => ({ kind: 'line', stack });

describe('the states of a trace', () => {
  it('are the same by index, in any order, as by folding from the start', () => {
    fc.assert(
      fc.property(
        anyTrace,
        fc.array(fc.nat(200)),
        fc.integer({ min: 1, max: 9 }),
        (trace, asked, interval) => {
          const folded: State[] = [];
          for (const event of trace.events)
            folded.push(advance(folded.at(-1) ?? null, event, { programs: [] }));
          const states = new TraceStates(trace, [], interval);
          expect([...states]).toEqual(folded);
          for (const n of asked) {
            const index = n % trace.events.length;
            expect(states.at(index)).toEqual(folded[index]);
          }
        },
      ),
    );
  });
  it('show each thread as if the other one were not there', () => {
    fc.assert(
      fc.property(anyThreads, ({ trace, parts, indices }) => {
        const states = [...new TraceStates(trace, [])];
        parts.forEach((part, thread) => {
          const alone = [...new TraceStates(part, [])].map(({ kind, stack, value }) => ({
            kind,
            stack,
            value,
          }));
          const own = indices[thread]!.map((i) => states[i]!);
          expect(own.map(({ kind, stack, value }) => ({ kind, stack, value }))).toEqual(alone);
        });
      }),
    );
  });
  it('end where the trace ends', () => {
    fc.assert(
      fc.property(anyTrace, (trace) => {
        const states = new TraceStates(trace, []);
        expect(states.length).toBe(trace.events.length);
        expect(() => states.at(states.length)).toThrow(RangeError);
        expect(() => states.at(-1)).toThrow(RangeError);
      }),
    );
  });
  it('can be seen from an inner call', () => {
    const inner = rootedAt(state(frame({ x: '1' }), frame({ y: '2' }, { id: 1 })), 1);
    expect(inner.stack.map(({ id }) => id)).toEqual([1]);
  });
});

describe('comparing states', () => {
  it('finds the same state the same, whatever the order of its names', () => {
    const [left, right] = [state(frame({ a: '1', b: '2' })), state(frame({ b: '2', a: '1' }))];
    expect(sameState(left, right)).toBe(true);
    expect(diffState(left, right)).toEqual([]);
  });
  it('names each part that differs', () => {
    const predicted = state(frame({ a: '1', b: '2', d: '4' }));
    const real: State = {
      kind: 'return',
      stack: [frame({}), frame({ a: '1', b: '3', c: '5' }, { line: 7, fn: 'g' })],
      value: '9',
    };
    expect(diffState(predicted, real)).toEqual([
      { part: 'event', predicted: 'line', real: 'return' },
      { part: 'function', predicted: 'f', real: 'g' },
      { part: 'line', predicted: '2', real: '7' },
      { part: 'depth', predicted: '0', real: '1' },
      { part: 'value', real: '9' },
      { part: 'local', name: 'b', predicted: '2', real: '3' },
      { part: 'local', name: 'c', real: '5' },
      { part: 'local', name: 'd', predicted: '4' },
    ]);
  });
  it('does not compare locals that neither side knows, and says where only one does', () => {
    const unknown = state(frame({}, { known: false }));
    expect(diffState(unknown, unknown)).toEqual([]);
    expect(diffState(unknown, state(frame({ a: '1' })))).toEqual([
      { part: 'local', predicted: 'unknown locals', real: 'known locals' },
    ]);
  });
  it('agrees with sameState about known states', () => {
    const texts = fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.constantFrom('1', '2'));
    const any = fc.record({
      locals: texts,
      line: fc.nat(1),
      deep: fc.boolean(),
      value: fc.constantFrom('1', '2'),
    });
    const made = ({
      locals,
      line,
      deep,
      value,
    }: typeof any extends fc.Arbitrary<infer T> ? T : never): State => ({
      kind: 'return',
      stack: [...(deep ? [frame({})] : []), frame(locals, { line })],
      value,
    });
    fc.assert(
      fc.property(any, any, (a, b) => {
        expect(sameState(made(a), made(b))).toBe(diffState(made(a), made(b)).length === 0);
      }),
    );
  });
  it('covers ends of a walk', () => {
    const normal = { type: 'exit', exit: 'normal' } as const;
    const error = { type: 'exit', exit: 'error', exception: 'E()' } as const;
    const here = { type: 'state', state: state(frame({})) } as const;
    expect(diffOutcome(normal, normal)).toEqual([]);
    expect(diffOutcome(normal, error)).toEqual([{ part: 'exit', predicted: 'normal', real: 'error: E()' }]);
    expect(diffOutcome(here, { type: 'entry' })).toEqual([
      { part: 'exit', predicted: 'state', real: 'entry' },
    ]);
    expect([sameOutcome(here, here), sameOutcome(normal, error), sameOutcome(normal, here)]).toEqual([
      true,
      false,
      false,
    ]);
  });
});

describe('editing a state', () => {
  const globals = new Map([['N', '1']]);
  const before = state(
    frame({ N: '1', x: '0' }, { fn: '<module>', kind: 'module' }),
    frame({ a: '[]', b: '[]' }, { id: 1, globals, aliases: [['a', 'b']] }),
  );
  it('changes a local of the current frame and nothing else', () => {
    const after = applyEdit(before, { name: 'a', value: '7' });
    expect(after.kind).toBe('line');
    expect(Object.fromEntries(after.stack[1]!.locals)).toEqual({ a: '7', b: '[]' });
    expect(after.stack[1]!.aliases).toEqual([]);
    expect(after.stack[0]).toBe(before.stack[0]);
    expect(before.stack[1]!.locals.get('a')).toBe('[]');
  });
  it('changes a frame further up', () => {
    expect(applyEdit(before, { name: 'x', value: '5' }, 1).stack[0]!.locals.get('x')).toBe('5');
  });
  it('changes a module-level name where the module has it', () => {
    const after = applyEdit(before, { name: 'N', value: '2' });
    expect(after.stack[1]!.globals.get('N')).toBe('2');
    expect(after.stack[1]!.locals.has('N')).toBe(false);
    expect(after.stack[0]!.locals.get('N')).toBe('2');
  });
  it('adds a name', () => {
    expect(applyEdit(before, { name: 'ñ', value: '1' }).stack[1]!.locals.get('ñ')).toBe('1');
  });
  it('refuses what is no frame and no name', () => {
    const code = (code: string) => expect.objectContaining({ code });
    expect(() => applyEdit(before, { name: 'a', value: '1' }, 2)).toThrow(code('E_FRAME'));
    expect(() => applyEdit(before, { name: 'a', value: '1' }, -1)).toThrow(code('E_FRAME'));
    expect(() => applyEdit(before, { name: 'a.b', value: '1' })).toThrow(code('E_NAME'));
  });
});

describe('the persistent map', () => {
  it('is a map, and old copies stay as they were', () => {
    const changes = fc.array(fc.tuple(fc.oneof(fc.nat(70), fc.nat(100_000)), fc.option(fc.nat())), {
      maxLength: 80,
    });
    fc.assert(
      fc.property(changes, (list) => {
        let vault = Vault.empty<number>();
        const map = new Map<number, number>();
        const copies: [Vault<number>, Map<number, number>][] = [];
        for (const [key, value] of list) {
          vault = vault.with(key, value ?? undefined);
          if (value === null) map.delete(key);
          else map.set(key, value);
          copies.push([vault, new Map(map)]);
        }
        for (const [then, expected] of copies) {
          for (const [key] of list) expect(then.get(key)).toBe(expected.get(key));
        }
      }),
    );
  });
});
