/** @file The lower panel: the run as a timeline, as a tree, and what it wrote. */
import { useState } from 'preact/hooks';
import { store } from '../state/app.ts';
import { useSelect } from '../state/store.ts';
import { Timeline } from './Timeline.tsx';
import { Tree } from './Tree.tsx';

const TABS = [
  ['timeline', 'Timeline'],
  ['tree', 'Call tree'],
  ['output', 'Output'],
] as const;
type Tab = (typeof TABS)[number][0];

export function Bottom() {
  const [tab, setTab] = useState<Tab>('timeline');
  return (
    <section class="panel bottom" aria-label="The whole run">
      <div class="tabs" role="tablist" aria-label="The whole run">
        {TABS.map(([name, title]) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`run-${name}`}
            aria-selected={tab === name}
            aria-controls="run-body"
            onClick={() => setTab(name)}
          >
            {title}
          </button>
        ))}
      </div>
      <div class="panel-body" id="run-body" role="tabpanel" aria-labelledby={`run-${tab}`}>
        {tab === 'timeline' ? <Timeline /> : tab === 'tree' ? <Tree /> : <Output />}
      </div>
    </section>
  );
}

function Output() {
  const output = useSelect(store, (s) => s.view?.output);
  const { predicted, real } = output ?? { predicted: null, real: null };
  if (!predicted && !real) return <p class="empty">Nothing written so far.</p>;
  return (
    <div class="outputs">
      {real ? <Written world="real" text={real} /> : null}
      {predicted && predicted !== real ? <Written world="predicted" text={predicted} /> : null}
    </div>
  );
}

function Written({ world, text }: { world: string; text: string }) {
  return (
    <div class="written">
      <h3 class={world}>{world}</h3>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <pre tabIndex={0}>{text}</pre>
    </div>
  );
}
