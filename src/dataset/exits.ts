/**
 * @file The exit set: calls that return, raise, or never end, in equal numbers, to judge how a model foresees the end of a program. From
 * held-back programs: calls as given, calls with changed arguments, loops whose progress was taken away. What a run merely
 * ran out of time for is left out.
 */
import type { SyntaxNode } from '@lezer/common';
import { parser } from '@lezer/python';
import { Random } from '../common/random.ts';
import type { ProgramEntry } from '../programs/types.ts';
import type { PythonRuntime } from '../python/types.ts';
import { parseProgram } from '../source/index.ts';
import type { Exit } from '../state/types.ts';
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
  /** Rows of each exit. */
  readonly each: number;
  readonly runtime: PythonRuntime;
}

export const EXITS: readonly Exit[] = ['normal', 'error', 'never'];

/** Rows of one exit from one source. */
const PER_SOURCE: Readonly<Record<Exit, number>> = { normal: 1, error: 2, never: 4 };
const LIMITS = { events: 300, timeMs: 2000, outputBytes: 20_000 };
/** Of a source; longer ones are nothing for a small model. */
const MOST_LINES = 45;
const CALLS = 8;

/** Rows in the order of the sources, as many of each exit as were found, at most `each`. A prefix of every larger set of the same seed, exit by exit. */
export async function buildExits({ sources, seed, each, runtime }: ExitOptions): Promise<ExitRow[]> {
  const found: Record<Exit, ExitRow[]> = { normal: [], error: [], never: [] };
  const full = (exit: Exit): boolean => found[exit].length >= each;
  for (const source of sources) {
    if (EXITS.every(full)) break;
    if (source.code.split('\n').length > MOST_LINES) continue;
    const own: Record<Exit, number> = { normal: 0, error: 0, never: 0 };
    const seen = new Set<string>();
    for (const candidate of candidates(source, new Random('exits', seed, source.id))) {
      const wanted = candidate.made === 'code' ? (['never'] as const) : EXITS;
      if (wanted.every((exit) => full(exit) || own[exit] >= PER_SOURCE[exit])) continue;
      const end = await exitOf(candidate, runtime);
      if (!end || !(wanted as readonly Exit[]).includes(end.exit)) continue;
      // One way to end is one row: the same error once more would teach nothing new about the model.
      const key = `${end.exit} ${end.exception ?? ''} ${candidate.made === 'code' ? candidate.code : ''}`;
      if (full(end.exit) || own[end.exit] >= PER_SOURCE[end.exit] || seen.has(key)) continue;
      seen.add(key);
      own[end.exit]++;
      const id = `exit/${end.exit}/${found[end.exit].length}`;
      found[end.exit].push({
        id,
        code: candidate.code,
        calls: [candidate.call],
        ...end,
        from: source.id,
        made: candidate.made,
      });
    }
  }
  return EXITS.flatMap((exit) => found[exit]);
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
  for (const changed of random.shuffled(withoutProgress(code)).slice(0, 5))
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
