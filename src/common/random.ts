/**
 * @file Seeded randomness. A stream is named by its parts (seed, program, purpose), never shared between
 * pieces of work: so the same seed gives the same bytes whatever the number of workers or the order.
 */

/** 128 bits of state from a text (MurmurHash3 finalisers over four lanes, after bryc's public-domain cyrb128). */
function state(text: string): [number, number, number, number] {
  let a = 1779033703;
  let b = 3144134277;
  let c = 1013904242;
  let d = 2773480762;
  for (let i = 0; i < text.length; i++) {
    const k = text.charCodeAt(i);
    a = b ^ Math.imul(a ^ k, 597399067);
    b = c ^ Math.imul(b ^ k, 2869860233);
    c = d ^ Math.imul(c ^ k, 951274213);
    d = a ^ Math.imul(d ^ k, 2716044179);
  }
  a = Math.imul(c ^ (a >>> 18), 597399067);
  b = Math.imul(d ^ (b >>> 22), 2869860233);
  c = Math.imul(a ^ (c >>> 17), 951274213);
  d = Math.imul(b ^ (d >>> 19), 2716044179);
  return [(a ^ b ^ c ^ d) >>> 0, (b ^ a) >>> 0, (c ^ a) >>> 0, (d ^ a) >>> 0];
}

/** 32 bits of a text, well mixed: for hashing programs into splits. */
export function hash32(text: string): number {
  return state(text)[0];
}

/** A pseudo-random stream (sfc32). */
export class Random {
  #a: number;
  #b: number;
  #c: number;
  #d: number;

  constructor(...parts: readonly (string | number)[]) {
    [this.#a, this.#b, this.#c, this.#d] = state(parts.join('\u0000'));
    for (let i = 0; i < 12; i++) this.next();
  }

  /** In [0, 1), 32 bits. */
  next(): number {
    const t = (((this.#a + this.#b) | 0) + this.#d) | 0;
    this.#d = (this.#d + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = ((this.#c << 21) | (this.#c >>> 11)) + t;
    this.#c |= 0;
    return (t >>> 0) / 4294967296;
  }

  /** From `low` to `high`, both included. */
  int(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1));
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(items: readonly T[]): T {
    return items[Math.floor(this.next() * items.length)]!;
  }

  /** One of the values, with probability proportional to its weight. The weights must not all be 0. */
  weighted<T>(items: readonly (readonly [number, T])[]): T {
    let total = 0;
    for (const [weight] of items) total += weight;
    let left = this.next() * total;
    for (const [weight, value] of items) {
      left -= weight;
      if (left < 0 && weight > 0) return value;
    }
    return items.findLast(([weight]) => weight > 0)![1];
  }

  shuffled<T>(items: readonly T[]): T[] {
    const out = [...items];
    for (let i = out.length - 1; i > 0; i--) {
      const j = this.int(0, i);
      [out[i], out[j]] = [out[j]!, out[i]!];
    }
    return out;
  }

  /** `count` distinct items (all of them if there are fewer), in random order. */
  sample<T>(items: readonly T[], count: number): T[] {
    return this.shuffled(items).slice(0, count);
  }
}
