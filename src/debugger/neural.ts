/**
 * @file The neural engine: every state after the first is predicted. The user's program is never run here
 * (design, idea 4); a runtime is only used by `inverse`, when asked to check.
 */
import { NpdbError } from '../common/errors.ts';
import type { Situation } from '../language/types.ts';
import type { PredictOptions, Predictor } from '../predictor/types.ts';
import type { PythonRuntime } from '../python/types.ts';
import type { Program } from '../source/types.ts';
import { applyEdit } from '../state/edit.ts';
import type { Action, Edit, State } from '../state/types.ts';
import { evaluate } from '../values/evaluate.ts';
import { checkCandidates, proposeInputs } from './inverse.ts';
import { Positions } from './positions.ts';
import type { Candidate, Debugger, Evaluation, Origin, Position } from './types.ts';

export interface NeuralOptions {
  readonly programs: readonly Program[];
  readonly initial: State;
  readonly predictor: Predictor;
  readonly predict?: Omit<PredictOptions, 'n' | 'signal'>;
  /** For checked inverse answers; made on first use. */
  readonly runtime?: () => Promise<PythonRuntime>;
}

export class NeuralDebugger implements Debugger {
  readonly engine = 'neural' as const;
  readonly #positions = new Positions();
  readonly #options: NeuralOptions;

  constructor(options: NeuralOptions) {
    this.#options = options;
    this.#positions.add({ outcome: { type: 'state', state: options.initial }, origin: 'given' });
  }

  get about(): string {
    return `predicted by ${this.#options.predictor.name}; the program is not run`;
  }

  get programs(): readonly Program[] {
    return this.#options.programs;
  }

  get current(): Position {
    return this.#positions.current;
  }

  position(id: number): Position {
    return this.#positions.at(id);
  }

  async act(action: Action, signal?: AbortSignal): Promise<Position> {
    const { current } = this;
    if (current.outcome.type !== 'state') return this.#leave(action);
    const { predictor, predict, programs } = this.#options;
    const path = [...this.#positions.path(), current];
    const history = path.slice(0, -1).flatMap(({ outcome }, i) => {
      const action: Action = path[i + 1]!.action ?? { type: 'step_into' };
      return outcome.type === 'state' ? [{ state: outcome.state, action }] : [];
    });
    const situation: Situation = { programs, state: current.outcome.state, action, history };
    const [[prediction] = []] = await predictor.predict([situation], {
      ...predict,
      ...(signal ? { signal } : {}),
    });
    if (!prediction) throw new NpdbError('E_MODEL', 'The model gave no answer.', 'Try another model.', 1);
    if (prediction.refused) throw prediction.refused;
    if (prediction.truncated) {
      throw new NpdbError(
        'E_NO_ANSWER',
        `The model's answer to ${action.type} did not end within its limit.`,
        'Step in smaller steps, or use the recorded engine.',
        4,
      );
    }
    return this.#positions.add({
      outcome: prediction.outcome,
      origin: 'predicted',
      action,
      from: current.id,
      confidence: prediction.confidence,
      strategy: prediction.strategy,
      ...(prediction.ambiguous ? { ambiguous: prediction.ambiguous } : {}),
    });
  }

  /** From an end of the walk only the way back leads on: to the position it was reached from. */
  #leave(action: Action): Position {
    const backwards = action.type.startsWith('inv_');
    const atEntry = this.current.outcome.type === 'entry';
    if (backwards === atEntry || this.current.from === undefined) return this.current;
    return this.#positions.goto(this.current.from);
  }

  async set(edit: Edit, up = 0): Promise<Position> {
    const state = applyEdit(this.#positions.state(), edit, up);
    return this.#positions.add({
      outcome: { type: 'state', state },
      origin: 'edited',
      from: this.current.id,
      edit: { ...edit, up },
    });
  }

  goto(id: number): Position {
    return this.#positions.goto(id);
  }

  place(state: State, origin: Origin, instead?: Position): Position {
    const { from, action } = instead ?? {};
    const walk = { ...(from === undefined ? {} : { from }), ...(action ? { action } : {}) };
    return this.#positions.add({ outcome: { type: 'state', state }, origin, ...walk });
  }

  async evaluate(expression: string, up = 0): Promise<Evaluation> {
    return evaluateIn(this.#positions.state(), this.programs, expression, up, this.current.origin !== 'real');
  }

  async inverse(
    value: string,
    options: { readonly n?: number; readonly check?: boolean; readonly signal?: AbortSignal } = {},
  ): Promise<Candidate[]> {
    const { predictor, programs, predict, runtime } = this.#options;
    const asked = {
      n: options.n ?? 8,
      seed: predict?.seed ?? 0,
      ...(options.signal ? { signal: options.signal } : {}),
    };
    const candidates = await proposeInputs(programs, this.#positions.state(), value, predictor, asked);
    if (!options.check) return candidates;
    if (!runtime) {
      throw new NpdbError('E_NO_RUNTIME', 'Nothing here may run the program.', 'Ask without checking.');
    }
    return checkCandidates(programs[0]!, value, candidates, await runtime());
  }

  async close(): Promise<void> {
    await this.#options.predictor.close();
  }
}

/** An expression over the values a state shows; names as Python would look them up, as far as they are known. */
export function evaluateIn(
  state: State,
  programs: readonly Program[],
  expression: string,
  up: number,
  predicted: boolean,
): Evaluation {
  const frame = state.stack[state.stack.length - 1 - up];
  if (!frame)
    throw new NpdbError('E_FRAME', `There is no frame ${up} up from here.`, 'Use a smaller number.');
  // A name that the module binds exists, though no state shows it: it is not known, rather than missing.
  const home = frame.fn === '<call>' ? 0 : frame.file;
  const module = new Set(programs[home]?.scopes[0]?.names);
  const result = evaluate(
    expression,
    (name) => frame.locals.get(name) ?? frame.globals.get(name) ?? (module.has(name) ? null : undefined),
  );
  if ('value' in result) return { type: 'value', value: result.value, predicted };
  if ('unknown' in result) return { type: 'unknown', why: result.unknown };
  return { type: 'error', error: result.error };
}
