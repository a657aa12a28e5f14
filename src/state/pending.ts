/**
 * @file Until when an exception is pending in a frame. The rule, from lines and syntax alone:
 * 1. It is pending at the first line after the `exception` event: the handler, `finally` or `with` exit.
 * 2. It stays so within the `except` or `finally` suite that holds the line before, and from one `except`
 *    clause of a `try` to the next.
 * 3. It stays so where the line before leads here by raising again, which gives no `exception` event of its own:
 *    to an `except` header; from a `finally` suite or a `with` exit to an outer `finally` or `with`, even if that
 *    could also be reached normally (a `with` that swallows an exception is the rarer case).
 * 4. Anywhere else it is over. Of nested handlers only the innermost exception is kept.
 */
import type { Program } from '../source/types.ts';

interface Suite {
  /** Line of the `except` or `finally` header. */
  readonly header: number;
  readonly indent: number;
  readonly except: boolean;
  /** Last line of the suite. */
  readonly end: number;
}

export function stillPending(
  program: Program | undefined,
  scope: number,
  from: number,
  to: number,
  raised: boolean,
): boolean {
  if (raised) return true;
  if (!program || scope < 0) return false;
  const suites = suitesOf(program);
  const around = suites.findLast((suite) => suite.header <= from && from <= suite.end);
  if (around && around.header <= to && to <= around.end) return true;
  if (around?.except && around.header === from && isNextClause(suites, around, to)) return true;
  const { normal, exception } = program.successors(scope, from);
  if (!exception.includes(to)) return false;
  const handler = suites.some((suite) => suite.except && suite.header === to);
  return handler || !around?.except || !normal.includes(to);
}

function isNextClause(suites: readonly Suite[], clause: Suite, to: number): boolean {
  const next = suites.find((suite) => suite.header > clause.end && suite.indent <= clause.indent);
  if (next?.indent !== clause.indent) return false;
  return next.except ? next.header === to : next.header < to && to <= next.end;
}

const cache = new WeakMap<Program, readonly Suite[]>();

/** All handler suites in order of their headers, found by layout: a suite's lines are indented deeper. */
function suitesOf(program: Program): readonly Suite[] {
  let suites = cache.get(program);
  if (!suites) cache.set(program, (suites = findSuites(program)));
  return suites;
}

function findSuites(program: Program): Suite[] {
  const heads = program.lines.map((text, index) => {
    const unit = program.unitAt(index + 1);
    // Blank and comment lines, and the inside of a multi-line unit, say nothing about layout.
    const inside = unit !== null && unit.line !== index + 1;
    const match = /^([ \t]*)(?=[^\s#])(except\b|finally\s*:)?/.exec(text);
    return inside || !match ? null : { indent: match[1]!.length, clause: match[2] };
  });
  const suites: Suite[] = [];
  heads.forEach((head, index) => {
    if (!head?.clause) return;
    let end = index + 1;
    for (let i = index + 1; i < heads.length; i++) {
      const other = heads[i];
      if (other && other.indent <= head.indent) break;
      if (other || program.unitAt(i + 1)) end = i + 1;
    }
    suites.push({ header: index + 1, indent: head.indent, except: head.clause === 'except', end });
  });
  return suites;
}
