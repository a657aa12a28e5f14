/**
 * @file What an action can lead to, by syntax alone: exits, frames, kinds and lines. No value is looked at.
 * Where syntax cannot tell, more is allowed.
 */
import type { Exit } from '../../state/types.ts';
import type { Situation } from '../types.ts';
import { NO_PUSHES, NO_STOPS, type Pushes, type Stops, View } from './view.ts';

export interface Policy {
  readonly exits: ReadonlySet<Exit | 'entry'>;
  /** The most frames that can go. */
  readonly ups: number;
  /** More than one frame can be pushed, and the one below them can have changed. */
  readonly deep: boolean;
  /** Stops in the frame that is on top after `ups` frames are gone; none of them if all are. */
  kept(ups: number): Stops;
  pushed(ups: number): Pushes;
}

const ANY_EXIT = new Set<Exit>(['normal', 'error', 'never']);

export function policyOf(situation: Situation): Policy {
  const { type } = situation.action;
  const view = new View(situation);
  if (type === 'continue') return { ...nowhere, exits: ANY_EXIT };
  if (type === 'breakpoint') return breakpoint(view, situation.action.line, situation.action.file ?? 0);
  if (type === 'step_return') return stepReturn(view);
  if (type === 'step_into' || type === 'step_over') return step(view, type === 'step_over');
  return back(view, type);
}

const nowhere: Policy = {
  exits: new Set(),
  ups: 0,
  deep: false,
  kept: () => NO_STOPS,
  pushed: () => NO_PUSHES,
};

// --- forward ---

function step(view: View, over: boolean): Policy {
  const { state, top, height } = view;
  const ending = state.kind === 'return' || state.kind === 'yield' || state.kind === 'exception';
  const exits = new Set<Exit>();
  if (ending && height === 1) for (const exit of ['normal', 'error'] as const) exits.add(exit);
  // A call that never ends can only be stepped over.
  if (over) exits.add('never');
  return {
    exits,
    ups: ending && (height > 1 || view.roots().calls.length > 0) ? 1 : 0,
    deep: false,
    kept: (ups) => {
      if (ups === 1) return height > 1 ? view.going(view.at(1)) : NO_STOPS;
      switch (state.kind) {
        case 'call':
          return view.entering(top);
        case 'exception':
          return view.handling(top);
        case 'yield':
          return new Map([['resume', [top.line]]]);
        case 'return':
          return NO_STOPS;
        default:
          return view.going(top);
      }
    },
    pushed: (ups) => {
      if (ups === 1) return height > 1 ? view.opening(view.at(1)) : view.roots();
      return over || state.kind === 'return' || state.kind === 'yield' ? NO_PUSHES : view.opening(top);
    },
  };
}

function stepReturn(view: View): Policy {
  const past = step(view, true);
  const ends = view.state.kind === 'return' ? NO_STOPS : view.ending(view.top);
  const again = view.state.kind === 'return' ? null : resumedElsewhere(view, ends);
  // From the end of a call the step leads one level up; whether an exception was the end, syntax cannot tell.
  const over = (ups: number) => ups === 1 && past.ups === 1;
  return {
    exits: ANY_EXIT,
    ups: again ? view.height : past.ups,
    deep: again !== null,
    kept: (ups) => (ups === 0 ? ends : over(ups) ? past.kept(1) : NO_STOPS),
    pushed: (ups) => {
      const { calls, others } = over(ups) ? past.pushed(1) : NO_PUSHES;
      return { calls, others: [...others, ...(again ?? [])] };
    },
  };
}

/** A generator's own later (earlier) state, its stack written anew because its callers have moved on; null elsewhere. */
function resumedElsewhere(view: View, stops: Stops): Pushes['others'] | null {
  const { file, scope } = view.top;
  return view.suspends && view.height > 1 ? [{ file, scope, stops }] : null;
}

function breakpoint(view: View, line: number, file: number): Policy {
  const stops = view.stopsOn(line, file);
  const all = view.all();
  const pushes: Pushes = {
    calls: all.filter((where) => where.file === file && view.scope(where)?.line === line),
    others: all.map((where) => ({ ...where, stops: stops(where) })).filter((where) => where.stops.size > 0),
  };
  const kept = (ups: number) => (ups < view.height ? stops(view.at(ups)) : NO_STOPS);
  const deep = pushes.calls.length + pushes.others.length > 0;
  // Where no frame can be entered that has the line, only those are left that are there.
  let ups = deep ? view.height : view.height - 1;
  while (!deep && ups > 0 && kept(ups).size === 0) ups--;
  return { exits: ANY_EXIT, ups, deep, kept, pushed: () => pushes };
}

// --- backward ---

function back(view: View, type: 'inv_step_into' | 'inv_step_over' | 'inv_step_call'): Policy {
  const { state, top, height } = view;
  const opens = state.kind === 'call' || state.kind === 'resume';
  if (type === 'inv_step_call' && state.kind !== 'call') {
    // A generator that was resumed has its `call` outside of the walk at times.
    const stops: Stops = new Map([['call', [top.line]]]);
    const again = resumedElsewhere(view, stops);
    return {
      exits: new Set(['entry']),
      ups: again ? height : 0,
      deep: again !== null,
      kept: (ups) => (ups === 0 ? stops : NO_STOPS),
      pushed: () => ({ calls: [], others: again ?? [] }),
    };
  }
  return {
    exits: opens && height === 1 ? new Set(['entry']) : new Set(),
    ups: opens && (height > 1 || view.rootEnds().others.length > 0) ? 1 : 0,
    deep: false,
    kept: (ups) => {
      if (ups === 1) return height > 1 ? view.paused(view.at(1)) : NO_STOPS;
      switch (state.kind) {
        case 'call':
          return NO_STOPS;
        case 'resume':
          return new Map([['yield', [top.line]]]);
        case 'line':
          return view.before(top);
        case 'line_call':
          return type === 'inv_step_over' ? view.paused(top) : NO_STOPS;
        default:
          return view.paused(top);
      }
    },
    pushed: (ups) => {
      if (ups === 1) return height > 1 ? view.closing(view.at(1)) : view.rootEnds();
      // The last state of the last call that the line made.
      return state.kind === 'line_call' && type === 'inv_step_into' ? view.closing(top) : NO_PUSHES;
    },
  };
}
