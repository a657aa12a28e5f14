/**
 * @file Threads: the program's own, and, beside a prediction, the real run as one more, so that both stacks can be
 * looked at. Ids are stable over a session.
 */
import type { Adapter } from './adapter.ts';
import { originOf } from './show.ts';
import type { ThreadRef } from './types.ts';

const REAL_THREAD = 1_000_000;

export interface ThreadIds {
  readonly current: number;
  readonly all: readonly { readonly id: number; readonly name: string }[];
}

export function threadIds(adapter: Adapter): ThreadIds {
  const { current } = adapter.debug;
  const origin = originOf(current);
  const state = current.outcome.type === 'state' ? current.outcome.state : null;
  const main = state?.stack.at(-1)?.thread ?? 0;
  const numbers = new Set([main, ...(state?.beyond?.lanes.keys() ?? [])]);
  const all = [...numbers]
    .sort((a, b) => a - b)
    .map((n) => ({
      id: n + 1,
      name: `${n === 0 ? 'MainThread' : `Thread-${n}`}${origin ? ` (${origin})` : ''}`,
    }));
  if (current.real?.type === 'state') all.push({ id: REAL_THREAD, name: 'MainThread (real run)' });
  return { current: main + 1, all };
}

export const threadRef = (id: number): ThreadRef =>
  id === REAL_THREAD ? { type: 'real' } : { type: 'shown', thread: id - 1 };
