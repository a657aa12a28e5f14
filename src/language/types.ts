/**
 * @file The debugger language: how a situation (program, state, action) is written for a model and how its
 * answer is read. A codec deals in pieces, a tokenizer turns pieces into ids; neither knows a model.
 */
import type { Program } from '../source/types.ts';
import type { Action, Outcome, State } from '../state/types.ts';

/**
 * `special`: exactly one token, never made from text. `text`: source, names, keywords: a tokenizer may use
 * whole words. `chars`: values: a character-level tokenizer spells them out; a BPE treats both alike.
 */
export type Piece = { readonly special: string } | { readonly text: string } | { readonly chars: string };

export interface Step {
  readonly state: State;
  readonly action: Action;
}

export interface Situation {
  /** By file index: the program, and the call expression's one-line program if the walk includes it. */
  readonly programs: readonly Program[];
  readonly state: State;
  readonly action: Action;
  /** Steps before this one, oldest first. Codecs that are Markov ignore it. */
  readonly history?: readonly Step[];
}

/** A sampled walk: step i's action leads to step i+1's state, the last one's to `end`. */
export interface Trajectory {
  readonly programs: readonly Program[];
  readonly steps: readonly Step[];
  readonly end: Outcome;
}

export interface LossPiece {
  readonly piece: Piece;
  /** The model is trained to produce it. */
  readonly loss: boolean;
}

/** For training: every block attends to `shared` and itself only, positions restarting after `shared`. */
export interface TrainingText {
  readonly shared: readonly Piece[];
  readonly blocks: readonly (readonly LossPiece[])[];
}

export interface Parsed {
  readonly outcome: Outcome;
  /** Lines that the answer's text could also mean and that successors do not rule out; empty when certain. */
  readonly ambiguous: readonly number[];
}

export interface Codec {
  readonly name: string;
  readonly version: number;
  /** All special tokens, in the order of their symbols. The first one ends an answer. */
  readonly specials: readonly string[];
  /** Where not only the first special ends an answer: all that do. */
  readonly ends?: readonly string[];
  /** The part of the prompt that only depends on the programs: read once, cached for good. */
  context(programs: readonly Program[]): readonly Piece[];
  /** From after the context to where the answer begins. */
  prompt(situation: Situation): readonly Piece[];
  /** Which pieces of a prompt repeat the context: what a model learns to copy by, before it can predict anything. */
  echoes?(prompt: readonly Piece[]): readonly boolean[];
  /** What the model should write, terminator included. */
  answer(situation: Situation, outcome: Outcome): readonly Piece[];
  /** Throws NpdbError `E_MALFORMED` where the pieces are no answer. */
  parse(situation: Situation, pieces: readonly Piece[]): Parsed;
  /** What may come next, by syntax and grammar alone. */
  mask(situation: Situation): AutomatonState;
  /** A step cut down to its line's own operations, for training; null where it is more than that. */
  drill?(situation: Situation, outcome: Outcome): readonly LossPiece[] | null;
  train(trajectory: Trajectory): TrainingText;
}

/**
 * A deterministic automaton over symbols: 0-255 are bytes of UTF-8, 256 + i is `specials[i]` of the codec.
 * States are immutable values.
 */
export interface AutomatonState {
  /** Equal keys: the same may follow, up to the next special and with it. What masks are cached by. */
  readonly key: string;
  /** The answer is complete; nothing may follow. */
  readonly done: boolean;
  next(symbol: number): AutomatonState | null;
}

export interface Tokenizer {
  /** Stable hash of vocabulary and rules; written into shards and weights, checked on load. */
  readonly id: string;
  readonly size: number;
  encode(pieces: readonly Piece[]): number[];
  /** Inverse of `encode` up to the splitting of text into pieces; `text` and `chars` come back as `text`. */
  decode(ids: readonly number[]): Piece[];
  /** The symbols (bytes, or one special) that a token stands for, given the codec's specials; null: never allowed in an answer. */
  symbols(id: number): readonly number[] | null;
}
