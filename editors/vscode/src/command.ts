/** @file Which command starts the adapter. Node only. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** A folder that is not trusted may not say what is run. */
export function adapterCommand(
  set: readonly string[],
  folder: string | undefined,
  trusted: boolean,
): { readonly command: string; readonly args: string[] } {
  const [command, ...args] = set;
  if (command !== undefined) return { command, args: [...args, 'dap'] };
  const name = process.platform === 'win32' ? 'npdb.cmd' : 'npdb';
  const local = folder === undefined ? '' : join(folder, 'node_modules', '.bin', name);
  return { command: trusted && local !== '' && existsSync(local) ? local : name, args: ['dap'] };
}
