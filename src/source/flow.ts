/** @file Atoms folded into units: what a debugger that stops once a unit sees of a control-flow graph. */
import { type Atom, ESCAPE, type Graph, RETURN } from './graph.ts';
import type { Successors } from './types.ts';

export interface Flow {
  readonly lines: readonly number[];
  readonly entries: readonly number[];
  successors(line: number): Successors;
  predecessors(line: number): readonly number[];
}

const NOTHING: Successors = { normal: [], exception: [], returns: false, escapes: false, yields: false };

/**
 * `unitOf`: the unit of a physical line. `hidden`: a unit that is never an event here (a class's header
 * in its own body), or 0.
 */
export function flowOf(
  graph: Graph,
  unitOf: (line: number) => number,
  hidden: number,
  suspends: (atom: Atom) => boolean,
): Flow {
  const { atoms } = graph;
  const units = atoms.map((a) => (a.visible && unitOf(a.line) !== hidden ? unitOf(a.line) : 0));
  const members = new Map<number, number[]>();
  for (let i = 0; i < atoms.length; i++) {
    const unit = units[i] as number;
    if (unit === 0) continue;
    const list = members.get(unit);
    if (list) list.push(i);
    else members.set(unit, [i]);
  }

  /** Where control stops next after `starts`, passing through atoms without a line and through `unit` itself. */
  function stops(starts: Iterable<number>, unit: number): Set<number> {
    const out = new Set<number>();
    const seen = new Set<number>();
    const work = [...starts];
    for (let at = work.pop(); at !== undefined; at = work.pop()) {
      if (at < 0) out.add(at);
      else if (units[at] !== 0 && units[at] !== unit) out.add(units[at] as number);
      else if (!seen.has(at)) {
        seen.add(at);
        work.push(...(atoms[at] as Atom).normal);
      }
    }
    return out;
  }

  const lines = [...members.keys()].sort((a, b) => a - b);
  const ascending = (set: Set<number>): number[] => [...set].filter((line) => line > 0).sort((a, b) => a - b);
  const entries = ascending(stops([graph.entry], 0));
  const table = new Map<number, Successors>();
  const before = new Map<number, Set<number>>(lines.map((line) => [line, new Set()]));
  for (const line of entries) before.get(line)?.add(0);
  for (const [unit, list] of members) {
    const own = list.map((i) => atoms[i] as Atom);
    const normal = stops(
      own.flatMap((a) => [...a.normal]),
      unit,
    );
    const exception = stops(
      own.flatMap((a) => [...a.raise]),
      unit,
    );
    const found: Successors = {
      normal: ascending(normal),
      exception: ascending(exception),
      returns: normal.has(RETURN) || exception.has(RETURN),
      escapes: normal.has(ESCAPE) || exception.has(ESCAPE),
      yields: own.some(suspends),
    };
    table.set(unit, found);
    for (const next of [...found.normal, ...found.exception]) before.get(next)?.add(unit);
  }
  return {
    lines,
    entries,
    successors: (line) => table.get(line) ?? NOTHING,
    predecessors: (line) => [...(before.get(line) ?? [])].sort((a, b) => a - b),
  };
}
