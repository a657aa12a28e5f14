/** The paper's codec on recorded runs: every answer is read back, and allowed by the mask; walks live on their own text. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fixtureTrace } from '../../../test/fixtures.ts';
import { createCpython } from '../../python/cpython.ts';
import { parseTrace } from '../../trace/index.ts';
import { formatValue } from '../../values/index.ts';
import { anyValue } from '../../values/samples.testing.ts';
import { showPieces } from '../pieces.ts';
import type { Trajectory } from '../types.ts';
import { type Case, casesOf } from '../walks.testing.ts';
import { paperCodec as codec } from './codec.ts';
import { answered, compare, relive, revalued, walkOf } from './walks.testing.ts';

function check({ name, situation, outcome }: Case): void {
  compare(name, situation, outcome, answered(name, situation, codec.answer(situation, outcome)));
}

const walks = (policy: string): fc.Arbitrary<Trajectory> =>
  fc
    .nat()
    .map((seed) => walkOf(seed, policy))
    .filter((walk) => walk !== null);

/** Values that are hard on the text: quotes of both languages, escapes, line ends, specials' names, cut ones. */
const hard = fc.oneof(
  fc.constantFrom(
    "'a'...+7",
    '[1, 2, ...+98]',
    '...',
    '"it\'s"',
    "'\\n\\\\'",
    '<|end_of_text|>',
    "'<|src_sep|>'",
  ),
  fc.string({ unit: 'grapheme', maxLength: 6 }).map((value) => formatValue({ type: 'str', value })),
  anyValue.map(formatValue),
);

describe('the paper codec on recorded runs', () => {
  it.each(['total', 'zero', 'error'])('answers about %s without a history', (name) => {
    const path = join(import.meta.dirname, `../../../test/fixtures/language/${name}.jsonl`);
    const trace = parseTrace(readFileSync(path, 'utf8'));
    let count = 0;
    for (const one of casesOf(trace, (n) => n % 67 === 0)) {
      check(one);
      count++;
    }
    expect(count).toBeGreaterThan(40);
  });

  it('answers about a small run, from every call of it', () => {
    let count = 0;
    for (const one of casesOf(fixtureTrace('discount'), (n) => n % 3 === 0)) {
      check(one);
      count++;
    }
    expect(count).toBeGreaterThan(150);
  });

  it.each(['paper', 'paper-inverse', 'steps', 'steps-inverse'])('lives on its own text: %s', (policy) => {
    fc.assert(
      fc.property(walks(policy), (walk) => {
        relive(walk);
      }),
      { numRuns: 12 },
    );
  });

  it.each(['paper', 'paper-inverse'])('carries any values: %s', (policy) => {
    fc.assert(
      // Different values stay different: frames that came to look alike are one to the paper's text, which has no stack.
      fc.property(walks(policy), fc.uniqueArray(hard, { minLength: 8, maxLength: 16 }), (walk, values) => {
        const given = new Map<string, string>();
        const other = (value: string) => {
          const known = given.get(value) ?? values[given.size] ?? value;
          given.set(value, known);
          return known;
        };
        relive(revalued(walk, other));
      }),
      { numRuns: 12 },
    );
  });

  it('trains on the very text that prompts and answers make', () => {
    fc.assert(
      fc.property(fc.constantFrom('paper', 'paper-inverse').chain(walks), ({ programs, steps, end }) => {
        const { shared, blocks } = codec.train({ programs, steps, end });
        expect(shared).toEqual(codec.context(programs));
        expect(blocks).toHaveLength(1);
        const last = { programs, ...steps[steps.length - 1]!, history: steps.slice(0, -1) };
        const all = [...codec.prompt(last), ...codec.answer(last, end)];
        expect(showPieces(blocks[0]!.map(({ piece }) => piece))).toBe(showPieces(all));
        const learnt = steps.flatMap((step, i) => {
          const next = steps[i + 1];
          const situation = { programs, ...step, history: steps.slice(0, i) };
          return codec.answer(situation, next ? { type: 'state', state: next.state } : end);
        });
        expect(blocks[0]!.filter(({ loss }) => loss).map(({ piece }) => piece)).toEqual(learnt);
      }),
      { numRuns: 15 },
    );
  });

  const sets = join(import.meta.dirname, '../../../../shared/data/train');
  it.skipIf(!existsSync(sets))(
    'answers samples of training programs (skipped where they are not at hand)',
    async (test) => {
      const python = await createCpython({ pool: true, workers: 1 }).catch(() => null);
      if (!python) return test.skip('no Python');
      let count = 0;
      try {
        for (const set of ['thealgorithms', 'exercism']) {
          const rows = gunzipSync(readFileSync(join(sets, `${set}.jsonl.gz`)))
            .toString('utf8')
            .trim()
            .split('\n');
          for (let i = 5; i < rows.length; i += Math.ceil(rows.length / 6)) {
            const { id, code, calls } = JSON.parse(rows[i]!) as { id: string; code: string; calls: string[] };
            const request = {
              file: { name: 'main.py', text: code },
              call: calls[0]!,
              id,
              limits: { events: 300 },
            };
            const { trace } = await python.run(request);
            if (trace.end.status === 'cut') continue;
            for (const one of casesOf(trace, (n) => n % 499 === 0)) {
              check(one);
              count++;
            }
          }
        }
      } finally {
        await python.close();
      }
      expect(count).toBeGreaterThan(50);
    },
  );
});
