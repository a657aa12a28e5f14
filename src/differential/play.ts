/** @file Plays commands on the recorded engine, as the pdb face does, and writes down every stop. */
import { NpdbError } from '../common/errors.ts';
import { Breakpoints } from '../debugger/breakpoints.ts';
import { continueTo, stateOf, stepTo, until } from '../debugger/control.ts';
import { RecordedDebugger } from '../debugger/recorded.ts';
import { start } from '../debugger/start.ts';
import type { PythonRuntime } from '../python/types.ts';
import type { State } from '../state/types.ts';
import type { Limits } from '../trace/types.ts';
import type { BreakOptions, Case, Command, EndOf, Picture, Played } from './types.ts';

export interface PlayOptions {
  readonly runtime: PythonRuntime;
  readonly limits: Partial<Limits>;
}

export async function play(asked: Case, { runtime, limits }: PlayOptions): Promise<Played> {
  const { text, call, commands } = asked;
  const { programs, entry } = start(text, call);
  const request = { file: { name: 'main.py', text }, ...(call === undefined ? {} : { call }), limits };
  let debug: RecordedDebugger;
  try {
    debug = await RecordedDebugger.start({ programs, runtime, request, entry });
  } catch (error) {
    if (!(error instanceof NpdbError) || error.code !== 'E_NOT_REACHED') throw error;
    // The module's own events may already be too many.
    const { status } = (await runtime.run(request)).trace.end;
    return { stops: [], end: { exit: status === 'cut' ? 'cut' : 'not-reached' }, points: [] };
  }
  const session = new Session(debug);
  try {
    // `bdb` has no stop at the module's own call.
    if (entry === 'script') await debug.act({ type: 'step_into' });
    session.look();
    for (const command of commands) {
      if (session.ended) break;
      await session.obey(command);
    }
  } catch (error) {
    if (!(error instanceof NpdbError) || !['E_CUT', 'E_COURSE'].includes(error.code)) throw error;
    if (error.code === 'E_COURSE') session.end = 'apart';
    else session.end = debug.trace.end.status === 'cut' ? 'cut' : 'unknown';
  }
  return session.played();
}

class Session {
  readonly #debug: RecordedDebugger;
  readonly #points = new Breakpoints();
  readonly #made: ReturnType<Breakpoints['add']>[] = [];
  readonly #stops: Picture[] = [];
  end: EndOf | null = null;
  #recursionAt: number | undefined;
  #exception: string | undefined;

  constructor(debug: RecordedDebugger) {
    this.#debug = debug;
  }

  get ended(): boolean {
    return this.end !== null;
  }

  look(): void {
    const { outcome } = this.#debug.current;
    const state = stateOf(outcome);
    const { events } = this.#debug.trace;
    const deep = events.findIndex(({ e, v }) => e === 'exception' && v?.startsWith('RecursionError('));
    if (deep >= 0 && deep <= (this.#debug.at ?? events.length)) this.#recursionAt ??= this.#stops.length;
    if (state) {
      this.#stops.push(pictureOf(state));
      return;
    }
    if (outcome.type !== 'exit' || outcome.exit === 'never') throw new Error('a recording ends');
    this.end = outcome.exit;
    this.#exception = outcome.exception;
  }

  async obey(command: Command): Promise<void> {
    const debug = this.#debug;
    switch (command[0]) {
      case 'step':
        await debug.act({ type: 'step_into' });
        return this.look();
      case 'next':
        await stepTo(debug, 'step_over', this.#points);
        return this.look();
      case 'return':
        await stepTo(debug, 'step_return', this.#points);
        return this.look();
      case 'until': {
        const ahead = command[1];
        const line = stateOf(debug.current.outcome)!.stack.at(-1)!.line;
        await until(debug, this.#points, ahead === undefined ? undefined : line + ahead);
        return this.look();
      }
      case 'continue':
        await continueTo(debug, this.#points);
        return this.look();
      case 'break':
        return this.#break(command[1], command[2] ?? {});
      case 'delete':
        this.#points.remove(command[1]);
        return;
      case 'enable': {
        const point = this.#made[command[1] - 1]!;
        point.enabled = command[2];
        return;
      }
      case 'set':
        await debug.set({ name: command[1], value: command[2] });
        return;
      case 'print': {
        const last = this.#stops.pop()!;
        const up = Math.min(command[2] ?? 0, last.stack.length - 1);
        const result = await debug.evaluate(command[1], up, { full: true });
        const shown =
          result.type === 'value'
            ? result.value
            : `! ${result.type === 'error' ? result.error.split(':')[0] : 'unknown'}`;
        this.#stops.push({ ...last, printed: [...(last.printed ?? []), shown] });
      }
    }
  }

  #break(line: number, { temporary, condition, ignore }: BreakOptions): void {
    const [program] = this.#debug.programs;
    const point = this.#points.add(program!, line, {
      temporary: temporary ?? false,
      condition: condition ?? null,
    });
    point.ignore = ignore ?? 0;
    this.#made.push(point);
  }

  played(): Played {
    const end = { exit: this.end ?? 'stopped', ...(this.#exception && { exception: this.#exception }) };
    const there = this.#points.all;
    const points = this.#made.map((point) => [point.hits, point.ignore, there.includes(point)] as const);
    return {
      stops: this.#stops,
      end,
      points,
      ...(this.#debug.trace.end.status === 'cut' && { endless: true }),
      ...(this.#debug.trace.events.some(({ t }) => t) && { threads: true }),
      ...(this.#recursionAt !== undefined && { recursionAt: this.#recursionAt }),
    };
  }
}

function pictureOf(state: State): Picture {
  const top = state.stack.at(-1)!;
  if (state.kind === 'line_call') throw new Error('no state is met backwards here');
  return {
    kind: state.kind,
    file: top.file,
    line: top.line,
    fn: top.fn,
    stack: state.stack.map(({ fn, line }) => [fn, line] as const),
    locals: Object.fromEntries(top.locals),
    globals: Object.fromEntries(top.globals),
    ...(state.value !== undefined && { value: state.value }),
    ...(top.thread > 0 && { thread: top.thread }),
  };
}
