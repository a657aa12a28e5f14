import { describe, expect, test } from 'vitest';
import { Random } from '../common/random.ts';
import { sameOutcome, topOf } from '../state/index.ts';
import type { Action, Outcome, State } from '../state/types.ts';
import { allRecorded, recorded } from './fixtures.testing.ts';
import { policyOf } from './policy.ts';
import { drawStep, eventfulSteps } from './steps.ts';
import { endOf, sampleTrajectory, stateAt } from './trajectory.ts';
import type { Recorded } from './types.ts';

const runs = allRecorded();
const entries = runs.flatMap((run) => run.entries.map((entry) => ({ run, entry })));

describe('entries', () => {
  test("are the line of the call, the functions it calls, and the calls below; the module's own are not", () => {
    const levels = recorded('recursion#0').entries.map(
      ({ level, at }) => `${level} ${recorded('recursion#0').trace.events[at]!.fn}`,
    );
    expect(levels).toEqual(
      ['call <call>', 'main main', ...Array.from({ length: 7 }, () => 'inner fact')].slice(0, levels.length),
    );
    expect(levels.length).toBeGreaterThan(5);
    expect(recorded('broken#0').entries).toEqual([]);
    const fns = recorded('generator#0').entries.map(({ at }) => recorded('generator#0').trace.events[at]!.fn);
    expect(fns).toEqual(['<call>', 'f']);
  });
});

describe('walks', () => {
  test('only step_into gives the recorded sequence of the call', () => {
    for (const { run, entry } of entries) {
      const walk = sampleTrajectory(run, entry, policyOf('steps'), new Random('all'), 1000)!;
      const cut = entry.tree.exit === 'unknown';
      expect(walk.steps.length).toBe(entry.tree.size - (cut ? 1 : 0));
      walk.steps.forEach(({ state }, i) => {
        expect(
          sameOutcome(
            { type: 'state', state },
            { type: 'state', state: stateAt(run, entry, { at: entry.at + i, call: false }) },
          ),
        ).toBe(true);
      });
      expect(walk.end.type).toBe(cut ? 'state' : 'exit');
    }
  });

  test('never show frames below their entry, and end in the exit that the call had', () => {
    const random = new Random('walks');
    for (const { run, entry } of entries) {
      for (let n = 0; n < 4; n++) {
        const walk = sampleTrajectory(run, entry, policyOf('paper'), random, 20);
        if (!walk) continue;
        expect(walk.steps.length).toBeLessThanOrEqual(20);
        expect(walk.steps[0]!.state.stack).toHaveLength(1);
        expect(walk.steps[0]!.state.kind).toBe('call');
        if (walk.end.type === 'exit') expect(walk.end.exit).toBe(entry.tree.exit);
      }
    }
  });

  test('an uncaught exception ends its call in an error', () => {
    const run = recorded('raises#2');
    const [main] = run.entries.filter((e) => e.level === 'main');
    expect(main!.tree.exit).toBe('error');
    const walk = sampleTrajectory(run, main!, policyOf('steps'), new Random('error'), 1000)!;
    expect(walk.end).toMatchObject({ type: 'exit', exit: 'error' });
  });

  test('backward ones begin where the call ended, half of them knowing only the value, and come to the entry', () => {
    const random = new Random('inverse');
    let unknown = 0;
    let all = 0;
    let atEntry = 0;
    for (const { run, entry } of entries) {
      for (let n = 0; n < 4; n++) {
        const walk = sampleTrajectory(run, entry, policyOf('paper-inverse'), random, 400);
        if (endOf(entry) < 0) {
          expect(walk).toBeNull();
          continue;
        }
        const first = walk!.steps[0]!.state;
        expect(['return', 'exception']).toContain(first.kind);
        expect(first.value).toBeDefined();
        all++;
        if (!first.stack.at(-1)!.known) {
          unknown++;
          expect(first.stack.at(-1)!.locals.size).toBe(0);
        }
        if (walk!.end.type === 'entry') atEntry++;
        for (const { state } of walk!.steps.slice(1)) expect(state.stack.at(-1)!.known).toBe(true);
      }
    }
    expect(unknown / all).toBeGreaterThan(0.4);
    expect(unknown / all).toBeLessThan(0.6);
    expect(atEntry).toBe(all);
  });

  test('the same seed gives the same walk', () => {
    const { run, entry } = entries[3]!;
    const walk = (seed: number) =>
      sampleTrajectory(run, entry, policyOf('paper'), new Random(seed))!.steps.map((s) => s.action);
    expect(walk(1)).toEqual(walk(1));
    expect(
      Array.from({ length: 10 }, (_, i) => JSON.stringify(walk(i))).every(
        (w) => w === JSON.stringify(walk(1)),
      ),
    ).toBe(false);
  });
});

describe('single steps', () => {
  const policy = policyOf('compact');

  test('lead where the tree leads', () => {
    const random = new Random('steps');
    for (const run of runs) {
      for (let n = 0; n < 25; n++) {
        const step = drawStep(run, policy, random);
        if (!step || !topOf(step.situation.state).known) continue;
        const { state, action } = step.situation;
        expect(reachable(run, state, action, step.outcome)).toBe(true);
      }
    }
  });

  test('come in all kinds: states, exits, the entry, from known and unknown locals', () => {
    const random = new Random('kinds');
    const seen = new Set<string>();
    for (const run of runs) {
      for (let n = 0; n < 150; n++) {
        const step = drawStep(run, policy, random);
        if (!step) continue;
        const { state, action } = step.situation;
        const exit = step.outcome.type === 'exit' ? step.outcome.exit : step.outcome.type;
        seen.add(`${action.type}:${exit}`);
        if (!state.stack.at(-1)!.known) seen.add(`${action.type}:unknown`);
        seen.add(state.kind);
      }
    }
    const wanted =
      'step_into:state step_into:normal step_into:error step_over:state step_return:state breakpoint:state breakpoint:normal continue:normal ' +
      'continue:error inv_step_into:state inv_step_into:entry inv_step_into:unknown inv_step_over:state inv_step_call:state inv_step_call:entry ' +
      'inv_step_call:unknown call line return exception yield resume line_call';
    expect([...seen]).toEqual(expect.arrayContaining(wanted.split(' ')));
  });

  test('favour what changes: far more of the steps change something than of the states', () => {
    const run = recorded('while#0');
    const random = new Random('favour');
    const only = policyOf('steps');
    let changing = 0;
    for (let n = 0; n < 500; n++) {
      const step = drawStep(run, only, random)!;
      const { outcome, situation } = step;
      if (
        outcome.type === 'state' &&
        outcome.state.stack.at(-1)!.locals !== situation.state.stack.at(-1)!.locals
      )
        changing++;
    }
    const { tree } = run.entries[0]!;
    expect(changing / 500).toBeGreaterThan(eventfulSteps(run) / tree.size);
  });

  /** Whether some place of the recording has this state, and the action leads from there to this outcome. */
  function reachable(run: Recorded, state: State, action: Action, outcome: Outcome): boolean {
    for (const entry of run.entries) {
      for (let at = entry.tree.first; at < entry.tree.end; at++) {
        for (const call of [false, true]) {
          if (call !== (state.kind === 'line_call')) continue;
          const here = stateAt(run, entry, { at, call });
          if (!sameOutcome({ type: 'state', state: here }, { type: 'state', state })) continue;
          const move = entry.tree.move({ at, call }, action);
          const to: Outcome | null =
            move.type === 'place'
              ? { type: 'state', state: stateAt(run, entry, move.place) }
              : move.type === 'entry'
                ? { type: 'entry' }
                : move.exit === 'unknown'
                  ? null
                  : { type: 'exit', exit: move.exit };
          if (to && sameOutcome(to, outcome)) return true;
        }
      }
    }
    return false;
  }
});
