/** @file Drills of a program: its steps, each cut down to the operations of its line (`src/language/compact/drill.ts`). */
import type { Random } from '../common/random.ts';
import type { DocumentOptions } from './documents.ts';
import { outcomeOf, stateAt, withWork } from './trajectory.ts';
import type { Recorded, TokenDocument } from './types.ts';

/** Drills in a document: what they have in common is nothing, so it is short. */
const TOGETHER = 16;
/** Tokens of a drill; longer ones teach little more. */
const LONGEST = 160;

export function drillDocuments(
  runs: readonly Recorded[],
  { codec, tokenizer, drills = 0 }: DocumentOptions,
  random: Random,
): TokenDocument[] {
  if (!codec.drill || drills === 0) return [];
  const seen = new Set<string>();
  const blocks: { readonly ids: number[]; readonly loss: number[] }[] = [];
  for (const recorded of runs) {
    const entry = recorded.entries.find(({ level }) => level === 'main') ?? recorded.entries[0];
    if (!entry) continue;
    const { tree } = entry;
    for (let n = 0; n < (2 * drills) / runs.length && blocks.length < drills; n += 1) {
      const place = { at: random.int(tree.first, tree.end - 1), call: false };
      const action = { type: 'step_into' } as const;
      const move = tree.move(place, action);
      const outcome = move.type === 'place' ? outcomeOf(recorded, entry, move) : null;
      if (!outcome || move.type !== 'place') continue;
      const situation = { programs: recorded.programs, state: stateAt(recorded, entry, place), action };
      const pieces = codec.drill(situation, withWork(recorded, entry, place.at, move.place.at, outcome));
      if (!pieces) continue;
      const parts = pieces.map(({ piece, loss }) => ({ ids: tokenizer.encode([piece]), loss }));
      const ids = parts.flatMap((part) => part.ids);
      const key = ids.join(' ');
      if (ids.length > LONGEST || seen.has(key)) continue;
      seen.add(key);
      blocks.push({ ids, loss: parts.flatMap((part) => part.ids.map(() => Number(part.loss))) });
    }
  }
  const documents: TokenDocument[] = [];
  for (let from = 0; from < blocks.length; from += TOGETHER) {
    const part = blocks.slice(from, from + TOGETHER);
    documents.push({
      segments: [0, ...part.map(({ ids }) => ids.length)],
      ids: Uint16Array.from(part.flatMap(({ ids }) => ids)),
      loss: Uint8Array.from(part.flatMap(({ loss }) => loss)),
    });
  }
  return documents;
}
