/**
 * @file Lines as commands: `;;` between commands, aliases, and the lines of `commands` (Lib/pdb.py: `precmd`,
 * `do_alias`, `do_commands`). Text only: nothing here knows a debugger.
 */
import { NpdbError } from '../../../common/errors.ts';

/** The commands of one line. As in pdb `;;` separates them; unlike there not within a string. */
export function commandsOf(line: string): string[] {
  // An alias is defined whole: its `;;` belong to it.
  if (/^\s*alias\s/.test(line)) return [line.trim()];
  const parts: string[] = [];
  let quote = '';
  let from = 0;
  for (let at = 0; at < line.length; at += 1) {
    const c = line[at]!;
    if (quote) {
      if (c === '\\') at += 1;
      else if (c === quote) quote = '';
    } else if (c === '"' || c === "'") quote = c;
    else if (c === ';' && line[at + 1] === ';') {
      parts.push(line.slice(from, at).trim());
      from = at + 2;
      at += 1;
    }
  }
  parts.push(line.slice(from).trim());
  return parts.length > 1 ? parts.filter((part) => part !== '') : parts;
}

/** How often an alias may lead to another one. */
const DEEP = 20;

export class Aliases {
  readonly #all = new Map<string, string>();

  get names(): readonly string[] {
    return [...this.#all.keys()];
  }

  set(name: string, text: string): void {
    this.#all.set(name, text);
  }

  remove(name: string): boolean {
    return this.#all.delete(name);
  }

  /** `name = text`, as pdb lists them. */
  lines(names: readonly string[] = this.names): string[] {
    return [...names].sort().flatMap((name) => {
      const text = this.#all.get(name);
      return text === undefined ? [] : [`${name} = ${text}`];
    });
  }

  /** The line with its first word replaced, `%1` `%2` by the words after it, `%*` by all of them. Throws `E_ALIAS`. */
  expand(line: string): string {
    let expanded = line;
    for (let deep = 0; ; deep += 1) {
      const [word = '', ...words] = expanded.split(/\s+/);
      const text = this.#all.get(word);
      if (text === undefined) return expanded;
      if (deep === DEEP)
        throw new NpdbError('E_ALIAS', `The alias '${word}' leads to itself.`, 'Use unalias.');
      const used = text.replace(/%(\d+|\*)/g, (_, which: string) =>
        which === '*' ? words.join(' ') : (words[Number(which) - 1] ?? ''),
      );
      const takes = /%(\d+|\*)/.test(text);
      expanded = (takes ? used : [text, ...words].join(' ')).trim();
      // An alias of the same name as its command (`alias p p %1`) stands for the command.
      if (expanded.split(/\s+/)[0] === word) return expanded;
    }
  }
}

/** Commands after which the rest of a breakpoint's list is not executed (pdb: `commands_resuming`). */
const RESUMING =
  /^(?:c(?:ont(?:inue)?)?|s(?:tep)?|n(?:ext)?|r(?:eturn)?|unt(?:il)?|j(?:ump)?|run|restart|q(?:uit)?|exit|rs|rn|rf|rc|reverse-\w+|goto)(?![\p{L}\p{N}_])/u;

export const resumes = (command: string): boolean => RESUMING.test(command);

/** What a breakpoint does when it stops. */
export interface PointCommands {
  readonly commands: readonly string[];
  /** Do not print where it stopped. */
  readonly silent: boolean;
}

/** The lines given after `commands`, until `end` or a command that resumes. */
export class Collecting {
  readonly number: number;
  readonly #commands: string[] = [];
  #silent = false;

  constructor(number: number) {
    this.number = number;
  }

  /** True once the list is complete. */
  add(line: string): boolean {
    if (line === 'end') return true;
    if (line === 'silent') this.#silent = true;
    else if (line !== '') this.#commands.push(line);
    return resumes(line);
  }

  get result(): PointCommands {
    return { commands: this.#commands, silent: this.#silent };
  }
}
