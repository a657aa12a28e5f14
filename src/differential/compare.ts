/** @file Two plays of one case, stop by stop: where they first part, if they do. */
import type { Driven, Picture, Played } from './types.ts';

export interface Parting {
  /** The stop, from 0 (the entry); the number of stops for the end or the breakpoints. */
  readonly at: number;
  readonly part: string;
  readonly bdb: unknown;
  readonly npdb: unknown;
}

export interface Comparison {
  readonly stops: number;
  readonly rules: Readonly<Record<string, number>>;
  /** Null: they agree throughout. */
  readonly parting: Parting | null;
  /** The rule by which nothing is compared after these stops. */
  readonly ended?: EndRule;
}

/** What ends a comparison before the commands do, each with its reason in FEATURES.md. */
export type EndRule = 'recursion-limit' | 'threads' | 'limit' | 'version';

/** `versions`: the two sides are different Pythons, which may word an exception differently. */
export function compare(bdb: Driven, npdb: Played, versions = false): Comparison {
  const rules: Record<string, number> = { ...bdb.rules };
  const count = (rule: string) => {
    rules[rule] = (rules[rule] ?? 0) + 1;
  };
  const done = (stops: number, parting: Parting | null): Comparison => ({ stops, rules, parting });
  const end = (stops: number, ended: EndRule): Comparison => ({ stops, rules, parting: null, ended });
  // Its clock ran out, in a program whose recording has no end either.
  if ((bdb.died === 26 || bdb.died === 14) && npdb.endless) {
    return end(0, 'limit');
  }
  const broken =
    bdb.broken ?? (bdb.died === undefined ? bdb.failed : `the driver's process ended (${bdb.died})`);
  if (broken !== undefined) return done(0, { at: 0, part: 'driver', bdb: broken, npdb: null });
  const both = Math.min(bdb.stops.length, npdb.stops.length);
  for (let at = 0; at < both; at += 1) {
    const found = parting(bdb.stops[at]!, npdb.stops[at]!, count);
    if (found) {
      if (npdb.recursionAt !== undefined && at >= npdb.recursionAt) return end(at, 'recursion-limit');
      // Up to 3.13 a function names the globals of the annotations within it; 3.14 does not.
      const unnamed = found.part.startsWith('globals ') && /^undefined /.test(String(found.npdb));
      if (versions && (unnamed || sameException(bdb.stops[at]!, npdb.stops[at]!))) return end(at, 'version');
      const beside = (npdb.stops[at]!.thread ?? 0) > 0;
      if (npdb.threads && (beside || /^(locals|globals) /.test(found.part))) {
        // What another thread has done by now is chance.
        return end(at, 'threads');
      }
      return done(at, { at, ...found });
    }
  }
  // Other turns of its threads; without threads it is a difference like any other.
  if (npdb.end.exit === 'apart' && npdb.threads) return end(both, 'threads');
  const cut = bdb.end.exit === 'cut' || npdb.end.exit === 'cut';
  if (cut) {
    // One side's limit on events: what follows is known to nobody.
    return end(both, 'limit');
  }
  const [a, b] = [bdb.stops[both], npdb.stops[both]];
  if (npdb.recursionAt !== undefined && both >= npdb.recursionAt && !(alike(bdb, npdb) && !a && !b))
    return end(both, 'recursion-limit');
  if (a || b) return done(both, { at: both, part: 'length', bdb: a ?? bdb.end, npdb: b ?? npdb.end });
  if (bdb.end.exit !== npdb.end.exit)
    return done(both, { at: both, part: 'end', bdb: bdb.end, npdb: npdb.end });
  if (JSON.stringify(bdb.points) !== JSON.stringify(npdb.points))
    return done(both, { at: both, part: 'breakpoints', bdb: bdb.points, npdb: npdb.points });
  return done(both, null);
}

/** The same kind of exception in the same place, in other words. */
function sameException(bdb: Picture, npdb: Picture): boolean {
  const type = ({ kind, fn, line, value }: Picture) => [kind, fn, line, value?.split('(')[0]].join(' ');
  return bdb.kind === 'exception' && bdb.value !== npdb.value && type(bdb) === type(npdb);
}

/** How the two ended, and their breakpoints. */
const alike = (bdb: Driven, npdb: Played): boolean =>
  bdb.end.exit === npdb.end.exit && JSON.stringify(bdb.points) === JSON.stringify(npdb.points);

const PARTS = ['kind', 'file', 'fn', 'line', 'stack', 'value', 'printed'] as const;

function parting(bdb: Picture, npdb: Picture, count: (rule: string) => void): Omit<Parting, 'at'> | null {
  for (const part of PARTS) {
    if (JSON.stringify(bdb[part]) !== JSON.stringify(npdb[part]))
      return { part, bdb: { ...bdb }, npdb: { ...npdb } };
  }
  for (const part of ['locals', 'globals'] as const) {
    for (const name of new Set([...Object.keys(bdb[part]), ...Object.keys(npdb[part])])) {
      const [theirs, ours] = [bdb[part][name], npdb[part][name]];
      if (theirs === ours) continue;
      if (part === 'locals' && bdb.targets?.includes(name)) {
        count('comprehension-target');
        continue;
      }
      const where = `${bdb.kind} ${bdb.fn}:${bdb.line}`;
      return { part: `${part} ${name}`, bdb: `${theirs} at ${where}`, npdb: `${ours} at ${where}` };
    }
  }
  return null;
}
