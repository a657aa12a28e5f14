/**
 * @file Proof that a run never ends: a program with nothing but plain values is back in a full state it was in before. A run that was
 * merely cut proves nothing.
 */
import type { Program } from '../source/types.ts';
import type { TraceStates } from '../state/index.ts';
import { repeatKey } from '../state/repeat.ts';
import type { Action, Frame } from '../state/types.ts';
import type { Trace } from '../trace/types.ts';
import type { Place, StateTree } from '../tree/types.ts';
import type { Endless, Recorded } from './types.ts';

/**
 * What can hold state that no frame shows: iterators and generators, objects, closures, module data that a callee may change, default
 * arguments, the world outside.
 */
const HIDDEN =
  /\b(?:yield|lambda|global|nonlocal|iter|next|open|input|id|hash|globals|locals|vars|exec|eval|setattr|getattr|async|await|with|random|time)\b|\w\.\w+ *(?:[-+*/|&^%]|\/\/|\*\*)?=[^=]|def [^\n]*= *(?:\[|\{|list|dict|set)/;
/** At the module's level: only functions, classes without data, and imports that hold no state. */
const BARE =
  /^(?:def |class \w+(?:\(object\))?:|#|[\s)\]}]|$|import math$|from math import |from typing import |import typing$)/;
const CLASS_DATA = /^ {1,4}[A-Za-z_]\w* *(?:=|:[^\n]*=)/m;

/** Null where the run ended, or nothing is proved. */
export function endlessOf(
  trace: Trace,
  states: TraceStates,
  tree: StateTree,
  programs: readonly Program[],
): Endless | null {
  const { end, header, events } = trace;
  if (end.status !== 'cut' || (end.reason !== 'events' && end.reason !== 'time')) return null;
  if (!isPlain(header.files[0]!.text)) return null;
  const classes = /^class /m.test(header.files[0]!.text);
  const seen = new Map<string, number>();
  for (let at = 0; at < events.length; at++) {
    if (events[at]!.e !== 'line') continue;
    const state = states.at(at);
    const top = state.stack[state.stack.length - 1]!;
    if (top.fn === '<module>' || state.stack.some(({ pending }) => pending !== undefined)) continue;
    const key = repeatKey(classes ? { ...state, stack: state.stack.map(withoutSelf) } : state, programs);
    if (key === null) continue;
    // The frames must be the same ones: a function called twice begins in the same state without being an endless loop.
    const whole = `${state.stack.map(({ id }) => id).join(' ')}\n${JSON.stringify(top.aliases)}\n${key}`;
    const before = seen.get(whole);
    if (before !== undefined) return { at: before, depth: tree.depth[before]! };
    seen.set(whole, at);
  }
  return null;
}

/** `self` shows no data, only its class. */
function withoutSelf(frame: Frame): Frame {
  const locals = new Map(frame.locals);
  locals.delete('self');
  return { ...frame, locals };
}

/** Whether all the state that a program has is in its frames. */
export const isPlain = (code: string): boolean =>
  !HIDDEN.test(code) &&
  code.split('\n').every((line) => BARE.test(line)) &&
  // No attribute is ever set: an object of a class without data has no state of its own.
  !(/^class /m.test(code) && CLASS_DATA.test(code));

/**
 * Whether an action whose end the record does not show leads nowhere for ever. True only from a state before the one that is repeated, so
 * that a whole turn of the loop lies behind it in the record.
 */
export function neverEnds({ endless, entries }: Recorded, place: Place, action: Action): boolean {
  if (!endless || place.call || place.at > endless.at) return false;
  const depth = entries[0]!.tree.depth[place.at]!;
  switch (action.type) {
    case 'continue':
    case 'breakpoint':
      return true;
    case 'step_over':
    case 'step_return':
      return depth <= endless.depth;
    default:
      return false;
  }
}
