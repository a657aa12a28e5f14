/**
 * @file The compared engine: the same walk predicted and real, side by side. It says where they part, and either
 * goes on with the model's own states (free-running) or sets the model back on the real state after each difference.
 */
import { NpdbError } from '../common/errors.ts';
import type { Program } from '../source/types.ts';
import { diffOutcome } from '../state/index.ts';
import type { Action, Edit, Outcome, State } from '../state/types.ts';
import type { NeuralDebugger } from './neural.ts';
import { Positions } from './positions.ts';
import type { RecordedDebugger } from './recorded.ts';
import type { Candidate, Debugger, Evaluation, Origin, Position } from './types.ts';

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
    return this.neural.programs;
  }

  get current(): Position {
    return this.#positions.current;
  }

  position(id: number): Position {
    return this.#positions.at(id);
  }

  #pair(extra: Partial<Position>, real: Outcome | null = this.recorded.current.outcome): Position {
    const { id: _, from: _from, ...mine } = this.neural.current;
    const differences = real === null ? [] : diffOutcome(mine.outcome, real);
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
    // Where the model finds no end to its answer it stays where it is: that parts from the real run, it does not end it.
    await this.neural.act(action, signal).catch(unlessNoAnswer);
    const real = await this.#real(action);
    return this.#pair({ action, from }, real);
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
    const value = state?.stack.at(-1 - up)?.locals.get(edit.name) ?? edit.value;
    await this.neural.set({ name: edit.name, value }, up);
    return this.#pair({ from });
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

  evaluate(expression: string, up = 0): Promise<Evaluation> {
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

function unlessNoAnswer(error: unknown): void {
  const codes = ['E_NO_ANSWER', 'E_CONTEXT_LENGTH', 'E_TOO_LONG'];
  if (!(error instanceof NpdbError) || !codes.includes(error.code)) throw error;
}
