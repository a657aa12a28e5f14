/**
 * @file The states that an answer's text could mean: every line of every frame that the action can lead to, by syntax
 * alone. The compact codec's static view says where; what a frame's line looks like and what its locals would be relative to
 * is added here. Mask and parser share them.
 */
import type { Exit, Frame, StateKind } from '../../state/types.ts';
import { type Policy, policyOf } from '../compact/policy.ts';
import { View } from '../compact/view.ts';
import type { Where } from '../compact/where.ts';
import type { Situation } from '../types.ts';
import type { Shown } from './locals.ts';
import { isBackward, stepsOf, type Transcript, write } from './shown.ts';
import { lineText } from './source.ts';

export interface Candidate {
  readonly kind: StateKind;
  /** Frames that are gone. */
  readonly ups: number;
  /** The frame then on top, if that is the current one; else one is pushed. */
  readonly kept: Frame | null;
  readonly where: Where;
  readonly line: number;
  readonly text: string;
  readonly base: Shown | null;
  /** Whether its locals are written with `..`. */
  readonly rest: 'always' | 'never' | 'either';
  /** Names that its locals can have, and those that can cease to be. */
  readonly names: readonly string[];
  readonly gone: readonly string[];
}

export interface Possible {
  readonly exits: ReadonlySet<Exit | 'entry'>;
  /** The likelier first. */
  readonly candidates: readonly Candidate[];
}

export function possible(situation: Situation): Possible {
  return new Finder(situation).all(policyOf(situation));
}

/** Where no candidate of the static view has the text: any line of the programs that does. */
export function anywhere(situation: Situation, kind: StateKind): readonly Candidate[] {
  return new Finder(situation).anywhere(kind);
}

class Finder {
  readonly #situation: Situation;
  readonly #view: View;
  readonly #backward: boolean;
  readonly #transcript: Transcript;

  constructor(situation: Situation) {
    this.#situation = situation;
    this.#view = new View(situation);
    this.#backward = isBackward(situation.action);
    this.#transcript = write(stepsOf(situation)).transcript;
  }

  all(policy: Policy): Possible {
    const found: Candidate[] = [];
    for (let ups = 0; ups <= policy.ups; ups++) {
      if (ups < this.#view.height) {
        const frame = this.#view.at(ups);
        for (const [kind, lines] of policy.kept(ups)) {
          // The compact codec names a call by its scope: there is no line to choose.
          const own = kind === 'call' && lines.length > 0 ? this.#callLines(frame) : lines;
          for (const line of own) found.push(this.#kept(kind, ups, line));
        }
      }
      const { calls, others } = policy.pushed(ups);
      for (const where of calls) {
        for (const line of this.#callLines(where)) found.push(this.#pushed('call', ups, where, line));
      }
      for (const where of others) {
        for (const [kind, lines] of where.stops) {
          for (const line of lines) found.push(this.#pushed(kind, ups, where, line));
        }
      }
    }
    if (!this.#mayGoUp || !this.#transcript.depthUnknown) return { exits: policy.exits, candidates: found };
    const exits = this.#backward ? (['entry'] as const) : (['normal', 'error'] as const);
    return { exits: new Set([...policy.exits, ...exits]), candidates: [...found, ...this.#callers()] };
  }

  anywhere(kind: StateKind): Candidate[] {
    const found: Candidate[] = [];
    const { kind: now } = this.#situation.state;
    const over = this.#backward ? now === 'call' : now === 'return' || now === 'yield';
    const pushes = kind === 'call' && !this.#backward;
    for (const where of this.#view.all()) {
      const call = kind === 'call';
      const lines = call ? this.#callLines(where) : this.#view.lines(where);
      const on = (ups: number) => {
        const frame = this.#view.at(ups);
        return frame.file === where.file && frame.scope === where.scope;
      };
      const ups = pushes ? -1 : Array.from({ length: this.#view.height }, (_, n) => n).findIndex(on);
      for (const line of lines) {
        if (ups >= 0) found.push(this.#kept(kind, ups, line));
        else if (!call || pushes) found.push(this.#pushed(kind, over ? 1 : 0, where, line));
      }
    }
    return found.sort((a, b) => Number(b.kept !== null) - Number(a.kept !== null) || a.ups - b.ups);
  }

  // --- internal ---

  /** A step from here can leave the frame. */
  get #mayGoUp(): boolean {
    const { kind } = this.#situation.state;
    if (this.#backward) return kind === 'call' || kind === 'resume';
    const jump = /^(breakpoint|continue)$/.test(this.#situation.action.type);
    return !jump && (kind === 'return' || kind === 'yield' || kind === 'exception');
  }

  /** Any line that a caller could be at. */
  #callers(): Candidate[] {
    const kinds: readonly StateKind[] = this.#backward
      ? ['line', 'line_call']
      : ['call', 'line', 'return', 'exception', 'yield'];
    return this.#view
      .all()
      .flatMap((where) =>
        kinds.flatMap((kind) =>
          (kind === 'call' ? this.#callLines(where) : this.#view.lines(where)).map((line) =>
            this.#pushed(kind, 1, where, line),
          ),
        ),
      );
  }

  #kept(kind: StateKind, ups: number, line: number): Candidate {
    const frame = this.#view.at(ups);
    const base = this.#transcript.base(frame, kind, this.#backward);
    const rest = base?.known ? 'always' : base || (!frame.known && kind !== 'call') ? 'either' : 'never';
    const old = [...frame.locals.keys(), ...(base?.locals.keys() ?? [])];
    return {
      kind,
      ups,
      kept: frame,
      where: { file: frame.file, scope: frame.scope },
      line,
      text: this.#text(frame, line),
      base,
      rest,
      names: [...new Set([...this.#names(frame), ...old])],
      gone: [...(base?.locals.keys() ?? [])],
    };
  }

  #pushed(kind: StateKind, ups: number, { file, scope }: Where, line: number): Candidate {
    const where = { file, scope };
    const { generator, async } = this.#view.scope(where) ?? { generator: true, async: true };
    return {
      kind,
      ups,
      kept: null,
      where,
      line,
      text: this.#text(where, line),
      base: null,
      // One that was suspended before the walk began has locals that nobody saw.
      rest: kind !== 'call' && (generator || async) ? 'either' : 'never',
      names: this.#names(where),
      gone: [],
    };
  }

  #names(where: Where): string[] {
    return [...new Set(this.#view.alike(where).flatMap((scope) => scope.names))];
  }

  #callLines(where: Where): readonly number[] {
    const scope = this.#view.scope(where);
    if (scope) return [scope.line];
    return (this.#situation.programs[where.file]?.units ?? []).map(({ line }) => line);
  }

  #text({ file }: Where, line: number): string {
    return lineText(this.#situation.programs[file], line);
  }
}
