/** @file Judged states told apart by one of their properties: the rows of tables and plots. */
import { CONSTRUCTS } from './construct.ts';
import { type Share, share } from './interval.ts';
import type { StateRecord } from './record.ts';

export interface Group {
  readonly name: string;
  readonly right: Share;
  readonly baseline: Share;
}

/** Actions that skip states. */
export const JUMPS: ReadonlySet<string> = new Set(['step_return', 'breakpoint', 'continue', 'inv_step_call']);

/** Upper ends; the last bin has none. */
const LENGTHS = [10, 30, 100, 300] as const;
/** Shares of the run's states that a jump skips. */
const SKIPS = [0.1, 0.25, 0.5, 0.75, 1] as const;

export const byLength = (records: readonly StateRecord[]): Group[] =>
  grouped(
    records,
    [...LENGTHS.map((to, i) => `${(LENGTHS[i - 1] ?? 0) + 1}-${to}`), `over ${LENGTHS.at(-1)}`],
    ({ length }) => {
      const found = LENGTHS.findIndex((to) => length <= to);
      return found < 0 ? LENGTHS.length : found;
    },
  );

export const bySkipped = (records: readonly StateRecord[]): Group[] =>
  grouped(
    records,
    SKIPS.map((to, i) => `${100 * (SKIPS[i - 1] ?? 0)}-${100 * to} %`),
    ({ skipped }) => SKIPS.findIndex((to) => skipped <= to),
  );

export const byConstruct = (records: readonly StateRecord[]): Group[] =>
  grouped(records, CONSTRUCTS, ({ construct }) => (CONSTRUCTS as readonly string[]).indexOf(construct));

// --- internal ---

/** Groups that nothing is in are left out. */
function grouped(
  records: readonly StateRecord[],
  names: readonly string[],
  of: (record: StateRecord) => number,
): Group[] {
  const parts = names.map((): StateRecord[] => []);
  for (const record of records) parts[of(record)]?.push(record);
  return names.flatMap((name, i) => {
    const part = parts[i]!;
    if (part.length === 0) return [];
    const count = (hit: (r: StateRecord) => boolean) => share(part.filter(hit).length, part.length);
    return [{ name, right: count((r) => r.right), baseline: count((r) => r.baseline) }];
  });
}
