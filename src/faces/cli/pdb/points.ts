/** @file The breakpoint commands, in pdb's words (Lib/pdb.py: `do_break` and its kin). */

import { NpdbError } from '../../../common/errors.ts';
import type { Breakpoint } from '../../../debugger/breakpoints.ts';
import { lineNumber } from './motion.ts';
import type { Shell } from './shell.ts';

/** False where the command is about something else. */
export async function managePoints(shell: Shell, name: string, rest: string): Promise<boolean> {
  switch (name) {
    case 'break':
    case 'tbreak':
      if (rest === '') listPoints(shell);
      else add(shell, rest, name === 'tbreak');
      return true;
    case 'clear': {
      const gone = rest === '' ? shell.points.clear() : numbers(rest).map((n) => shell.points.remove(n));
      for (const point of gone) shell.print(`Deleted ${pointText(shell, point)}`);
      return true;
    }
    case 'condition': {
      const [, number = '', condition = ''] = /^(\S+)\s*(.*)$/s.exec(rest) ?? [];
      const point = shell.points.get(lineNumber(number));
      point.condition = condition === '' ? null : condition;
      if (condition === '') shell.print(`Breakpoint ${point.number} is now unconditional.`);
      else shell.print(`New condition set for breakpoint ${point.number}.`);
      return true;
    }
    case 'ignore': {
      const [number = '', count = '0'] = rest.split(/\s+/);
      const point = shell.points.get(lineNumber(number));
      point.ignore = lineNumber(count);
      shell.print(ignoreText(point));
      return true;
    }
    case 'commands':
      shell.collect(rest === '' ? last(shell) : shell.points.get(lineNumber(rest)).number);
      return true;
    case 'enable':
    case 'disable':
      for (const n of numbers(rest)) {
        const point = shell.points.get(n);
        point.enabled = name === 'enable';
        shell.print(`${point.enabled ? 'Enabled' : 'Disabled'} ${pointText(shell, point)}`);
      }
      return true;
    default:
      return false;
  }
}

/** pdb: without a number the last breakpoint set is meant. */
function last({ points }: Shell): number {
  return points.all.at(-1)?.number ?? points.get(1).number;
}

function numbers(rest: string): number[] {
  return rest.split(/\s+/).filter(Boolean).map(lineNumber);
}

/** `breakpoint 1 at file.py:3` */
export function pointText(shell: Shell, point: Breakpoint): string {
  return `breakpoint ${point.number} at ${fileName(shell, point.file)}:${point.line}`;
}

function ignoreText(point: Breakpoint): string {
  if (point.ignore === 0) return `Will stop next time breakpoint ${point.number} is reached.`;
  const crossings = point.ignore === 1 ? '1 crossing' : `${point.ignore} crossings`;
  return `Will ignore next ${crossings} of breakpoint ${point.number}.`;
}

function add(shell: Shell, rest: string, temporary: boolean): void {
  const comma = rest.indexOf(',');
  const where = (comma < 0 ? rest : rest.slice(0, comma)).trim();
  const condition = comma < 0 ? null : rest.slice(comma + 1).trim();
  const { file, line } = placeOf(shell, where);
  const point = shell.points.add(shell.debug.programs[file]!, line, { file, temporary, condition });
  shell.print(pointText(shell, point).replace('b', 'B'));
}

interface Place {
  readonly file: number;
  readonly line: number;
}

const fileName = (shell: Shell, file: number): string => shell.files.names[file] ?? `<file ${file}>`;

/**
 * A line of the current file (`3`), of a file (`file.py:3`, with or without its folders and its `.py`), or a function,
 * of the current file before others: the first line it stops at, as pdb does.
 */
function placeOf(shell: Shell, where: string): Place {
  const here = currentFile(shell);
  const [, name, digits] = /^(?:(.*):)?\s*(\d+)$/.exec(where) ?? [];
  if (digits !== undefined) {
    return { file: name === undefined ? here : fileNamed(shell, name.trim()), line: Number(digits) };
  }
  const { programs } = shell.debug;
  for (const file of new Set([here, ...programs.keys()])) {
    const program = programs[file]!;
    const scope = program.scopes.find(
      (s) => s.kind === 'function' && (s.name === where || s.qualname === where),
    );
    const line = scope && program.entriesOf(scope.id)[0];
    if (line !== undefined) return { file, line };
  }
  throw new NpdbError(
    'E_BREAKPOINT',
    `The specified object '${where}' is not a function or was not found along sys.path.`,
    'Give a line number or a function of this file.',
  );
}

/** Where the session stands; on the call expression's own line: the program. */
function currentFile(shell: Shell): number {
  const { outcome } = shell.debug.current;
  if (outcome.type !== 'state') return 0;
  const { file, fn } = shell.frame();
  return fn === '<call>' ? 0 : file;
}

function fileNamed(shell: Shell, wanted: string): number {
  const names = shell.files.names.slice(0, shell.debug.programs.length);
  const spellings = [wanted, `${wanted}.py`];
  const exact = names.findIndex((name) => spellings.includes(name));
  if (exact >= 0) return exact;
  const found = [...names.keys()].filter((i) => spellings.some((s) => names[i]!.endsWith(`/${s}`)));
  if (found.length === 1) return found[0]!;
  // pdb's words.
  const what =
    found.length > 1
      ? `${found.map((i) => names[i]).join(', ')}: which?`
      : `'${wanted}' not found from sys.path`;
  throw new NpdbError('E_BREAKPOINT', what, 'Name one of the files that the recording holds.');
}

function listPoints(shell: Shell): void {
  if (shell.points.all.length === 0) return;
  shell.print('Num Type         Disp Enb   Where');
  for (const p of shell.points.all) {
    const disp = p.temporary ? 'del ' : 'keep';
    const enabled = p.enabled ? 'yes  ' : 'no   ';
    shell.print(
      `${String(p.number).padEnd(4)}breakpoint   ${disp} ${enabled} at ${fileName(shell, p.file)}:${p.line}`,
    );
    if (p.condition) shell.print(`\tstop only if ${p.condition}`);
    if (p.ignore) shell.print(`\tignore next ${p.ignore} hits`);
    if (p.hits) shell.print(`\tbreakpoint already hit ${p.hits} time${p.hits === 1 ? '' : 's'}`);
  }
}
