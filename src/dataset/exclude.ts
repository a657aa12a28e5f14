/**
 * @file What must not be in a data set: programs that are, or hold a function that is, equal or nearly equal to one of an
 * evaluation set, and programs that occur twice. The counts go into the data card.
 */
import type { ProgramEntry } from '../programs/types.ts';
import { type NormalForm, normalForm } from './normalise.ts';
import { grams, jaccard, SimilarIndex } from './similar.ts';

/** Similarity (Jaccard, token 5-grams, names renamed) from which two programs count as near-duplicates. */
export const NEAR = 0.7;
/** Functions with fewer tokens are everyone's: a constructor of two attributes has 27. */
const LEAST_FUNCTION = 30;
/** Programs with fewer tokens are only compared as equal or not: they have hardly any 5-grams. */
const LEAST_NEAR = 20;

export type Exclusion = 'eval-equal' | 'eval-near' | 'equal';

export interface Kept {
  readonly entry: ProgramEntry;
  /** Near-duplicates share it: the number of the first of them. */
  readonly group: number;
  /** The normal form in one string. */
  readonly normal: string;
}

export interface Sifted {
  readonly kept: readonly Kept[];
  readonly excluded: readonly { readonly id: string; readonly why: Exclusion }[];
  /** Kept programs that have a near-duplicate among the kept. */
  readonly near: number;
}

const text = (tokens: readonly string[]): string => tokens.join(' ');

/** The forbidden programs as an index. */
export class Forbidden {
  readonly #equal = new Set<string>();
  readonly #near = new SimilarIndex();

  constructor(programs: readonly string[]) {
    for (const code of programs) {
      const form = normalForm(code);
      for (const tokens of units(form)) {
        this.#equal.add(text(tokens));
        if (tokens.length >= LEAST_NEAR) this.#near.add(grams(tokens));
      }
    }
  }

  /** Why a program may not be used; null if it may. */
  test(form: NormalForm): Exclusion | null {
    if (!this.#equal.size) return null;
    const all = units(form);
    if (all.some((tokens) => this.#equal.has(text(tokens)))) return 'eval-equal';
    const near = (tokens: readonly string[]) => this.#near.has(grams(tokens), NEAR);
    return all.some((tokens) => tokens.length >= LEAST_NEAR && near(tokens)) ? 'eval-near' : null;
  }
}

/**
 * Sifts programs in order. Of equal ones the first stays, and besides those whose text is their own where `repeats` allows: generated
 * programs of one line are equal by the hundred but for names, and differ in what they are called with. They share a group.
 */
export function sift(
  programs: readonly ProgramEntry[],
  forbidden: Forbidden,
  repeats: (entry: ProgramEntry) => boolean = () => false,
): Sifted {
  const kept: Kept[] = [];
  const excluded: { id: string; why: Exclusion }[] = [];
  const seen = new Map<string, number>();
  const index = new SimilarIndex();
  /** Numbers of the kept programs by their number in the index. */
  const indexed: number[] = [];
  const parent: number[] = [];
  const root = (i: number): number => {
    let at = i;
    while (parent[at] !== at) at = parent[at] = parent[parent[at]!]!;
    return at;
  };
  for (const entry of programs) {
    const form = normalForm(entry.code);
    const normal = text(form.program);
    const twin = seen.get(normal);
    if (twin !== undefined && repeats(entry)) {
      parent.push(twin);
      kept.push({ entry, group: twin, normal });
      continue;
    }
    const why = twin !== undefined ? 'equal' : forbidden.test(form);
    if (why) {
      excluded.push({ id: entry.id, why });
      continue;
    }
    const id = kept.length;
    seen.set(normal, id);
    const set = grams(form.program);
    parent[id] = id;
    for (const other of index.candidates(set)) {
      // Families can be large: one comparison that succeeds stands for all of them.
      const [a, b] = [root(indexed[other]!), root(id)];
      if (a !== b && jaccard(set, index.at(other)) >= NEAR) parent[Math.max(a, b)] = Math.min(a, b);
    }
    index.add(set);
    indexed.push(id);
    kept.push({ entry, group: id, normal });
  }
  const sizes = new Map<number, number>();
  const grouped = kept.map((k) => ({ ...k, group: root(k.group) }));
  for (const { group } of grouped) sizes.set(group, (sizes.get(group) ?? 0) + 1);
  const near = grouped.filter(({ group }) => sizes.get(group)! > 1).length;
  return { kept: grouped, excluded, near };
}

/** The whole program, and those of its functions that are long enough to be anyone's in particular. */
function units(form: NormalForm): (readonly string[])[] {
  return [form.program, ...form.functions.filter((tokens) => tokens.length >= LEAST_FUNCTION)];
}
