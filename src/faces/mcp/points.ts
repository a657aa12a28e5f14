/**
 * @file Breakpoints that outlive a restart: addressed by line, by the text of the line or by a function's name, and
 * bound anew whenever the program's text changes. Agents count lines badly, and lines go stale.
 */
import { NpdbError } from '../../common/errors.ts';
import { type Breakpoint, Breakpoints } from '../../debugger/breakpoints.ts';
import type { Program } from '../../source/types.ts';

export interface Wanted {
  readonly line?: number | undefined;
  readonly statement?: string | undefined;
  readonly nearLine?: number | undefined;
  readonly function?: string | undefined;
  readonly expectedContent?: string | undefined;
  readonly condition?: string | undefined;
  /** Hits to pass over first. */
  readonly ignore?: number | undefined;
  readonly temporary?: boolean | undefined;
}

export interface Point {
  readonly id: string;
  readonly wanted: Wanted;
  /** Null while there is no program, or where it cannot be bound: `problem` says why. */
  bound: Breakpoint | null;
  warning?: string;
  problem?: string;
}

export class Points {
  readonly #all: Point[] = [];
  #next = 1;
  #program: Program | null = null;
  /** What the motions stop at. */
  breakpoints = new Breakpoints();

  get all(): readonly Point[] {
    return this.#all;
  }

  /** Throws `E_BREAKPOINT` where the program is known and the place is not in it; nothing is set then. */
  add(wanted: Wanted): Point {
    const places = [wanted.line, wanted.statement, wanted.function].filter((w) => w !== undefined);
    if (places.length !== 1) {
      throw new NpdbError(
        'E_BREAKPOINT',
        places.length === 0 ? 'No place is given.' : 'More than one place is given.',
        'Give one of `line`, `statement`, `function`.',
      );
    }
    const point: Point = { id: `bp-${this.#next}`, wanted, bound: null };
    if (this.#program) this.#bind(point, this.#program);
    this.#next += 1;
    this.#all.push(point);
    return point;
  }

  /** Throws `E_BREAKPOINT`. */
  remove(id: string): Point {
    const at = this.#all.findIndex((point) => point.id === id);
    const point = this.#all[at];
    if (!point) {
      const known = this.#all.map((p) => p.id).join(', ');
      throw new NpdbError('E_BREAKPOINT', `There is no breakpoint ${id}.`, `There are: ${known || 'none'}.`);
    }
    this.#all.splice(at, 1);
    if (point.bound && this.breakpoints.all.includes(point.bound))
      this.breakpoints.remove(point.bound.number);
    return point;
  }

  /** Binds all of them anew, hit counts at zero. Those that do not fit stay, unbound, with their problem. */
  rebind(program: Program): void {
    this.#program = program;
    this.breakpoints = new Breakpoints();
    for (const point of this.#all) {
      point.bound = null;
      delete point.problem;
      delete point.warning;
      try {
        this.#bind(point, program);
      } catch (error) {
        if (!(error instanceof NpdbError)) throw error;
        point.problem = error.line();
      }
    }
  }

  of(breakpoint: Breakpoint | undefined): Point | undefined {
    return breakpoint && this.#all.find((point) => point.bound === breakpoint);
  }

  /** Forgets temporary ones that were hit. */
  sweep(): void {
    for (const point of [...this.#all]) {
      if (point.wanted.temporary && point.bound && !this.breakpoints.all.includes(point.bound)) {
        this.#all.splice(this.#all.indexOf(point), 1);
      }
    }
  }

  #bind(point: Point, program: Program): void {
    const { wanted } = point;
    const line = lineOf(program, wanted);
    if (wanted.expectedContent !== undefined) expect(program, line, wanted.expectedContent);
    const bound = this.breakpoints.add(program, line, {
      temporary: wanted.temporary ?? false,
      condition: wanted.condition ?? null,
    });
    bound.ignore = wanted.ignore ?? 0;
    point.bound = bound;
    if (bound.line !== line) {
      point.warning = `Requested line ${line}, bound to line ${bound.line}, where its statement starts.`;
    }
  }
}

// --- internal ---

const trimmed = (text: string): string => text.replace(/(^|\s)#.*$/, '').trim();

function lineOf(program: Program, wanted: Wanted): number {
  if (wanted.line !== undefined) return wanted.line;
  if (wanted.statement !== undefined) return lineWith(program, wanted.statement, wanted.nearLine);
  const name = wanted.function!;
  const scope = program.scopes.find((s) => s.kind === 'function' && (s.qualname === name || s.name === name));
  const first = scope && program.entriesOf(scope.id)[0];
  if (first !== undefined) return first;
  const names = program.scopes.filter((s) => s.kind === 'function').map((s) => s.qualname);
  throw new NpdbError(
    'E_BREAKPOINT',
    `There is no function ${name} in ${program.name}.`,
    `It has: ${names.join(', ') || 'none'}.`,
  );
}

/** Whole lines win over parts of lines; several matches are an error that lists them. */
function lineWith(program: Program, statement: string, near?: number): number {
  const text = trimmed(statement);
  if (text === '' || statement.trim().includes('\n')) {
    throw new NpdbError('E_BREAKPOINT', 'The statement is not one line of code.', 'Give its first line.');
  }
  const numbered = program.lines.map((content, i) => ({ line: i + 1, content: trimmed(content) }));
  const whole = numbered.filter(({ content }) => content === text);
  const found = whole.length > 0 ? whole : numbered.filter(({ content }) => content.includes(text));
  if (found.length === 0) {
    throw new NpdbError(
      'E_BREAKPOINT',
      `No line of ${program.name} has \`${text}\`.`,
      'Read it again with get_source_context.',
    );
  }
  if (found.length > 1 && near === undefined) {
    const list = found.slice(0, 20).map(({ line, content }) => `${line}: ${content}`);
    throw new NpdbError(
      'E_BREAKPOINT',
      `\`${text}\` is on ${found.length} lines: ${list.join('; ')}.`,
      'Add `nearLine`.',
    );
  }
  const distance = (line: number) => Math.abs(line - (near ?? line));
  return found.reduce((best, next) => (distance(next.line) < distance(best.line) ? next : best)).line;
}

function expect(program: Program, line: number, content: string): void {
  const actual = program.lines[line - 1] ?? '';
  if (trimmed(actual).includes(trimmed(content))) return;
  const from = Math.max(1, line - 2);
  const around = program.lines.slice(from - 1, line + 2).map((text, i) => `${from + i}: ${text.trim()}`);
  throw new NpdbError(
    'E_BREAKPOINT',
    `Line ${line} is \`${actual.trim()}\`, not \`${content.trim()}\`.`,
    `Around it: ${around.join('; ')}.`,
  );
}
