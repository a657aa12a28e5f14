/**
 * @file A child's end when this process is killed outright and can do nothing more about it. On Linux the kernel
 * does it (`setpriv --pdeathsig`, util-linux); elsewhere, and where all that a child started shall end too, a
 * second process waits at a pipe that this one holds, and kills the group when it closes.
 */
import { spawnSync } from 'node:child_process';
import type { Command } from './limited.ts';

/** `process`: the child itself (what is behind a wall ends with the wall). `group`: and what it started. */
export type Lifeline = 'process' | 'group';

/** The descriptor of the pipe, in the child. */
export const LIFELINE = 4;

export interface Bound extends Command {
  /** It reads descriptor 4, whose other end this process must hold. */
  readonly pipe: boolean;
}

export function bound(command: Command, what: Lifeline, kernel = kernelDoes()): Bound {
  if (process.platform === 'win32') return { ...command, pipe: false };
  // In a container whose first process this is, nobody would bury the one that waits.
  if (kernel && (what === 'process' || process.pid === 1)) {
    const args = ['--pdeathsig', 'KILL', '--', command.command, ...command.args];
    return { command: 'setpriv', args, pipe: false };
  }
  // Twice removed: it is no child that the program could wait for.
  const wait = `( ( read -r _ <&${LIFELINE}; kill -9 0 ) </dev/null >/dev/null 2>&1 3<&- & )`;
  const script = `${wait}; exec ${LIFELINE}<&-; exec "$0" "$@"`;
  return { command: '/bin/sh', args: ['-c', script, command.command, ...command.args], pipe: true };
}

// --- internal ---

let known: boolean | null = null;

function kernelDoes(): boolean {
  if (process.platform !== 'linux') return false;
  known ??= spawnSync('setpriv', ['--pdeathsig', 'KILL', '--', 'true'], { stdio: 'ignore' }).status === 0;
  return known;
}
