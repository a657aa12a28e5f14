/** @file The address line follows the session, and the browser's Back is a way back through it. */
import { writeAddress } from '../../session/address.ts';
import { EXAMPLES } from '../../session/examples.ts';
import { goto, openAddress, store } from './app.ts';

interface Entry {
  readonly session: number;
  readonly position: number;
}

/** Milliseconds between entries: a finger on the timeline leaves one, not a hundred. */
const BETWEEN = 400;
let pushed = 0;
let last: { hash: string; entry: Entry } | null = null;
/** A state that was reached by Back must not make a new entry. */
let returning = false;

async function addressOf(): Promise<string> {
  const { view, points, text, call, engine, resync } = store.value;
  const now = { text, engine, resync, ...(call.trim() === '' ? {} : { call: call.trim() }) };
  return writeAddress({ spec: view?.spec ?? now, points, path: view?.path ?? '' }, EXAMPLES);
}

export async function copyAddress(): Promise<boolean> {
  const url = new URL(await addressOf(), location.href).href;
  try {
    await navigator.clipboard.writeText(url);
    return true;
  } catch {
    return false;
  }
}

/** Call once: from then on each stop has its entry. */
export function followHistory(): void {
  let view = store.value.view;
  let points = store.value.points;
  store.subscribe(() => {
    const now = store.value;
    if (now.view === view && now.points === points) return;
    const moved = now.view?.position.id !== view?.position.id || now.view?.spec !== view?.spec;
    view = now.view;
    points = now.points;
    if (now.view) void write(moved, { session: now.session, position: now.view.position.id });
  });
  addEventListener('popstate', (event) => {
    const entry = event.state as Entry | null;
    const { session, mode } = store.value;
    returning = true;
    const back =
      entry && entry.session === session && mode === 'debug'
        ? goto(entry.position)
        : openAddress(location.hash);
    void back.finally(() => {
      returning = false;
    });
  });
}

async function write(moved: boolean, entry: Entry): Promise<void> {
  const push =
    moved &&
    !returning &&
    last !== null &&
    last.entry.session === entry.session &&
    performance.now() - pushed > BETWEEN;
  const hash = await addressOf();
  if (store.value.view?.position.id !== entry.position || hash === last?.hash) return;
  last = { hash, entry };
  if (push) pushed = performance.now();
  if (push) history.pushState(entry, '', hash);
  else history.replaceState(entry, '', hash);
}
