/** @file Moving, back on the left and on on the right, and where that has led. */
import { stop, store } from '../state/app.ts';
import { BACK, type Command, FORWARD } from '../state/commands.ts';
import { useSelect } from '../state/store.ts';
import { Icon } from './icons.tsx';

const PICTURES: Readonly<Record<string, string>> = {
  backContinue: 'continue',
  backOut: 'out',
  backOver: 'over',
  backInto: 'into',
  backCursor: 'cursor',
};

export function Toolbar() {
  const busy = useSelect(store, (s) => s.busy);
  const live = useSelect(store, (s) => s.mode === 'debug' && s.view !== null);
  const button = (command: Command, back: boolean) => (
    <button
      key={command.name}
      type="button"
      class="tool"
      data-command={command.name}
      disabled={!live || busy !== null}
      title={`${command.title} (${command.keys.join(', ')})`}
      aria-label={command.title}
      aria-keyshortcuts={command.keys.join(' ')}
      onClick={command.run}
    >
      <Icon name={PICTURES[command.name] ?? command.name} mirrored={back} />
      <kbd>{command.keys[0]}</kbd>
    </button>
  );
  return (
    <div class="toolbar" role="toolbar" aria-label="Moving through the run">
      <div class="tools back">
        <span class="tools-name" aria-hidden="true">
          back
        </span>
        {BACK.map((command) => button(command, true))}
      </div>
      <div class="tools forward">
        {FORWARD.map((command) => button(command, false))}
        <span class="tools-name" aria-hidden="true">
          forward
        </span>
      </div>
      <button
        type="button"
        class="tool stop"
        disabled={busy === null}
        title="Stop (Escape)"
        aria-label="Stop"
        onClick={stop}
      >
        <Icon name="stop" />
      </button>
    </div>
  );
}
