/** @file The large files beside the page: fetched once, with progress. Their names and sizes are the build's. */
import { NpdbError } from '../../../../common/errors.ts';

/** Name as the app knows it to address (relative to the page) and bytes; written by the build. */
export type AssetTable = Readonly<Record<string, { readonly path: string; readonly bytes: number }>>;

declare const __ASSETS__: AssetTable;
const assets: AssetTable = __ASSETS__;

/** Workers lie in `assets/`, the files beside that folder. */
const base = new URL('../', import.meta.url);

export const addressOf = (name: string): string => new URL(assets[name]!.path, base).href;
export const sizeOf = (names: readonly string[]): number =>
  names.reduce((sum, name) => sum + assets[name]!.bytes, 0);

/** `progress` is told of each piece. Throws `E_FETCH`. */
export async function fetchBytes(
  name: string,
  progress: (bytes: number) => void,
): Promise<Uint8Array<ArrayBuffer>> {
  const failed = (why: string, cause?: unknown): NpdbError =>
    new NpdbError(
      'E_FETCH',
      `${name} could not be loaded: ${why}.`,
      'Check the connection and try again.',
      3,
      {
        cause,
      },
    );
  const response = await fetch(addressOf(name)).catch((cause: unknown) => {
    throw failed('there is no connection', cause);
  });
  if (!response.ok || !response.body) throw failed(`the host says ${response.status}`);
  const all = new Uint8Array(assets[name]!.bytes);
  let at = 0;
  const reader = response.body.getReader();
  for (;;) {
    const { done, value } = await reader.read().catch((cause: unknown) => {
      throw failed('the connection broke', cause);
    });
    if (done) break;
    if (at + value.length > all.length) throw failed('it is not the file of this version');
    all.set(value, at);
    at += value.length;
    progress(value.length);
  }
  if (at !== all.length) throw failed('it is not the file of this version');
  return all;
}

export const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
