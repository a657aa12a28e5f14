/** @file Situations and their true outcomes from recorded runs, for tests of the codecs. */
import { parseProgram } from '../source/index.ts';
import { rootedAt, statesOf } from '../state/index.ts';
import type { Action, Outcome, State } from '../state/types.ts';
import type { Trace } from '../trace/types.ts';
import { buildTree, KINDS } from '../tree/index.ts';
import type { Move, Place } from '../tree/types.ts';
import type { Situation } from './types.ts';

export interface Case {
  readonly name: string;
  readonly situation: Situation;
  readonly outcome: Outcome;
}

const PLAIN = [
  'step_into',
  'step_over',
  'step_return',
  'continue',
  'inv_step_into',
  'inv_step_over',
  'inv_step_call',
] as const;

/** Every state of the run, of the whole of it and of each call in it, with every action; those that `pick` keeps. */
export function* casesOf(trace: Trace, pick: (n: number) => boolean = () => true): Generator<Case> {
  const programs = trace.header.files.map(({ text, name }) => parseProgram(text, name));
  // All of them at once: they are asked for in no order.
  const states = [...statesOf(trace, programs)];
  const whole = buildTree(trace);
  const lines = programs[0]!.units.map(({ line }) => line);
  // What runs between two runs of a generator or coroutine is no part of its own walk.
  const calls = trace.events.flatMap((event, at) =>
    event.e === 'call' && !/gen|cor/.test(event.k ?? '') ? [at] : [],
  );
  let n = 0;
  for (const entry of [null, ...calls]) {
    const tree = entry === null ? whole : whole.entry(entry);
    const depth = entry === null ? 0 : whole.depth[entry]!;
    const show = ({ at, call }: Place): State => {
      const state = rootedAt(states[at]!, depth);
      return call ? { ...state, kind: 'line_call' } : state;
    };
    const outcome = (move: Move): Outcome | null => {
      if (move.type === 'place') return { type: 'state', state: show(move.place) };
      if (move.type === 'entry') return { type: 'entry' };
      return move.exit === 'unknown' ? null : { type: 'exit', exit: move.exit };
    };
    for (let at = tree.first; at < tree.end; at++) {
      const breakpoints = lines.map((line): Action => ({ type: 'breakpoint', line }));
      for (const action of [...PLAIN.map((type): Action => ({ type })), ...breakpoints]) {
        const backwards = action.type.startsWith('inv_');
        const made = KINDS[tree.kind[at]!] === 'line' && at + 1 < tree.end && tree.parent[at + 1] === at;
        for (const call of backwards && made ? [false, true] : [false]) {
          if (!pick(n++)) continue;
          const place = { at, call };
          const end = outcome(tree.move(place, action));
          if (!end) continue;
          const name = `${trace.header.id ?? ''} ${action.type} at ${at}${call ? ' (call)' : ''} from ${entry ?? 'start'}`;
          yield { name, situation: { programs, state: show(place), action }, outcome: end };
        }
      }
    }
  }
}
