/** @file What is debugged and by which engine. */
import { useState } from 'preact/hooks';
import type { EngineName } from '../../../../debugger/types.ts';
import { EXAMPLES } from '../../session/examples.ts';
import { choose, edit, setEngine, setResync, start, store } from '../state/app.ts';
import { copyAddress } from '../state/history.ts';
import { useSelect } from '../state/store.ts';
import { nextTheme } from '../state/theme.ts';
import { Icon } from './icons.tsx';

const ENGINES: readonly { readonly name: EngineName; readonly label: string; readonly about: string }[] = [
  { name: 'neural', label: 'Predicted', about: 'The model says each state; the program is not run' },
  { name: 'recorded', label: 'Real', about: 'The program is run once, in a sandbox in this page' },
  { name: 'compared', label: 'Both', about: 'Predicted and real side by side' },
];

export function TopBar() {
  return (
    <header class="topbar">
      <h1 class="brand">
        npdb <span class="brand-what">neural debugger</span>
      </h1>
      <Examples />
      <Call />
      <EngineChoice />
      <div class="topbar-end">
        <CopyLink />
        <ThemeButton />
        <button
          type="button"
          class="iconbutton"
          title="Keys (?)"
          aria-label="Keys"
          onClick={() => store.set({ help: true })}
        >
          <Icon name="help" />
        </button>
      </div>
    </header>
  );
}

function Examples() {
  const text = useSelect(store, (s) => s.text);
  const chosen = EXAMPLES.find((one) => one.text === text);
  const select = (id: string): void => {
    const example = EXAMPLES.find((one) => one.id === id);
    if (example) void choose(example);
  };
  return (
    <label class="examples">
      <span class="hidden">Example</span>
      <select
        value={chosen?.id ?? ''}
        onChange={(event) => select(event.currentTarget.value)}
        title={chosen?.about}
      >
        {chosen ? null : <option value="">Your program</option>}
        {EXAMPLES.map(({ id, title }) => (
          <option key={id} value={id}>
            {title}
          </option>
        ))}
      </select>
    </label>
  );
}

function Call() {
  const call = useSelect(store, (s) => s.call);
  const mode = useSelect(store, (s) => s.mode);
  return (
    <form
      class="call"
      onSubmit={(event) => {
        event.preventDefault();
        const from = document.activeElement;
        // Letters are commands from here on: the cursor leaves the line it was typed in.
        void start().then(() => {
          if (document.activeElement === from) document.querySelector<HTMLElement>('.cm-content')?.focus();
        });
      }}
    >
      <label class="call-label">
        <span class="call-word">call</span>
        <input
          value={call}
          onInput={(event) => store.set({ call: event.currentTarget.value })}
          placeholder="f(1, [2]); empty: the file as a script"
          spellcheck={false}
          autocomplete="off"
          autocapitalize="off"
        />
      </label>
      <button type="submit" class="button primary" title="Start, or start again (Ctrl+Enter)">
        <Icon name="play" />
        {mode === 'debug' ? 'Restart' : 'Start'}
      </button>
      {mode === 'debug' ? (
        <button type="button" class="button" title="Edit the program (e)" onClick={edit}>
          <Icon name="edit" />
          Edit
        </button>
      ) : null}
    </form>
  );
}

function EngineChoice() {
  const engine = useSelect(store, (s) => s.engine);
  const resync = useSelect(store, (s) => s.resync);
  return (
    <div class="engine">
      <fieldset class="segments">
        <legend class="hidden">Engine</legend>
        {ENGINES.map(({ name, label, about }) => (
          <label key={name} class={`segment ${name}`} title={about}>
            <input
              type="radio"
              name="engine"
              value={name}
              checked={engine === name}
              onChange={() => setEngine(name)}
            />
            <span>{label}</span>
          </label>
        ))}
      </fieldset>
      {engine === 'compared' ? (
        <label class="check" title="After each difference the model goes on from the real state">
          <input
            type="checkbox"
            checked={resync}
            onChange={(event) => setResync(event.currentTarget.checked)}
          />
          resync
        </label>
      ) : null}
    </div>
  );
}

function CopyLink() {
  const [copied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    setCopied(await copyAddress());
    setTimeout(() => setCopied(false), 1_600);
  };
  return (
    <button
      type="button"
      class="iconbutton"
      title="Copy a link to this state"
      aria-label="Copy a link to this state"
      onClick={() => void copy()}
    >
      <Icon name="link" />
      <span class="bubble" role="status">
        {copied ? 'Link copied' : ''}
      </span>
    </button>
  );
}

function ThemeButton() {
  const theme = useSelect(store, (s) => s.theme);
  const words = { auto: 'Colours: as the system', light: 'Colours: light', dark: 'Colours: dark' }[theme];
  return (
    <button type="button" class="iconbutton" title={words} aria-label={words} onClick={nextTheme}>
      <Icon name={{ auto: 'auto', light: 'sun', dark: 'moon' }[theme]} />
    </button>
  );
}
