/** @file Positions and values in words: what is predicted says so, with its confidence, wherever it is shown. */
import { NpdbError } from '../../common/errors.ts';
import type { Difference, Position } from '../../debugger/types.ts';
import type { State } from '../../state/types.ts';
import { parseValue } from '../../values/parse.ts';
import { toRepr } from '../../values/repr.ts';

export const percent = (p: number): string => `${(100 * p).toFixed(p > 0.995 || p < 0.095 ? 1 : 0)} %`;

/** `predicted, 93 %`, `edited`, or empty. */
export function originOf(position: Position): string {
  if (position.origin === 'edited') return 'edited';
  if (position.origin !== 'predicted') return '';
  return `predicted, ${percent(position.confidence ?? 0)}`;
}

/** As a Python comment, so that a copied or edited value is still Python. */
export function markOf(position: Position): string {
  const origin = originOf(position);
  return origin === '' ? '' : `  # ${origin}`;
}

/** A value as a client sends it back, without our mark. */
export function withoutMark(text: string): string {
  const at = text.lastIndexOf('# ');
  const marked = at > 0 && /^# (predicted|edited)\b[^\n]*$/.test(text.slice(at));
  return (marked ? text.slice(0, at) : text).trim();
}

/** A value as Python's repr, where the text is a value. */
export function plain(text: string): string {
  try {
    return toRepr(parseValue(text));
  } catch (error) {
    if (error instanceof NpdbError) return text;
    throw error;
  }
}

/** `ValueError: bad` of `ValueError('bad')`. */
export function exceptionLine(text: string): string {
  try {
    const value = parseValue(text);
    if (value.type !== 'call') return text;
    const { args, name } = value;
    const [only] = args;
    if (!only) return name;
    if (args.length > 1) return `${name}: (${args.map((a) => toRepr(a)).join(', ')})`;
    return `${name}: ${only.type === 'str' && name !== 'KeyError' ? only.value : toRepr(only)}`;
  } catch (error) {
    if (error instanceof NpdbError) return text;
    throw error;
  }
}

export function differenceText(d: Difference): string {
  const what = d.part === 'local' ? (d.name ?? '?') : d.part;
  return `${what}: real ${d.real ?? '(none)'}, predicted ${d.predicted ?? '(none)'}`;
}

/** `total, line 9`. */
export function placeOf(state: State): string {
  const top = state.stack.at(-1)!;
  return `${top.fn}, line ${top.line}`;
}
