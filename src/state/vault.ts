/**
 * @file A persistent map from small whole numbers (frame numbers) to values: a copy with one change costs
 * O(log n), so that every state can keep its own suspended frames even where a program suspends thousands.
 */

const BITS = 5;
const MASK = (1 << BITS) - 1;

type Node<T> = readonly (Node<T> | T | undefined)[];

export class Vault<T> {
  static readonly #empty = new Vault<never>([], 0);
  readonly #root: Node<T>;
  /** Levels above the leaves: keys below 32 ** (height + 1) fit. */
  readonly #height: number;

  private constructor(root: Node<T>, height: number) {
    this.#root = root;
    this.#height = height;
  }

  static empty<T>(): Vault<T> {
    return Vault.#empty as Vault<T>;
  }

  get(key: number): T | undefined {
    if (key >= 32 ** (this.#height + 1)) return undefined;
    let node: Node<T> | T | undefined = this.#root;
    for (let level = this.#height; level >= 0; level--) {
      if (node === undefined) return undefined;
      node = (node as Node<T>)[(key >>> (level * BITS)) & MASK];
    }
    return node as T | undefined;
  }

  /** A copy where `key` holds `value`; `undefined` removes it. */
  with(key: number, value: T | undefined): Vault<T> {
    let root = this.#root;
    let height = this.#height;
    while (key >= 32 ** (height + 1)) {
      root = [root];
      height++;
    }
    return new Vault(put(root, key, value, height), height);
  }
}

function put<T>(node: Node<T> | undefined, key: number, value: T | undefined, level: number): Node<T> {
  const copy = node ? [...node] : [];
  const slot = (key >>> (level * BITS)) & MASK;
  copy[slot] = level === 0 ? value : put(copy[slot] as Node<T> | undefined, key, value, level - 1);
  return copy;
}
