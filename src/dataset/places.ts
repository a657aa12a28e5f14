/**
 * @file Where in a recorded call a step is drawn: places weighted by what the step does there. Exceptions first, then whatever
 * changes a value, begins or ends a call; a line that only moves on is soon learnt.
 */
import type { Random } from '../common/random.ts';
import type { TraceEvent } from '../trace/types.ts';
import type { Place } from '../tree/types.ts';
import type { Entry, Recorded } from './types.ts';

/** Relative to a step that changes a value, or ends a call. */
const WEIGHTS = {
  raises: 3,
  /** A call only copies its arguments. */
  calls: 0.7,
  /** Off the end of the walk: it is always the same answer, so a few are enough; that it is an error is not. */
  exits: 0.15,
  fails: 1.5,
} as const;

/** A place for one step; `trivial`: weight of a step that changes nothing, 0 to 1; 1 means that all places count alike. */
export function drawPlace(
  recorded: Recorded,
  entry: Entry,
  backward: boolean,
  trivial: number,
  random: Random,
): Place {
  const { tree } = entry;
  const sums = sumsOf(recorded, entry, backward, trivial);
  const wanted = random.next() * sums[sums.length - 1]!;
  let [low, high] = [0, sums.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sums[middle]! > wanted) high = middle;
    else low = middle + 1;
  }
  const at = tree.first + low;
  // Backwards, a line that made calls is met twice: before them and after.
  const call = backward && at + 1 < tree.end && tree.parent[at + 1] === at && random.chance(0.5);
  return { at, call };
}

/** Whether an event changes values, or begins or ends a call. */
export const eventful = (event: TraceEvent | undefined): boolean =>
  event !== undefined &&
  (event.e !== 'line' || event.set !== undefined || event.del !== undefined || event.g !== undefined);

// --- internal ---

const cache = new WeakMap<Entry, Map<string, Float64Array>>();

/** Running sums of the weights of all places of an entry. */
function sumsOf({ trace }: Recorded, entry: Entry, backward: boolean, trivial: number): Float64Array {
  let known = cache.get(entry);
  if (!known) cache.set(entry, (known = new Map()));
  const key = `${backward} ${trivial}`;
  const before = known.get(key);
  if (before) return before;
  const { tree } = entry;
  const sums = new Float64Array(tree.end - tree.first);
  let sum = 0;
  for (let at = tree.first; at < tree.end; at++) {
    // What a step forward comes to; what a step back undoes.
    const end = at === (backward ? tree.first : tree.end - 1);
    if (end) sum += !backward && tree.exit === 'error' ? WEIGHTS.fails : WEIGHTS.exits;
    else sum += trivial >= 1 ? 1 : weightOf(trace.events[backward ? at : at + 1]!, trivial);
    sums[at - tree.first] = sum;
  }
  known.set(key, sums);
  return sums;
}

function weightOf(event: TraceEvent, trivial: number): number {
  if (event.e === 'exception') return WEIGHTS.raises;
  if (event.e === 'call') return WEIGHTS.calls;
  return eventful(event) ? 1 : trivial;
}
