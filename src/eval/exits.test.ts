import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ExitRow } from '../dataset/exits.ts';
import type { Prediction, Predictor } from '../predictor/types.ts';
import type { Exit, Outcome } from '../state/types.ts';
import { exitsTable, judgeExits, readExits } from './exits.ts';
import { shareText } from './interval.ts';

const row = (exit: Exit, i: number): ExitRow => ({
  id: `exit/p${i}/${exit}/0`,
  code: `def f(x):\n    return ${i} / x\n`,
  calls: [`f(${i})`],
  exit,
  from: `p${i}`,
  made: 'call',
});
const rows = [row('normal', 1), row('normal', 2), row('error', 3), row('never', 4)];

/** Answers by the argument of the call. */
function answering(
  answers: Readonly<Record<string, Partial<Prediction> & { outcome?: Outcome }>>,
): Predictor {
  return {
    name: 'by argument',
    predict: async (batch) =>
      batch.map(({ state, action }): Prediction[] => {
        expect(action.type).toBe('continue');
        const x = state.stack.at(-1)!.locals.get('x')!;
        const base = { outcome: { type: 'state', state } as const, confidence: 1, steps: 1, tokens: 1 };
        return [{ ...base, strategy: 'direct', ...answers[x] }];
      }),
    async close() {},
  };
}
const exit = (name: Exit): { outcome: Outcome } => ({ outcome: { type: 'exit', exit: name } });

describe('how calls end', () => {
  it('is counted by truth and answer; no end is an answer of its own', async () => {
    const predictor = answering({ 1: exit('normal'), 2: exit('error'), 3: exit('error'), 4: {} });
    const result = await judgeExits(rows, predictor, { predict: {} });
    expect(result.accuracy).toMatchObject({ hits: 2, n: 4 });
    expect(result.confusion).toEqual({
      normal: { normal: 1, error: 1, never: 0, none: 0 },
      error: { normal: 0, error: 1, never: 0, none: 0 },
      never: { normal: 0, error: 0, never: 0, none: 1 },
    });
    expect(result.classes.normal).toMatchObject({ hits: 1, n: 2 });
    expect(result.baseline).toMatchObject({ hits: 2, n: 4 });
    expect(exitsTable(result, shareText)).toContain('| normal | 1 | 1 | 0 | 0 | 50.0 % ');
  });

  it('counts an end that came at a limit, and a call that cannot be entered, as none', async () => {
    const late = answering({ 4: { ...exit('never'), truncated: true } });
    expect((await judgeExits([rows[3]!], late, { predict: {} })).accuracy.hits).toBe(0);
    const refused = await judgeExits([{ ...rows[0]!, calls: ['nobody(1)'] }], late, { predict: {} });
    expect(refused).toMatchObject({ refused: 1, accuracy: { hits: 0, n: 1 } });
  });

  it('are read from a set, so many of each, and not from anything else', async () => {
    const path = join(mkdtempSync(join(tmpdir(), 'npdb-exits-')), 'set.jsonl');
    writeFileSync(path, rows.map((r) => `${JSON.stringify(r)}\n`).join(''));
    expect(await readExits(path)).toEqual(rows);
    expect((await readExits(path, 1)).map((r) => r.exit)).toEqual(['normal', 'error', 'never']);
    writeFileSync(path, `${JSON.stringify({ ...rows[0], exit: 'unknown' })}\n`);
    await expect(readExits(path)).rejects.toMatchObject({ code: 'E_EXIT_SET' });
  });
});
