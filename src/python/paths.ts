/** @file Where the files that run inside a child lie: they are shipped as source, not compiled. */
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Works from `src/python/` and from `dist/python/` alike. */
const folder = new URL('../../src/python/', import.meta.url);

export const TRACER = fileURLToPath(new URL('tracer.py', folder));
export const TRACER_FOLDER = fileURLToPath(new URL('tracer', folder));
/** Its parts, which it loads from a folder beside itself. */
export const TRACER_PARTS = readdirSync(new URL('tracer/', folder))
  .filter((name) => name.endsWith('.py'))
  .sort()
  .map((name) => fileURLToPath(new URL(`tracer/${name}`, folder)));
export const SANDBOX = fileURLToPath(new URL('sandbox.mjs', folder));
/** What it loads. */
export const WALLED = fileURLToPath(new URL('walled.mjs', folder));
export const READER = fileURLToPath(new URL('read.mjs', folder));
/** Builds a root for one program. */
export const JAIL = fileURLToPath(new URL('jail.sh', folder));
/** Kept between runs of this program; may be deleted at any time. */
export const SNAPSHOTS = fileURLToPath(new URL('../../.cache/python/', folder));
