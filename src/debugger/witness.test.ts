import { describe, expect, it } from 'vitest';
import type { PythonRuntime, RunResult } from '../python/types.ts';
import { parseProgram } from '../source/index.ts';
import { checkCandidates } from './inverse.ts';

const program = parseProgram('def f(x):\n    return [x]\n');
const candidate = { call: 'f(x=1)', arguments: new Map([['x', '1']]), confidence: 1 };

/** A runtime whose run gives `[1]`, and says whose word that is. */
function runtime(reads: boolean, witness?: 'host' | 'program'): PythonRuntime {
  const end = { e: 'end', status: 'normal', value: '[1]', events: 0 } as const;
  const result = { trace: { header: {}, events: [], end }, probes: [], ...(witness ? { witness } : {}) };
  return {
    name: 'fake',
    protection: 'none',
    reads,
    run: async () => result as unknown as RunResult,
    close: async () => {},
  };
}

describe('the check of a proposal', () => {
  it.each([
    ['what the host read itself', runtime(true, 'host'), true],
    ['a trusted interpreter', runtime(false), true],
    ['what a stranger’s program says of itself', runtime(true, 'program'), undefined],
  ])('with %s: %s', async (_, checking, expected) => {
    const [checked] = await checkCandidates(program, '[1]', [candidate], checking);
    expect(checked).toMatchObject({ gives: '[1]' });
    expect(checked!.checked).toBe(expected);
  });

  it('finds another value wrong, whoever says it', async () => {
    const [checked] = await checkCandidates(program, '[2]', [candidate], runtime(true, 'program'));
    expect(checked!.checked).toBe(false);
  });
});
