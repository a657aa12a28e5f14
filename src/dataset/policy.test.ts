import { describe, expect, test } from 'vitest';
import { Random } from '../common/random.ts';
import type { ActionType } from '../state/types.ts';
import { recorded } from './fixtures.testing.ts';
import { actionOf, drawType, POLICY_NAMES, policyOf, walkPolicies } from './policy.ts';

const DRAWS = 20_000;

function frequencies(name: string): Partial<Record<ActionType, number>> {
  const random = new Random('frequencies', name);
  const policy = policyOf(name);
  const counts: Partial<Record<ActionType, number>> = {};
  for (let i = 0; i < DRAWS; i++) {
    const type = drawType(policy, random);
    counts[type] = (counts[type] ?? 0) + 1 / DRAWS;
  }
  return counts;
}

describe('policies', () => {
  test("the paper's: half from its mixed weights renormalised, half from equal steps", () => {
    const drawn = frequencies('paper');
    const wanted = {
      step_into: 0.5 * (0.35 / 0.8) + 0.25,
      step_over: 0.5 * (0.1 / 0.8) + 0.25,
      step_return: 0.5 * (0.2 / 0.8),
      breakpoint: 0.5 * (0.1 / 0.8),
      continue: 0.5 * (0.05 / 0.8),
    };
    expect(Object.keys(drawn).sort()).toEqual(Object.keys(wanted).sort());
    for (const [type, share] of Object.entries(wanted))
      expect(Math.abs(drawn[type as ActionType]! - share)).toBeLessThan(0.012);
  });

  test('inverse ones only go backwards, forward ones never do', () => {
    for (const name of POLICY_NAMES) {
      const { direction } = policyOf(name);
      const backward = Object.keys(frequencies(name)).map((type) => type.startsWith('inv_'));
      if (direction === 'inverse') expect(backward).not.toContain(false);
      if (direction === 'forward') expect(backward).not.toContain(true);
    }
  });

  test('compact draws its shares', () => {
    const drawn = frequencies('compact');
    const wanted = {
      step_into: 0.45,
      step_over: 0.2,
      step_return: 0.07,
      breakpoint: 0.07,
      continue: 0.06,
      inv_step_into: 0.05,
      inv_step_over: 0.04,
      inv_step_call: 0.06,
    };
    for (const [type, share] of Object.entries(wanted))
      expect(Math.abs(drawn[type as ActionType]! - share)).toBeLessThan(0.012);
  });

  test('an unknown name, or a step policy for walks, is an error', () => {
    expect(() => policyOf('best')).toThrowError(expect.objectContaining({ code: 'E_POLICY' }));
    expect(() => walkPolicies('compact')).toThrowError(expect.objectContaining({ code: 'E_POLICY' }));
    expect(walkPolicies('paper').map((p) => p.name)).toEqual(['paper', 'paper-inverse']);
    expect(walkPolicies('paper-inverse').map((p) => p.name)).toEqual(['paper-inverse']);
  });

  test('breakpoints: half on lines visited later, half on any line of a function', () => {
    const run = recorded('loop#0');
    const entry = run.entries.find((e) => e.level === 'main')!;
    // From its last state nothing is visited later: any executable line.
    const random = new Random('lines');
    const from = (at: number) =>
      Array.from({ length: 2000 }, () => actionOf('breakpoint', run, entry, at, random)).map((a) =>
        a.type === 'breakpoint' ? a.line : 0,
      );
    expect([...new Set(from(entry.tree.end - 1))].sort()).toEqual([2, 3, 4, 5, 7, 8]);
    // From its first state, line 3 is visited 5 times out of the 15 states after it.
    const share = from(entry.at).filter((line) => line === 3).length / 2000;
    const later = Array.from(
      { length: entry.tree.end - entry.at - 1 },
      (_, i) => entry.tree.line[entry.at + 1 + i],
    );
    const wanted = 0.5 * (later.filter((line) => line === 3).length / later.length) + 0.5 / 6;
    expect(Math.abs(share - wanted)).toBeLessThan(0.05);
  });
});
