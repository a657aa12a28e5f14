/** @file Completion: commands first, then what the command takes - names in sight, functions, files, breakpoints, aliases. */
import type { Shell } from './shell.ts';
import { COMMANDS, commandFor } from './table.ts';

/** What can follow, and the part of the line that it completes (as `readline` wants it). */
export function complete(shell: Shell, line: string): [matches: string[], part: string] {
  const command = /(?:^|;;)\s*([^;]*)$/.exec(line)?.[1] ?? line;
  const [, word = '', rest] = /^(\S+)\s+(.*)$/s.exec(command) ?? [];
  if (rest === undefined) {
    const names = [...COMMANDS.map(({ name }) => name), ...shell.aliases.names, ...namesInSight(shell)];
    return [startingWith(names, command), command];
  }
  const part = /[\p{L}\p{N}_.:-]*$/u.exec(rest)?.[0] ?? '';
  return [startingWith(candidates(shell, commandFor(word)?.name ?? '', rest), part), part];
}

function candidates(shell: Shell, command: string, rest: string): string[] {
  const numbers = () => shell.points.all.map(({ number }) => String(number));
  switch (command) {
    case 'help':
      return COMMANDS.map(({ name }) => name);
    case 'break':
    case 'tbreak':
      return rest.includes(',') ? namesInSight(shell) : [...functions(shell), ...files(shell)];
    case 'condition':
      return /^\S*$/.test(rest) ? numbers() : namesInSight(shell);
    case 'clear':
    case 'enable':
    case 'disable':
    case 'ignore':
    case 'commands':
      return numbers();
    case 'alias':
    case 'unalias':
      return [...shell.aliases.names];
    case 'undisplay':
      return [...shell.displays.values()].flatMap((shown) => [...shown.keys()]);
    default:
      return namesInSight(shell);
  }
}

const startingWith = (names: readonly string[], part: string): string[] =>
  [...new Set(names)].filter((name) => name.startsWith(part)).sort();

function functions({ debug }: Shell): string[] {
  return debug.programs.flatMap(({ scopes }) =>
    scopes.filter((s) => s.kind === 'function').map((s) => s.qualname),
  );
}

const files = (shell: Shell): string[] =>
  shell.files.names.filter((name) => name !== '<call>').map((name) => `${name}:`);

/** Locals of the chosen frame, its module's data, and its file's functions. */
function namesInSight(shell: Shell): string[] {
  if (shell.debug.current.outcome.type !== 'state') return [];
  const { locals, globals } = shell.frame();
  return [...locals.keys(), ...globals.keys(), ...functions(shell).filter((name) => !name.includes('.'))];
}
