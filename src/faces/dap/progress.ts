/** @file Progress of what takes long (a step of a model, a run): shown after half a second, and can be cancelled. */
import type { Adapter } from './adapter.ts';

const AFTER_MS = 500;
const EVERY_MS = 500;

export interface Bar {
  end(): void;
}

let next = 1;
const running = new WeakMap<Adapter, Map<string, AbortController>>();

/** Silent where the client does not show progress. */
export function progress(adapter: Adapter, title: string, controller: AbortController): Bar {
  if (!adapter.client.progress) return { end() {} };
  const progressId = `npdb-${next++}`;
  const mine = running.get(adapter) ?? new Map<string, AbortController>();
  running.set(adapter, mine);
  mine.set(progressId, controller);
  const begin = performance.now();
  let shown = false;
  const tick = () => {
    const seconds = ((performance.now() - begin) / 1000).toFixed(0);
    const at = adapter.opened && adapter.phase === 'open' ? `, position ${adapter.debug.current.id}` : '';
    const message = `${seconds} s${at}`;
    if (shown) adapter.send('progressUpdate', { progressId, message });
    else adapter.send('progressStart', { progressId, title: `npdb: ${title}`, cancellable: true, message });
    shown = true;
    timer = setTimeout(tick, EVERY_MS);
  };
  let timer = setTimeout(tick, AFTER_MS);
  return {
    end() {
      clearTimeout(timer);
      mine.delete(progressId);
      if (shown) adapter.send('progressEnd', { progressId });
      shown = false;
    },
  };
}

/** False where no such work is going on. */
export function cancelProgress(adapter: Adapter, progressId: string, reason: unknown): boolean {
  const found = running.get(adapter)?.get(progressId);
  found?.abort(reason);
  return found !== undefined;
}
