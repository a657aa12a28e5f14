/**
 * @file What a walk says to DREval's questions, by its own rules (`dynamics.py` of its package): is a line executed, what
 * does a variable hold after it, which line comes next. The same for a real walk and a predicted one.
 */
import type { Locals, State } from '../../state/types.ts';
import { evaluate } from '../../values/index.ts';

/** A line and all that happened on it until another one was reached. */
interface Visit {
  readonly line: number;
  locals: Locals;
  globals: Locals;
}

export interface Answers {
  covered(line: number): boolean;
  /** Value texts after the line, one a visit that has one; empty: the line is not executed, or there is no such value. */
  after(line: number, variable: string): string[];
  /** The lines that came next, one a visit; -1: the end, or the line is not executed. */
  next(line: number): number[];
}

/** Kinds that `sys.settrace` shows to a local trace function. */
const SEEN: ReadonlySet<string> = new Set(['line', 'return', 'exception', 'yield']);

/** `lineOf`: the number of the unit that a physical line belongs to, as states have it. */
export function answersOf(walk: readonly State[], unitOf: (line: number) => number): Answers {
  const visits: Visit[] = [];
  for (const { kind, stack } of walk) {
    const top = stack.at(-1)!;
    if (!SEEN.has(kind) || top.file !== 0) continue;
    const { line, locals, globals } = top;
    const last = visits.at(-1);
    if (last?.line !== line) visits.push({ line, locals, globals });
    // Only a `line` event shows locals; what ends a frame is told of the same visit.
    else if (kind === 'line') Object.assign(last, { locals, globals });
  }
  const at = (line: number) => [...visits.keys()].filter((i) => visits[i]!.line === unitOf(line));
  return {
    covered: (line) => at(line).length > 0,
    next: (line) => {
      const found = at(line).map((i) => visits[i + 1]?.line ?? -1);
      return found.length > 0 ? found : [-1];
    },
    after: (line, variable) =>
      at(line).flatMap((i) => {
        const { locals, globals } = visits[Math.min(i + 1, visits.length - 1)]!;
        const result = evaluate(variable, (name) => locals.get(name) ?? globals.get(name));
        return 'value' in result ? [result.value] : [];
      }),
  };
}
