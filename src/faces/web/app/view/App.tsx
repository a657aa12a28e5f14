/** @file The page. On a phone one panel is seen at a time, and moving stays under the thumb. */
import { Editor } from '../editor/Editor.tsx';
import { type Panel, store } from '../state/app.ts';
import { useSelect } from '../state/store.ts';
import { Ask } from './Ask.tsx';
import { Bottom } from './Bottom.tsx';
import { Help } from './Help.tsx';
import { Stack } from './Stack.tsx';
import { Failure, Status } from './Status.tsx';
import { Toolbar } from './Toolbar.tsx';
import { TopBar } from './TopBar.tsx';
import { Variables } from './Variables.tsx';
import { Where } from './Where.tsx';

const PANELS: readonly (readonly [Panel, string])[] = [
  ['variables', 'State'],
  ['timeline', 'Run'],
  ['ask', 'Ask'],
];

export function App() {
  const panel = useSelect(store, (s) => s.panel);
  const mode = useSelect(store, (s) => s.mode);
  const session = useSelect(store, (s) => s.session);
  return (
    <div class="app" data-panel={panel} data-mode={mode} data-session={session}>
      <TopBar />
      <nav aria-label="Moving">
        <Toolbar />
      </nav>
      <Failure />
      <main class="main">
        <section class="source" aria-label="Source">
          <Where />
          <Editor />
        </section>
        <nav class="switch" aria-label="Panels">
          {PANELS.map(([name, title]) => (
            <button
              key={name}
              type="button"
              aria-pressed={panel === name}
              onClick={() => store.set({ panel: name })}
            >
              {title}
            </button>
          ))}
        </nav>
        <div class="side">
          <Variables />
          <Stack />
          <Ask />
        </div>
        <Bottom />
      </main>
      <Status />
      <Help />
    </div>
  );
}
