/**
 * @file The compared engine: the same walk predicted and real, side by side. It says where they part, and either
 * goes on with the model's own states (free-running) or sets the model back on the real state after each difference.
 */
import { NpdbError } from '../common/errors.ts';
import type { Program } from '../source/types.ts';
import { diffOutcome } from '../state/index.ts';
import type { Action, Difference, Edit, Outcome, State } from '../state/types.ts';
import type { NeuralDebugger } from './neural.ts';
import { Positions } from './positions.ts';
import type { RecordedDebugger } from './recorded.ts';
import type { Candidate, Debugger, EvaluateOptions, Evaluation, Moment, Origin, Position } from './types.ts';

export interface ComparedOptions {
  /** Set the model back on the real state after each difference. */
  readonly resync?: boolean;
}

export class ComparedDebugger implements Debugger {
  readonly engine = 'compared' as const;
  readonly neural: NeuralDebugger;
  readonly recorded: RecordedDebugger;
  readonly #positions = new Positions();
  readonly #resync: boolean;
  /** Position ids of the two engines by ours. */
  readonly #pairs = new Map<number, readonly [neural: number, recorded: number]>();

  constructor(neural: NeuralDebugger, recorded: RecordedDebugger, options: ComparedOptions = {}) {
    this.neural = neural;
    this.recorded = recorded;
    this.#resync = options.resync ?? false;
    this.#pair({});
  }

  get about(): string {
    return `${this.neural.about}; beside it a real run, ${this.recorded.about}`;
  }

  get programs(): readonly Program[] {
    return this.recorded.programs;
  }

  get current(): Position {
    return this.#positions.current;
  }

  position(id: number): Position {
    return this.#positions.at(id);
  }

  #pair(extra: Partial<Position>, real: Outcome | null = this.recorded.current.outcome): Position {
    const { id: _, from: _from, ...mine } = this.neural.current;
    const differences =
      real === null ? [] : extra.unanswered ? [noAnswer(real)] : diffOutcome(mine.outcome, real);
    const made = this.#positions.add({ ...mine, ...extra, real, differences });
    this.#pairs.set(made.id, [this.neural.current.id, this.recorded.current.id]);
    return made;
  }

  async act(action: Action, signal?: AbortSignal): Promise<Position> {
    const from = this.current.id;
    const before = this.current.real;
    if (this.#resync && before?.type === 'state' && (this.current.differences?.length ?? 0) > 0) {
      this.neural.place(before.state, 'real');
    }
    const end = this.#atEnd(action);
    if (end) return end;
    // Where the model finds no end to its answer it stays where it is: that parts from the real run, it does not end it.
    const failure = await this.neural.act(action, signal).then(() => null, unanswered);
    const real = await this.#real(action);
    return this.#pair({ action, from, ...(failure ? { unanswered: failure } : {}) }, real);
  }

  /** At an end that both reached: back leads to where the jump began, on both sides; on leads nowhere. */
  #atEnd(action: Action): Position | null {
    const { outcome, real, from } = this.current;
    const ended = outcome.type !== 'state' && real !== null && real?.type !== 'state';
    const leaves = action.type.startsWith('inv_') !== (outcome.type === 'entry');
    if (!ended) return null;
    return leaves && from !== undefined ? this.goto(from) : this.current;
  }

  /** What really happens; null where the recording was cut and nobody knows. */
  async #real(action: Action): Promise<Outcome | null> {
    try {
      return (await this.recorded.act(action)).outcome;
    } catch (error) {
      if (error instanceof NpdbError && error.code === 'E_CUT') return null;
      throw error;
    }
  }

  async set(edit: Edit, up = 0): Promise<Position> {
    const from = this.current.id;
    // The real one first: if Python refuses the value, neither changes.
    const real = await this.recorded.set(edit, up);
    const state = real.outcome.type === 'state' ? real.outcome.state : null;
    const frame = state?.stack.at(-1 - up);
    const value = frame?.locals.get(edit.name) ?? frame?.globals.get(edit.name) ?? edit.value;
    const failure = await this.neural.set({ name: edit.name, value }, up).then(() => null, unanswered);
    return this.#pair({ from, ...(failure ? { unanswered: failure } : {}) });
  }

  goto(id: number): Position {
    const [neural, recorded] = this.#pairs.get(this.#positions.at(id).id)!;
    this.neural.goto(neural);
    this.recorded.goto(recorded);
    return this.#positions.goto(id);
  }

  place(state: State, origin: Origin): Position {
    this.recorded.place(state, origin);
    this.neural.place(state, origin);
    return this.#pair({});
  }

  moments(line: number, file = 0): readonly Moment[] {
    return this.recorded.moments(line, file);
  }

  /** The model goes on from the real state. */
  travel(at: number): Position {
    const { outcome } = this.recorded.travel(at);
    if (outcome.type === 'state') this.neural.place(outcome.state, 'real');
    return this.#pair({});
  }

  /** In full only the real run can tell. */
  evaluate(expression: string, up = 0, options: EvaluateOptions = {}): Promise<Evaluation> {
    if (options.full) return this.recorded.evaluate(expression, up, options);
    return this.neural.evaluate(expression, up);
  }

  inverse(
    value: string,
    options: { readonly n?: number; readonly signal?: AbortSignal } = {},
  ): Promise<Candidate[]> {
    return this.neural.inverse(value, { ...options, check: true });
  }

  async close(): Promise<void> {
    await Promise.all([this.neural.close(), this.recorded.close()]);
  }
}

/** What keeps the predicted side where it is, without ending the session; anything else is thrown on. */
const STAYS = new Set<string>(['E_NO_ANSWER', 'E_CONTEXT_LENGTH', 'E_TOO_LONG', 'E_ENDED', 'E_FRAME']);

function unanswered(error: unknown): string {
  if (error instanceof NpdbError && STAYS.has(error.code)) return error.message;
  throw error;
}

function noAnswer(real: Outcome): Difference {
  const what =
    real.type === 'state' ? `${real.state.kind} at line ${real.state.stack.at(-1)!.line}` : real.type;
  return { part: 'event', predicted: 'no answer', real: what };
}
