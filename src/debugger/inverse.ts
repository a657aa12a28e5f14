/**
 * @file Inputs for an output (design, idea 5: propose, then check). Proposals come from `inv_step_call` at a
 * `return` state of which only the value is known (paper, section 2); checking runs each proposed call.
 */
import { NpdbError } from '../common/errors.ts';
import type { Situation } from '../language/types.ts';
import type { PredictOptions, Predictor } from '../predictor/types.ts';
import type { PythonRuntime } from '../python/types.ts';
import type { Program } from '../source/types.ts';
import type { Frame, State } from '../state/types.ts';
import { pythonEqual } from '../values/compare.ts';
import { canonicalLiteral } from '../values/literal.ts';
import { parseValue } from '../values/parse.ts';
import { toRepr } from '../values/repr.ts';
import type { Candidate } from './types.ts';

export interface ProposeOptions extends PredictOptions {
  readonly n: number;
  readonly seed: number;
}

/** The `return` states of a function, one per line it can return from, that give `value`; nothing else known. */
export function wantedReturns(programs: readonly Program[], frame: Frame, value: string): State[] {
  const program = programs[frame.file];
  if (!program || frame.scope < 0) return [];
  const lines = program.linesOf(frame.scope).filter((l) => program.successors(frame.scope, l).returns);
  return lines.map((line) => ({
    kind: 'return',
    value,
    stack: [
      {
        ...frame,
        line,
        locals: new Map(),
        known: false,
        returned: [],
        loops: [],
        globals: frame.globals,
        aliases: [],
      },
    ],
  }));
}

/** Distinct proposals, most confident first, at most `n`. */
export async function proposeInputs(
  programs: readonly Program[],
  state: State,
  value: string,
  predictor: Predictor,
  options: ProposeOptions,
): Promise<Candidate[]> {
  const text = canonicalLiteral(value) ?? value;
  parseValue(text);
  const frame = functionFrame(programs, state);
  const situations: Situation[] = wantedReturns(programs, frame, text).map((wanted) => ({
    programs,
    state: wanted,
    action: { type: 'inv_step_call' },
  }));
  if (situations.length === 0) {
    throw new NpdbError(
      'E_NO_RETURN',
      `${frame.fn} never returns a value.`,
      'Ask in a function that returns.',
    );
  }
  const answers = await predictor.predict(situations, options);
  const refused = answers.flat().find((p) => p.refused)?.refused;
  if (refused) throw refused;
  const byCall = new Map<string, Candidate>();
  for (const prediction of answers.flat()) {
    if (prediction.truncated || prediction.outcome.type !== 'state') continue;
    const found = prediction.outcome.state.stack.at(-1)!;
    const call = callText(programs[frame.file]!, frame, found.locals);
    if (call === null) continue;
    const old = byCall.get(call);
    // Each return line is taken to be equally likely; two ways to the same proposal add up.
    const confidence = prediction.confidence / situations.length + (old?.confidence ?? 0);
    byCall.set(call, { call, arguments: found.locals, confidence });
  }
  return [...byCall.values()].sort((a, b) => b.confidence - a.confidence).slice(0, options.n);
}

/** Runs each proposal in the sandbox; those that give the value come first. */
export async function checkCandidates(
  program: Program,
  value: string,
  candidates: readonly Candidate[],
  runtime: PythonRuntime,
): Promise<Candidate[]> {
  const wanted = parseValue(canonicalLiteral(value) ?? value);
  const checked: Candidate[] = [];
  for (const candidate of candidates) {
    const { trace, witness } = await runtime.run({
      file: { name: 'main.py', text: program.text },
      call: candidate.call,
      record: false,
      limits: { timeMs: 5_000 },
      // A value that is cut could not be compared.
      values: { items: 10_000, chars: 100_000, depth: 30, leaves: 100_000 },
    });
    const gives = trace.end.value ?? trace.end.exception ?? trace.end.reason ?? trace.end.status;
    const equal = trace.end.value !== undefined && pythonEqual(parseValue(trace.end.value), wanted) === true;
    // Where values can be read from outside, what a stranger's program says of its own is no proof either way.
    const open = runtime.reads && equal && witness !== 'host';
    checked.push({ ...candidate, ...(open ? {} : { checked: equal }), gives });
  }
  return checked.sort((a, b) => Number(b.checked ?? false) - Number(a.checked ?? false));
}

/** The frame whose inputs are asked for: the current function, or the one a `<call>` line is about to call. */
function functionFrame(programs: readonly Program[], state: State): Frame {
  const frame = state.stack.at(-1)!;
  if (frame.file === 0 && programs[0]!.scopes[frame.scope]?.kind === 'function') return frame;
  throw new NpdbError(
    'E_NOT_IN_FUNCTION',
    `${frame.fn} takes no arguments.`,
    'Step into a function first, then ask for its inputs.',
  );
}

/** `f(x=1)`; null where an argument cannot be written as source, or the function is not at module level. */
export function callText(program: Program, frame: Frame, locals: ReadonlyMap<string, string>): string | null {
  const scope = program.scopes[frame.scope]!;
  if (scope.parent !== 0) return null;
  const parts: string[] = [];
  for (const name of scope.params) {
    const text = locals.get(name);
    if (text === undefined) return null;
    const plain = toRepr(parseValue(text));
    if (canonicalLiteral(plain) === null) return null;
    parts.push(`${name}=${plain}`);
  }
  return `${scope.name}(${parts.join(', ')})`;
}
