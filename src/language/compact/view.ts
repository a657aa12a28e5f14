/** @file Where the frames of a state can be next, or could have been before, by syntax alone. */
import type { Program, Scope } from '../../source/types.ts';
import type { Frame, State, StateKind } from '../../state/types.ts';
import type { Situation } from '../types.ts';
import type { Where } from './where.ts';

/** Lines that a state of each kind can be on. */
export type Stops = ReadonlyMap<StateKind, readonly number[]>;

export interface Pushes {
  /** Frames that can be entered by a `call` event. */
  readonly calls: readonly Where[];
  /** Frames that can appear in the middle: generators resumed, callees entered backwards. */
  readonly others: readonly (Where & { readonly stops: Stops })[];
}

export const NO_STOPS: Stops = new Map();
export const NO_PUSHES: Pushes = { calls: [], others: [] };

/** The static view of the frames of a state. */
export class View {
  readonly state: State;
  readonly #programs: readonly (Program | undefined)[];

  constructor({ state, programs }: Situation) {
    this.state = state;
    this.#programs = programs;
  }

  get height(): number {
    return this.state.stack.length;
  }

  get top(): Frame {
    return this.at(0);
  }

  /** The frame that is on top after `ups` frames are gone. */
  at(ups: number): Frame {
    return this.state.stack[this.state.stack.length - 1 - ups]!;
  }

  /** A frame of the stack can be suspended. */
  get suspends(): boolean {
    return this.state.stack.some((frame) => {
      const scope = this.scope(frame);
      return !scope || scope.generator || scope.async;
    });
  }

  program(where: Where): Program | null {
    return where.scope < 0 ? null : (this.#programs[where.file] ?? null);
  }

  scope(where: Where) {
    return this.program(where)?.scopes[where.scope];
  }

  /** The scopes that a trace cannot tell from this one: lambdas of one line. A trace's frame has the first of them. */
  alike(where: Where): readonly Scope[] {
    const scope = this.scope(where);
    const program = this.program(where);
    if (!scope || !program) return [];
    const others = program.scopesAt(scope.line).map((id) => program.scopes[id]!);
    return others.filter(({ id, qualname }) => id === scope.id || qualname === scope.qualname);
  }

  // --- where a frame can be next ---

  /** After `call`. */
  entering(frame: Frame): Stops {
    const entries = this.program(frame)?.entriesOf(frame.scope) ?? this.#anyLine(frame);
    return new Map([
      ['line', entries],
      ['exception', [frame.line]],
      // A body without a line of its own.
      ...(entries.length === 0 ? ([['return', [frame.line]]] as const) : []),
    ]);
  }

  /** In the middle of its line: what the line itself still does, or the next one. */
  going(frame: Frame): Stops {
    const after = this.program(frame)?.successors(frame.scope, frame.line);
    const here = [frame.line];
    return new Map<StateKind, readonly number[]>([
      ['line', after?.normal ?? this.#anyLine(frame)],
      ['exception', here],
      ['return', (after?.returns ?? true) ? here : []],
      ['yield', (after?.yields ?? true) ? here : []],
    ]);
  }

  /** After an exception in this frame. */
  handling(frame: Frame): Stops {
    const after = this.program(frame)?.successors(frame.scope, frame.line);
    return new Map<StateKind, readonly number[]>([
      ['line', after?.exception ?? this.#anyLine(frame)],
      ['exception', [frame.line]],
      ['return', (after?.returns ?? true) ? [frame.line] : []],
    ]);
  }

  /** How a call can end. */
  ending(where: Where & { readonly line?: number }): Stops {
    const { lines, returns } = this.#ends(where);
    return new Map([
      ['return', returns],
      ['exception', lines],
    ]);
  }

  /** Backwards from a line. */
  before(frame: Frame): Stops {
    const program = this.program(frame);
    const known = program?.predecessors(frame.scope, frame.line) ?? [];
    // A line that nothing leads to, or a frame without a scope.
    const all = known.length > 0 ? known : [0, ...this.lines(frame)];
    const lines = all.filter((line) => line > 0);
    return new Map<StateKind, readonly number[]>([
      ['line', lines],
      ['line_call', all.includes(0) ? [...lines, this.#callLine(frame)] : lines],
      ['exception', lines],
      ['resume', lines],
      ['call', all.includes(0) ? [frame.line] : []],
    ]);
  }

  /** Backwards within a line, or up to it from a call it made. */
  paused(frame: Frame): Stops {
    const here = [frame.line];
    return new Map(
      (['line', 'line_call', 'exception', 'resume', 'call'] as const).map((kind) => [kind, here]),
    );
  }

  /** The stops of a scope that are on this line. */
  stopsOn(line: number, file: number): (where: Where) => Stops {
    const kinds = ['line', 'return', 'exception', 'yield', 'resume'] as const;
    const here: Stops = new Map(kinds.map((kind) => [kind, [line]]));
    return (where) => {
      const lines = this.#ends(where).lines;
      return where.file === file && lines.includes(line) ? here : NO_STOPS;
    };
  }

  // --- frames that can be pushed ---

  /** By the line that this frame is on. */
  opening(frame: Frame): Pushes {
    return { calls: this.#targets(frame), others: this.#generators('resume') };
  }

  /** Ends of calls that the line made, met backwards. */
  closing(frame: Frame): Pushes {
    const called = this.#targets(frame);
    const ended = called.map((where) => ({ ...where, stops: this.#closed(where) }));
    const targets = new Set(called.map(({ file, scope }) => `${file}:${scope}`));
    const waiting = this.#generators('yield').filter((g) => !targets.has(`${g.file}:${g.scope}`));
    const others = [...ended, ...waiting];
    // A line that calls nothing that syntax can see.
    if (others.length > 0) return { calls: [], others };
    return { calls: [], others: this.all().map((where) => ({ ...where, stops: this.#closed(where) })) };
  }

  /** After the outermost frame: the call expression after the module. */
  roots(): Pushes {
    return this.top.file === 0 && this.#programs[1]
      ? { ...NO_PUSHES, calls: [{ file: 1, scope: 0 }] }
      : NO_PUSHES;
  }

  rootEnds(): Pushes {
    if (this.top.file === 0) return NO_PUSHES;
    const module = { file: 0, scope: 0 };
    return { calls: [], others: [{ ...module, stops: this.#closed(module) }] };
  }

  /** Every scope of every file. */
  all(): Where[] {
    return this.#programs.flatMap((program, file) =>
      (program?.scopes ?? []).map(({ id: scope }) => ({ file, scope })),
    );
  }

  /** Every line that a frame of the scope can be on. */
  lines(where: Where): readonly number[] {
    return this.#ends(where).lines;
  }

  // --- helpers ---

  /** Scopes that the frame's line can call. Code of the call expression calls into the program. */
  #targets(frame: Frame): Where[] {
    const program = this.program(frame);
    if (!program) return this.all();
    const { file } = frame;
    const own = program
      .callTargets(frame.scope, frame.line)
      .map((scope) => this.alike({ file, scope })[0]!.id);
    const inside = [...new Set(own)].map((scope) => ({ file, scope }));
    if (file === 0) return [...inside, ...this.#lambdasOfCall()];
    return [...inside, ...this.all().filter((where) => where.file === 0 && where.scope !== 0)];
  }

  /** Functions that the call expression can have passed in. */
  #lambdasOfCall(): Where[] {
    return this.all().filter((where) => where.file > 0 && where.scope !== 0);
  }

  #generators(kind: 'resume' | 'yield') {
    return this.all().flatMap((where) => {
      const scope = this.scope(where);
      if (!scope?.generator && !scope?.async) return [];
      const program = this.program(where)!;
      const lines = program
        .linesOf(where.scope)
        .filter((line) => program.successors(where.scope, line).yields);
      return lines.length > 0 ? [{ ...where, stops: new Map([[kind, lines]]) as Stops }] : [];
    });
  }

  #closed(where: Where): Stops {
    const { lines, returns, yields } = this.#ends(where);
    return new Map<StateKind, readonly number[]>([
      ['return', returns],
      ['exception', lines],
      ['yield', yields],
    ]);
  }

  #ends(where: Where & { readonly line?: number }) {
    const program = this.program(where);
    if (!program) {
      const lines = this.#anyLine({ file: where.file });
      return { lines, returns: lines, yields: lines };
    }
    const own = program.linesOf(where.scope);
    const call = program.scopes[where.scope]!.line;
    const after = (line: number) => program.successors(where.scope, line);
    return {
      lines: own.includes(call) ? own : [...own, call],
      returns: own.length > 0 ? own.filter((line) => after(line).returns) : [call],
      yields: own.filter((line) => after(line).yields),
    };
  }

  #callLine(frame: Frame): number {
    return this.scope(frame)?.line ?? frame.line;
  }

  #anyLine({ file }: { readonly file: number }): number[] {
    return (this.#programs[file]?.units ?? []).map(({ line }) => line);
  }
}
