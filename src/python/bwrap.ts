/** @file The wall made by bubblewrap (`bwrap`, Debian's package `bubblewrap`). */
import type { Command } from './limited.ts';
import { asNobody, PROCESSES } from './privileges.ts';
import { above, INSIDE, visible, type Wall } from './wall.ts';

/** Bytes of the program's own folders in memory. */
const FOLDER = 64 << 20;
const SHARED = 16 << 20;

/**
 * As root first with the means of root: the program then is a user of its own. Else in a user namespace, where it is
 * whoever started it, and root would not be bound by a number of processes.
 */
export function bwrapWall(): readonly Wall[] {
  const root = process.getuid?.() === 0;
  return root ? [wall(true), wall(false)] : [wall(false)];
}

// --- internal ---

function wall(asRoot: boolean): Wall {
  return {
    name: 'bwrap',
    words:
      'behind bubblewrap: it reads the interpreter, the system’s programs and what it was given, writes only to memory, and has no network and no processes but its own',
    folder: INSIDE,
    wrap: (command, readable) => ({
      command: 'bwrap',
      args: [
        ...flags(asRoot),
        ...mounts(readable),
        '--',
        ...line(asRoot ? asNobody(command, readable) : PROCESSES(command)),
      ],
    }),
  };
}

const line = ({ command, args }: Command): string[] => [command, ...args];

function flags(asRoot: boolean): string[] {
  const common = ['--die-with-parent', '--unshare-pid', '--unshare-net', '--unshare-ipc', '--unshare-uts'];
  if (!asRoot) return [...common, '--unshare-cgroup-try', '--unshare-user', '--cap-drop', 'ALL'];
  const needed = ['CAP_SETUID', 'CAP_SETGID', 'CAP_SETPCAP'].flatMap((name) => ['--cap-add', name]);
  return [...common, '--unshare-cgroup-try', '--cap-drop', 'ALL', ...needed];
}

function mounts(readable: readonly string[]): string[] {
  const { links, folders } = visible(readable);
  const made = [...new Set([...folders, INSIDE].flatMap(above))].sort();
  const memory = (size: number, path: string): string[] => [
    ...['--size', String(size), '--perms', '1777'],
    ...['--tmpfs', path],
  ];
  return [
    // It would make those above a mount for its owner only.
    ...made.flatMap((path) => ['--perms', '0755', '--dir', path]),
    ...memory(FOLDER, '/tmp'),
    ...links.flatMap(([target, path]) => ['--symlink', target, path]),
    ...made.filter((path) => path.startsWith('/tmp/')).flatMap((path) => ['--perms', '0755', '--dir', path]),
    ...folders.flatMap((path) => ['--ro-bind', path, path]),
    ...['--proc', '/proc', '--dev', '/dev'],
    ...memory(SHARED, '/dev/shm'),
    ...memory(FOLDER, INSIDE),
    ...['/dev', '/proc', '/'].flatMap((path) => ['--remount-ro', path]),
    ...['--chdir', INSIDE],
  ];
}
