/** @file Every command by name: its words, its keys, what it does. The toolbar, the keyboard and the help read this. */
import type { Motion } from '../../session/types.ts';
import { edit, move, selectFrame, start, stop, store, togglePoint } from './app.ts';

export interface Command {
  readonly name: string;
  readonly title: string;
  /** As `keyOf` writes them; letters follow pdb and, in capitals, gdb's reverse commands. */
  readonly keys: readonly string[];
  readonly run: () => void;
}

/** The line the editor's cursor is on; the editor keeps it. */
export const cursor = { line: 1 };

const motion = (name: Motion, title: string, ...keys: string[]): Command => ({
  name,
  title,
  keys,
  run: () => void move(name, name === 'cursor' || name === 'backCursor' ? cursor.line : undefined),
});

export const BACK: readonly Command[] = [
  motion('backContinue', 'Back to the last breakpoint or the entry', 'C', 'Shift+F8'),
  motion('backOut', 'Back out to the call', 'R'),
  motion('backOver', 'Back over', 'N', 'Shift+F10'),
  motion('backInto', 'Back into', 'S'),
  motion('backCursor', 'Back to the cursor', 'T'),
];

export const FORWARD: readonly Command[] = [
  motion('cursor', 'On to the cursor', 't'),
  motion('into', 'Step into', 's', 'F11'),
  motion('over', 'Step over', 'n', 'F10'),
  motion('out', 'Step out', 'r', 'Shift+F11'),
  motion('continue', 'Continue to a breakpoint or the end', 'c', 'F8'),
];

function frame(by: number): void {
  const { view, up } = store.value;
  const next = up + by;
  if (view && next >= 0 && next < view.position.frames.length) selectFrame(next);
}

export const OTHER: readonly Command[] = [
  { name: 'start', title: 'Start, or start again', keys: ['Ctrl+Enter'], run: () => void start() },
  { name: 'edit', title: 'Edit the program', keys: ['e'], run: edit },
  { name: 'stop', title: 'Stop what is running', keys: ['Escape'], run: stop },
  {
    name: 'point',
    title: 'Breakpoint on the cursor’s line',
    keys: ['b'],
    run: () => togglePoint(cursor.line),
  },
  { name: 'up', title: 'The caller’s frame', keys: ['u'], run: () => frame(1) },
  { name: 'down', title: 'The called frame', keys: ['d'], run: () => frame(-1) },
  { name: 'help', title: 'Keys', keys: ['?'], run: () => store.set({ help: !store.value.help }) },
];

const byKey = new Map([...BACK, ...FORWARD, ...OTHER].flatMap((c) => c.keys.map((key) => [key, c] as const)));

/** `Shift+F10`, `S`, `Ctrl+Enter`. */
export function keyOf(event: KeyboardEvent): string {
  const control = event.ctrlKey || event.metaKey ? 'Ctrl+' : '';
  const alt = event.altKey ? 'Alt+' : '';
  const shift = event.shiftKey && event.key.length > 1 ? 'Shift+' : '';
  return `${control}${alt}${shift}${event.key}`;
}

/** Handles a key that is not being typed into something; true if it was a command. */
export function onKey(event: KeyboardEvent): boolean {
  const command = byKey.get(keyOf(event));
  if (!command || event.isComposing) return false;
  const typing = isTyping(event.target);
  const plain = command.keys.some((key) => key.length === 1 && key === event.key);
  if (typing && (plain || command.name === 'stop')) return false;
  if (store.value.help && command.name === 'stop') {
    store.set({ help: false });
    return true;
  }
  if (store.value.mode === 'edit' && command.name !== 'start' && command.name !== 'help') return false;
  command.run();
  return true;
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.closest('.cm-editor'))
    return store.value.mode === 'edit' || target.closest('.cm-panel') !== null;
  return target.matches('input:not([type=range]):not([type=checkbox]):not([type=radio]), textarea, select');
}
