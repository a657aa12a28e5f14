/** @file Where a session begins in a recorded run. */
import type { Trace } from '../trace/types.ts';

/**
 * The `call` event of the entry: the called function's (`function`), the call expression's own frame (`call`),
 * or the module's (`script`). Null where the run never got there.
 */
export function entryEvent(trace: Trace, entry: 'function' | 'call' | 'script'): number | null {
  if (entry === 'script') return trace.events.length > 0 ? 0 : null;
  const call = trace.events.findIndex((event) => event.e === 'call' && event.s === 1);
  if (call < 0) return null;
  if (entry === 'call') return call + 1 < trace.events.length ? call : null;
  const frame = trace.events[call]!.f;
  const inner = trace.events.findIndex((event, i) => i > call && event.e === 'call' && event.p === frame);
  return inner < 0 ? null : inner;
}
