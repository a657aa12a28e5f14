/** @file Where a session begins in a recorded run. */
import type { Trace } from '../trace/types.ts';

/** The `nth` call, from 1, of a function by its qualified or its plain name. */
export interface EntryCall {
  readonly fn: string;
  readonly nth: number;
}

/** `function`: the called function; `call`: the line that makes the call; `script`: the module. */
export type Entry = 'function' | 'call' | 'script' | EntryCall;

/**
 * The `call` event of the entry: the called function's (`function`), the call expression's own frame (`call`), the
 * module's (`script`), or any call's. Null where the run never got there.
 */
export function entryEvent(trace: Trace, entry: Entry): number | null {
  const { events, header } = trace;
  if (entry === 'script') return events.length > 0 ? 0 : null;
  if (typeof entry === 'object') return nthCall(trace, entry);
  // Without a call expression file 1 is a module that the program imports.
  const call =
    header.call === undefined ? -1 : events.findIndex((event) => event.e === 'call' && event.s === 1);
  if (call < 0) return null;
  if (entry === 'call') return call + 1 < events.length ? call : null;
  const frame = events[call]!.f;
  const inner = events.findIndex((event, i) => i > call && event.e === 'call' && event.p === frame);
  return inner < 0 ? null : inner;
}

function nthCall({ events }: Trace, { fn, nth }: EntryCall): number | null {
  let left = nth;
  for (const [at, event] of events.entries()) {
    if (event.e !== 'call' || event.fn === undefined) continue;
    if (event.fn !== fn && !event.fn.endsWith(`.${fn}`)) continue;
    left -= 1;
    if (left === 0) return at;
  }
  return null;
}
