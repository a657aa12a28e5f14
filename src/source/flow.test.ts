import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseProgram } from './index.ts';
import type { Scope } from './types.ts';

/** What CPython 3.10-3.13 did (all the same): `scripts/check-source.mjs --moves` on `constructs.py`. */
interface Seen {
  readonly next?: readonly number[];
  readonly raises?: readonly number[];
  readonly return?: true;
  readonly escapes?: true;
  readonly yield?: true;
}

const fixture = (name: string) =>
  readFileSync(new URL(`../../test/fixtures/source/${name}`, import.meta.url), 'utf8');
const program = parseProgram(fixture('constructs.py'));
const seen = JSON.parse(fixture('constructs.moves.json')) as Record<string, Record<string, Seen>>;

const keyOf = (scope: Scope) => `${scope.qualname}:${scope.line}`;

/** Ways that syntax leaves open and that no arguments can take: an exception no handler fits, and the like. */
const RULED_OUT_BY_DATA: Record<number, readonly number[]> = {
  36: [35],
  73: [74],
  100: [104],
  117: [118],
  125: [127],
  151: [156],
  187: [190],
  215: [217],
  217: [204],
  218: [219],
  255: [257],
  322: [321],
};

describe('successors of every construct, against real runs', () => {
  const traced = program.scopes.filter((scope) => seen[keyOf(scope)]);

  it.each(traced.map((scope) => [keyOf(scope), scope] as const))('%s', (key, scope) => {
    const lines = seen[key] ?? {};
    expect(program.entriesOf(scope.id)).toEqual(lines[0]?.next ?? []);
    expect(program.linesOf(scope.id)).toEqual(
      expect.arrayContaining(
        Object.keys(lines)
          .map(Number)
          .filter((l) => l > 0),
      ),
    );
    for (const line of program.linesOf(scope.id)) {
      const real = lines[line];
      // Lines that no run reaches.
      if (!real) continue;
      const { normal, exception, returns, escapes, yields } = program.successors(scope.id, line);
      const impossible = RULED_OUT_BY_DATA[line] ?? [];
      expect({ line, normal: normal.filter((l) => !impossible.includes(l)) }).toEqual({
        line,
        normal: real.next ?? [],
      });
      expect(exception).toEqual(expect.arrayContaining([...(real.raises ?? [])]));
      if (real.return) expect({ line, returns }).toEqual({ line, returns: true });
      if (real.escapes) expect({ line, escapes }).toEqual({ line, escapes: true });
      if (real.yield) expect({ line, yields }).toEqual({ line, yields: true });
    }
  });

  it('is checked for every function of the file', () => {
    const others = program.scopes.filter((scope) => !seen[keyOf(scope)]);
    expect(others).toEqual([]);
  });
});

/** `line: normal / exception flags`, one text a line. */
function flow(text: string, scope = 0): string[] {
  const p = parseProgram(text);
  return p.linesOf(scope).map((line) => {
    const s = p.successors(scope, line);
    const flags = [s.returns && 'returns', s.escapes && 'escapes', s.yields && 'yields']
      .filter(Boolean)
      .join(' ');
    return `${line}: ${s.normal.join(',')} / ${s.exception.join(',')} ${flags}`.trim();
  });
}

describe('successors, exactly', () => {
  it('gives each line of a branch its ways and nothing more', () => {
    expect(flow('if a:\n  b\nelif c:\n  d\ne\n')).toEqual([
      '1: 2,3 /  escapes',
      '2: 5 /  escapes',
      '3: 4,5 /  escapes',
      '4: 5 /  escapes',
      '5:  /  returns escapes',
    ]);
  });

  it('lets nothing pass an irrefutable case or an endless loop', () => {
    expect(flow('match a:\n  case 1: b\n  case _: c\nwhile 1:\n  d\ne\n')).toEqual([
      '1: 2 /  escapes',
      '2: 3,4 /  escapes',
      '3: 4 /  escapes',
      '4: 5 /  escapes',
      '5: 4 /  escapes',
      '6:  /  returns escapes',
    ]);
  });

  it('leaves a `finally` in every way that entered it', () => {
    expect(flow('def f():\n  while a:\n    try:\n      break\n    finally:\n      b\n  c\n', 1)).toEqual([
      '2: 3,7 /  escapes',
      '3: 4 /',
      '4: 6 /',
      '6: 2,7 /  escapes',
      '7:  /  returns escapes',
    ]);
  });

  it('revisits `with` on return, break, continue, exception and the end of its body', () => {
    expect(
      flow(
        'def f():\n  for x in a:\n    with b:\n      if x: return 1\n      if y: break\n      if z: continue\n  c\n',
        1,
      ),
    ).toEqual([
      '2: 3,7 /  escapes',
      '3: 2,4,7 /  returns escapes',
      '4: 3,5 / 3',
      '5: 3,6 / 3',
      '6: 3 / 3',
      '7:  /  returns escapes',
    ]);
  });

  it('sends exceptions to the first handler only, and what it does not want on to the next', () => {
    expect(flow('try:\n  a\nexcept B:\n  b\nexcept C:\n  c\nd\n')).toEqual([
      '1: 2 /',
      '2: 7 / 3',
      '3: 4,5 /  escapes',
      '4: 7 /  escapes',
      '5: 6 /  escapes',
      '6: 7 /  escapes',
      '7:  /  returns escapes',
    ]);
  });

  it('counts a bare `raise` as a way to the handler around it without an event of its own', () => {
    expect(flow('try:\n  try:\n    a\n  except:\n    raise\nexcept B:\n  b\n')[4]).toBe('5: 6 / 6');
  });

  it('treats a one-line loop as one stop', () => {
    expect(flow('for x in a: b\nwhile c: d\ne\n')).toEqual([
      '1: 2 /  escapes',
      '2: 3 /  escapes',
      '3:  /  returns escapes',
    ]);
  });

  it('keeps a swallowed exception on one line inside that line', () => {
    expect(flow('with a: b\nc\n')[0]).toBe('1: 2 / 2 escapes');
    expect(flow('try: a\nfinally: b\nc\n')[0]).toBe('1: 2 / 2');
  });

  it('has no entry and no line for an empty program or class', () => {
    for (const text of ['', '\n# nothing\n', 'x: int\n']) {
      const p = parseProgram(text);
      expect([p.errors, p.linesOf(0), p.entriesOf(0)]).toEqual([[], [], []]);
    }
    const p = parseProgram('class A: x = 1\nclass B:\n  x: int\n');
    expect([p.linesOf(1), p.linesOf(2)]).toEqual([[], []]);
  });

  it('stops in a function of nothing but a docstring or declarations at its own header', () => {
    for (const body of ['  "doc"\n', '  global x\n', '  x: int\n', '  "doc"\n  global x\n']) {
      const p = parseProgram(`@d\ndef f():\n${body}`);
      expect([p.scopes[1]?.line, p.linesOf(1), p.entriesOf(1), p.successors(1, 2).returns]).toEqual([
        2,
        [2],
        [2],
        true,
      ]);
    }
  });

  it('marks suspension where it is written', () => {
    expect(
      flow(
        'async def f():\n  await a\n  async for x in b: pass\n  async with c: pass\n  [x async for x in d]\n  e\n',
        1,
      ).map((l) => l.endsWith('yields')),
    ).toEqual([true, true, true, true, false]);
  });
});
