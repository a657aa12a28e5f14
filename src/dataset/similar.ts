/**
 * @file Near-duplicates: MinHash signatures over 5-grams of tokens, banded so that only likely pairs are compared, then the exact
 * Jaccard similarity. Knows token lists only.
 */

const GRAM = 5;
const BANDS = 20;
const ROWS = 4;
const SIZE = BANDS * ROWS;

/** Multipliers and offsets of the hash family: fixed, so that signatures are the same everywhere. */
const FAMILY = Array.from({ length: SIZE }, (_, i) => [mix(2 * i + 1) | 1, mix(2 * i + 2)] as const);

/** Hashes of the 5-grams; a shorter list is one gram. */
export function grams(tokens: readonly string[]): ReadonlySet<number> {
  const hashes = tokens.map(hashText);
  const out = new Set<number>();
  const last = Math.max(1, hashes.length - GRAM + 1);
  for (let i = 0; i < last; i++) {
    let h = 0;
    for (let j = i; j < Math.min(i + GRAM, hashes.length); j++) h = mix(Math.imul(h, 31) ^ hashes[j]!);
    out.add(h);
  }
  return out;
}

export function jaccard(a: ReadonlySet<number>, b: ReadonlySet<number>): number {
  const [small, large] = a.size < b.size ? [a, b] : [b, a];
  let both = 0;
  for (const gram of small) if (large.has(gram)) both++;
  return both / (a.size + b.size - both || 1);
}

/** An index that finds, for a set of grams, the sets added before that are likely to be similar. */
export class SimilarIndex {
  readonly #buckets = new Map<number, number[]>();
  readonly #sets: ReadonlySet<number>[] = [];

  get size(): number {
    return this.#sets.length;
  }

  /** Its number, from 0. */
  add(set: ReadonlySet<number>): number {
    const id = this.#sets.push(set) - 1;
    for (const key of bands(set)) {
      const bucket = this.#buckets.get(key);
      if (bucket) bucket.push(id);
      else this.#buckets.set(key, [id]);
    }
    return id;
  }

  /** Numbers of the sets that may be similar: nearly all that are at least 0.7 alike, and others. */
  candidates(set: ReadonlySet<number>): ReadonlySet<number> {
    const found = new Set<number>();
    for (const key of bands(set)) for (const id of this.#buckets.get(key) ?? []) found.add(id);
    return found;
  }

  /** The set of that number. */
  at(id: number): ReadonlySet<number> {
    return this.#sets[id]!;
  }

  /** Whether there is a set whose similarity is at least `threshold`. */
  has(set: ReadonlySet<number>, threshold: number): boolean {
    for (const id of this.candidates(set)) if (jaccard(set, this.#sets[id]!) >= threshold) return true;
    return false;
  }
}

// --- internal ---

function bands(set: ReadonlySet<number>): number[] {
  const least = new Uint32Array(SIZE).fill(0xffffffff);
  for (const gram of set) {
    for (let i = 0; i < SIZE; i++) {
      const h = mix(Math.imul(gram, FAMILY[i]![0]) + FAMILY[i]![1]);
      if (h < least[i]!) least[i] = h;
    }
  }
  return Array.from({ length: BANDS }, (_, band) => {
    let key = band + 1;
    for (let row = 0; row < ROWS; row++) key = mix(Math.imul(key, 16777619) ^ least[band * ROWS + row]!);
    return key;
  });
}

function hashText(text: string): number {
  let h = 2166136261;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 16777619);
  return h >>> 0;
}

/** A 32-bit finaliser (MurmurHash3). */
function mix(value: number): number {
  let h = value >>> 0;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}
