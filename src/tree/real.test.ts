/** @file Tree and states of recorded runs: small traces kept as fixtures, and the awkward programs of `cases/`. */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createCpython } from '../python/cpython.ts';
import { parseProgram } from '../source/index.ts';
import { TraceStates } from '../state/index.ts';
import { parseTraces, type Trace } from '../trace/index.ts';
import { show } from './traces.testing.ts';
import { buildTree } from './tree.ts';
import type { StateTree, TreeAction } from './types.ts';

const WALKS = new URL('../../test/fixtures/traces/walks.jsonl', import.meta.url);
const CASES = new URL('../../../shared/cases/', import.meta.url);

const traces = new Map(
  [...parseTraces(readFileSync(WALKS, 'utf8').split('\n'))].map((trace) => [trace.header.id!, trace]),
);
const recorded = (id: string) => ({ trace: traces.get(id)!, tree: buildTree(traces.get(id)!) });

/** `line f:3` of each state that one kind of action leads to, from a place on. */
function path(trace: Trace, tree: StateTree, type: TreeAction['type'], from: number): string[] {
  const names = new Map(trace.events.flatMap(({ e, f, fn }) => (e === 'call' ? [[f, fn] as const] : [])));
  const seen: string[] = [];
  let move = tree.move({ at: from, call: false }, { type } as TreeAction);
  while (move.type === 'place') {
    const { e, f, l } = trace.events[move.place.at]!;
    seen.push(`${move.place.call ? 'line_call' : e} ${names.get(f)}:${l}`);
    move = tree.move(move.place, { type } as TreeAction);
  }
  return [...seen, show(move)];
}

/** Everything that holds of any recorded run. */
function checkLaws(trace: Trace): void {
  const tree = buildTree(trace);
  const programs = trace.header.files.map((file) => parseProgram(file.text, file.name));
  const states = [...new TraceStates(trace, programs)];
  expect(states.map((state) => state.stack.length - 1)).toEqual([...tree.depth]);
  expect(states.map((state) => state.stack.at(-1)!.id)).toEqual([...tree.frame]);
  expect(states.map((state) => state.stack.at(-1)!.line)).toEqual([...tree.line]);
  // Every frame is known, and has a scope of its program.
  expect(states.filter((state) => state.stack.some((frame) => !frame.known || frame.scope < 0))).toEqual([]);
  const again = new TraceStates(trace, programs, 7);
  const stride = Math.max(1, states.length >> 5);
  for (let i = states.length - 1; i >= 0; i -= stride) expect(again.at(i)).toEqual(states[i]);
  if (trace.events.some((event) => event.t)) return;
  const undone = states.map((_, i) => {
    let move = tree.move({ at: i, call: false }, { type: 'inv_step_into' });
    while (move.type === 'place' && move.place.call) move = tree.move(move.place, { type: 'inv_step_into' });
    return show(move);
  });
  expect(undone).toEqual(states.map((_, i) => (i === 0 ? 'entry' : `${i - 1}`)));
}

describe('recorded runs', () => {
  it.each([...traces.keys()])('keep the laws: %s', (id) => checkLaws(traces.get(id)!));

  it('step over a generator that is resumed by each turn of a loop', () => {
    const { trace, tree } = recorded('generator');
    const call = trace.events.findIndex(({ fn }) => fn === 'total');
    expect(path(trace, tree.entry(call), 'step_over', call)).toEqual([
      'line total:15',
      'line total:16',
      'line total:17',
      'line total:16',
      'line total:17',
      'line total:16',
      'line total:17',
      'line total:16',
      'line total:18',
      'return total:18',
      'exit normal',
    ]);
    const inner = trace.events.findIndex(({ fn }) => fn === 'squares');
    expect(path(trace, tree, 'step_return', inner)[0]).toBe('return squares:6');
    expect(path(trace, tree.entry(inner), 'step_into', inner)).toEqual([
      'line squares:2',
      'line squares:3',
      'yield squares:3',
      'resume squares:3',
      'line squares:4',
      'line squares:2',
      'line squares:3',
      'yield squares:3',
      'resume squares:3',
      'line squares:4',
      'line squares:2',
      'line squares:6',
      'return squares:6',
      'exit normal',
    ]);
  });

  it('walk back from an exception through the frames it unwound', () => {
    const { trace, tree } = recorded('unwinding');
    const end = trace.events.findLastIndex(({ e, v }) => e === 'exception' && v?.includes('subscriptable'));
    expect(path(trace, tree, 'inv_step_over', end).slice(0, 4)).toEqual([
      'line_call deep:16',
      'line deep:16',
      'line deep:15',
      'call deep:14',
    ]);
    expect(path(trace, tree, 'inv_step_into', end).slice(0, 9)).toEqual([
      'line_call deep:16',
      'exception look:10',
      'line_call look:10',
      'return Guard.__exit__:6',
      'line Guard.__exit__:6',
      'call Guard.__exit__:5',
      'line look:10',
      'exception look:11',
      'line look:11',
    ]);
    const look = trace.events.findLastIndex(({ e, fn }) => e === 'call' && fn === 'look');
    expect(tree.entry(look).exit).toBe('error');
  });

  it('lead from one call of a line to the next, comprehension and callbacks included', () => {
    const { trace, tree } = recorded('callbacks');
    const key = trace.events.findIndex(({ fn }) => fn === 'key');
    const steps = path(trace, tree, 'step_over', key);
    expect(steps.filter((step) => step === 'call key:4')).toHaveLength(8);
    expect(steps.slice(-4)).toEqual(['return key:5', 'return pairs:9', 'return <call>:1', 'exit normal']);
  });

  it('stay in their thread', () => {
    const { trace, tree } = recorded('threads');
    expect(path(trace, tree, 'step_into', 0).filter((step) => step.includes('work'))).toEqual([
      'call work:6',
      'line work:7',
      'line work:8',
      'return work:8',
    ]);
  });

  it('leave the end open where they were cut', () => {
    const { trace, tree } = recorded('endless');
    const wait = trace.events.findIndex(({ fn }) => fn === 'wait');
    expect(path(trace, tree, 'step_return', wait)).toEqual(['exit unknown']);
  });
});

const python = (() => {
  try {
    return execFileSync('python3', ['--version'], { encoding: 'utf8' });
  } catch {
    return null;
  }
})();

describe.skipIf(!python || !existsSync(CASES))('the cases (needs ../shared/cases and python3)', () => {
  it('keep the laws', { timeout: 120_000 }, async () => {
    const runtime = await createCpython({ workers: 2 });
    try {
      const names = readdirSync(CASES).filter((name) => name.endsWith('.py'));
      expect(names.length).toBeGreaterThan(0);
      await Promise.all(
        names.map(async (name) => {
          const file = { name: 'main.py', text: readFileSync(new URL(name, CASES), 'utf8') };
          const { trace } = await runtime.run({ file, limits: { events: 1500, timeMs: 60_000 } });
          expect(trace.events.length, name).toBeGreaterThan(0);
          checkLaws(trace);
        }),
      );
    } finally {
      await runtime.close();
    }
  });
});
