import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { prettyLines } from './pretty.ts';

const VALUES = [
  '[1, 2, 3]',
  `[${Array.from({ length: 40 }, (_, i) => i).join(', ')}]`,
  `{'b': [1, 2], 'a': {'z': ${JSON.stringify('x'.repeat(60)).replaceAll('"', "'")}, 'c': (1,)}, 'k': None}`,
  `(${Array.from({ length: 12 }, (_, i) => `'item ${i}'`).join(', ')})`,
  `({'a': ${`[${Array.from({ length: 30 }, (_, i) => 100 + i).join(', ')}]`}},)`,
  `{${Array.from({ length: 30 }, (_, i) => 1000 - i).join(', ')}}`,
  `[[${Array.from({ length: 9 }, () => "'some words'").join(', ')}], [], {}, set(), 'end']`,
  "{1: 'a', 'b': 2, None: 3}",
  '{}',
];

describe('pp', () => {
  it("lays values out as Python's pprint does", (context) => {
    const script =
      'import ast, json, pprint, sys\nprint(json.dumps([pprint.pformat(ast.literal_eval(v)) for v in json.load(sys.stdin)]))';
    // `set()` is no literal before 3.9.
    const { status, stdout } = spawnSync('python3', ['-c', script], { input: JSON.stringify(VALUES) });
    if (status !== 0) context.skip('no Python to compare with');
    const theirs = JSON.parse(stdout.toString()) as string[];
    expect(VALUES.map((value) => prettyLines(value).join('\n'))).toEqual(
      // What is of several kinds pprint sorts by the names of the types; here it stays in order.
      theirs.map((text, i) => (VALUES[i]!.includes('None: 3') ? VALUES[i] : text)),
    );
  });

  it('keeps to the width', () => {
    expect(prettyLines("['aaaa', 'bbbb']", 12)).toEqual(["['aaaa',", " 'bbbb']"]);
    expect(prettyLines("['aaaa']", 8)).toEqual(["['aaaa']"]);
    expect(prettyLines("('aaaa',)", 8)).toEqual(["('aaaa',)"]);
  });
});
