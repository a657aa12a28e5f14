import { readFileSync } from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import { fixtureRecording, fixtureTrace } from '../../test/fixtures.ts';
import type { PythonRuntime, RunRequest } from '../python/types.ts';
import { sameOutcome } from '../state/index.ts';
import type { Action, Outcome } from '../state/types.ts';
import type { Trace, TraceEnd, TraceEvent, TraceHeader } from '../trace/types.ts';
import { Breakpoints } from './breakpoints.ts';
import { ComparedDebugger } from './compared.ts';
import { continueTo, reverseContinue, stateOf, stepTo, until } from './control.ts';
import { fakePredictor } from './fake.ts';
import { NeuralDebugger } from './neural.ts';
import { RecordedDebugger } from './recorded.ts';
import { start } from './start.ts';
import type { Debugger, Position } from './types.ts';

const recording = fixtureRecording('discount');
const trace = fixtureTrace('discount');
const text = trace.header.files[0]!.text;
const { programs, state } = start(text, trace.header.call);

/** One of the traces in `walks.jsonl`. */
function walksTrace(id: string): Trace {
  const path = new URL('../../test/fixtures/traces/walks.jsonl', import.meta.url);
  const lines = readFileSync(path, 'utf8').trim().split('\n');
  const records = lines.map((line) => JSON.parse(line) as TraceHeader | TraceEvent | TraceEnd);
  const first = records.findIndex((r) => r.e === 'header' && r.id === id);
  const last = records.findIndex((r, i) => i > first && r.e === 'end');
  return {
    header: records[first] as TraceHeader,
    events: records.slice(first + 1, last) as TraceEvent[],
    end: records[last] as TraceEnd,
  };
}

/** A runtime that always gives the committed trace: for what needs no second run. */
function replaying(): PythonRuntime & { requests: RunRequest[] } {
  const requests: RunRequest[] = [];
  return {
    name: 'fixture',
    protection: 'nothing runs',
    requests,
    async run(request) {
      requests.push(request);
      return { trace, probes: [] };
    },
    async close() {},
  };
}

const recorded = () =>
  RecordedDebugger.start({
    programs,
    runtime: replaying(),
    request: { file: { name: 'main.py', text }, call: trace.header.call! },
    entry: 'function',
  });
const neural = (wrong?: (outcome: Outcome) => Outcome) =>
  new NeuralDebugger({ programs, initial: state, predictor: fakePredictor(recording, wrong) });

const where = (p: Position) =>
  p.outcome.type === 'state'
    ? `${p.outcome.state.kind} ${p.outcome.state.stack.at(-1)!.fn}:${p.outcome.state.stack.at(-1)!.line}`
    : p.outcome.type;

async function walk(debug: Debugger, ...types: Action['type'][]): Promise<string[]> {
  const seen = [];
  for (const type of types) seen.push(where(await debug.act({ type } as Action)));
  return seen;
}

describe.each([
  ['recorded', recorded],
  ['neural, answering from the recording', async () => neural()],
  ['compared', async () => new ComparedDebugger(neural(), await recorded())],
] as const)('the engine that is %s', (_, open) => {
  let debug: Debugger;
  beforeEach(async () => {
    debug = await open();
  });

  it('begins at the call', () => {
    expect(where(debug.current)).toBe('call total:7');
    expect(debug.current.id).toBe(0);
  });

  it('steps into calls and back out', async () => {
    expect(await walk(debug, 'step_into', 'step_into', 'step_into', 'step_into', 'step_into')).toEqual([
      'line total:8',
      'line total:9',
      'line total:10',
      'call cut:1',
      'line cut:2',
    ]);
    expect(await walk(debug, 'step_return', 'step_over')).toEqual(['return cut:3', 'line total:9']);
  });

  it('steps over calls', async () => {
    expect(await walk(debug, 'step_over', 'step_over', 'step_over', 'step_over')).toEqual([
      'line total:8',
      'line total:9',
      'line total:10',
      'line total:9',
    ]);
  });

  it('walks back the way it came, through the call', async () => {
    await walk(debug, 'step_over', 'step_over', 'step_over', 'step_over');
    expect(await walk(debug, 'inv_step_into', 'inv_step_into', 'inv_step_over')).toEqual([
      'line_call total:10',
      'return cut:3',
      'line cut:3',
    ]);
  });

  it('goes to the end and stays there, and back from it', async () => {
    expect(await walk(debug, 'continue', 'step_into', 'continue')).toEqual(['exit', 'exit', 'exit']);
    expect(debug.current.outcome).toMatchObject({ exit: 'normal' });
    const [back] = await walk(debug, 'inv_step_into');
    expect(back).not.toBe('exit');
  });

  it('goes before the entry and stays there', async () => {
    expect(await walk(debug, 'inv_step_into', 'inv_step_over')).toEqual(['entry', 'entry']);
  });

  it('keeps positions, and goes back to any of them', async () => {
    await walk(debug, 'step_over', 'step_over');
    expect(where(debug.goto(1))).toBe('line total:8');
    expect(await walk(debug, 'step_over')).toEqual(['line total:9']);
    expect(() => debug.goto(99)).toThrow(/no position 99/);
  });

  it('evaluates over the values that are shown', async () => {
    await walk(debug, 'step_over', 'step_over');
    expect(await debug.evaluate('len(prices) + discount')).toMatchObject({ type: 'value', value: '6' });
  });

  it('stops at breakpoints whose condition holds, and counts hits', async () => {
    const points = new Breakpoints();
    const point = points.add(programs[0]!, 10, { condition: 'price == 9' });
    const stop = await continueTo(debug, points);
    // As in bdb, a hit counts whether or not the condition holds.
    expect([where(stop.position), stop.reason, point.hits]).toEqual(['line total:10', 'breakpoint', 3]);
    expect(await debug.evaluate('price')).toMatchObject({ value: '9' });
    expect((await continueTo(debug, points)).reason).toBe('end');
  });

  it('passes over ignored hits, and drops temporary breakpoints', async () => {
    const points = new Breakpoints();
    points.add(programs[0]!, 10, { temporary: true }).ignore = 1;
    await continueTo(debug, points);
    expect(await debug.evaluate('price')).toMatchObject({ value: '2' });
    expect(points.all).toHaveLength(0);
  });

  it('runs backwards to a breakpoint', async () => {
    const points = new Breakpoints();
    points.add(programs[0]!, 11);
    await continueTo(debug, points);
    points.clear();
    points.add(programs[0]!, 2);
    expect(where((await reverseContinue(debug, points)).position)).toBe('line cut:2');
    expect(await debug.evaluate('price')).toMatchObject({ value: '9' });
  });

  it('stops next, return and until at a breakpoint on the way', async () => {
    const points = new Breakpoints();
    await walk(debug, 'step_over', 'step_over', 'step_over');
    const from = debug.current.id;
    points.add(programs[0]!, 3);
    for (const go of [
      () => stepTo(debug, 'step_over', points),
      () => stepTo(debug, 'step_return', points),
      () => until(debug, points),
    ]) {
      debug.goto(from);
      const stop = await go();
      expect([where(stop.position), stop.reason]).toEqual(['line cut:3', 'breakpoint']);
    }
    expect(where((await stepTo(debug, 'step_over', points)).position)).toBe('return cut:3');
    expect(where((await stepTo(debug, 'step_over', points)).position)).toBe('line total:9');
  });

  it('goes where the actions go when no breakpoint is met', async () => {
    const points = new Breakpoints();
    points.add(programs[0]!, 8, { condition: 'False' });
    // Every state of the run, and both motions from it: with and without a breakpoint that never holds.
    for (let at = 1; at < recording.tree.end - recording.tree.first; at += 1) {
      const from = (await debug.act({ type: 'step_into' })).id;
      for (const type of ['step_over', 'step_return'] as const) {
        const plain = await debug.act({ type });
        debug.goto(from);
        const walked = await stepTo(debug, type, points);
        debug.goto(from);
        expect([where(walked.position), type, at]).toEqual([where(plain), type, at]);
      }
    }
  });

  it('until refuses a line that is not ahead', async () => {
    await walk(debug, 'step_over', 'step_over');
    await expect(until(debug, new Breakpoints(), 8)).rejects.toThrow(
      '"until" line number is smaller than current line number',
    );
  });

  it('until stops below the loop', async () => {
    await walk(debug, 'step_over', 'step_over', 'step_over');
    expect(where((await until(debug, new Breakpoints())).position)).toBe('line total:11');
  });
});

describe('the neural engine', () => {
  it('sets a local without running anything', async () => {
    const debug = neural();
    await walk(debug, 'step_over', 'step_over');
    const position = await debug.set({ name: 'result', value: '10' });
    expect(position).toMatchObject({ origin: 'edited', edit: { name: 'result', value: '10' } });
    expect(await debug.evaluate('result + 1')).toMatchObject({ value: '11', predicted: true });
  });

  it('does not guess what needs code to run', async () => {
    expect((await neural().evaluate('cut(1, 2)')).type).toBe('unknown');
  });

  it('refuses to check inputs where nothing may run', async () => {
    await expect(neural().inverse('8', { check: true })).rejects.toMatchObject({ code: /E_/ });
  });
});

describe('the compared engine', () => {
  /** Errs in every state inside the loop. */
  const wrong = (outcome: Outcome): Outcome => {
    if (outcome.type !== 'state') return outcome;
    const top = outcome.state.stack.at(-1)!;
    if (top.line !== 9) return outcome;
    const locals = new Map(top.locals).set('result', '999');
    return {
      type: 'state',
      state: { ...outcome.state, stack: [...outcome.state.stack.slice(0, -1), { ...top, locals }] },
    };
  };

  it('says where the two part, part by part', async () => {
    const debug = new ComparedDebugger(neural(wrong), await recorded());
    await walk(debug, 'step_over');
    expect(debug.current.differences).toEqual([]);
    await walk(debug, 'step_over');
    expect(debug.current.differences).toEqual([
      { part: 'local', name: 'result', predicted: '999', real: '0' },
    ]);
  });

  it('sets the model back on the real state where asked to', async () => {
    const debug = new ComparedDebugger(neural(wrong), await recorded(), { resync: true });
    await walk(debug, 'step_over', 'step_over', 'step_over');
    expect(debug.current.differences).toEqual([]);
  });
});

describe('the recorded engine', () => {
  it.each(['generator', 'unwinding', 'callbacks'])('goes where the actions go in %s', async (id) => {
    const walks = walksTrace(id);
    const code = walks.header.files[0]!.text;
    const { call } = walks.header;
    const begin = start(code, call);
    const debug = await RecordedDebugger.start({
      programs: begin.programs,
      runtime: { ...replaying(), run: async () => ({ trace: walks, probes: [] }) },
      request: { file: { name: 'main.py', text: code }, ...(call === undefined ? {} : { call }) },
      entry: begin.entry,
    });
    const points = new Breakpoints();
    points.add(begin.programs[0]!, begin.programs[0]!.scopes[0]!.line, { condition: 'False' });
    let compared = 0;
    while (debug.current.outcome.type === 'state') {
      const from = debug.current.id;
      for (const type of ['step_over', 'step_return'] as const) {
        // From its end pdb's `return` leads to the caller; the action may meet another call of its line first.
        if (type === 'step_return' && stateOf(debug.current.outcome)!.kind === 'return') continue;
        const plain = (await debug.act({ type })).outcome;
        debug.goto(from);
        const walked = (await stepTo(debug, type, points)).position.outcome;
        debug.goto(from);
        expect(sameOutcome(walked, plain), `${type} from ${where(debug.current)}`).toBe(true);
        compared += 1;
      }
      await debug.act({ type: 'step_into' });
    }
    expect(compared).toBeGreaterThan(20);
  });

  it('walks as far as the recording goes', async () => {
    const debug = await recorded();
    const { current } = debug;
    let moves = 0;
    const far: Debugger = Object.assign(Object.create(debug) as Debugger, {
      act: async () =>
        (moves += 1) < 25_000 ? current : { ...current, outcome: { type: 'exit', exit: 'normal' } },
    });
    Object.defineProperty(far, 'engine', { value: 'recorded' });
    const points = new Breakpoints();
    points.add(programs[0]!, 10, { condition: 'False' });
    expect((await continueTo(far, points)).reason).toBe('end');
    expect(moves).toBe(25_000);
  });

  it('says that it cannot propose inputs', async () => {
    await expect((await recorded()).inverse()).rejects.toMatchObject({ code: 'E_NEEDS_MODEL' });
  });

  it('does not pretend to know what follows a cut', async () => {
    const cut = {
      ...trace,
      events: trace.events.slice(0, 12),
      end: { e: 'end', status: 'cut', reason: 'events', events: 12 },
    } as const;
    const debug = await RecordedDebugger.start({
      programs,
      runtime: { ...replaying(), run: async () => ({ trace: cut, probes: [] }) },
      request: { file: { name: 'main.py', text }, call: trace.header.call! },
      entry: 'function',
    });
    await expect(debug.act({ type: 'continue' })).rejects.toMatchObject({ code: 'E_CUT' });
  });

  it('says so where the call was never reached', async () => {
    const failed = {
      ...trace,
      events: trace.events.slice(0, 3),
      end: { e: 'end', status: 'error', exception: "ImportError('x')", events: 3 },
    } as const;
    const open = RecordedDebugger.start({
      programs,
      runtime: { ...replaying(), run: async () => ({ trace: failed, probes: [] }) },
      request: { file: { name: 'main.py', text }, call: trace.header.call! },
      entry: 'function',
    });
    await expect(open).rejects.toMatchObject({ code: 'E_NOT_REACHED', message: /ImportError/ });
  });

  it('gives every state of the recording by single steps', async () => {
    const debug = await recorded();
    const { tree } = recording;
    for (let at = tree.first + 1; at < tree.end; at += 1) {
      const { outcome } = await debug.act({ type: 'step_into' });
      expect(sameOutcome(outcome, { type: 'state', state: recording.state({ at, call: false }) })).toBe(true);
    }
  });
});
