/**
 * @file From an automaton over bytes and specials to the ids of any vocabulary: which tokens may come next. One
 * walk of the vocabulary's trie per automaton state that was not met before; results are kept by its key.
 */
import type { AutomatonState, Tokenizer } from './types.ts';

/** Masks kept; the oldest half is dropped beyond that. One takes a byte per token of the vocabulary. */
const KEPT = 8192;

interface Node {
  readonly symbol: number;
  readonly ids: number[];
  readonly children: Node[];
}

export class VocabularyMask {
  readonly #symbols: (readonly number[] | null)[];
  readonly #root: Node;
  readonly #size: number;
  #masks = new Map<string, Uint8Array>();

  constructor(tokenizer: Tokenizer) {
    this.#size = tokenizer.size;
    this.#symbols = Array.from({ length: tokenizer.size }, (_, id) => tokenizer.symbols(id));
    this.#root = trieOf(this.#symbols);
  }

  /** 1 for each id that may come next, 0 for the others; [vocabulary size]. Not to be changed: it is shared. */
  allowed(state: AutomatonState): Uint8Array {
    let mask = this.#masks.get(state.key);
    if (!mask) {
      mask = new Uint8Array(this.#size);
      mark(this.#root, state, mask);
      if (this.#masks.size >= KEPT) this.#masks = new Map([...this.#masks].slice(KEPT / 2));
      this.#masks.set(state.key, mask);
    }
    return mask;
  }

  /** The automaton after a token; null if it does not accept it. */
  advance(state: AutomatonState, id: number): AutomatonState | null {
    let at: AutomatonState | null = this.#symbols[id] ? state : null;
    for (const symbol of this.#symbols[id] ?? []) at = at?.next(symbol) ?? null;
    return at;
  }
}

function trieOf(symbols: readonly (readonly number[] | null)[]): Node {
  const root: Node = { symbol: -1, ids: [], children: [] };
  const index = new Map<Node, Map<number, Node>>();
  symbols.forEach((spelling, id) => {
    if (!spelling || spelling.length === 0) return;
    let node = root;
    for (const symbol of spelling) {
      let children = index.get(node);
      if (!children) index.set(node, (children = new Map()));
      let child = children.get(symbol);
      if (!child) {
        child = { symbol, ids: [], children: [] };
        children.set(symbol, child);
        node.children.push(child);
      }
      node = child;
    }
    node.ids.push(id);
  });
  return root;
}

function mark(node: Node, state: AutomatonState, mask: Uint8Array): void {
  for (const child of node.children) {
    const next = state.next(child.symbol);
    if (!next) continue;
    for (const id of child.ids) mask[id] = 1;
    if (child.children.length > 0) mark(child, next, mask);
  }
}
