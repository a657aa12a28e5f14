/** @file The frames, the current one first. */
import { selectFrame, store } from '../state/app.ts';
import { useSelect } from '../state/store.ts';

export function Stack() {
  const view = useSelect(store, (s) => s.view);
  const up = useSelect(store, (s) => s.up);
  const frames = view?.position.frames ?? [];
  return (
    <section class="panel stack" aria-labelledby="stack-title">
      <h2 id="stack-title">
        Call stack <span class="panel-note">{frames.length > 1 ? `${frames.length} deep` : ''}</span>
      </h2>
      <div class="panel-body">
        {frames.length === 0 ? <p class="empty">No frame here.</p> : null}
        <ol class="frames">
          {frames.map((frame, i) => (
            // A frame is its place in the stack.
            <li key={i}>
              <button
                type="button"
                class={`frame ${frame.differs ? 'differs' : ''}`}
                aria-current={i === up ? 'true' : undefined}
                onClick={() => selectFrame(i)}
              >
                <span class={`frame-name ${frame.only ?? ''}`}>{frame.fn}</span>
                <span class="frame-line">
                  {frame.line === null ? 'call' : `line ${frame.line}`}
                  {frame.realLine === undefined ? '' : ` ≠ ${frame.realLine}`}
                  {frame.only ? ` · only ${frame.only}` : ''}
                </span>
              </button>
            </li>
          ))}
        </ol>
      </div>
    </section>
  );
}
