/**
 * @file What computes: one forward pass over a batch with its past. The cache and the sequences above it know
 * only this interface, so the same code runs on onnxruntime in Node and in the browser.
 */

export interface ModelShape {
  readonly layers: number;
  readonly heads: number;
  /** Of one head. */
  readonly width: number;
  readonly vocabularySize: number;
  readonly contextLength: number;
  /** Tokens before each that its embedding holds as well; 0 in models that do not look back. */
  readonly lookback: number;
}

/** Keys and values of all layers: [layer 0 key, layer 0 value, layer 1 key, ...], each of one shape. */
export type KeyValues = readonly Float32Array[];

export interface Pass {
  /** B rows of T tokens; S tokens of shared and P of own past. */
  readonly rows: number;
  readonly tokens: number;
  readonly sharedLength: number;
  readonly pastLength: number;
  /** [B, T] */
  readonly ids: BigInt64Array;
  /** [B, lookback]: the tokens before the first of `ids`, the nearest last. */
  readonly before: BigInt64Array;
  /** [B, T] */
  readonly positions: BigInt64Array;
  /** [B]: the index in 0..T-1 whose logits are wanted. */
  readonly last: BigInt64Array;
  /** [B, T, S + P + T], added to the scores: 0 or -Infinity. */
  readonly bias: Float32Array;
  /** Each [heads, S, width]. */
  readonly shared: KeyValues;
  /** Each [heads, B, P, width]. */
  readonly past: KeyValues;
}

export interface PassResult {
  /** [B, vocabularySize] */
  readonly logits: Float32Array;
  /** Each [heads, B, P + T, width]. */
  readonly present: KeyValues;
}

export interface Backend {
  readonly shape: ModelShape;
  run(pass: Pass): Promise<PassResult>;
  close(): Promise<void>;
}
