/** @file A model without weights, for tests: logits are a function of the ids. */
import { internal, NpdbError } from '../common/errors.ts';
import type { LanguageModel, Sequence } from './types.ts';

export interface FakeOptions {
  readonly vocabularySize: number;
  readonly contextLength?: number;
  /** Logits [vocabularySize] after these ids; pure. */
  readonly logits: (ids: readonly number[]) => Float32Array;
}

export interface FakeModel extends LanguageModel {
  /** Ids appended so far, over all sequences: what a real model would have computed. */
  readonly appended: number;
  /** Calls of `append`. */
  readonly calls: number;
}

interface FakeSequence extends Sequence {
  ids: number[];
  released: boolean;
}

/** Logits that make `choose(ids)` the likeliest token by a wide margin. */
export function choosing(
  vocabularySize: number,
  choose: (ids: readonly number[]) => number,
): (ids: readonly number[]) => Float32Array {
  return (ids) => {
    const logits = new Float32Array(vocabularySize);
    logits[choose(ids)] = 20;
    return logits;
  };
}

export function fakeModel(options: FakeOptions): FakeModel {
  const contextLength = options.contextLength ?? 100_000;
  const mine = new WeakSet<Sequence>();
  let appended = 0;
  let calls = 0;
  const make = (ids: number[]): FakeSequence => {
    const sequence: FakeSequence = {
      ids,
      released: false,
      get length() {
        return this.ids.length;
      },
    };
    mine.add(sequence);
    return sequence;
  };
  const own = (sequence: Sequence): FakeSequence => {
    const s = sequence as FakeSequence;
    if (!mine.has(sequence) || s.released) throw internal('not a live sequence of this model');
    return s;
  };
  return {
    vocabularySize: options.vocabularySize,
    contextLength,
    get appended() {
      return appended;
    },
    get calls() {
      return calls;
    },
    create: () => make([]),
    fork: (sequence) => make([...own(sequence).ids]),
    rewind(sequence, length) {
      own(sequence).ids.length = length;
    },
    release(sequence) {
      own(sequence).released = true;
    },
    async append(batch, signal) {
      signal?.throwIfAborted();
      for (const { sequence, ids } of batch) {
        if (ids.length === 0) throw internal('append without ids');
        if (own(sequence).ids.length + ids.length > contextLength)
          throw new NpdbError(
            'E_CONTEXT_LENGTH',
            `More than ${contextLength} tokens.`,
            'Use a shorter program.',
            4,
          );
      }
      calls++;
      return batch.map(({ sequence, ids }) => {
        const s = own(sequence);
        for (const id of ids) s.ids.push(id);
        appended += ids.length;
        return options.logits(s.ids);
      });
    },
    close: async () => {},
  };
}
