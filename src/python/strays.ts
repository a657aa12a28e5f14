/**
 * @file What a program without a wall started and moved out of its process group: found by the folder it works in.
 * Linux only. One that also leaves the folder (`chdir('/')`) is not found: that takes a wall.
 */
import { readdirSync, readlinkSync } from 'node:fs';

export function killStrays(folder: string): void {
  if (process.platform !== 'linux') return;
  for (const name of readdirSync('/proc')) {
    if (!/^[0-9]+$/.test(name) || Number(name) === process.pid) continue;
    try {
      const place = readlinkSync(`/proc/${name}/cwd`);
      if (place === folder || place.startsWith(`${folder}/`)) process.kill(Number(name), 'SIGKILL');
    } catch {
      // Gone, or somebody else's.
    }
  }
}
