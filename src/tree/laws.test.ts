/** @file The laws of the tree, against definitions that scan the events one by one. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Trace, TraceEvent } from '../trace/types.ts';
import { KINDS } from './arrays.ts';
import { anyThreads, anyTrace, show, traceFrom } from './traces.testing.ts';
import { buildTree } from './tree.ts';
import type { Move, Place, StateTree, TreeAction } from './types.ts';

const at = (index: number): Place => ({ at: index, call: false });
const FORWARD = ['step_into', 'step_over', 'step_return', 'continue'] as const;
const BACKWARD = ['inv_step_into', 'inv_step_over', 'inv_step_call'] as const;

function walk(tree: StateTree, action: TreeAction, from: Place): Place[] {
  const places: Place[] = [];
  let move: Move = { type: 'place', place: from };
  while (move.type === 'place') {
    places.push(move.place);
    if (places.length > 3 * tree.kind.length + 3) throw new Error('the walk does not end');
    move = tree.move(move.place, action);
  }
  return places;
}

/** Depths by replaying calls and returns on a stack, the slow way. */
function depthsOf({ events }: Trace): number[] {
  let stack: number[] = [];
  return events.map((event) => {
    const owner = event.e === 'call' || event.e === 'resume' ? event.p : event.f;
    stack = owner === undefined ? [] : stack.slice(0, stack.indexOf(owner) + 1);
    if (stack[stack.length - 1] !== event.f) stack.push(event.f);
    return stack.length - 1;
  });
}

const check = (law: (trace: Trace, tree: StateTree) => void) =>
  fc.assert(
    fc.property(anyTrace, (trace) => law(trace, buildTree(trace))),
    { numRuns: 500 },
  );

describe('the laws of the tree', () => {
  it('are tried on traces with every kind of event, generators resumed at other depths among them', () => {
    const seen = new Map<string, number>();
    let moved = 0;
    for (const trace of fc.sample(anyTrace, { numRuns: 500, seed: 1 })) {
      const depths = depthsOf(trace);
      trace.events.forEach(({ e, f }, i) => {
        seen.set(e, (seen.get(e) ?? 0) + 1);
        const call = trace.events.findIndex((event) => event.f === f);
        if (e === 'resume' && depths[i] !== depths[call]) moved++;
      });
    }
    for (const kind of KINDS) expect(seen.get(kind)).toBeGreaterThan(100);
    expect(moved).toBeGreaterThan(20);
  });

  it('depth is the depth of the stack; the parent is the state the caller was at', () => {
    check((trace, tree) => {
      const depths = depthsOf(trace);
      expect([...tree.depth]).toEqual(depths);
      const parents = depths.map((depth, i) => depths.findLastIndex((other, j) => j < i && other < depth));
      expect([...tree.parent]).toEqual(parents);
    });
  });

  it('only step_into is the recorded sequence', () => {
    check((trace, tree) => {
      const places = walk(tree, { type: 'step_into' }, at(0));
      expect(places).toEqual(trace.events.map((_, i) => at(i)));
    });
  });

  it('step_over never goes down, and leads to the next state that is not deeper', () => {
    check((trace, tree) => {
      const depths = depthsOf(trace);
      const expected = depths.map((own, i) => depths.findIndex((depth, j) => j > i && depth <= own));
      expect(depths.map((_, i) => show(tree.move(at(i), { type: 'step_over' })))).toEqual(
        expected.map((next) => (next < 0 ? `exit ${tree.exit}` : `${next}`)),
      );
    });
  });

  it('inv_step_into undoes step_into once inv_line_call states are dropped', () => {
    check((trace, tree) => {
      const undone = trace.events.map((_, i) => {
        let move = tree.move(at(i), { type: 'inv_step_into' });
        while (move.type === 'place' && move.place.call)
          move = tree.move(move.place, { type: 'inv_step_into' });
        return show(move);
      });
      expect(undone).toEqual(trace.events.map((_, i) => (i === 0 ? 'entry' : `${i - 1}`)));
    });
  });

  it('the inverse walk meets every state once, and before its calls every line that made some', () => {
    check((trace, tree) => {
      const last = trace.events.length - 1;
      // A walk that begins below a line (where the trace was cut) meets that line only after its calls.
      const above = new Set<number>();
      for (let i = last; i >= 0; i = tree.parent[i]!) above.add(i);
      const parents = new Set(tree.parent.filter((i) => !above.has(i)));
      const places = walk(tree, { type: 'inv_step_into' }, at(last));
      const met = places.filter((place) => !place.call).map((place) => place.at);
      expect(met).toEqual([...met.keys()].map((i) => last - i));
      const calls = places.filter((place) => place.call).map((place) => place.at);
      expect(new Set(calls).size).toBe(calls.length);
      expect(new Set(calls)).toEqual(new Set([...parents].filter((i) => i >= 0)));
    });
  });

  it('the inverse tree is the tree reversed: inv_step_over stays on the level or goes one up', () => {
    check((_, tree) => {
      const callers = new Set(tree.parent);
      const wrong: string[] = [];
      for (let i = 0; i < tree.size; i++) {
        const move = tree.move(at(i), { type: 'inv_step_over' });
        if (move.type !== 'place') continue;
        const { at: to, call } = move.place;
        const level = tree.parent[to] === tree.parent[i] && call === callers.has(to);
        if (!level && !(to === tree.parent[i] && !call)) wrong.push(`${i} ${show(move)}`);
      }
      expect(wrong).toEqual([]);
    });
  });

  it('inv_step_over from a line met before its calls leads to the line after them', () => {
    check((_, tree) => {
      const callers = [...new Set(tree.parent)].filter((i) => i >= 0);
      const after = callers.map((i) => show(tree.move({ at: i, call: true }, { type: 'inv_step_over' })));
      expect(after).toEqual(callers.map(String));
    });
  });

  it('a breakpoint is the first future state on its line', () => {
    check((trace, tree) => {
      const lines = new Set([...trace.events.map((event) => event.l), 999]);
      const [found, expected]: [string[], string[]] = [[], []];
      for (const line of lines) {
        for (let i = 0; i < trace.events.length; i++) {
          const first = trace.events.findIndex((event, j) => j > i && event.l === line);
          expected.push(first < 0 ? `exit ${tree.exit}` : `${first}`);
          found.push(show(tree.move(at(i), { type: 'breakpoint', line })));
        }
      }
      expect(found).toEqual(expected);
    });
  });

  it('step_return ends in the last return or exception of the frame', () => {
    check((trace, tree) => {
      const [found, expected]: [string[], string[]] = [[], []];
      trace.events.forEach(({ f }, i) => {
        const last = trace.events.findLastIndex((event) => event.f === f);
        if (last === i) return;
        const { e } = trace.events[last]!;
        const final =
          e === 'return' || (e === 'exception' && (last < tree.size - 1 || tree.exit !== 'unknown'));
        expected.push(final ? `${last}` : `exit ${tree.exit}`);
        found.push(show(tree.move(at(i), { type: 'step_return' })));
      });
      expect(found).toEqual(expected);
    });
  });

  it('inv_step_call leads to the call of the frame', () => {
    check((trace, tree) => {
      const calls = trace.events.map((own) =>
        trace.events.findIndex(({ e, f }) => e === 'call' && f === own.f),
      );
      const inner = [...calls.keys()].filter((i) => calls[i] !== i);
      expect(inner.map((i) => show(tree.move(at(i), { type: 'inv_step_call' })))).toEqual(
        inner.map((i) => `${calls[i]}`),
      );
    });
  });

  it('every walk ends, whatever the actions', () => {
    const actions = fc.array(fc.nat(255), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(anyTrace, actions, fc.nat(999), (trace, choices, start) => {
        const tree = buildTree(trace);
        const from = start % tree.size;
        for (const kinds of [FORWARD.slice(0, 3), BACKWARD]) {
          let place = at(from);
          let moves = 0;
          for (;;) {
            const choice = choices[moves % choices.length]!;
            const type = kinds[choice % kinds.length]!;
            const move = tree.move(
              place,
              kinds !== BACKWARD && choice % 5 === 4
                ? { type: 'breakpoint', line: 1 + (choice >> 4) }
                : { type },
            );
            if (move.type !== 'place') break;
            place = move.place;
            if (++moves > 2 * tree.size) throw new Error('the walk does not end');
          }
          expect(tree.move(at(from), { type: 'continue' }).type).toBe('exit');
        }
      }),
      { numRuns: 500 },
    );
  });
});

/** The events of one call: its own and those of all it called; of a generator, all its runs. */
function eventsOfCall({ events }: Trace, call: number): number[] {
  const { f } = events[call]!;
  const inside = new Set([f]);
  return [...events.keys()].filter((i) => {
    const event = events[i]!;
    if (i < call || event.f === f) return i >= call;
    // A frame belongs to this call while its last call or resume came from a frame that does.
    if (event.e === 'call' || event.e === 'resume') {
      if (inside.has(event.p!)) inside.add(event.f);
      else inside.delete(event.f);
    }
    return inside.has(event.f);
  });
}

describe('the tree of one call', () => {
  it('is the tree of the events of that call alone', () => {
    let compared = 0;
    check((trace, tree) => {
      trace.events.forEach((event, call) => {
        if (event.e !== 'call') return;
        const indices = eventsOfCall(trace, call);
        const frames = new Set(
          indices.filter((i) => trace.events[i]!.e === 'call').map((i) => trace.events[i]!.f),
        );
        // A generator that was already running has no call there: no trace of its own.
        if (!indices.every((i) => frames.has(trace.events[i]!.f))) return;
        const own = indices.map((i): TraceEvent => {
          const { p, ...rest } = trace.events[i]!;
          return rest.f === event.f || p === undefined ? rest : { ...rest, p };
        });
        const cut = indices[indices.length - 1] === tree.size - 1 && trace.end.status === 'cut';
        const alone = buildTree(traceFrom(own, cut ? trace.end : {}));
        const entry = tree.entry(call);
        const translated = (move: Move) =>
          show(
            move.type === 'place' ? { ...move, place: { ...move.place, at: indices[move.place.at]! } } : move,
          );
        const lines: TreeAction[] = [...new Set(trace.events.map((other) => other.l))].map((line) => ({
          type: 'breakpoint',
          line,
        }));
        const actions: TreeAction[] = [...FORWARD, ...BACKWARD].map((type) => ({ type }));
        const [found, expected]: [string[], string[]] = [[], []];
        indices.forEach((index, i) => {
          for (const action of [...actions, ...lines]) {
            found.push(show(entry.move(at(index), action)));
            const move = alone.move(at(i), action);
            expected.push(translated(move.type === 'exit' ? { ...move, exit: entry.exit } : move));
          }
          compared++;
        });
        expect(found).toEqual(expected);
        expect(entry.first).toBe(indices[0]);
      });
    });
    expect(compared).toBeGreaterThan(1000);
  });

  it('ends as the call ended', () => {
    check((trace, tree) => {
      const calls = [...trace.events.keys()].filter((i) => trace.events[i]!.e === 'call');
      const ends = calls.map((call) => {
        const last = trace.events.findLastIndex((event) => event.f === trace.events[call]!.f);
        const cut = tree.exit === 'unknown' && last === tree.size - 1;
        const kind = trace.events[last]!.e;
        return kind === 'return' ? 'normal' : kind === 'exception' && !cut ? 'error' : 'unknown';
      });
      expect(calls.map((call) => tree.entry(call).exit)).toEqual(ends);
    });
  });

  it('holds only states of that call, even of generators that were running before', () => {
    check((trace, tree) => {
      trace.events.forEach((event, call) => {
        if (event.e !== 'call') return;
        const indices = new Set(eventsOfCall(trace, call));
        const outside: string[] = [];
        const entry = tree.entry(call);
        for (const i of indices) {
          for (const type of [...FORWARD, ...BACKWARD]) {
            const move = entry.move(at(i), { type });
            if (move.type === 'place' && !indices.has(move.place.at))
              outside.push(`${i} ${type} ${show(move)}`);
          }
        }
        expect(outside).toEqual([]);
      });
    });
  });
});

describe('threads', () => {
  it('are walked as if the other one were not there, but for where they begin and end', () => {
    fc.assert(
      fc.property(anyThreads, ({ trace, parts, indices }) => {
        const tree = buildTree(trace);
        parts.forEach((part, thread) => {
          const alone = buildTree(part);
          const own = indices[thread]!;
          const [found, expected]: [string[], string[]] = [[], []];
          for (let i = 0; i < part.events.length; i++) {
            for (const type of ['step_into', 'step_over', 'step_return', ...BACKWARD] as const) {
              const move = alone.move(at(i), { type });
              if (move.type !== 'place') continue;
              expected.push(show({ type: 'place', place: { ...move.place, at: own[move.place.at]! } }));
              found.push(show(tree.move(at(own[i]!), { type })));
            }
          }
          expect(found).toEqual(expected);
        });
      }),
      { numRuns: 100 },
    );
  });

  it('end, from wherever a walk began', () => {
    fc.assert(
      fc.property(anyThreads, fc.nat(999), ({ trace }, start) => {
        const tree = buildTree(trace);
        for (const type of [...FORWARD, ...BACKWARD]) walk(tree, { type }, at(start % tree.size));
      }),
      { numRuns: 100 },
    );
  });
});
