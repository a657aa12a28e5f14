/**
 * @file One page's session over a debugger: motions, travels, edits, questions; each gives the whole `View`. Runs in
 * a worker, or in a test.
 */
import { NpdbError } from '../../../common/errors.ts';
import { Breakpoints } from '../../../debugger/breakpoints.ts';
import { continueTo, reverseContinue, type Stop, stepTo } from '../../../debugger/control.ts';
import { walkTo } from '../../../debugger/replay.ts';
import type { Debugger, Evaluation, Position } from '../../../debugger/types.ts';
import type { ActionType } from '../../../state/types.ts';
import { callsOfRun, callsOfWalk } from './calls.ts';
import { type Engines, type Opened, open } from './open.ts';
import { type Leg, readPath, writePath } from './path.ts';
import { outputOf, runOf } from './run.ts';
import { sweep } from './sweep.ts';
import type { Answer, CallNode, Motion, Point, Proposal, Spec, Sweep, View } from './types.ts';
import { stepOf, viewOf } from './view.ts';

const SIMPLE = {
  into: 'step_into',
  backInto: 'inv_step_into',
  backOver: 'inv_step_over',
  backOut: 'inv_step_call',
} as const satisfies Partial<Record<Motion, ActionType>>;

/** Steps of a walk that is predicted to its end. */
const RUN_AHEAD = 200;

export class Session {
  readonly spec: Spec;
  readonly #opened: Opened;
  #points: readonly Point[] = [];
  /** The walk through here goes on to this position. */
  #tip = 0;
  /** How a position without a predecessor was reached. */
  readonly #bases = new Map<number, readonly Leg[]>();
  #runNumber = 0;
  #trace: unknown = null;
  #note: string | undefined;

  private constructor(spec: Spec, opened: Opened) {
    this.spec = spec;
    this.#opened = opened;
    this.#note = opened.note;
  }

  /** `path`: the walk to begin with (`path.ts`). Throws what `open` throws; a broken walk stops where it breaks. */
  static async open(spec: Spec, engines: Engines, path = '', signal?: AbortSignal): Promise<Session> {
    const session = new Session(spec, await open(spec, engines, signal));
    try {
      for (const leg of readPath(path)) {
        signal?.throwIfAborted();
        await session.#walk(leg, signal);
      }
    } catch (error) {
      if (!(error instanceof NpdbError)) throw error;
      session.#note = error.message;
    }
    return session;
  }

  get #debug(): Debugger {
    return this.#opened.debug;
  }

  setPoints(points: readonly Point[]): void {
    this.#points = points;
  }

  async move(motion: Motion, line?: number, signal?: AbortSignal): Promise<View> {
    const stop = await this.#move(motion, line, signal);
    const { breakpoint, note } = stop;
    const at = breakpoint && !breakpoint.temporary ? `Breakpoint on line ${breakpoint.line}.` : '';
    const why = note ? `${at} ${note}`.trim() : at;
    this.#note = why === '' ? undefined : why;
    return this.view();
  }

  async #move(motion: Motion, line: number | undefined, signal?: AbortSignal): Promise<Stop> {
    const debug = this.#debug;
    if (motion in SIMPLE) {
      const type = SIMPLE[motion as keyof typeof SIMPLE];
      return { position: await debug.act({ type }, signal), reason: 'step' };
    }
    const points = this.#breakpoints(motion === 'cursor' || motion === 'backCursor' ? line : undefined);
    if (motion === 'over') return stepTo(debug, 'step_over', points, signal);
    if (motion === 'out') return stepTo(debug, 'step_return', points, signal);
    const back = motion === 'backContinue' || motion === 'backCursor';
    return back ? reverseContinue(debug, points, signal) : continueTo(debug, points, signal);
  }

  /** `cursor`: a line to stop at once. */
  #breakpoints(cursor?: number): Breakpoints {
    const points = new Breakpoints();
    const program = this.#opened.begin.programs[0]!;
    for (const { line, enabled, condition } of this.#points) {
      if (enabled && program.unitAt(line)) points.add(program, line, { condition });
    }
    if (cursor !== undefined) points.add(program, cursor, { temporary: true });
    return points;
  }

  goto(id: number): View {
    this.#note = undefined;
    this.#debug.goto(id);
    return this.view();
  }

  /** To an event of the real run. `predict`: told the state before it, the model says its own. */
  async travel(at: number, predict: boolean, signal?: AbortSignal): Promise<View> {
    this.#note = undefined;
    const { recorded, debug } = this.#opened;
    const first = recorded?.tree.first ?? 0;
    const step = predict && debug.engine === 'compared' && at > first;
    await this.#walk({ type: 'travel', at: step ? at - 1 : at }, signal);
    if (step) await this.#walk({ type: 'act', action: { type: 'step_into' } }, signal);
    return this.view();
  }

  async set(name: string, value: string, up: number): Promise<View> {
    this.#note = undefined;
    const { debug, recorded } = this.#opened;
    // What Python would refuse is refused before anything runs again with it.
    const found = await (recorded ?? debug).evaluate(value, up);
    if (found.type !== 'value') {
      const why = found.type === 'error' ? found.error : `it is not known here: ${found.why}`;
      throw new NpdbError(
        'E_SET',
        `\`${name} = ${value}\` cannot be done: ${why}.`,
        'Give another expression.',
      );
    }
    await this.#walk({ type: 'set', edit: { name, value: recorded ? value : found.value }, up });
    return this.view();
  }

  async #walk(leg: Leg, signal?: AbortSignal): Promise<void> {
    const debug = this.#debug;
    if (leg.type === 'act') await debug.act(leg.action, signal);
    else if (leg.type === 'set') await debug.set(leg.edit, leg.up);
    else {
      if (!debug.travel) throw new NpdbError('E_ADDRESS', 'There is no real run here to travel in.', '');
      const kept = this.#edits();
      this.#bases.set(debug.travel(leg.at).id, [...kept, leg]);
    }
  }

  /** The walk up to the last edit: a travel stays in the run that the edits made. */
  #edits(): readonly Leg[] {
    const legs = this.#legs(this.#debug.current);
    return legs.slice(0, legs.findLastIndex((leg) => leg.type === 'set') + 1);
  }

  #legs(position: Position): readonly Leg[] {
    const walk = walkTo(this.#debug, position);
    const legs: Leg[] = [...(this.#bases.get(walk[0]!.id) ?? [])];
    for (const { action, edit } of walk.slice(1)) {
      if (edit) legs.push({ type: 'set', edit: { name: edit.name, value: edit.value }, up: edit.up });
      else if (action) legs.push({ type: 'act', action });
    }
    return legs;
  }

  /** The whole walk through the current position. */
  #walkOf(current: Position): Position[] {
    const debug = this.#debug;
    const walk = walkTo(debug, debug.position(this.#tip));
    if (walk.some(({ id }) => id === current.id)) return walk;
    this.#tip = current.id;
    return walkTo(debug, current);
  }

  /** In each world; `error` where neither can say. */
  async evaluate(expression: string, up: number): Promise<Answer> {
    const { debug, recorded } = this.#opened;
    const other = debug === recorded ? null : debug;
    const predicted = other && answerText(await other.evaluate(expression, up));
    const real = recorded && answerText(await recorded.evaluate(expression, up));
    return { ...(predicted === null ? {} : { predicted }), ...(real === null ? {} : { real }) };
  }

  async inverse(value: string, check: boolean, signal?: AbortSignal): Promise<Proposal[]> {
    const candidates = await this.#debug.inverse(value, { n: 8, check, ...(signal ? { signal } : {}) });
    return candidates.map(({ call, confidence, checked, gives }) => ({
      call,
      confidence,
      ...(checked === undefined ? {} : { checked }),
      ...(gives === undefined ? {} : { gives }),
    }));
  }

  calls(): CallNode[] {
    const { recorded, debug } = this.#opened;
    if (recorded) return callsOfRun(recorded.trace, recorded.tree.first, recorded.tree.end);
    return callsOfWalk(this.#walkOf(debug.current));
  }

  /** Neural: steps on from here until the end, or until there are enough states. */
  async runAhead(progress: (done: number) => void, signal?: AbortSignal): Promise<View> {
    const debug = this.#debug;
    const back = debug.current.id;
    this.#note = undefined;
    try {
      for (let done = 1; done <= RUN_AHEAD; done += 1) {
        const before = debug.current.id;
        const { outcome, id } = await debug.act({ type: 'step_into' }, signal);
        this.#tip = id;
        progress(done);
        if (outcome.type !== 'state' || id === before) break;
        if (done === RUN_AHEAD) this.#note = `Stopped after ${RUN_AHEAD} predicted states.`;
      }
    } catch (error) {
      if (!(error instanceof NpdbError)) throw error;
      this.#note = error.message;
    } finally {
      debug.goto(back);
    }
    return this.view();
  }

  /** How the model does on each state of the real run. `found` is called as answers come. */
  async sweep(found: (sweep: Sweep) => void, signal?: AbortSignal): Promise<void> {
    const { recorded, predictor } = this.#opened;
    if (!recorded || !predictor) {
      throw new NpdbError('E_NO_RUN', 'There are no two worlds to compare here.', 'Choose Both.');
    }
    await sweep(recorded, predictor, found, signal);
  }

  view(): View {
    const { debug, recorded } = this.#opened;
    const { current } = debug;
    const before = current.from === undefined ? null : debug.position(current.from);
    const walk = this.#walkOf(current);
    const fresh = recorded && recorded.trace !== this.#trace;
    if (fresh) {
      this.#trace = recorded.trace;
      this.#runNumber += 1;
    }
    const at = recorded?.at ?? null;
    return {
      spec: this.spec,
      about: debug.about,
      position: viewOf(current, before, debug.engine === 'recorded', debug.programs[0]!),
      walk: walk.map(stepOf),
      at,
      ...(fresh ? { run: runOf(recorded, this.#runNumber) } : {}),
      hasRun: recorded !== null,
      output: {
        predicted: debug === recorded ? null : outputOf(walk.slice(0, walk.indexOf(current) + 1)),
        real: recorded && realOutput(recorded.trace, at),
      },
      path: writePath(this.#pathOf(current, at)),
      ...(this.#note === undefined ? {} : { note: this.#note }),
    };
  }

  /** In a recording every state has its number; else the way there is written. */
  #pathOf(current: Position, at: number | null): readonly Leg[] {
    const legs = this.#legs(current);
    const { debug, recorded } = this.#opened;
    if (debug !== recorded || at === null || legs.length === 0 || current.origin === 'edited') return legs;
    return [...this.#edits(), { type: 'travel', at }];
  }

  /** A page calls for a whole run again. */
  forget(): void {
    this.#trace = null;
  }

  async close(): Promise<void> {
    await this.#debug.close();
  }
}

function answerText(evaluation: Evaluation): string {
  if (evaluation.type === 'value') return evaluation.value;
  return evaluation.type === 'error' ? evaluation.error : `unknown: ${evaluation.why}`;
}

function realOutput(
  trace: {
    readonly events: readonly { o?: string; err?: string }[];
    readonly end: { o?: string; err?: string };
  },
  at: number | null,
): string {
  const events = at === null ? trace.events : trace.events.slice(0, at + 1);
  const text = events.map((event) => (event.o ?? '') + (event.err ?? '')).join('');
  return at === null ? text + (trace.end.o ?? '') + (trace.end.err ?? '') : text;
}
