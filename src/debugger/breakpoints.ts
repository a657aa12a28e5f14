/** @file Breakpoints as pdb has them: numbered from 1, with condition, ignore count, enabled or not, temporary or not. */
import { NpdbError } from '../common/errors.ts';
import type { Program } from '../source/types.ts';

export interface Breakpoint {
  readonly number: number;
  /** Index into the session's files. */
  readonly file: number;
  readonly line: number;
  temporary: boolean;
  enabled: boolean;
  condition: string | null;
  /** Hits still to be passed over. */
  ignore: number;
  hits: number;
}

export class Breakpoints {
  readonly #all: Breakpoint[] = [];
  #next = 1;

  get all(): readonly Breakpoint[] {
    return this.#all;
  }

  get enabled(): Breakpoint[] {
    return this.#all.filter((b) => b.enabled);
  }

  /** Throws `E_BREAKPOINT` with pdb's words where the line holds no code. */
  add(
    program: Program,
    line: number,
    options: { file?: number; temporary?: boolean; condition?: string | null } = {},
  ): Breakpoint {
    const unit = program.unitAt(line);
    if (!unit) {
      const why = line > program.lines.length || line < 1 ? 'End of file' : 'Blank or comment';
      throw new NpdbError('E_BREAKPOINT', why, 'Choose a line with code.');
    }
    const made: Breakpoint = {
      number: this.#next++,
      file: options.file ?? 0,
      // A breakpoint inside a statement of several lines binds upwards, to the line where it starts.
      line: unit.line,
      temporary: options.temporary ?? false,
      enabled: true,
      condition: options.condition ?? null,
      ignore: 0,
      hits: 0,
    };
    this.#all.push(made);
    return made;
  }

  get(number: number): Breakpoint {
    const found = this.#all.find((b) => b.number === number);
    if (found) return found;
    const none = this.#next === 1 ? 'There are no breakpoints.' : `Breakpoints: 1 to ${this.#next - 1}.`;
    throw new NpdbError('E_BREAKPOINT', `Breakpoint number ${number} out of range`, none);
  }

  remove(number: number): Breakpoint {
    const found = this.get(number);
    this.#all.splice(this.#all.indexOf(found), 1);
    return found;
  }

  clear(): Breakpoint[] {
    return this.#all.splice(0);
  }
}
