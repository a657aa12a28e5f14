/**
 * @file No child outlives this process: being process groups of their own, children do not get the terminal's
 * Ctrl-C. While any lives, the signals that would end this process end them first.
 */

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const living = new Set<() => void>();

/** `kill` is called if this process ends; the returned function says that there is nothing left to kill. */
export function dieWithHost(kill: () => void): () => void {
  if (living.size === 0) listen('on');
  living.add(kill);
  return () => {
    if (living.delete(kill) && living.size === 0) listen('off');
  };
}

// --- internal ---

function listen(how: 'on' | 'off'): void {
  process[how]('exit', killAll);
  for (const signal of SIGNALS) process[how](signal, onSignal);
}

function killAll(): void {
  for (const kill of living) kill();
}

/** Others who listen decide what the signal does; alone, we let it do what it does by itself. */
function onSignal(signal: NodeJS.Signals): void {
  if (process.listenerCount(signal) > 1) return;
  killAll();
  listen('off');
  process.kill(process.pid, signal);
}
