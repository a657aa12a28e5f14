/** @file Files that are there in full or not at all: written beside and renamed. Node only. */
import { readFile, rename, writeFile } from 'node:fs/promises';

export async function writeWhole(path: string, data: string | Uint8Array): Promise<void> {
  const part = `${path}.part`;
  await writeFile(part, data);
  await rename(part, path);
}

/** Null where there is no such file. */
export async function readJson(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
