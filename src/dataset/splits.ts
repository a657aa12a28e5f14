/** @file Which program goes where: by the hash of its normal form and the seed, near-duplicates together. */

import { hash32 } from '../common/random.ts';
import type { Kept } from './exclude.ts';
import type { Split } from './types.ts';

export interface Shares {
  readonly validation: number;
  readonly dev: number;
  readonly test: number;
}

export const DEFAULT_SHARES: Shares = { validation: 0.01, dev: 0.02, test: 0.03 };

/** Larger families of near-duplicates go to training: held back, they would be most of a small split. */
const LARGE_FAMILY = 12;

/** The split of each kept program, in order. */
export function splitAll(kept: readonly Kept[], seed: number, shares: Shares = DEFAULT_SHARES): Split[] {
  const sizes = new Map<number, number>();
  const first = new Map<number, string>();
  for (const { group, normal } of kept) {
    sizes.set(group, (sizes.get(group) ?? 0) + 1);
    if (!first.has(group)) first.set(group, normal);
  }
  return kept.map(({ group }) => {
    if (sizes.get(group)! > LARGE_FAMILY) return 'train';
    const at = hash32(`split\u0000${seed}\u0000${first.get(group)}`) / 2 ** 32;
    if (at < shares.validation) return 'validation';
    if (at < shares.validation + shares.dev) return 'dev';
    return at < shares.validation + shares.dev + shares.test ? 'test' : 'train';
  });
}
