/**
 * @file One environment: episodes over a program set, on any engine. Deterministic: the same seed and actions give
 * the same episode. Knows no protocol; `rpc.ts` serves it to other languages.
 */
import { NpdbError } from '../../common/errors.ts';
import { Random } from '../../common/random.ts';
import type { Debugger, Position } from '../../debugger/types.ts';
import type { Action } from '../../state/types.ts';
import { openSession, type Session } from '../session.ts';
import type { Shared } from '../shared.ts';
import { actionMask, fitsGoal, observe, sameValue } from './observe.ts';
import {
  ACTIONS,
  type ActionName,
  type EnvAction,
  type EnvOptions,
  type EnvProgram,
  type Info,
  type ResetResult,
  type Reward,
  type StepResult,
} from './types.ts';

const MAX_STEPS = 200;

/** What ends an episode without being anyone's fault: a cut recording, a model without an answer. */
const CUTS = new Set<string>(['E_CUT', 'E_NO_ANSWER', 'E_CONTEXT_LENGTH', 'E_TOO_LONG', 'E_MODEL']);

export interface ResetOptions {
  /** Begins a new sequence of episodes; without it the sequence goes on. */
  readonly seed?: number | undefined;
  /** Id of a program of the set; without it one is drawn. */
  readonly program?: string | undefined;
}

export class DebugEnvironment {
  readonly #options: EnvOptions;
  readonly #shared: Shared;
  readonly #reward: Reward;
  #seed = 0;
  #episode = 0;
  #session: Session | null = null;
  #program: EnvProgram | null = null;
  #steps = 0;
  #done = true;

  /** Throws `E_ENV` for options that no episode could begin with. The model and runtime are lent by `shared`. */
  constructor(options: EnvOptions, shared: Shared) {
    if (options.programs.length === 0) {
      throw new NpdbError('E_ENV', 'There is no program.', 'Give one, or a program set.');
    }
    this.#reward = options.reward ?? { type: 'none' };
    if (this.#reward.type === 'agreement' && options.engine !== 'compared') {
      throw new NpdbError('E_ENV', 'Only compared engines can agree.', 'Use engine: compared.');
    }
    this.#options = options;
    this.#shared = shared;
  }

  get #debug(): Debugger {
    if (this.#session) return this.#session.debug;
    throw new NpdbError('E_RESET', 'No episode has begun.', 'Call reset first.');
  }

  /** Begins an episode. Throws `E_PROGRAM` for an unknown program, and what opening it throws. */
  async reset({ seed, program: id }: ResetOptions = {}): Promise<ResetResult> {
    if (seed !== undefined) {
      this.#seed = seed;
      this.#episode = 0;
    }
    const program = this.#choose(id);
    const seedOfEpisode = new Random(this.#seed, this.#episode, 'model').int(0, 2 ** 31 - 1);
    const { engine, strategy = 'auto', resync = false } = this.#options;
    const next = await openSession({
      text: program.code,
      path: 'main.py',
      ...(program.call === undefined ? {} : { call: program.call }),
      engine,
      ...(this.#shared.python === undefined ? {} : { python: this.#shared.python }),
      strategy,
      seed: seedOfEpisode,
      mask: true,
      resync,
      ...(engine === 'recorded' ? {} : { predictor: await this.#shared.predictor() }),
      ...(engine === 'neural' ? {} : { runtime: await this.#shared.runtime() }),
    });
    await this.#session?.close();
    this.#session = next;
    this.#program = program;
    this.#episode += 1;
    this.#steps = 0;
    this.#done = false;
    return this.#seen(next.debug.current);
  }

  /**
   * One action. Throws `E_ACTION` for what is no action here (nothing happens then), `E_DONE` after the end of an
   * episode, `E_RESET` before the first.
   */
  async step(given: EnvAction): Promise<StepResult> {
    const debug = this.#debug;
    if (this.#done) throw new NpdbError('E_DONE', 'The episode is over.', 'Call reset.');
    const action = readAction(given);
    if (action.type === 'answer') return this.#answer(action.value);
    try {
      const position =
        action.type === 'set' ? await set(debug, action) : await debug.act(await this.#legal(action));
      return this.#moved(position);
    } catch (error) {
      if (!(error instanceof NpdbError) || !CUTS.has(error.code)) throw error;
      this.#steps += 1;
      this.#done = true;
      const { code, message } = error;
      return {
        ...this.#seen(debug.current, { error: { code, message } }),
        reward: -(this.#options.stepCost ?? 0),
        terminated: false,
        truncated: true,
      };
    }
  }

  async close(): Promise<void> {
    await this.#session?.close();
    this.#session = null;
    this.#done = true;
  }

  #choose(id: string | undefined): EnvProgram {
    const { programs } = this.#options;
    if (id === undefined) {
      const random = new Random(this.#seed, this.#episode, 'program');
      return programs[random.int(0, programs.length - 1)]!;
    }
    const found = programs.find((program) => program.id === id);
    if (found) return found;
    throw new NpdbError('E_PROGRAM', `There is no program ${id}.`, `It has ${programs.length} of them.`);
  }

  async #legal(action: Action): Promise<Action> {
    if (action.type !== 'breakpoint') return action;
    const unit = this.#debug.programs[0]!.unitAt(action.line);
    if (unit) return { ...action, line: unit.line };
    throw new NpdbError('E_ACTION', `Line ${action.line} holds no code.`, 'Choose a line with code.');
  }

  #moved(position: Position): StepResult {
    this.#steps += 1;
    const { maxSteps = MAX_STEPS, endOnExit = true, stepCost = 0 } = this.#options;
    const reward = this.#reward;
    const { outcome } = position;
    const reached = reward.type === 'goal' && outcome.type === 'state' && fitsGoal(outcome.state, reward);
    const agreed = reward.type === 'agreement' && agrees(position) === true;
    const terminated = reached || (endOnExit && outcome.type === 'exit');
    const truncated = !terminated && this.#steps >= maxSteps;
    this.#done = terminated || truncated;
    return { ...this.#seen(position), reward: Number(reached || agreed) - stepCost, terminated, truncated };
  }

  async #answer(value: string): Promise<StepResult> {
    if (this.#reward.type !== 'answer') {
      throw new NpdbError('E_ACTION', 'Nothing is asked here.', 'Make the environment with reward: answer.');
    }
    const truth = await this.#truth();
    this.#steps += 1;
    this.#done = true;
    const right = sameValue(truth, value);
    return {
      ...this.#seen(this.#debug.current, { truth }),
      reward: Number(right) - (this.#options.stepCost ?? 0),
      terminated: true,
      truncated: false,
    };
  }

  /** What the set says, else what a real run gives. */
  async #truth(): Promise<string> {
    const { code, call, expected } = this.#program!;
    if (expected !== undefined) return expected;
    if (call === undefined) throw new NpdbError('E_ENV', 'A script returns nothing.', 'Give a call.');
    const runtime = await this.#shared.runtime();
    const { trace } = await runtime.run({ file: { name: 'main.py', text: code }, call, record: false });
    const { value, exception, reason } = trace.end;
    return value ?? exception ?? reason ?? trace.end.status;
  }

  #seen(position: Position, more: Partial<Info> = {}): ResetResult {
    const debug = this.#debug;
    const program = this.#program!;
    const info: Info = {
      program: program.id,
      call: program.call ?? null,
      engine: this.#options.engine,
      position: position.id,
      steps: this.#steps,
      origin: position.origin,
      confidence: position.confidence ?? null,
      strategy: position.strategy ?? null,
      action_mask: actionMask(position, this.#reward),
      agrees: agrees(position),
      differences: (position.differences ?? []).map((d) => ({
        what: d.part === 'local' ? (d.name ?? '?') : d.part,
        predicted: d.predicted ?? '',
        real: d.real ?? '',
      })),
      error: position.unanswered ? { code: 'E_NO_ANSWER', message: position.unanswered } : null,
      truth: null,
      ...more,
    };
    return { observation: observe(position, debug), info };
  }
}

// --- internal ---

type Read =
  | Action
  | { readonly type: 'set'; readonly name: string; readonly value: string }
  | { readonly type: 'answer'; readonly value: string };

/** Throws `E_ACTION`. */
function readAction(given: EnvAction): Read {
  const named =
    typeof given === 'object' ? given : { type: typeof given === 'number' ? ACTIONS[given] : given };
  const type = named.type as ActionName;
  const { line, name, value } = named as Exclude<EnvAction, number | string>;
  if (!ACTIONS.includes(type)) {
    throw new NpdbError(
      'E_ACTION',
      `${JSON.stringify(given)} is no action.`,
      `Actions: ${ACTIONS.join(', ')}.`,
    );
  }
  const need = (what: string, present: boolean) => {
    if (!present) throw new NpdbError('E_ACTION', `${type} needs ${what}.`, `{"type": "${type}", ...}`);
  };
  switch (type) {
    case 'breakpoint':
      need('a line', Number.isInteger(line));
      return { type, line: line! };
    case 'set':
      need('a name and a value', typeof name === 'string' && typeof value === 'string');
      return { type, name: name!, value: value! };
    case 'answer':
      need('a value', typeof value === 'string');
      return { type, value: value! };
    default:
      return { type };
  }
}

/** Over predicted values an expression is evaluated first; a real run evaluates it itself. */
async function set(debug: Debugger, { name, value }: { name: string; value: string }): Promise<Position> {
  if (debug.engine !== 'neural') return debug.set({ name, value });
  const result = await debug.evaluate(value);
  if (result.type === 'value') return debug.set({ name, value: result.value });
  const why = result.type === 'error' ? result.error : result.why;
  throw new NpdbError('E_ACTION', `${name} = ${value}: ${why}.`, 'Give a literal.');
}

function agrees({ real, differences }: Position): boolean | null {
  return real === undefined || real === null ? null : (differences ?? []).length === 0;
}
