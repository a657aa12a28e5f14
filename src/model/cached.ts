/**
 * @file `LanguageModel` over a backend: sequences with a shared cache, batches of different lengths. Rows with
 * the same root run as one pass, so a hundred candidates of one program read its keys once a step.
 */
import { internal, NpdbError } from '../common/errors.ts';
import type { Backend, ModelShape } from './backend.ts';
import { cutRoot, layOut, type Root, type View, viewLength } from './cache.ts';
import type { LanguageModel, Sequence } from './types.ts';

/** Rows of one pass; more would only need more memory. */
const MAX_ROWS = 32;

interface Addition {
  readonly sequence: CachedSequence;
  readonly ids: readonly number[];
}

class CachedSequence implements Sequence {
  readonly owner: CachedModel;
  root: Root | null = null;
  own: View | null = null;
  released = false;
  /** Shared with forks; only the first `length` are this sequence's. */
  #buffer: number[] = [];
  #length = 0;

  constructor(owner: CachedModel) {
    this.owner = owner;
  }

  get length(): number {
    return this.#length;
  }

  get ids(): readonly number[] {
    return this.#buffer.slice(0, this.#length);
  }

  /** The last `n` ids, or all where there are fewer. */
  lastIds(n: number): readonly number[] {
    return n === 0 ? [] : this.#buffer.slice(Math.max(0, this.#length - n), this.#length);
  }

  push(ids: readonly number[]): void {
    // A fork that went on wrote past our end: from here on our ids are our own.
    if (this.#buffer.length !== this.#length) this.#buffer = this.#buffer.slice(0, this.#length);
    for (const id of ids) this.#buffer.push(id);
    this.#length += ids.length;
  }

  fork(): CachedSequence {
    const copy = new CachedSequence(this.owner);
    copy.root = this.root;
    copy.own = this.own;
    copy.#buffer = this.#buffer;
    copy.#length = this.#length;
    return copy;
  }

  cut(length: number, shape: ModelShape): void {
    const rootLength = this.root?.length ?? 0;
    if (this.root && length < rootLength) {
      this.root = length === 0 ? null : cutRoot(this.root, length, shape);
      this.own = null;
    } else if (this.own) {
      const size = length - rootLength;
      this.own = size === 0 ? null : { ...this.own, to: this.own.from + size };
    }
    this.#length = length;
  }
}

export class CachedModel implements LanguageModel {
  readonly #backend: Backend;
  /** Passes run one after the other: they share the processor, and the sequences. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(backend: Backend) {
    this.#backend = backend;
  }

  get vocabularySize(): number {
    return this.#backend.shape.vocabularySize;
  }

  get contextLength(): number {
    return this.#backend.shape.contextLength;
  }

  create(): Sequence {
    return new CachedSequence(this);
  }

  append(
    batch: readonly { readonly sequence: Sequence; readonly ids: readonly number[] }[],
    signal?: AbortSignal,
  ): Promise<Float32Array[]> {
    const run = this.#turn.then(() => this.#append(batch, signal));
    this.#turn = run.catch(() => {});
    return run;
  }

  fork(sequence: Sequence): Sequence {
    return this.#mine(sequence).fork();
  }

  rewind(sequence: Sequence, length: number): void {
    const mine = this.#mine(sequence);
    if (!Number.isInteger(length) || length < 0 || length > mine.length)
      throw internal(`rewind to ${length} of ${mine.length}`);
    mine.cut(length, this.#backend.shape);
  }

  release(sequence: Sequence): void {
    const mine = this.#mine(sequence);
    mine.released = true;
    mine.root = null;
    mine.own = null;
  }

  async close(): Promise<void> {
    await this.#turn;
    await this.#backend.close();
  }

  async #append(
    batch: readonly { readonly sequence: Sequence; readonly ids: readonly number[] }[],
    signal?: AbortSignal,
  ): Promise<Float32Array[]> {
    const additions = batch.map(({ sequence, ids }) => ({ sequence: this.#mine(sequence), ids }));
    this.#check(additions);
    const logits = new Map<Addition, Float32Array>();
    const commits: (() => void)[] = [];
    for (const group of groups(additions)) {
      signal?.throwIfAborted();
      await this.#pass(group, logits, commits);
    }
    // Only now: an aborted or failed batch leaves every sequence as it was.
    for (const commit of commits) commit();
    return additions.map((a) => logits.get(a)!);
  }

  async #pass(
    group: readonly Addition[],
    logits: Map<Addition, Float32Array>,
    commits: (() => void)[],
  ): Promise<void> {
    const { shape } = this.#backend;
    const { root } = group[0]!.sequence;
    const pass = layOut(
      root,
      group.map(({ sequence, ids }) => ({
        own: sequence.own,
        ids,
        before: sequence.lastIds(shape.lookback),
      })),
      shape,
    );
    const result = await this.#backend.run(pass);
    const block = { rows: pass.rows, length: pass.pastLength + pass.tokens, data: result.present };
    group.forEach((addition, row) => {
      const { sequence, ids } = addition;
      logits.set(addition, result.logits.slice(row * shape.vocabularySize, (row + 1) * shape.vocabularySize));
      const known = viewLength(sequence.own);
      commits.push(() => {
        sequence.push(ids);
        // [heads, 1, length, width] and a root's [heads, length, width] are the same numbers.
        if (root === null) sequence.root = { length: ids.length, data: block.data };
        else sequence.own = { block, row, from: pass.pastLength - known, to: pass.pastLength + ids.length };
      });
    });
  }

  #mine(sequence: Sequence): CachedSequence {
    if (!(sequence instanceof CachedSequence) || sequence.owner !== this)
      throw internal('a sequence of another model');
    if (sequence.released) throw internal('a released sequence');
    return sequence;
  }

  #check(additions: readonly Addition[]): void {
    if (new Set(additions.map((a) => a.sequence)).size !== additions.length)
      throw internal('a sequence twice in one batch');
    for (const { sequence, ids } of additions) {
      if (ids.length === 0) throw internal('append without ids');
      for (const id of ids)
        if (!Number.isInteger(id) || id < 0 || id >= this.vocabularySize)
          throw internal(`no token ${id} in a vocabulary of ${this.vocabularySize}`);
      if (sequence.length + ids.length > this.contextLength)
        throw new NpdbError(
          'E_CONTEXT_LENGTH',
          `${sequence.length + ids.length} tokens are more than the model's ${this.contextLength}.`,
          'Use a shorter program or state, or a model with a longer context.',
          4,
        );
    }
  }
}

/** Additions that run as one pass: the same root, and lengths near enough not to waste much on filling up. */
function* groups(additions: readonly Addition[]): Generator<readonly Addition[]> {
  const byRoot = new Map<Root, Addition[]>();
  for (const addition of additions) {
    const { root } = addition.sequence;
    if (root === null) yield [addition];
    else byRoot.set(root, [...(byRoot.get(root) ?? []), addition]);
  }
  for (const same of byRoot.values()) {
    const sorted = same.toSorted((a, b) => a.ids.length - b.ids.length);
    let start = 0;
    for (let end = 1; end <= sorted.length; end++) {
      const far = sorted[end] && sorted[end]!.ids.length > 2 * sorted[start]!.ids.length + 8;
      if (end === sorted.length || far || end - start === MAX_ROWS) {
        yield sorted.slice(start, end);
        start = end;
      }
    }
  }
}
