/**
 * @file The exit set: calls that return, raise, or never end, in equal numbers, to judge how a model foresees the end of a
 * program. Calls as given, calls with changed arguments, loops whose progress was taken away. `never` is only said where a
 * full state comes again; what a run merely ran out of time for is left out.
 */
import type { SyntaxNode } from '@lezer/common';
import { parser } from '@lezer/python';
import { Random } from '../common/random.ts';
import type { ProgramEntry } from '../programs/types.ts';
import type { PythonRuntime } from '../python/types.ts';
import { parseProgram } from '../source/index.ts';
import type { Exit } from '../state/types.ts';
import { isPlain } from './endless.ts';
import { generateEndless, generateLevel } from './generate/index.ts';
import { mutatedCalls } from './mutate.ts';
import { recordedFrom } from './recorded.ts';

/** One line of the set; also a program set's entry. */
export interface ExitRow extends ProgramEntry {
  readonly exit: Exit;
  /** Of an error: `KeyError`. */
  readonly exception?: string;
  /** The program it was made from. */
  readonly from: string;
  /** `given`: as it was; `call`: other arguments; `code`: a loop that forgets to go on. */
  readonly made: 'given' | 'call' | 'code';
}

export interface ExitOptions {
  readonly sources: readonly ProgramEntry[];
  readonly seed: number;
  /** Rows of each exit, at most. */
  readonly each: Readonly<Record<Exit, number>>;
  readonly runtime: PythonRuntime;
  readonly onProgress?: (found: Readonly<Record<Exit, number>>) => void;
}

export const EXITS: readonly Exit[] = ['normal', 'error', 'never'];

/** Rows of one exit from one source. */
const PER_SOURCE: Readonly<Record<Exit, number>> = { normal: 1, error: 1, never: 2 };
/** Events decide; the time only ends what records none (a huge power), however busy the machine is. */
const LIMITS = { events: 300, timeMs: 8000, outputBytes: 20_000 };
/** Of a source; longer ones are nothing for a small model. */
const MOST_LINES = 45;
const CALLS = 8;
/** Calls of one source that did not end before its other calls are given up: each costs a fresh interpreter. */
const MOST_CUT = 3;
/** Sources at work at a time. */
const WINDOW = 4;

/** Rows in the order of the sources, exit by exit. What a source gives depends on itself and the seed alone. */
export async function buildExits(options: ExitOptions): Promise<ExitRow[]> {
  const { sources, seed, each, runtime, onProgress } = options;
  const found: Record<Exit, ExitRow[]> = { normal: [], error: [], never: [] };
  const full = (exit: Exit): boolean => found[exit].length >= each[exit];
  const wants = (exit: Exit): boolean => !full(exit);
  for (let i = 0; i < sources.length && EXITS.some(wants); i += WINDOW) {
    const window = sources.slice(i, i + WINDOW);
    const made = await Promise.all(window.map((source) => exitsOf(source, seed, runtime, wants)));
    for (const row of made.flat()) if (wants(row.exit)) found[row.exit].push(row);
    onProgress?.({ normal: found.normal.length, error: found.error.length, never: found.never.length });
  }
  return EXITS.flatMap((exit) => found[exit]);
}

/** The rows of one program, of the exits that are wanted. */
export async function exitsOf(
  source: ProgramEntry,
  seed: number,
  runtime: PythonRuntime,
  wants: (exit: Exit) => boolean = () => true,
): Promise<ExitRow[]> {
  if (source.code.split('\n').length > MOST_LINES) return [];
  const own: Record<Exit, number> = { normal: 0, error: 0, never: 0 };
  const open = (exit: Exit): boolean => wants(exit) && own[exit] < PER_SOURCE[exit];
  const rows: ExitRow[] = [];
  const seen = new Set<string>();
  let cut = 0;
  for (const candidate of candidates(source, new Random('exits', seed, source.id))) {
    const possible = candidate.made === 'code' ? (['never'] as const) : EXITS;
    if (!possible.some(open)) continue;
    if (candidate.made !== 'code' && cut >= MOST_CUT) break;
    const end = await exitOf(candidate, runtime);
    if (candidate.made !== 'code' && (end === null || end.exit === 'never')) cut++;
    if (!end || !(possible as readonly Exit[]).includes(end.exit)) continue;
    // The same program that never ends once more, or the same error, would tell nothing new about a model.
    const key = `${end.exit} ${end.exception ?? ''} ${candidate.made === 'code' ? candidate.code : ''}`;
    if (!open(end.exit) || seen.has(key)) continue;
    seen.add(key);
    const id = `exit/${source.id}/${end.exit}/${own[end.exit]++}`;
    const { code, call, made } = candidate;
    rows.push({ id, code, calls: [call], ...end, from: source.id, made });
  }
  return rows;
}

/** Of the generated programs; data sets count their seeds up from 0. */
const RESERVED = 990_017;

/** Generated programs no data set holds: of each three, one of the endless families, one of level 2, one of level 3. */
export function exitSources(seed: number, count: number): ProgramEntry[] {
  const third = Math.ceil(count / 3);
  const [a, b, c] = [
    generateEndless(RESERVED + seed, third),
    generateLevel(RESERVED + seed, 2, third),
    generateLevel(RESERVED + seed, 3, third),
  ].map((programs) => [...programs]);
  return a!.flatMap((_, i) => [a![i]!, b![i]!, c![i]!].filter(Boolean)).slice(0, count);
}

/** How a call ends, by running it; null where that is not known, or it cannot be entered. */
export async function exitOf(
  { code, call }: { readonly code: string; readonly call: string },
  runtime: PythonRuntime,
): Promise<{ readonly exit: Exit; readonly exception?: string } | null> {
  const { trace } = await runtime.run({ file: { name: 'main.py', text: code }, call, limits: LIMITS });
  const { status, exception } = trace.end;
  const recorded = recordedFrom('exit', trace, parseProgram(code, 'main.py'));
  // An error of the call itself (a wrong name, a wrong number of arguments) is none of the program.
  if (!recorded.entries.some(({ level }) => level === 'main')) return null;
  if (status === 'normal') return { exit: 'normal' };
  if (status === 'error' && exception)
    return { exit: 'error', exception: /^\w+/.exec(exception)?.[0] ?? exception };
  return recorded.endless ? { exit: 'never' } : null;
}

// --- internal ---

interface Candidate {
  readonly code: string;
  readonly call: string;
  readonly made: ExitRow['made'];
}

function* candidates({ code, calls }: ProgramEntry, random: Random): Iterable<Candidate> {
  const given = random.sample(calls, 4);
  // Where state is hidden, no run can prove that it never ends.
  if (isPlain(code))
    for (const changed of random.shuffled(withoutProgress(code)).slice(0, 2))
      for (const call of given.slice(0, 1)) yield { code: changed, call, made: 'code' };
  for (const call of random
    .shuffled(given.flatMap((call) => mutatedCalls(call, CALLS, random)))
    .slice(0, CALLS))
    yield { code, call, made: 'call' };
  for (const call of given) yield { code, call, made: 'given' };
}

/**
 * The program with a loop that forgets to go on: a statement of a `while` loop's body that changes a variable of its test taken
 * away, or a `for` over a range written as a `while` without its last line.
 */
export function withoutProgress(code: string): string[] {
  const out = new Set<string>();
  const text = (node: SyntaxNode): string => code.slice(node.from, node.to);
  const names = (node: SyntaxNode): Set<string> => new Set(text(node).match(/[A-Za-z_]\w*/g));
  const visit = (node: SyntaxNode, tested: ReadonlySet<string>): void => {
    let inside = tested;
    if (node.name === 'WhileStatement') {
      const test = node.firstChild!.nextSibling!;
      inside = new Set([...tested, ...names(test)]);
    }
    const single = node.name === 'UpdateStatement' || node.name === 'AssignStatement';
    if (single && [...names(node.firstChild!)].some((name) => tested.has(name))) {
      const from = code.lastIndexOf('\n', node.from - 1) + 1;
      // Only where the statement has its lines to itself.
      if (code.slice(from, node.from).trim() === '' && /^\s*(?:\n|$)/.test(code.slice(node.to)))
        out.add(`${code.slice(0, node.from)}pass${code.slice(node.to)}`);
    }
    if (node.name === 'ForStatement') {
      const head = /^for (\w+) in range\(([^(),]+(?:\(\w+\))?)(?:, *([^(),]+(?:\(\w+\))?))?\):(?=\n)/.exec(
        text(node),
      );
      if (head) {
        const [whole, name, first, second] = head;
        const indent = ' '.repeat(node.from - code.lastIndexOf('\n', node.from - 1) - 1);
        const header = `${name} = ${second ? first : 0}\n${indent}while ${name} < ${second ?? first}:`;
        out.add(code.slice(0, node.from) + header + code.slice(node.from + whole.length));
      }
    }
    for (let child = node.firstChild; child; child = child.nextSibling) visit(child, inside);
  };
  visit(parser.parse(code).topNode, new Set());
  return [...out];
}
