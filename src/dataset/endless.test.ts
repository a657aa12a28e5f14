import { describe, expect, test } from 'vitest';
import { parseProgram } from '../source/index.ts';
import { TRACE_VERSION, type Trace, type TraceEvent } from '../trace/types.ts';
import { isPlain, neverEnds } from './endless.ts';
import { recordedFrom } from './recorded.ts';

const CODE = 'def f(x):\n    while x != 5:\n        x = -x\n    return x\n';

/** `f(1)`, cut after some turns; `step`: the value of x at turn n. */
function cut(code: string, step: (turn: number) => string, turns = 4): Trace {
  const events: TraceEvent[] = [
    { e: 'call', f: 0, l: 1, fn: '<module>', k: 'module' },
    { e: 'line', f: 0, l: 1 },
    { e: 'return', f: 0, l: 1, v: 'None' },
    { e: 'call', f: 1, l: 1, s: 1, fn: '<call>' },
    { e: 'line', f: 1, l: 1 },
    { e: 'call', f: 2, l: 1, p: 1, fn: 'f', set: { x: step(0) } },
    { e: 'line', f: 2, l: 2 },
  ];
  for (let turn = 1; turn <= turns; turn++)
    events.push({ e: 'line', f: 2, l: 3 }, { e: 'line', f: 2, l: 2, set: { x: step(turn) } });
  return {
    header: {
      e: 'header',
      version: TRACE_VERSION,
      python: '3.11.7',
      implementation: 'cpython',
      hashSeed: '0',
      limits: { events: events.length, timeMs: 1000, memoryMb: 512, outputBytes: 1000 },
      values: { items: 100, chars: 300, depth: 8, leaves: 400 },
      files: [
        { name: 'main.py', text: code },
        { name: '<call>', text: 'f(1)' },
      ],
      call: 'f(1)',
    },
    events,
    end: { e: 'end', status: 'cut', reason: 'events', events: events.length },
  };
}

const flips = (turn: number) => (turn % 2 ? '-1' : '1');
const recorded = (trace: Trace) =>
  recordedFrom('endless#0', trace, parseProgram(trace.header.files[0]!.text, 'main.py'));

describe('runs without an end', () => {
  test('are proved by a state that comes again', () => {
    const { endless, entries } = recorded(cut(CODE, flips));
    expect(endless).toMatchObject({ at: 6 });
    expect(endless!.depth).toBe(entries[0]!.tree.depth[6]);
  });

  test('are not proved where values go on changing, the run has ended, or state is hidden', () => {
    expect(recorded(cut(CODE, String)).endless).toBeNull();
    const trace = cut(CODE, flips);
    const error = { ...trace, end: { ...trace.end, status: 'error' as const } };
    expect(recorded(error).endless).toBeNull();
    expect(recorded(cut(CODE.replace('-x', 'next(x)'), flips)).endless).toBeNull();
    expect(recorded(cut(CODE.replace('while x != 5', 'for x in g(x)'), flips)).endless).toBeNull();
  });

  test('jumps that would have to outlive the loop lead nowhere; steps do not', () => {
    const run = recorded(cut(CODE, flips));
    const place = { at: 5, call: false };
    for (const type of ['continue', 'step_return'] as const)
      expect(neverEnds(run, place, { type })).toBe(true);
    expect(neverEnds(run, place, { type: 'step_into' })).toBe(false);
    expect(neverEnds(run, place, { type: 'inv_step_call' })).toBe(false);
    // After the first turn the record may end too soon to show what still comes.
    expect(neverEnds(run, { at: 9, call: false }, { type: 'continue' })).toBe(false);
  });

  test('need programs whose whole state is in their frames', () => {
    expect(isPlain(CODE)).toBe(true);
    expect(isPlain(`import math\n\n\n${CODE}`)).toBe(true);
    for (const line of ['cache = {}', 'class A:\n    seen = []', 'import random'])
      expect(isPlain(`${line}\n${CODE}`)).toBe(false);
    expect(isPlain(CODE.replace('x = -x', 'self.x = -x'))).toBe(false);
    expect(isPlain(CODE.replace('def f(x)', 'def f(x, seen=[])'))).toBe(false);
  });
});
