/** The compact codec on recorded runs: every answer is read back, and allowed by the mask. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { createCpython } from '../../python/cpython.ts';
import type { State } from '../../state/types.ts';
import { parseTrace } from '../../trace/index.ts';
import { VocabularyMask } from '../mask.ts';
import { showPieces } from '../pieces.ts';
import { type Case, casesOf } from '../walks.testing.ts';
import { compactCodec as codec } from './codec.ts';
import { carried } from './samples.testing.ts';
import { compactTokenizer as tokenizer } from './tokenizer.ts';

const mask = new VocabularyMask(tokenizer);

/** Frames without their numbers and suspended generators: all else must come out of the fold as in the recording. */
function folded({ stack }: State): unknown {
  return stack.map(({ id: _, locals, globals, ...frame }) => ({
    ...frame,
    locals: new Map([...locals].sort()),
    globals: new Map([...globals].sort()),
  }));
}

function check({ name, situation, outcome }: Case): void {
  const ids = tokenizer.encode(codec.answer(situation, outcome));
  const parsed = codec.parse(situation, tokenizer.decode(ids)).outcome;
  // Far faster than `toEqual` where all is well.
  if (!isDeepStrictEqual(carried(parsed), carried(outcome))) {
    expect(carried(parsed), name).toEqual(carried(outcome));
  }
  const step = situation.action.type === 'step_into';
  if (step && parsed.type === 'state' && outcome.type === 'state') {
    if (!isDeepStrictEqual(folded(parsed.state), folded(outcome.state))) {
      expect(folded(parsed.state), name).toEqual(folded(outcome.state));
    }
  }
  let state = codec.mask(situation);
  ids.forEach((id, index) => {
    if (mask.allowed(state)[id] !== 1) {
      expect.fail(`${name}: forbidden ${showPieces(tokenizer.decode(ids.slice(0, index + 1)))}`);
    }
    state = mask.advance(state, id)!;
  });
  expect(state.done, name).toBe(true);
}

describe('the compact codec on recorded runs', () => {
  it.each(['total', 'zero', 'error'])('answers everything about %s', (name) => {
    const path = join(import.meta.dirname, `../../../test/fixtures/language/${name}.jsonl`);
    const trace = parseTrace(readFileSync(path, 'utf8'));
    let count = 0;
    for (const one of casesOf(trace, (n) => n % 23 === 0)) {
      check(one);
      count++;
    }
    expect(count).toBeGreaterThan(100);
  });

  const sets = join(import.meta.dirname, '../../../../shared/data/train');
  it.skipIf(!existsSync(sets))(
    'answers samples of training programs (skipped where they are not at hand)',
    async (test) => {
      const python = await createCpython({ pool: true, workers: 1 }).catch(() => null);
      if (!python) return test.skip('no Python');
      try {
        for (const set of ['thealgorithms', 'exercism']) {
          const rows = gunzipSync(readFileSync(join(sets, `${set}.jsonl.gz`)))
            .toString('utf8')
            .trim()
            .split('\n');
          for (let i = 2; i < rows.length; i += Math.ceil(rows.length / 8)) {
            const { id, code, calls } = JSON.parse(rows[i]!) as { id: string; code: string; calls: string[] };
            const request = {
              file: { name: 'main.py', text: code },
              call: calls[0]!,
              id,
              limits: { events: 400 },
            };
            const { trace } = await python.run(request);
            if (trace.end.status === 'cut') continue;
            for (const one of casesOf(trace, (n) => n % 997 === 0)) check(one);
          }
        }
      } finally {
        await python.close();
      }
    },
  );
});
