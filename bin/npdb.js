#!/usr/bin/env node
// The command `npdb`. In a checkout that was never built, it sets itself up first.
import { existsSync } from 'node:fs';

const main = new URL('../dist/faces/cli/main.js', import.meta.url);
if (!existsSync(main)) {
  const { ensureBuild, ensurePackages } = await import('../scripts/bootstrap.mjs');
  await ensurePackages();
  await ensureBuild();
}
await import(main.href);
