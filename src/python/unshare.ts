/** @file The wall made of the system's own `unshare` (util-linux), where there is no bubblewrap: `jail.sh` builds it. */

import { JAIL } from './paths.ts';
import { asNobody, withoutRights } from './privileges.ts';
import { INSIDE, visible, type Wall } from './wall.ts';

/** As root, then in a user namespace (see `bwrap.ts`). */
export function unshareWall(): readonly Wall[] {
  const root = process.getuid?.() === 0;
  return root ? [wall(true), wall(false)] : [wall(false)];
}

// --- internal ---

function wall(asRoot: boolean): Wall {
  const spaces = ['--mount', '--pid', '--net', '--ipc', '--uts', '--fork', '--kill-child'];
  const user = asRoot ? [] : ['--user', '--map-root-user'];
  return {
    name: 'unshare',
    words:
      'behind namespaces: it reads the interpreter, the system’s programs and what it was given, writes only to memory, and has no network and no processes but its own',
    folder: INSIDE,
    wrap: (command, readable, host) => {
      const { links, folders } = visible(readable);
      const inner = asRoot ? asNobody(command, readable) : withoutRights(command);
      const seen = [...links.map(([target, path]) => `${path}\n${target}`), ...folders];
      return {
        command: 'unshare',
        args: [
          ...[...user, ...spaces, '--propagation', 'private', '--', '/bin/sh', JAIL, host, INSIDE],
          ...[...seen, '--', inner.command, ...inner.args],
        ],
      };
    },
  };
}
