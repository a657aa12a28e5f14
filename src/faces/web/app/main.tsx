/** @file The page's beginning: its worker, its address, its keys, and what keeps it there without a network. */
import './style/type.css';
import './style/base.css';
import './style/layout.css';
import './style/parts.css';
import './style/editor.css';
import { render } from 'preact';
import { connect, openAddress, store } from './state/app.ts';
import { Client } from './state/client.ts';
import { onKey } from './state/commands.ts';
import { followHistory } from './state/history.ts';
import { loadTheme } from './state/theme.ts';
import { App } from './view/App.tsx';

loadTheme();
connect(
  new Client(
    new Worker(new URL('./worker/session.worker.ts', import.meta.url), { type: 'module', name: 'session' }),
  ),
);
const root = document.getElementById('app')!;
// The words that stood there while this was loading.
root.replaceChildren();
render(<App />, root);
addEventListener('keydown', (event) => {
  if (!event.defaultPrevented && onKey(event)) event.preventDefault();
});
followHistory();
void openAddress(location.hash).then(keepOffline);

/** After the first session stands, so that keeping files does not slow it down. Plain http hosts have no workers of this kind. */
async function keepOffline(): Promise<void> {
  if (!('serviceWorker' in navigator)) return;
  try {
    const registration = await navigator.serviceWorker.register('./sw.js');
    await navigator.serviceWorker.ready;
    const worker = registration.active;
    if (!worker) return;
    store.set({ offline: 'keeping' });
    const channel = new MessageChannel();
    channel.port1.onmessage = () => store.set({ offline: 'ready' });
    worker.postMessage('keep', [channel.port2]);
  } catch {
    // Private windows may refuse: the page works, but not without a network.
  }
}
