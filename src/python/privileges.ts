/** @file Who a program is behind a wall, and how many processes it may have. Both set inside, just before it begins. */
import { randomInt } from 'node:crypto';
import { statSync } from 'node:fs';
import type { Command } from './limited.ts';

/** Processes and threads of one program. */
const PROCESSES_MAX = 64;
/** Users that nobody is; one for each run, as the system counts processes by user. */
const USERS = 1_853_882_368;

/** Shells call it by one or the other letter. */
export const PROCESSES = ({ command, args }: Command): Command => ({
  command: '/bin/sh',
  args: [
    '-c',
    `ulimit -u ${PROCESSES_MAX} 2>/dev/null || ulimit -p ${PROCESSES_MAX} 2>/dev/null; exec "$0" "$@"`,
    command,
    ...args,
  ],
});

const DROPPED = ['--no-new-privs', '--bounding-set=-all', '--inh-caps=-all'];

/** Without any right of root's, whoever it is. */
export function withoutRights(command: Command): Command {
  const inner = PROCESSES(command);
  return { command: 'setpriv', args: [...DROPPED, inner.command, ...inner.args] };
}

/**
 * From root to a user of its own, without a way back; where a folder is closed to other users, to root without rights,
 * whom no number of processes binds.
 */
export function asNobody(command: Command, readable: readonly string[]): Command {
  const inner = withoutRights(command);
  if (!readable.every(isOpen)) return inner;
  const user = USERS + randomInt(1 << 24);
  return {
    command: 'setpriv',
    args: [`--reuid=${user}`, `--regid=${user}`, '--clear-groups', ...inner.args],
  };
}

// --- internal ---

function isOpen(path: string): boolean {
  const entry = statSync(path, { throwIfNoEntry: false });
  if (!entry) return true;
  const needed = entry.isDirectory() ? 0o005 : 0o004;
  return (entry.mode & needed) === needed;
}
