import { describe, expect, it } from 'vitest';
import { fixtureRecording } from '../../../test/fixtures.ts';
import { answersOf } from './answers.ts';
import { readDreval } from './data.ts';

const recording = fixtureRecording('discount');
const { tree } = recording;
const walk = Array.from({ length: tree.end - tree.first }, (_, i) =>
  recording.state({ at: tree.first + i, call: false }),
);
const answers = answersOf(walk, (line) => line);

describe("DREval's questions", () => {
  it('are answered from a walk', () => {
    const lines = walk.map((state) => state.stack.at(-1)!.line);
    expect(answers.covered(lines[1]!)).toBe(true);
    expect(answers.covered(999)).toBe(false);
    expect(answers.next(999)).toEqual([-1]);
    // The last line of the walk is followed by nothing.
    expect(answers.next(lines.at(-1)!).at(-1)).toBe(-1);
    expect(answers.after(8, 'result')[0]).toBe('0');
    expect(answers.after(8, 'prices[0]')).toHaveLength(1);
    expect(answers.after(8, 'nothing')).toEqual([]);
    expect(answers.after(999, 'result')).toEqual([]);
  });
});

describe("DREval's files", () => {
  const data = [
    {
      task_id: 'D/0',
      entry_point: 'f',
      code: 'def f(a, b):\n    return a\n',
      inputs: ['(1, [2],)'],
      outputs: ['1'],
      test: null,
    },
    {
      task_id: 'D/1',
      entry_point: 'C',
      code: 'class C:\n    pass\n',
      inputs: ['c = C()\n'],
      outputs: [],
      test: '',
    },
  ];
  const tasks = [
    { task_id: 'D/0', idx: 0, tasks: [{ input_idx: 0, task: [{ lineno: 2, var: 'a' }], output_pred: '' }] },
    { task_id: 'D/1', idx: 1, tasks: [{ input_idx: 0, task: [], output_pred: '' }] },
  ];
  const text = (rows: readonly unknown[]) => rows.map((row) => JSON.stringify(row)).join('\n');

  it('become calls with questions; classes have none', () => {
    expect(readDreval(text(data), text(tasks))).toEqual([
      {
        id: 'D/0#0',
        code: data[0]!.code,
        call: 'f(1, [2],)',
        expected: '1',
        questions: [{ line: 2, variable: 'a' }],
      },
      { id: 'D/1#0', code: data[1]!.code, call: null, expected: '', questions: [] },
    ]);
  });

  it('are told from others', () => {
    expect(() => readDreval('{"x": 1}', text(tasks))).toThrow(expect.objectContaining({ code: 'E_DREVAL' }));
    expect(() => readDreval('', text(tasks))).toThrow(/no D\/0/);
  });
});
