/**
 * @file Positions as pdb prints them (Lib/pdb.py: `print_stack_entry`, `user_call`, `user_return`, `user_exception`),
 * with one addition: what is predicted says so, as a Python comment, so that a copied line is still Python.
 */

import type { Difference, Position } from '../../../debugger/types.ts';
import type { Program } from '../../../source/types.ts';
import type { Frame, Outcome, State } from '../../../state/types.ts';
import { parseValue } from '../../../values/parse.ts';
import { toRepr } from '../../../values/repr.ts';
import { colors } from '../colors.ts';

export interface Files {
  readonly programs: readonly Program[];
  /** What is printed for each file: the path as the user gave it, `<call>`. */
  readonly names: readonly string[];
}

export const percent = (p: number): string => `${(100 * p).toFixed(p > 0.995 || p < 0.095 ? 1 : 0)} %`;

/** ` # predicted, 93 %`; empty for what is real or given. */
export function mark(position: Position): string {
  if (position.origin === 'edited') return colors.dim('  # edited');
  if (position.origin !== 'predicted') return '';
  return colors.yellow(`  # predicted, ${percent(position.confidence ?? 0)}`);
}

/** `> file.py(5)f()` and, on a second line, `-> source`. */
export function entryLines(
  frame: Frame,
  files: Files,
  options: { current: boolean; value?: string | undefined },
): string[] {
  const prefix = options.current ? '> ' : '  ';
  const name = files.names[frame.file] ?? `<file ${frame.file}>`;
  const fn = frame.fn.split('.').pop() ?? frame.fn;
  const value = options.value === undefined ? '' : `->${plain(options.value)}`;
  const source = files.programs[frame.file]?.lines[frame.line - 1]?.trim() ?? '';
  return [`${prefix}${name}(${frame.line})${fn}()${value}`, `-> ${source}`];
}

/** All that is printed on stopping at a position. */
export function stopLines(position: Position, files: Files): string[] {
  const { outcome } = position;
  const lines: string[] = [];
  const out =
    outcome.type === 'state' ? outcome.state.out : outcome.type === 'exit' ? outcome.out : undefined;
  if (out) lines.push(out.replace(/\n$/, ''));
  const err = outcome.type === 'state' ? outcome.state.err : undefined;
  if (err) lines.push(err.replace(/\n$/, ''));
  if (outcome.type === 'state') lines.push(...stateLines(outcome.state, files, mark(position)));
  else lines.push(`${endLine(outcome)}${mark(position)}`);
  if (position.ambiguous?.length)
    lines.push(colors.dim(`   could also be line ${position.ambiguous.join(', ')}`));
  if (position.real !== undefined) lines.push(...realLines(position));
  return lines;
}

function stateLines(state: State, files: Files, marked: string): string[] {
  const lines: string[] = [];
  const returns = state.kind === 'return' || state.kind === 'yield';
  if (state.kind === 'call' || state.kind === 'resume') lines.push('--Call--');
  if (returns) lines.push('--Return--');
  if (state.kind === 'exception' && state.value !== undefined) lines.push(exceptionLine(state.value));
  const [where, source] = entryLines(state.stack.at(-1)!, files, {
    current: true,
    value: returns ? (state.value ?? 'None') : undefined,
  });
  return [...lines, `${where}${marked}`, source!];
}

function endLine(outcome: Exclude<Outcome, { type: 'state' }>): string {
  if (outcome.type === 'entry') return 'The entry of the program: nothing lies before it';
  if (outcome.exit === 'normal') return 'The program finished';
  if (outcome.exit === 'never') return 'The program never ends';
  const what = outcome.exception === undefined ? 'an uncaught exception' : exceptionLine(outcome.exception);
  return `The program ended with ${what}`;
}

/** `ValueError('bad')` as Python reports it: `ValueError: bad`. */
export function exceptionLine(text: string): string {
  try {
    const value = parseValue(text);
    if (value.type !== 'call') return text;
    const { args, name } = value;
    if (args.length === 0) return name;
    const [only] = args;
    const message = `(${args.map((a) => toRepr(a)).join(', ')})`;
    if (args.length > 1) return `${name}: ${message}`;
    return `${name}: ${only!.type === 'str' && name !== 'KeyError' ? only!.value : toRepr(only!)}`;
  } catch {
    return text;
  }
}

/** Where the prediction and the real run part. */
function realLines(position: Position): string[] {
  if (position.real === null) return [colors.dim('   real: not known (the recording was cut)')];
  const differences = position.differences ?? [];
  if (differences.length === 0) return [colors.green('   real: the same')];
  return differences.map((d) => colors.red(`   real: ${differenceText(d)}`));
}

export function differenceText(d: Difference): string {
  const what = d.part === 'local' ? (d.name ?? '?') : d.part;
  return `${what} = ${d.real ?? '(none)'}, predicted ${d.predicted ?? '(none)'}`;
}

/** A value as Python's repr, where the text allows it. */
export function plain(text: string): string {
  try {
    return toRepr(parseValue(text));
  } catch {
    return text;
  }
}
