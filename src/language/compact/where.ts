/**
 * @file How a frame's scope is named: `<|Ln|>` by the line of its `call`, `<|L0|>` the module, `<|main|>` the
 * call expression; `#k` after it for the k-th (k > 0) further scope of that line, such as a lambda.
 */
import type { Program } from '../../source/types.ts';
import type { Frame } from '../../state/types.ts';
import { chars, special } from '../pieces.ts';
import type { Piece } from '../types.ts';
import { MAX_LINE, mark } from './specials.ts';

export interface Where {
  readonly file: number;
  readonly scope: number;
}

/** The scopes that share a name's special, in the order of their `#k`. */
export function scopesNamed(
  programs: readonly (Program | undefined)[],
  file: number,
  line: number,
): number[] {
  const program = programs[file];
  if (!program) return [];
  const others = program.scopesAt(line).filter((scope) => scope !== 0);
  // The call expression has one line: its own scope and its lambdas share `<|main|>`.
  if (file > 0) return [0, ...others];
  return line === 0 ? [0] : others;
}

/** The line of the special that names the scope: 0 for the module. */
export function namingLine(programs: readonly (Program | undefined)[], where: Where): number {
  if (where.file > 0) return 1;
  return where.scope === 0 ? 0 : (programs[0]?.scopes[where.scope]?.line ?? 0);
}

export function lineSpecial(line: number): Piece {
  return special(`<|L${Math.min(line, MAX_LINE)}|>`);
}

/** A frame without a known scope (code that no syntax shows) is named by its line alone. */
export function wherePieces(programs: readonly (Program | undefined)[], frame: Frame): Piece[] {
  const head = frame.file > 0 ? special(mark('main')) : null;
  if (frame.scope < 0) return [head ?? lineSpecial(frame.line)];
  const line = namingLine(programs, frame);
  const rank = scopesNamed(programs, frame.file, line).indexOf(frame.scope);
  const name = head ?? lineSpecial(line);
  return rank > 0 ? [name, chars(`#${rank}`)] : [name];
}
