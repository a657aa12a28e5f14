/** @file What outlives one stack, in recorded runs: suspended coroutines and generators, and threads that take turns. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseProgram } from '../source/index.ts';
import { parseTraces, type Trace } from '../trace/index.ts';
import { show } from '../tree/traces.testing.ts';
import { buildTree } from '../tree/tree.ts';
import { TraceStates } from './index.ts';
import type { State } from './types.ts';

const LIVES = new URL('../../test/fixtures/traces/lives.jsonl', import.meta.url);
const traces = new Map(
  [...parseTraces(readFileSync(LIVES, 'utf8').split('\n'))].map((trace) => [trace.header.id!, trace]),
);

function recorded(id: string): { trace: Trace; states: readonly State[] } {
  const trace = traces.get(id)!;
  const programs = trace.header.files.map((file) => parseProgram(file.text, file.name));
  return { trace, states: [...new TraceStates(trace, programs)] };
}

const top = (state: State) => state.stack.at(-1)!;
const stackOf = (state: State) => state.stack.map(({ fn, id }) => `${fn}#${id}`);
const where = ({ events }: Trace, e: string, f: number, nth = 0) =>
  events.flatMap((event, at) => (event.e === e && event.f === f ? [at] : []))[nth]!;

describe('coroutines of a recorded run', () => {
  const { trace, states } = recorded('coroutines');
  const tree = buildTree(trace);

  it('are one frame each, from their call to their end, however often they are resumed', () => {
    const ids = new Map<string, Set<number>>();
    for (const { stack } of states) {
      for (const { fn, id } of stack) ids.set(fn, (ids.get(fn) ?? new Set()).add(id));
    }
    expect(Object.fromEntries([...ids].map(([fn, own]) => [fn, own.size]))).toEqual({
      '<module>': 1,
      '<call>': 1,
      run: 1,
      outer: 2,
      inner: 2,
      pause: 3,
    });
  });

  it('come back with the locals they left with, on the stack of whoever sends to them', () => {
    const left = states[where(trace, 'yield', 4)]!;
    const back = states[where(trace, 'resume', 4)]!;
    expect(top(back)).toMatchObject({ id: 4, fn: 'inner', kind: 'coroutine', line: 11 });
    expect(top(back).locals).toEqual(top(left).locals);
    expect(stackOf(back)).toEqual(['<call>#1', 'run#2', 'outer#3', 'inner#4']);
    expect(back.stack[1]!.line).toBe(25);
  });

  it('do not mix with others of the same function that are suspended meanwhile', () => {
    const other = states[where(trace, 'yield', 6)]!;
    expect(stackOf(other)).toEqual(['<call>#1', 'run#2', 'outer#6']);
    expect(top(other).locals.get('n')).toBe('10');
    expect(top(states[where(trace, 'resume', 3)]!).locals.get('n')).toBe('1');
  });

  it('have their later runs below the line that resumed them, and one call', () => {
    const resumed = where(trace, 'resume', 3, 1);
    expect(tree.parent[resumed]).toBe(resumed - 1);
    expect(trace.events[resumed - 1]).toMatchObject({ e: 'line', f: 2, l: 27 });
    expect(show(tree.move({ at: resumed, call: false }, { type: 'inv_step_call' }))).toBe(
      `${where(trace, 'call', 3)}`,
    );
    expect(show(tree.move({ at: where(trace, 'call', 3), call: false }, { type: 'step_return' }))).toBe(
      `${where(trace, 'return', 3)}`,
    );
  });
});

describe('threads of a recorded run', () => {
  const { trace, states } = recorded('turns');
  const tree = buildTree(trace);
  const thread = new Map<number, number>();
  for (const event of trace.events) if (event.e === 'call') thread.set(event.f, event.t ?? 0);
  const own = (n: number) => states.filter((_, at) => thread.get(trace.events[at]!.f) === n);

  it('take turns here', () => {
    const turns = trace.events.map(({ f }) => thread.get(f)!).filter((t, at, all) => t !== all[at - 1]);
    expect(turns.length).toBeGreaterThan(5);
  });

  it('have a stack each, which says whose it is', () => {
    for (const [at, state] of states.entries()) {
      const which = thread.get(trace.events[at]!.f)!;
      expect(new Set(state.stack.map((frame) => frame.thread))).toEqual(new Set([which]));
      expect(state.stack[0]!.fn).toBe(which === 0 ? '<module>' : 'work');
    }
  });

  it('keep what the other one shows, for when its turn comes', () => {
    const [noting] = own(0).filter((state) => top(state).fn === 'note');
    const lanes = noting!.beyond!.lanes;
    expect([...lanes.keys()]).toEqual([1]);
    expect(lanes.get(1)!.stack.map(({ fn, line }) => `${fn}:${line}`)).toEqual(['work:19']);
  });

  it('resume their own generators in their own frames', () => {
    const runs = own(1).filter((state) => top(state).fn === 'numbers');
    expect(new Set(runs.map((state) => top(state).id)).size).toBe(1);
    expect(new Set(runs.map((state) => stackOf(state)[0]))).toEqual(new Set(['work#1']));
    expect(runs.filter(({ kind }) => kind === 'resume')).toHaveLength(2);
  });

  it('are walked by themselves', () => {
    for (const n of [0, 1]) {
      const events = trace.events.flatMap(({ f }, at) => (thread.get(f) === n ? [at] : []));
      for (const [i, at] of events.slice(0, -1).entries()) {
        const move = tree.move({ at, call: false }, { type: 'step_into' });
        expect(show(move)).toBe(`${events[i + 1]}`);
      }
    }
  });
});
