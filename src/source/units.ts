/** @file Physical lines into units (`docs/trace.md`, Units): one table per file, twin of the tracer's. */
import type { Head, Suite } from './syntax.ts';

export interface UnitTable {
  /** The unit that holds a physical line; 0 for none. */
  of(line: number): number;
  /** Last physical line of a unit. */
  end(unit: number): number;
}

export function unitTable(body: Suite, lines: number): UnitTable {
  const heads: Head[] = [];
  collect(body, heads);
  heads.sort((a, b) => a.first - b.first);
  const numbers = new Int32Array(lines + 2);
  const ends = new Map<number, number>();
  for (let i = 0; i < heads.length; ) {
    const { first, number } = heads[i] as Head;
    let { last } = heads[i] as Head;
    for (i++; i < heads.length && (heads[i] as Head).first <= last; i++)
      last = Math.max(last, (heads[i] as Head).last);
    numbers.fill(number, first, last + 1);
    ends.set(number, last);
  }
  return {
    of: (line) => numbers[line] ?? 0,
    end: (unit) => ends.get(unit) ?? unit,
  };
}

/** All heads, in the order of the text. */
function collect(suite: Suite, out: Head[]): void {
  for (const s of suite) {
    if (s.type === 'if') {
      for (const branch of s.branches) {
        out.push(branch.head);
        collect(branch.body, out);
      }
      collect(s.orelse, out);
      continue;
    }
    out.push(s.head);
    if (s.type === 'simple') continue;
    if (s.type === 'match') {
      for (const k of s.cases) {
        out.push(k.head);
        collect(k.body, out);
      }
      continue;
    }
    collect(s.body, out);
    if (s.type === 'try') {
      for (const h of s.handlers) {
        out.push(h.head);
        collect(h.body, out);
      }
    }
    if ('orelse' in s) collect(s.orelse, out);
    if (s.type === 'try') collect(s.final, out);
  }
}
