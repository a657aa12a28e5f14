/**
 * @file What stands between a program in CPython and this machine. A wall is a command put before the interpreter's: it
 * shows the program the folders it needs, read-only, and gives it a file system in memory, no network and a process
 * table of its own, which ends with it. Whether one works here (containers and some systems forbid it) is found by
 * trying; without any, limits are all there is, and the runtime says so.
 */
import { execFile } from 'node:child_process';
import { lstatSync, readlinkSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { promisify } from 'node:util';
import { NpdbError } from '../common/errors.ts';
import { bwrapWall } from './bwrap.ts';
import type { Command } from './limited.ts';
import { unshareWall } from './unshare.ts';

export type WallName = 'bwrap' | 'unshare' | 'none';

export interface Wall {
  readonly name: WallName;
  /** What it keeps out, in words, for the user. */
  readonly words: string;
  /** The program's own folder, inside; null: one on this machine's disk. */
  readonly folder: string | null;
  /** `readable`: absolute paths that the program sees, beside the system's own; `host`: an empty folder of this run. */
  wrap(command: Command, readable: readonly string[], host: string): Command;
}

/** Where a program works inside a wall: memory, gone with it. */
export const INSIDE = '/run/npdb';
/** Programs, libraries and what loads them. */
const SYSTEM =
  `/usr /bin /sbin /lib /lib64 /lib32 /nix/store /etc/ld.so.cache /etc/ld.so.conf /etc/ld.so.conf.d
  /etc/alternatives /etc/localtime /etc/ssl /etc/mime.types`.split(/\s+/);
const TRY_MS = 20_000;

/** The best wall that works with this interpreter, or the one asked for. Throws `E_WALL` if that one does not work. */
export function findWall(
  wanted: WallName | 'auto',
  python: string,
  readable: readonly string[],
): Promise<Wall> {
  const key = JSON.stringify([wanted, python, readable]);
  let wall = found.get(key);
  if (!wall) {
    wall = tryWalls(wanted, python, readable);
    found.set(key, wall);
    // A failure may be of the moment.
    wall.catch(() => found.delete(key));
  }
  return wall;
}

/** What is to be seen inside: links as links, folders without those below them. Missing ones are left out. */
export function visible(readable: readonly string[]): {
  readonly links: readonly (readonly [target: string, path: string])[];
  readonly folders: readonly string[];
} {
  const links: [string, string][] = [];
  const folders: string[] = [];
  const paths = [...new Set([...SYSTEM, ...readable])]
    .filter((path) => isAbsolute(path) && path !== '/')
    .sort();
  for (const path of paths) {
    const entry = lstatSync(path, { throwIfNoEntry: false });
    if (!entry || folders.some((above) => path.startsWith(`${above}/`))) continue;
    if (entry.isSymbolicLink() && dirname(path) === '/') links.push([readlinkSync(path), path]);
    else folders.push(path);
  }
  return { links, folders };
}

/** `/`-separated folders above a path, the highest first. */
export function above(path: string): string[] {
  const found: string[] = [];
  for (let at = dirname(path); at !== '/' && at !== '.'; at = dirname(at)) found.unshift(at);
  return found;
}

// --- internal ---

const found = new Map<string, Promise<Wall>>();

const NONE: Wall = {
  name: 'none',
  words: 'no wall around your files or the network',
  folder: null,
  wrap: (command) => command,
};

async function tryWalls(
  wanted: WallName | 'auto',
  python: string,
  readable: readonly string[],
): Promise<Wall> {
  const linux = process.platform === 'linux';
  const walls = linux
    ? [...bwrapWall(), ...unshareWall()].filter(({ name }) => wanted === 'auto' || wanted === name)
    : [];
  for (const wall of wanted === 'none' ? [] : walls) {
    if (await works(wall, python, readable)) return wall;
  }
  if (wanted === 'auto' || wanted === 'none') return NONE;
  throw new NpdbError(
    'E_WALL',
    `the wall ${wanted} does not work here.`,
    'Install bubblewrap, or allow user namespaces; or take `auto`: the best that works.',
    3,
  );
}

/** It starts the interpreter, and the interpreter cannot reach what it must not. */
async function works(wall: Wall, python: string, readable: readonly string[]): Promise<boolean> {
  const test = `import os
open('x', 'w').close()
assert len([name for name in os.listdir('/proc') if name.isdigit()]) < 8
assert len(open('/proc/net/dev').readlines()) < 4
try:
    open('/usr/x', 'w')
except OSError:
    print('walled')`;
  const host = await mkdtemp(join(tmpdir(), 'npdb-'));
  try {
    const { command, args } = wall.wrap({ command: python, args: ['-c', test] }, readable, host);
    const { stdout } = await promisify(execFile)(command, args, { timeout: TRY_MS, env: {}, cwd: host });
    return stdout.trim() === 'walled';
  } catch {
    return false;
  } finally {
    await rm(host, { recursive: true, force: true });
  }
}
