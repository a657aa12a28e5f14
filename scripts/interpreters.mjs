/** @file The CPythons that may be here, as names to try: `python3`, those on PATH by version, and pyenv's. */
import { existsSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

export function interpreters() {
  const pyenv = join(homedir(), '.pyenv', 'versions');
  const found = existsSync(pyenv) ? readdirSync(pyenv).map((name) => join(pyenv, name, 'bin', 'python')) : [];
  return [
    'python3',
    ...['3.10', '3.11', '3.12', '3.13', '3.14'].map((v) => `python${v}`),
    ...found.filter(existsSync),
  ];
}
