/**
 * @file CRUXEval (Gu et al. 2024) as the paper asks it: output by one jump from the call (`step_return`, direct or by
 * rollout), input by `inv_step_call` from the wanted return value. Answers are compared as Python values after
 * being parsed as literals: nothing of an answer is ever executed as a comparison.
 */
import { NpdbError } from '../common/errors.ts';
import { rankByForward } from '../debugger/consistency.ts';
import { checkCandidates, proposeInputs, wantedReturns } from '../debugger/inverse.ts';
import { start } from '../debugger/start.ts';
import type { Situation } from '../language/types.ts';
import type { PredictOptions, Predictor } from '../predictor/types.ts';
import type { ProgramEntry } from '../programs/types.ts';
import type { PythonRuntime } from '../python/types.ts';
import type { Action, State } from '../state/types.ts';
import { pythonEqual } from '../values/compare.ts';
import { canonicalLiteral } from '../values/literal.ts';
import { parseValue } from '../values/parse.ts';
import { type Share, share } from './interval.ts';

export interface CruxevalOptions {
  readonly mode: 'output' | 'input';
  readonly predict: PredictOptions;
  /** `output`: which jump is asked. `breakpoint`: to the return line, whose value is then read by one more step. */
  readonly jump?: 'step_return' | 'breakpoint';
  /** `input`: proposals per program that are checked by running; 1 is the unchecked first answer, run only to score it. */
  readonly proposals?: number;
  /** `input`: so many proposals are judged by the model's own forward prediction before the first is taken; nothing is run. */
  readonly consistent?: number;
  readonly runtime?: PythonRuntime;
  readonly onProgress?: (done: number, total: number, right: number) => void;
}

export interface CruxevalResult {
  readonly mode: 'output' | 'input';
  /** 0..1. */
  readonly pass_at_1: number;
  readonly interval: Share;
  /** Input: the very arguments of the data set. */
  readonly exact_match?: number;
  /** Input: some proposal passes when run; told apart from pass_at_1, which looks at the first only. */
  readonly checked?: Share;
  /** In the benchmark's own format: `{"sample_0": ["..."]}`. */
  readonly generations: Record<string, string[]>;
  /** Programs the language cannot hold (too long, no literal arguments), counted as wrong. */
  readonly unanswered: number;
}

export async function cruxeval(
  programs: readonly ProgramEntry[],
  predictor: Predictor,
  options: CruxevalOptions,
): Promise<CruxevalResult> {
  // A set that cannot be scored is refused before anything is predicted.
  for (const program of programs) expectedOf(program);
  const generations: Record<string, string[]> = {};
  const tally = { right: 0, exact: 0, checked: 0, unanswered: 0 };
  const unanswered = (program: ProgramEntry, error: unknown) => {
    // Only what the language cannot hold: anything else is a fault of ours and must be seen.
    if (!(error instanceof NpdbError) || !UNANSWERABLE.has(error.code)) throw error;
    tally.unanswered += 1;
    generations[program.id] = [''];
  };
  const size = options.mode === 'output' ? CHUNK : 1;
  for (let i = 0; i < programs.length; i += size) {
    const chunk = programs.slice(i, i + size);
    if (options.mode === 'output') {
      const values = await outputs(chunk, predictor, options, unanswered);
      for (const [program, value] of values) {
        generations[program.id] = [value ?? ''];
        if (value !== null && equal(value, expectedOf(program))) tally.right += 1;
      }
    } else {
      await input(chunk[0]!, predictor, options, generations, tally).catch((e) => unanswered(chunk[0]!, e));
    }
    options.onProgress?.(i + chunk.length, programs.length, tally.right);
  }
  const all = share(tally.right, programs.length);
  return {
    mode: options.mode,
    pass_at_1: all.share,
    interval: all,
    ...(options.mode === 'input'
      ? {
          exact_match: tally.exact / Math.max(1, programs.length),
          checked: share(tally.checked, programs.length),
        }
      : {}),
    generations,
    unanswered: tally.unanswered,
  };
}

// --- internal ---

const UNANSWERABLE = new Set<string>([
  'E_TOO_LONG',
  'E_CONTEXT_LENGTH',
  'E_CALL',
  'E_FUNCTION',
  'E_ARGUMENTS',
  'E_SYNTAX',
  'E_NO_RETURN',
  'E_NOT_IN_FUNCTION',
]);

interface Tally {
  right: number;
  exact: number;
  checked: number;
  unanswered: number;
}

type Task = (
  program: ProgramEntry,
  predictor: Predictor,
  options: CruxevalOptions,
  generations: Record<string, string[]>,
  tally: Tally,
) => Promise<void>;

/** Programs asked at a time. */
const CHUNK = 32;

type Unanswered = (program: ProgramEntry, error: unknown) => void;

/** The value each program's call is predicted to return; null where the answer is no return. */
async function outputs(
  chunk: readonly ProgramEntry[],
  predictor: Predictor,
  options: CruxevalOptions,
  unanswered: Unanswered,
): Promise<Map<ProgramEntry, string | null>> {
  const asked = new Map<ProgramEntry, Situation>();
  for (const program of chunk) {
    try {
      const { programs, state } = start(program.code, program.calls[0]!);
      asked.set(program, { programs, state, action: jumpOf(options, programs, state) });
    } catch (error) {
      unanswered(program, error);
    }
  }
  let answers = await predicted(asked, predictor, options.predict, unanswered);
  if (options.jump === 'breakpoint') {
    const there = new Map<ProgramEntry, Situation>();
    for (const [program, state] of answers) {
      const situation = asked.get(program)!;
      if (state) there.set(program, { ...situation, state, action: { type: 'step_into' } });
    }
    const reached = await predicted(there, predictor, options.predict, unanswered);
    answers = new Map([...answers.keys()].map((program) => [program, reached.get(program) ?? null]));
  }
  const value = (state: State | null) => (state?.kind === 'return' ? (state.value ?? null) : null);
  return new Map([...answers].map(([program, state]) => [program, value(state)]));
}

/** `step_return`, or to the last line that the function can return from. */
function jumpOf({ jump }: CruxevalOptions, programs: Situation['programs'], state: State): Action {
  if (jump !== 'breakpoint') return { type: 'step_return' };
  const line = wantedReturns(programs, state.stack.at(-1)!, 'None').at(-1)?.stack[0]?.line;
  return line === undefined ? { type: 'step_return' } : { type: 'breakpoint', line };
}

/** The states predicted; null where the answer is none. */
async function predicted(
  asked: ReadonlyMap<ProgramEntry, Situation>,
  predictor: Predictor,
  options: PredictOptions,
  unanswered: Unanswered,
): Promise<Map<ProgramEntry, State | null>> {
  const answers = await predictor.predict([...asked.values()], options);
  const states = new Map<ProgramEntry, State | null>();
  for (const [k, program] of [...asked.keys()].entries()) {
    const answer = answers[k]![0]!;
    if (answer.refused) unanswered(program, answer.refused);
    else
      states.set(program, answer.truncated || answer.outcome.type !== 'state' ? null : answer.outcome.state);
  }
  return states;
}

const input: Task = async (program, predictor, options, generations, tally) => {
  const expected = expectedOf(program);
  const { programs, state } = start(program.code, program.calls[0]!);
  const n = Math.max(options.proposals ?? 1, options.consistent ?? 1);
  const asked = { ...options.predict, n, seed: options.predict.seed ?? 0 };
  let candidates = await proposeInputs(programs, state, expected, predictor, asked);
  if ((options.consistent ?? 1) > 1) {
    candidates = await rankByForward(programs[0]!, expected, candidates, predictor, options.predict);
  }
  generations[program.id] = candidates.slice(0, 1).map((c) => c.call);
  const first = candidates[0];
  if (!first) return;
  const given = state.stack.at(-1)!.locals;
  if ([...given].every(([name, text]) => first.arguments.get(name) === text)) tally.exact += 1;
  if (!options.runtime) {
    throw new NpdbError('E_NO_RUNTIME', 'Scoring inputs needs a runtime.', 'Give --python.');
  }
  const checked = await checkCandidates(programs[0]!, expected, candidates, options.runtime);
  if (checked.find((c) => c.call === first.call)?.checked) tally.right += 1;
  if (checked.some((c) => c.checked)) tally.checked += 1;
};

function expectedOf(program: ProgramEntry): string {
  const text = program.expected?.[0];
  if (text === undefined || text === null) {
    throw new NpdbError(
      'E_NO_EXPECTED',
      `${program.id} states no expected output.`,
      'Use a set with expected values.',
    );
  }
  return text;
}

function equal(predicted: string, expected: string): boolean {
  const literal = canonicalLiteral(expected);
  if (literal === null) return predicted === expected;
  return pythonEqual(parseValue(predicted), parseValue(literal)) === true;
}
