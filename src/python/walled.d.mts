/** @file Types of `walled.mjs`. */
import type { PyodideModule, WalledFiles } from './browser/protocol.ts';

export interface Entropy {
  reset(): void;
}

export interface Walled {
  readonly version: string;
  limit(memoryMb: number): void;
  dump(options: { readonly library: boolean }): Uint8Array<ArrayBuffer>;
  serve(line: string, hard: boolean): boolean;
}

export function emptyGlobals(complain: (text: string) => void): Entropy;

/** Throws where Python does not start, or the memory is of another interpreter. */
export function openPython(options: {
  readonly create: PyodideModule['default'];
  readonly files: WalledFiles;
  readonly entropy: Entropy;
  readonly snapshot?: Uint8Array | null;
  readonly write: (bytes: Uint8Array) => void;
}): Promise<Walled>;
