/**
 * @file A language model for tests that knows the answers: for every prompt it is told, its logits follow the right
 * ids. Deterministic; counts what it is asked.
 */
import type { LanguageModel, Sequence } from '../model/types.ts';

class Past implements Sequence {
  ids: number[];
  constructor(ids: readonly number[]) {
    this.ids = [...ids];
  }
  get length(): number {
    return this.ids.length;
  }
}

export interface Oracle extends LanguageModel {
  /** After exactly these ids the answer is this. */
  teach(before: readonly number[], answer: readonly number[]): void;
  /** Sequences alive: 0 when everything was released. */
  alive(): number;
  appended: number;
}

export function oracle(vocabularySize: number, sureness = 8): Oracle {
  const next = new Map<string, number>();
  const alive = new Set<Sequence>();
  return {
    vocabularySize,
    contextLength: 100_000,
    appended: 0,
    teach(before, answer) {
      const ids = [...before];
      for (const id of answer) {
        next.set(ids.join(), id);
        ids.push(id);
      }
    },
    alive: () => alive.size,
    create() {
      const made = new Past([]);
      alive.add(made);
      return made;
    },
    async append(batch) {
      return batch.map(({ sequence, ids }) => {
        (sequence as Past).ids.push(...ids);
        this.appended += ids.length;
        const logits = new Float32Array(vocabularySize);
        const id = next.get(sequence.ids.join());
        if (id !== undefined) logits[id] = sureness;
        return logits;
      });
    },
    fork(sequence) {
      const made = new Past(sequence.ids);
      alive.add(made);
      return made;
    },
    rewind(sequence, length) {
      (sequence as Past).ids.length = length;
    },
    release(sequence) {
      alive.delete(sequence);
    },
    async close() {},
  };
}
