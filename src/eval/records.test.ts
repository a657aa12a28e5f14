import { appendFileSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fixtureRecording } from '../../test/fixtures.ts';
import { fakePredictor } from '../debugger/fake.ts';
import type { Predictor } from '../predictor/types.ts';
import type { Outcome } from '../state/types.ts';
import { baselinePredictor } from './baseline.ts';
import { constructOf } from './construct.ts';
import { byConstruct, byLength, bySkipped } from './groups.ts';
import { reportHtml } from './html/index.ts';
import { nextState } from './nextState.ts';
import { keyOf, type StateRecord } from './record.ts';
import { type Asked, openRecords, readRecords } from './recordFile.ts';
import { reportMarkdown } from './report.ts';

const recording = fixtureRecording('discount');
const asked: Asked = {
  model: 'a <script>alert(1)</script> model',
  weights: 'abc',
  programs: '1, def',
  strategy: 'direct',
  seed: 1,
  mask: true,
  maxSteps: 400,
};
const options = { limit: 10, seed: 1, predict: {}, actions: ['step_into', 'step_return'] as const };

/** Every second answer has a local too many, of a hostile name and value. */
function erring(): Predictor {
  let n = 0;
  const wrong = (outcome: Outcome): Outcome => {
    if (outcome.type !== 'state' || n++ % 2) return outcome;
    const top = outcome.state.stack.at(-1)!;
    const locals = new Map(top.locals).set('ghost', "'<img src=x onerror=alert(1)>'");
    return {
      type: 'state',
      state: { ...outcome.state, stack: [...outcome.state.stack.slice(0, -1), { ...top, locals }] },
    };
  };
  return fakePredictor(recording, wrong);
}

async function judged(more: { known?: ReadonlyMap<string, StateRecord>; predictor?: Predictor } = {}) {
  const records: StateRecord[] = [];
  const asked: StateRecord[] = [];
  const scores = await nextState([recording], more.predictor ?? erring(), baselinePredictor(), {
    ...options,
    ...(more.known && { known: more.known }),
    onJudged: (record) => records.push(record),
    onRecord: (record) => asked.push(record),
  });
  return { records, asked, scores };
}

const file = () => join(mkdtempSync(join(tmpdir(), 'npdb-records-')), 'states.jsonl');

describe('judged states', () => {
  it('say what was wrong, with the states beside; right ones only that', async () => {
    const { records } = await judged();
    const wrong = records.filter((r) => !r.right);
    expect(wrong.length).toBeGreaterThan(2);
    for (const { wrong: parts, shown } of wrong) {
      expect(parts).toEqual(['local']);
      expect(shown!.predicted!.locals).toHaveProperty('ghost');
      expect(shown!.real.locals).not.toHaveProperty('ghost');
    }
    for (const r of records.filter((r) => r.right)) expect(r).toMatchObject({ wrong: [] });
    expect(records.some((r) => r.right && r.shown)).toBe(false);
    expect(new Set(records.map(keyOf)).size).toBe(records.length);
  });

  it('are read back, and only the others asked: the figures are those of one run', async () => {
    const path = file();
    const whole = await judged();
    const first = openRecords(path, asked);
    for (const record of whole.records.slice(0, 7)) first.append(record);
    // Killed within a line.
    appendFileSync(path, '{"id":"discou');
    const again = openRecords(path, asked);
    expect(again.known.size).toBe(7);
    const rest = await judged({ known: again.known });
    expect(rest.asked).toHaveLength(whole.records.length - 7);
    for (const record of rest.asked) again.append(record);
    expect(readRecords(path).records.map(keyOf)).toEqual(whole.records.map(keyOf));
    const silent: Predictor = {
      name: 'asked for nothing',
      predict: () => Promise.reject(new Error('asked')),
      close: async () => {},
    };
    const known = openRecords(path, asked).known;
    const { scores } = await judged({ known, predictor: silent });
    for (const type of options.actions) {
      const records = [...known.values()].filter((r) => r.action === type);
      expect(scores[type]!.interval).toMatchObject({
        n: records.length,
        hits: records.filter((r) => r.right).length,
      });
    }
  });

  it('of another question are not mixed in, nor overwritten; nor is a file of another kind', () => {
    const path = file();
    openRecords(path, asked);
    expect(() => openRecords(path, { ...asked, seed: 2 })).toThrow(/its seed differs/);
    writeFileSync(path, 'shopping list\n');
    expect(() => openRecords(path, asked)).toThrow(expect.objectContaining({ code: 'E_RECORDS' }));
    expect(readFileSync(path, 'utf8')).toBe('shopping list\n');
  });
});

describe('kinds of statements', () => {
  const of = (line: number, kind: 'line' | 'call' | 'return' = 'line') => {
    const at = Array.from(
      { length: recording.tree.end - recording.tree.first },
      (_, i) => recording.tree.first + i,
    );
    return at
      .map((at) => recording.state({ at, call: false }))
      .filter((s) => s.kind === kind && s.stack.at(-1)!.line === line);
  };

  it('are told from the line, the event, and the turn of the loop', () => {
    const { programs } = recording;
    const lines = programs[0]!.lines;
    const seen = new Map<string, string[]>();
    lines.forEach((text, i) => {
      for (const state of of(i + 1)) {
        const found = seen.get(text.trim()) ?? [];
        seen.set(text.trim(), [...found, constructOf(state, programs)]);
      }
    });
    for (const [text, found] of seen) {
      if (text.startsWith('for ')) expect(found.slice(0, 2), text).toEqual(['for, first', 'for, next']);
      else if (text.startsWith('if ')) expect(new Set(found), text).toEqual(new Set(['if']));
      else if (text.startsWith('return ')) expect(found[0], text).toMatch(/^(?:return|own call)$/);
    }
    expect([...seen.values()].flat()).toContain('for, first');
    const call = recording.state({ at: recording.tree.first, call: false });
    expect(constructOf(call, programs)).toBe('call');
  });
});

describe('a report', () => {
  it('counts every state once in each division', async () => {
    const { records } = await judged();
    for (const by of [byConstruct, byLength, bySkipped]) {
      const groups = by(records);
      expect(groups.reduce((sum, g) => sum + g.right.n, 0)).toBe(records.length);
      expect(groups.reduce((sum, g) => sum + g.right.hits, 0)).toBe(records.filter((r) => r.right).length);
    }
  });

  it('is one page that loads nothing and runs nothing, whatever programs and models say', async () => {
    const { records } = await judged();
    const html = reportHtml({ asked, records });
    expect(html).not.toMatch(/<script|<img|<link|<iframe|\bsrc=(?!x onerror)|\bhref=|url\(|@import|https?:/i);
    expect(html).toContain('&lt;img src=x onerror=alert(1)&gt;');
    for (const part of [
      'step_into',
      'step_return',
      'reliability',
      'local ghost ≠',
      'for, next',
      '<svg role="img"',
    ])
      expect(html).toContain(part);
    const opened = html.match(/<(?:svg|table|figure|details|div|pre)\b/g)!.length;
    expect(html.match(/<\/(?:svg|table|figure|details|div|pre)>/g)).toHaveLength(opened);
    expect(html).not.toMatch(/NaN|undefined/);
  });

  it('has the same figures as Markdown', async () => {
    const { records, scores } = await judged();
    const text = reportMarkdown({ asked, records });
    expect(text).toContain(
      `| step_into | ${scores.step_into!.n} | ${(100 * scores.step_into!.exact_match).toFixed(1)} % [`,
    );
    expect(text).toContain('## By statement');
  });
});
