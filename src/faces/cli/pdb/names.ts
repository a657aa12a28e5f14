/** @file `alias` and `unalias`, in pdb's words (Lib/pdb.py: `do_alias`, `do_unalias`). */
import { NpdbError } from '../../../common/errors.ts';
import type { Shell } from './shell.ts';

/** False where the command is about something else. */
export function nameCommands(shell: Shell, command: string, rest: string): boolean {
  if (command === 'unalias') {
    if (!shell.aliases.remove(rest))
      throw new NpdbError('E_ALIAS', `There is no alias '${rest}'.`, 'See `alias`.');
    return true;
  }
  if (command !== 'alias') return false;
  const [, name = '', text = ''] = /^(\S+)\s*(.*)$/s.exec(rest) ?? [];
  if (text !== '') shell.aliases.set(name, text);
  else for (const line of shell.aliases.lines(name === '' ? undefined : [name])) shell.print(line);
  return true;
}
