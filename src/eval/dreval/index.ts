/**
 * @file DREval (Chen et al., ICSE 2025: "Reasoning Runtime Behavior of a Program with LLM"): coverage, state, path and
 * output, all answered from one predicted walk of a call. Nothing is run but to know the truth.
 */
import { NpdbError } from '../../common/errors.ts';
import { type Recording, record } from '../../debugger/recording.ts';
import { start } from '../../debugger/start.ts';
import type { Situation } from '../../language/types.ts';
import type { PredictOptions, Predictor } from '../../predictor/types.ts';
import type { PythonRuntime } from '../../python/types.ts';
import type { State } from '../../state/types.ts';
import { pythonEqual } from '../../values/compare.ts';
import { canonicalLiteral } from '../../values/literal.ts';
import { parseValue } from '../../values/parse.ts';
import type { Value } from '../../values/types.ts';
import { type Share, share } from '../interval.ts';
import { type Answers, answersOf } from './answers.ts';
import type { Item } from './data.ts';

export { type Item, readDreval } from './data.ts';

export interface DrevalResult {
  readonly coverage: Share & { readonly f1: number };
  readonly state: Share;
  readonly path: Share;
  readonly output: Share;
  /** Questions about classes (scripts of assertions), which are not asked; no part of the shares. */
  readonly not_asked: number;
  /** Calls that the language or the model cannot hold: their questions count as wrong. */
  readonly unanswered: number;
}

export interface DrevalOptions {
  readonly predict: PredictOptions;
  /** Predicted states of a call. */
  readonly maxSteps: number;
  readonly onProgress?: (done: number, total: number) => void;
}

/** Calls walked at a time. */
const CHUNK = 32;

export async function dreval(
  items: readonly Item[],
  predictor: Predictor,
  runtime: PythonRuntime,
  options: DrevalOptions,
): Promise<DrevalResult> {
  const asked = items.filter(({ call }) => call !== null);
  const score = new Score();
  for (let i = 0; i < asked.length; i += CHUNK) {
    const chunk = asked.slice(i, i + CHUNK);
    const truths = await Promise.all(chunk.map((item) => truthOf(item, runtime)));
    const walks = await predictedWalks(chunk, predictor, options);
    for (const [k, item] of chunk.entries()) score.add(item, truths[k]!, walks[k]!);
    options.onProgress?.(i + chunk.length, asked.length);
  }
  const not_asked = items.reduce(
    (sum, { call, questions }) => sum + (call === null ? questions.length : 0),
    0,
  );
  return { ...score.result(), not_asked };
}

async function truthOf(item: Item, runtime: PythonRuntime): Promise<Recording> {
  const program = { id: item.id, code: item.code, calls: [item.call!] };
  const recording = await record(program, 0, runtime, { events: 100_000, timeMs: 20_000 });
  if (recording && recording.tree.exit !== 'unknown') return recording;
  throw new NpdbError(
    'E_DREVAL',
    `The run of ${item.id} was cut.`,
    'Give a faster interpreter with --python.',
  );
}

/** All walks advance together; null where the language or the model cannot hold the call. */
async function predictedWalks(
  items: readonly Item[],
  predictor: Predictor,
  { predict, maxSteps }: DrevalOptions,
): Promise<(State[] | null)[]> {
  const walks: (State[] | null)[] = items.map(() => null);
  let running: { readonly index: number; readonly situation: Situation }[] = [];
  for (const [index, item] of items.entries()) {
    try {
      const { programs, state } = start(item.code, item.call!);
      walks[index] = [state];
      running.push({ index, situation: { programs, state, action: { type: 'step_into' } } });
    } catch (error) {
      if (!(error instanceof NpdbError)) throw error;
    }
  }
  for (let step = 0; step < maxSteps && running.length > 0; step += 1) {
    const answers = await predictor.predict(
      running.map(({ situation }) => situation),
      { ...predict, strategy: 'direct' },
    );
    running = running.flatMap(({ index, situation }, k) => {
      const { outcome, truncated, refused } = answers[k]![0]!;
      if (refused && walks[index]!.length === 1) walks[index] = null;
      if (refused || truncated || outcome.type !== 'state') return [];
      walks[index]!.push(outcome.state);
      return [{ index, situation: { ...situation, state: outcome.state } }];
    });
  }
  return walks;
}

class Score {
  readonly #counts = { state: [0, 0], path: [0, 0], output: [0, 0] };
  readonly #coverage = { tp: 0, tn: 0, fp: 0, fn: 0 };
  #unanswered = 0;

  add(item: Item, truth: Recording, walk: readonly State[] | null): void {
    const { tree, programs } = truth;
    const real = Array.from({ length: tree.end - tree.first }, (_, i) =>
      truth.state({ at: tree.first + i, call: false }),
    );
    const unitOf = (line: number) => programs[0]!.unitAt(line)?.line ?? line;
    const [theirs, ours] = [answersOf(real, unitOf), answersOf(walk ?? [], unitOf)];
    if (!walk) this.#unanswered += 1;
    for (const { line, variable } of item.questions) {
      const [actual, said] = [theirs.covered(line), ours.covered(line)];
      // A call that is not answered is wrong, whatever the answer would have been.
      const yes = walk ? said : !actual;
      this.#coverage[yes ? (actual ? 'tp' : 'fp') : actual ? 'fn' : 'tn'] += 1;
      this.#count('state', walk !== null && sameValue(theirs, ours, line, variable));
      this.#count('path', walk !== null && theirs.next(line).includes(ours.next(line)[0]!));
    }
    const value = walk?.at(-1)?.kind === 'return' ? walk.at(-1)!.value : undefined;
    const literal = canonicalLiteral(item.expected);
    this.#count(
      'output',
      value !== undefined && literal !== null && equal(parseValue(value), parseValue(literal)),
    );
  }

  #count(name: 'state' | 'path' | 'output', right: boolean): void {
    const count = this.#counts[name];
    count[0]! += Number(right);
    count[1]! += 1;
  }

  result(): Omit<DrevalResult, 'not_asked'> {
    const of = (name: 'state' | 'path' | 'output') => share(this.#counts[name][0]!, this.#counts[name][1]!);
    const { tp, tn, fp, fn } = this.#coverage;
    const f1 = tp === 0 ? 0 : (2 * tp) / (2 * tp + fp + fn);
    return {
      coverage: { ...share(tp + tn, tp + tn + fp + fn), f1 },
      state: of('state'),
      path: of('path'),
      output: of('output'),
      unanswered: this.#unanswered,
    };
  }
}

/** The first value said must be one that the variable really had; both none is right as well. */
function sameValue(theirs: Answers, ours: Answers, line: number, variable: string): boolean {
  const [said] = ours.after(line, variable);
  const actual = theirs.after(line, variable);
  if (said === undefined) return actual.length === 0;
  const value = parseValue(said);
  return actual.some((text) => equal(value, parseValue(text)));
}

/** Equal in Python and of one type; floats to a millionth. */
function equal(one: Value, other: Value): boolean {
  if (one.type !== other.type) return false;
  if (one.type === 'float' && other.type === 'float') return Math.abs(one.value - other.value) < 1e-6;
  return pythonEqual(one, other) === true;
}
