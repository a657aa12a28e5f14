/**
 * @file The shell: one command line in, printed lines out. Knows a `Debugger`, never which engine it is.
 * Errors of a command are printed as pdb prints them (`*** ...`) and end nothing.
 */

import { NpdbError } from '../../../common/errors.ts';
import { Breakpoints } from '../../../debugger/breakpoints.ts';
import type { Stop } from '../../../debugger/control.ts';
import type { Debugger, Difference, Position } from '../../../debugger/types.ts';
import type { Frame, Outcome, State } from '../../../state/types.ts';
import { type Displayed, inspect, showDisplays } from './inspect.ts';
import { move } from './motion.ts';
import { nameCommands } from './names.ts';
import { managePoints, pointText } from './points.ts';
import { Aliases, Collecting, commandsOf, type PointCommands } from './script.ts';
import { type Files, stopLines } from './show.ts';
import { commandFor, helpLines } from './table.ts';

export interface Comparison {
  readonly real: Outcome;
  readonly differences: readonly Difference[];
}

export interface ShellOptions {
  readonly debug: Debugger;
  readonly files: Files;
  readonly print: (line: string) => void;
  /** The real outcome of the walk to a position, by a run in the sandbox. */
  readonly compare?: (position: Position) => Promise<Comparison>;
  readonly signal?: () => AbortSignal | undefined;
}

export class Shell {
  readonly debug: Debugger;
  readonly files: Files;
  readonly print: (line: string) => void;
  readonly compare: ShellOptions['compare'];
  readonly points = new Breakpoints();
  /** By frame: expressions to show at each stop in it, with the text they last had. */
  readonly displays = new Map<number, Map<string, Displayed>>();
  readonly aliases = new Aliases();
  /** By number: what a breakpoint does when it stops. */
  readonly commands = new Map<number, PointCommands>();
  /** Frames up from the current one, as `up` and `down` chose. */
  up = 0;
  /** Where `list` goes on; null: around the current line. */
  listed: number | null = null;
  /** Why the last command failed; null where it did not. */
  failure: NpdbError | null = null;
  readonly #signal: () => AbortSignal | undefined;
  #last = '';
  /** Commands still to be executed. */
  readonly #queue: string[] = [];
  #collecting: Collecting | null = null;

  constructor(options: ShellOptions) {
    this.debug = options.debug;
    this.files = options.files;
    this.print = options.print;
    this.compare = options.compare;
    this.#signal = options.signal ?? (() => undefined);
  }

  get signal(): AbortSignal | undefined {
    return this.#signal();
  }

  /** The current state; throws `E_ENDED` where there is none. */
  state(): State {
    const { outcome } = this.debug.current;
    if (outcome.type === 'state') return outcome.state;
    throw new NpdbError('E_ENDED', 'The program has ended here.', 'Step back with rs, rn or rc.');
  }

  /** The frame that `up` and `down` chose. */
  frame(): Frame {
    return this.state().stack.at(-1 - this.up)!;
  }

  /** Prints where the session stands. */
  show(): void {
    for (const line of stopLines(this.debug.current, this.files)) this.print(line);
  }

  /** Prints a stop, and what is displayed at it. */
  async stopped(stop: Stop): Promise<void> {
    this.up = 0;
    this.listed = null;
    if (stop.note) this.print(`*** ${stop.note}`);
    const { breakpoint } = stop;
    if (breakpoint?.temporary) this.print(`Deleted ${pointText(this, breakpoint)}`);
    const commands = breakpoint && this.commands.get(breakpoint.number);
    if (!commands?.silent) this.show();
    await showDisplays(this);
    this.#queue.unshift(...(commands?.commands ?? []));
  }

  /** What the reader asks with: `(com) ` while the commands of a breakpoint are given. */
  get prompt(): string {
    return this.#collecting ? '(com) ' : '(Pdb) ';
  }

  /** The lines that follow are what breakpoint `number` does, until `end`. */
  collect(number: number): void {
    this.#collecting = new Collecting(number);
  }

  /** One command line; true ends the session. An empty line repeats the last command, as in pdb. */
  async execute(input: string): Promise<boolean> {
    this.failure = null;
    const collecting = this.#collecting;
    if (collecting) {
      if (!collecting.add(input.trim())) return false;
      this.commands.set(collecting.number, collecting.result);
      this.#collecting = null;
      return false;
    }
    const line = input.trim() === '' ? this.#last : input.trim();
    this.#last = line;
    if (line === '') return false;
    this.#queue.push(...commandsOf(line));
    for (let next = this.#queue.shift(); next !== undefined; next = this.#queue.shift()) {
      if (await this.#one(next)) return true;
      // A command that was stopped stops those that were to follow it.
      if (this.signal?.aborted) this.#queue.length = 0;
    }
    return false;
  }

  async #one(command: string): Promise<boolean> {
    try {
      const line = this.aliases.expand(command);
      const several = commandsOf(line);
      if (several.length > 1) {
        this.#queue.unshift(...several);
        return false;
      }
      return await this.#run(line);
    } catch (error) {
      if (!(error instanceof NpdbError)) throw error;
      this.failure = error;
      // pdb's own words end where pdb's do.
      const hint = error.code === 'E_BREAKPOINT' ? '' : error.hint;
      this.print(`*** ${error.message} ${hint}`.trimEnd());
      return false;
    }
  }

  async #run(line: string): Promise<boolean> {
    if (line.startsWith('!')) {
      await inspect(this, 'statement', line.slice(1).trim());
      return false;
    }
    // The whole identifier is the word: `n_items` and `s1` are names, not the commands n and s.
    const [, word = '', gap = '', rest = ''] =
      /^(\?|[\p{L}_][\p{L}\p{N}_]*(?:-[a-z]+)*)(\s*)(.*)$/su.exec(line) ?? [];
    const command = commandFor(word === '?' ? 'help' : word);
    // `n = 3`, `n == 3`, `c.x` and `p[0]` are Python, not the commands n, c and p; `p (1)` and `inverse [1]` are commands.
    const python = /^(\*\*|\/\/|>>|<<|[-+*/|&%^@=!<>])?=/.test(rest) || /^:\s*\w+\s*=/.test(rest);
    if (!command || python || (gap === '' && rest !== '' && word !== '?')) {
      await inspect(this, 'statement', line);
      return false;
    }
    if (command.name === 'quit') return true;
    if (command.name === 'help') {
      for (const text of helpLines(rest)) this.print(text);
      return false;
    }
    const done =
      (await move(this, command.name, rest)) ||
      nameCommands(this, command.name, rest) ||
      (await managePoints(this, command.name, rest)) ||
      (await inspect(this, command.name, rest));
    if (!done) throw new NpdbError('E_COMMAND', `Nothing does ${command.name} here.`, 'See `help`.');
    return false;
  }
}
