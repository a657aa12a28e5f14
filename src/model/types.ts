/** @file A language model: token ids in, logits out. Asynchronous, batch first; knows no debugger. */

/** A token sequence with its key/value cache. Only the model that made it can use it. */
export interface Sequence {
  readonly length: number;
  readonly ids: readonly number[];
}

export interface LanguageModel {
  readonly vocabularySize: number;
  /** Longest sequence. */
  readonly contextLength: number;
  create(): Sequence;
  /**
   * Appends to each sequence (lengths may differ) and gives the logits after its last new id, [vocabularySize]
   * each. Throws `E_CONTEXT_LENGTH` before computing anything if one would grow too long.
   */
  append(
    batch: readonly { readonly sequence: Sequence; readonly ids: readonly number[] }[],
    signal?: AbortSignal,
  ): Promise<Float32Array[]>;
  /** A new sequence with the same past; O(1), the cache is shared. */
  fork(sequence: Sequence): Sequence;
  /** Cuts back to `length` ids. */
  rewind(sequence: Sequence, length: number): void;
  release(sequence: Sequence): void;
  close(): Promise<void>;
}
