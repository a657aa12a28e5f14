import { describe, expect, it } from 'vitest';
import { KINDS } from './arrays.ts';
import { show, traceOf } from './traces.testing.ts';
import { buildTree } from './tree.ts';
import type { Place, StateTree, TreeAction } from './types.ts';

const act = (tree: StateTree, type: TreeAction['type'], at: number, call = false) =>
  tree.move({ at, call }, { type, line: 0 } as TreeAction);
const breakAt = (tree: StateTree, at: number, line: number, file = 0) =>
  tree.move({ at, call: false }, { type: 'breakpoint', line, file });

/** Where one kind of action leads from a place, again and again, until the walk ends. */
function walk(tree: StateTree, type: TreeAction['type'], from: Place): string {
  const seen: string[] = [];
  let place = from;
  for (;;) {
    const move = act(tree, type, place.at, place.call);
    seen.push(show(move));
    if (move.type !== 'place') return seen.join(' ');
    place = move.place;
  }
}

const forward = (tree: StateTree, type: TreeAction['type'], at: number) =>
  walk(tree, type, { at, call: false });
const backward = forward;

// def f(x): return g(x) + g(x + 1)        0 call f
//                                         1 line 2 ── 2 call g   ── 3 line 5   ── 4 return
//                                                     5 call g   ── 6 line 5   ── 7 return
//                                         8 line 3
//                                         9 return 3
const TWO_CALLS = 'c0:1 l0:2 c1<0:4 l1:5 r1:5 c2<0:4 l2:5 r2:5 l0:3 r0:3';

describe('a line that makes two calls', () => {
  const tree = buildTree(traceOf(TWO_CALLS));

  it('has the states of both calls as its children', () => {
    expect([...tree.depth]).toEqual([0, 0, 1, 1, 1, 1, 1, 1, 0, 0]);
    expect([...tree.parent]).toEqual([-1, -1, 1, 1, 1, 1, 1, 1, -1, -1]);
    expect([...tree.kind].map((kind) => KINDS[kind]).slice(0, 5)).toEqual([
      'call',
      'line',
      'call',
      'line',
      'return',
    ]);
  });
  it('is stepped into in recorded order', () => {
    expect(forward(tree, 'step_into', 0)).toBe('1 2 3 4 5 6 7 8 9 exit normal');
  });
  it('is stepped over without going down', () => {
    expect(forward(tree, 'step_over', 0)).toBe('1 8 9 exit normal');
  });
  it('leads from the end of one call to the next call of the same line, then up', () => {
    expect(forward(tree, 'step_over', 3)).toBe('4 5 6 7 8 9 exit normal');
  });
  it('returns to the end of the current call, then as step_over does', () => {
    expect(forward(tree, 'step_return', 0)).toBe('9 exit normal');
    expect(forward(tree, 'step_return', 2)).toBe('4 5 7 8 9 exit normal');
  });
  it('continues to the exit from anywhere', () => {
    for (let at = 0; at < tree.size; at++) expect(show(act(tree, 'continue', at))).toBe('exit normal');
  });
  it('breaks on the first future state on a line, of any kind and depth', () => {
    expect(show(breakAt(tree, 0, 5))).toBe('3');
    expect(show(breakAt(tree, 3, 5))).toBe('4');
    expect(show(breakAt(tree, 1, 4))).toBe('2');
    expect(show(breakAt(tree, 8, 5))).toBe('exit normal');
    expect(show(breakAt(tree, 0, 5, 1))).toBe('exit normal');
  });
  it('is met twice backwards: before its calls, and after them', () => {
    expect(backward(tree, 'inv_step_into', 9)).toBe('8 1c 7 6 5 4 3 2 1 0 entry');
  });
  it('can be stepped over backwards', () => {
    expect(backward(tree, 'inv_step_over', 9)).toBe('8 1c 1 0 entry');
    expect(backward(tree, 'inv_step_over', 6)).toBe('5 4 3 2 1 0 entry');
  });
  it('leads back to the call, then one level up', () => {
    expect(backward(tree, 'inv_step_call', 7)).toBe('5 4 2 1 0 entry');
    expect(show(act(tree, 'inv_step_call', 1, true))).toBe('0');
  });
  it('goes forward from a backward visit as from the state itself', () => {
    expect(show(act(tree, 'step_into', 1, true))).toBe('2');
    expect(show(act(tree, 'step_over', 1, true))).toBe('8');
  });
  it('gives one call as a tree of its own', () => {
    const call = tree.entry(5);
    expect([call.first, call.end, call.size, call.exit]).toEqual([5, 8, 3, 'normal']);
    expect(forward(call, 'step_into', 5)).toBe('6 7 exit normal');
    expect(forward(call, 'step_over', 5)).toBe('6 7 exit normal');
    expect(backward(call, 'inv_step_into', 7)).toBe('6 5 entry');
    expect(backward(call, 'inv_step_call', 7)).toBe('5 entry');
    expect(show(breakAt(call, 5, 3))).toBe('exit normal');
  });
});

// 0 call ── 1 line ── 2 call ── 3 line ── 4 call ── 5 line ── 6 return
//                               7 return
//           8 return
describe('nested calls', () => {
  const tree = buildTree(traceOf('c0 l0 c1<0 l1 c2<1 l2 r2 r1 r0'));

  it('are gone into backwards, each line twice', () => {
    expect(backward(tree, 'inv_step_into', 8)).toBe('1c 7 3c 6 5 4 3 2 1 0 entry');
  });
  it('are stepped over backwards at any level', () => {
    expect(backward(tree, 'inv_step_over', 7)).toBe('3c 3 2 1 0 entry');
  });
  it('are returned from one after the other', () => {
    expect(forward(tree, 'step_return', 4)).toBe('6 7 8 exit normal');
  });
});

// 0 call <module> ── 1 line 10 for v in g(): ── 2 call g 1 ── 3 line 2 ── 4 yield
//                    5 line 11
//                    6 line 10 ── 7 resume g 2 ── 8 line 3 ── 9 call h ── 10 return h
//                                 11 yield 3
//                    12 line 11
//                    13 line 10 ── 14 resume g 3 ── 15 line 4 ── 16 return
//                    17 return
describe('a generator', () => {
  const tree = buildTree(
    traceOf(
      'c0 l0:10 c1<0:1 l1:2 y1:2 l0:11 l0:10 s1<0:2 l1:3 c2<1:7 r2:7 y1:3 l0:11 l0:10 s1<0:3 l1:4 r1:4 r0:10',
    ),
  );

  it('has its states between resume and yield below the line that resumed it', () => {
    expect([...tree.parent].slice(2, 17)).toEqual([1, 1, 1, -1, -1, 6, 6, 8, 8, 6, -1, -1, 13, 13, 13]);
  });
  it('is left at a yield by step_over', () => {
    expect(forward(tree, 'step_over', 3)).toBe('4 5 6 12 13 17 exit normal');
  });
  it('is run past its yields by step_return', () => {
    expect(show(act(tree, 'step_return', 3))).toBe('16');
    expect(show(act(tree, 'step_return', 4))).toBe('16');
  });
  it('is gone through backwards where it was resumed', () => {
    expect(backward(tree, 'inv_step_into', 17)).toBe(
      '13c 16 15 14 13 12 6c 11 8c 10 9 8 7 6 5 1c 4 3 2 1 0 entry',
    );
  });
  it('leads back to its one call from any later run', () => {
    expect(show(act(tree, 'inv_step_call', 15))).toBe('2');
  });
  it('is a tree of its own without those who resume it', () => {
    const call = tree.entry(2);
    expect(call.exit).toBe('normal');
    expect(forward(call, 'step_into', 2)).toBe('3 4 7 8 9 10 11 14 15 16 exit normal');
    expect(forward(call, 'step_over', 2)).toBe('3 4 7 8 11 14 15 16 exit normal');
    expect(forward(call, 'step_return', 7)).toBe('16 exit normal');
    expect(backward(call, 'inv_step_into', 16)).toBe('15 14 11 8c 10 9 8 7 4 3 2 entry');
    expect(show(breakAt(call, 2, 10))).toBe('exit normal');
    expect(show(breakAt(call, 4, 2))).toBe('7');
  });
});

// 0 call ── 1 line ── 2 call ── 3 line ── 4 call ── 5 line ── 6 exception
//                               7 exception (not handled there)
//           8 exception (handled)
//           9 line
//          10 return
describe('an exception that unwinds two frames', () => {
  const tree = buildTree(traceOf('c0 l0:1 c1<0 l1 c2<1 l2 x2 x1 x0:1 l0:2 r0:2'));

  it('ends each frame it leaves, and no other', () => {
    expect(forward(tree, 'step_return', 5)).toBe('6 7 8 10 exit normal');
    expect(show(act(tree, 'step_return', 1))).toBe('10');
  });
  it('is stepped over level by level', () => {
    expect(forward(tree, 'step_over', 5)).toBe('6 7 8 9 10 exit normal');
    expect(forward(tree, 'step_over', 0)).toBe('1 8 9 10 exit normal');
  });
  it('is walked back into', () => {
    expect(backward(tree, 'inv_step_into', 9)).toBe('8 1c 7 3c 6 5 4 3 2 1 0 entry');
  });
  it('ends the tree of the call in an error', () => {
    expect(forward(tree.entry(2), 'step_into', 2)).toBe('3 4 5 6 7 exit error');
    expect(tree.entry(4).exit).toBe('error');
  });
});

describe('ends', () => {
  it('are an error where an exception is not caught', () => {
    const tree = buildTree(traceOf('c0 l0 x0', { status: 'error', exception: 'E()' }));
    expect(forward(tree, 'step_over', 0)).toBe('1 2 exit error');
    expect(forward(tree, 'step_return', 0)).toBe('2 exit error');
  });
  it('follow the status of SystemExit', () => {
    expect(buildTree(traceOf('c0 l0 x0', { status: 'exit', code: 0 })).exit).toBe('normal');
    expect(buildTree(traceOf('c0 l0 x0', { status: 'exit', code: 2 })).exit).toBe('error');
  });
  it('are unknown where the record stops, whatever was still to come', () => {
    const tree = buildTree(traceOf('c0 l0 c1<0 l1 x1', { status: 'cut', reason: 'events' }));
    expect(forward(tree, 'step_into', 0)).toBe('1 2 3 4 exit unknown');
    expect(show(act(tree, 'step_over', 1))).toBe('exit unknown');
    expect(show(act(tree, 'step_return', 2))).toBe('exit unknown');
    expect(tree.entry(2).exit).toBe('unknown');
    expect(forward(tree.entry(2), 'step_into', 2)).toBe('3 4 exit unknown');
    expect(backward(tree, 'inv_step_into', 4)).toBe('3 2 1 0 entry');
  });
  it('are an exit for the return of a generator that nobody resumes', () => {
    const tree = buildTree(traceOf('c0 l0 c1<0 l1 y1 l0 r0'));
    expect(show(act(tree, 'step_return', 3))).toBe('exit normal');
    expect(forward(tree.entry(2), 'step_into', 2)).toBe('3 4 exit unknown');
  });
});

describe('several roots', () => {
  // The module, then the call expression's frame.
  const tree = buildTree(traceOf('c0 l0 r0 c1 l1 c2<1 r2 r1'));

  it('follow each other on the top level', () => {
    expect(forward(tree, 'step_over', 0)).toBe('1 2 3 4 7 exit normal');
    expect(forward(tree, 'step_return', 0)).toBe('2 3 7 exit normal');
    expect(backward(tree, 'inv_step_over', 7)).toBe('4c 4 3 2 1 0 entry');
  });
  it('are trees of their own', () => {
    expect(forward(tree.entry(3), 'step_over', 3)).toBe('4 7 exit normal');
    expect(backward(tree.entry(3), 'inv_step_into', 7)).toBe('4c 6 5 4 3 entry');
  });
});

describe('two threads', () => {
  // thread 0: 0 1 2   5   7 8      thread 1:      3 4   6
  const tree = buildTree(traceOf('c0 l0:1 l0:2 c1@1 l1:9 l0:3 r1:9 l0:4 r0:4'));

  it('are each walked in their own order', () => {
    expect(forward(tree, 'step_into', 0)).toBe('1 2 5 7 8 exit normal');
    expect(backward(tree, 'inv_step_into', 8)).toBe('7 5 2 1 0 entry');
  });
  it('are both seen by breakpoints; at its end a thread goes on to what was recorded next', () => {
    expect(show(breakAt(tree, 0, 9))).toBe('4');
    expect(forward(tree, 'step_over', 4)).toBe('6 7 8 exit normal');
  });
  it('begin, seen backwards, where they were started', () => {
    expect(backward(tree, 'inv_step_into', 6)).toBe('4 3 2 1 0 entry');
  });
  it('are kept out of the tree of the other one’s call', () => {
    expect(forward(tree.entry(0), 'step_into', 0)).toBe('1 2 5 7 8 exit normal');
    expect(show(breakAt(tree.entry(0), 0, 9))).toBe('exit normal');
  });
});

describe('a broken trace', () => {
  it('is refused', () => {
    expect(() => buildTree(traceOf('c0 l1'))).toThrow(expect.objectContaining({ code: 'E_TRACE' }));
    expect(() => buildTree(traceOf('c0 c1<7'))).toThrow(expect.objectContaining({ code: 'E_TRACE' }));
  });
  it('can be empty', () => {
    const tree = buildTree(traceOf('c0').events.length ? { ...traceOf('c0'), events: [] } : traceOf('c0'));
    expect([tree.size, tree.first, tree.end]).toEqual([0, 0, 0]);
  });
});
