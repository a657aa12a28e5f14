/** @file The last line: what is being done, what is still loading, what went wrong, what runs this. */
import { dismiss, start, store } from '../state/app.ts';
import { useSelect } from '../state/store.ts';
import type { Loading } from '../worker/protocol.ts';
import { Icon } from './icons.tsx';

const NAMES = { model: 'Model', python: 'Python' };
const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(1);

export function Status() {
  const busy = useSelect(store, (s) => s.busy);
  const loading = useSelect(store, (s) => s.loading);
  const about = useSelect(store, (s) => s.view?.about);
  const offline = useSelect(store, (s) => s.offline);
  const open = Object.values(loading).filter(({ stage }) => stage === 'fetching' || stage === 'starting');
  return (
    <footer class="status">
      <span class="status-busy" role="status" data-busy={busy !== null}>
        {busy ? (
          <>
            <span class="spinner" aria-hidden="true" />
            {busy}…
          </>
        ) : null}
      </span>
      {open.map((one) => (
        <Bar key={one.what} loading={one} />
      ))}
      <span class="status-about">{open.length === 0 ? about : ''}</span>
      <span class="status-end">
        {offline === 'ready' ? 'works offline · ' : ''}everything stays in this browser
      </span>
    </footer>
  );
}

function Bar({ loading }: { loading: Loading }) {
  const { what, stage, done, total } = loading;
  const name = NAMES[what];
  return (
    <label class="loading">
      {stage === 'starting' ? `${name} is starting` : `${name} ${megabytes(done)} of ${megabytes(total)} MB`}
      <progress value={stage === 'starting' ? undefined : done} max={total} aria-label={`Loading ${name}`} />
    </label>
  );
}

export function Failure() {
  const failure = useSelect(store, (s) => s.failure);
  const view = useSelect(store, (s) => s.view);
  if (!failure) return null;
  return (
    <div class="failure" role="alert">
      <p>
        <strong>{failure.message}</strong> {failure.hint} <code>{failure.code}</code>
      </p>
      {view === null ? (
        <button type="button" class="button" onClick={() => void start()}>
          Try again
        </button>
      ) : null}
      <button type="button" class="iconbutton" aria-label="Dismiss" onClick={dismiss}>
        <Icon name="close" />
      </button>
    </div>
  );
}
