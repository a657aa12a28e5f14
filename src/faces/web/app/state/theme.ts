/** @file Light, dark, or as the system has it; remembered. */
import { store, type Theme } from './app.ts';

const KEY = 'npdb-theme';
const ORDER: readonly Theme[] = ['auto', 'light', 'dark'];

export function applyTheme(theme: Theme): void {
  store.set({ theme });
  if (theme === 'auto') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  try {
    localStorage.setItem(KEY, theme);
  } catch {
    // Storage is switched off: it is only not remembered.
  }
}

export function nextTheme(): void {
  applyTheme(ORDER[(ORDER.indexOf(store.value.theme) + 1) % ORDER.length]!);
}

export function loadTheme(): void {
  let kept: string | null = null;
  try {
    kept = localStorage.getItem(KEY);
  } catch {
    // As above.
  }
  if (ORDER.includes(kept as Theme)) applyTheme(kept as Theme);
}
