/** @file A short stable hash for names of things (not for security): 64-bit FNV-1a over UTF-8, as 16 hex digits. */
export function fnv1a(value: string): string {
  let hash = 0xcbf29ce484222325n;
  for (const byte of new TextEncoder().encode(value)) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  }
  return hash.toString(16).padStart(16, '0');
}
