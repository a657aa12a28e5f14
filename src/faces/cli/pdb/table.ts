/** @file Names of the commands: pdb's own, with its abbreviations, gdb's reverse set, and ours. */

export interface Entry {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly usage: string;
  readonly help: string;
}

const entry = (usage: string, aliases: string, help: string): Entry => ({
  name: usage.split(/[ [(]/)[0]!,
  aliases: aliases === '' ? [] : aliases.split(' '),
  usage,
  help,
});

export const COMMANDS: readonly Entry[] = [
  entry('step', 's', 'To the next state, also inside a call.'),
  entry('next', 'n', 'To the next line of this function, or to its end.'),
  entry('return', 'r', 'On until this function returns.'),
  entry('continue', 'c cont', 'On to the next breakpoint, or to the end.'),
  entry(
    'until [LINE]',
    'unt',
    'On to a line greater than the current one (or LINE), or to the end of the function.',
  ),
  entry('jump LINE', 'j', 'Go on from LINE instead (predicted states only).'),
  entry('reverse-step', 'rs', 'Back to the state before, also inside a call.'),
  entry('reverse-next', 'rn back', 'Back to the line before of this function, over calls.'),
  entry('reverse-finish', 'rf', 'Back to the call of this function: its arguments.'),
  entry('reverse-continue', 'rc', 'Back to the last breakpoint, or to the entry.'),
  entry('break [LINE|FUNCTION [, CONDITION]]', 'b', 'Set a breakpoint; alone: list them.'),
  entry('tbreak [LINE|FUNCTION [, CONDITION]]', '', 'The same, removed when it is hit.'),
  entry('clear [NUMBER ...]', 'cl', 'Remove breakpoints; alone: all of them.'),
  entry('condition NUMBER [CONDITION]', '', 'Stop there only if the expression is true.'),
  entry('ignore NUMBER [COUNT]', '', 'Pass over it COUNT times.'),
  entry('enable NUMBER ...', '', 'Turn breakpoints on.'),
  entry('disable NUMBER ...', '', 'Turn breakpoints off.'),
  entry(
    'commands [NUMBER]',
    '',
    'Commands to execute when a breakpoint stops: lines until `end`; `silent`: print nothing.',
  ),
  entry('list [FIRST [, LAST] | .]', 'l', 'Source around the current line, then onwards.'),
  entry('longlist', 'll', 'Source of the current function.'),
  entry('where', 'w bt', 'The stack, the current frame last.'),
  entry('up [COUNT]', 'u', 'One frame up.'),
  entry('down [COUNT]', 'd', 'One frame down.'),
  entry('args', 'a', 'The arguments of this function.'),
  entry('p EXPRESSION', '', 'The value of an expression.'),
  entry('pp EXPRESSION', '', 'The same, laid out.'),
  entry(
    'full EXPRESSION [, BYTES]',
    '',
    'The same, uncut, by a run to this state (recorded); a million bytes at most.',
  ),
  entry('display [EXPRESSION]', '', 'Show an expression at each stop where it changed.'),
  entry('undisplay [EXPRESSION]', '', 'Do not any more.'),
  entry('retval', 'rv', 'The value this function returned.'),
  entry('whatis EXPRESSION', '', 'The type of an expression.'),
  entry('set NAME = VALUE', '', 'Change a variable; `!NAME = VALUE` does the same.'),
  entry('inverse VALUE [COUNT]', '', 'Inputs of this function that would make it return VALUE.'),
  entry(
    'real',
    'compare',
    'Run the program in the sandbox to this state, and say where the prediction parts from it.',
  ),
  entry('work', '', 'The operations by which the model came to this state.'),
  entry('goto POSITION', '', 'To an earlier position of this session (`positions` lists them).'),
  entry('positions', '', 'All positions of this session.'),
  entry('restart', 'run', 'Back to the entry; breakpoints and displays stay.'),
  entry('alias [NAME [COMMAND]]', '', 'A name for a command; %1 and %* stand for what follows it.'),
  entry('unalias NAME', '', 'Forget it.'),
  entry('help [COMMAND]', 'h', 'This list.'),
  entry('quit', 'q exit', 'Leave.'),
];

const BY_NAME = new Map(COMMANDS.flatMap((c) => [c.name, ...c.aliases].map((n) => [n, c] as const)));

/** A command by its name or abbreviation. */
export function commandFor(word: string): Entry | undefined {
  return BY_NAME.get(word);
}

export function helpLines(topic: string): string[] {
  if (topic === '') {
    const width = Math.max(...COMMANDS.map((c) => c.usage.length));
    return COMMANDS.map(
      (c) => `${c.usage.padEnd(width)}  ${[c.aliases.join(', '), c.help].filter(Boolean).join(': ')}`,
    );
  }
  const found = commandFor(topic);
  if (!found) return [`*** No help for '${topic}'`];
  const names = found.aliases.length > 0 ? ` (${found.aliases.join(', ')})` : '';
  return [`${found.usage}${names}`, `        ${found.help}`];
}
