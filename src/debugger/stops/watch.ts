/**
 * @file What a data breakpoint watches, and its value in a state. "Who changed this?" is then a comparison of two
 * neighbouring states of a walk, in either direction: no engine needs to know of it.
 */
import type { Program } from '../../source/types.ts';
import type { State } from '../../state/types.ts';
import { evaluateIn } from '../neural.ts';

export interface Target {
  /**
   * `local`: a name of one frame. `global`: a name of the module, as the frames of the stack see it. `expression`:
   * anything the pure evaluator can work out in one frame, such as `xs[0]`.
   */
  readonly scope: 'local' | 'global' | 'expression';
  readonly text: string;
  /** Frame number, of the file. */
  readonly frame: number;
  readonly file: number;
}

/** The value's text; null: there is none (yet, or any more); undefined: this state does not tell. */
export function readTarget(
  target: Target,
  state: State,
  programs: readonly Program[],
): string | null | undefined {
  if (target.scope === 'global') return readGlobal(target, state);
  const index = state.stack.findIndex((frame) => frame.id === target.frame);
  const frame = state.stack[index];
  if (!frame?.known) return undefined;
  if (target.scope === 'local') return frame.locals.get(target.text) ?? null;
  const result = evaluateIn(state, programs, target.text, state.stack.length - 1 - index, false);
  if (result.type === 'value') return result.value;
  return result.type === 'error' ? null : undefined;
}

/** `x: 1 -> 2`; null where nothing is known to have changed. Forwards in time, whichever way the walk goes. */
export function changeText(
  target: Target,
  older: State,
  newer: State,
  programs: readonly Program[],
): string | null {
  const before = readTarget(target, older, programs);
  const after = readTarget(target, newer, programs);
  if (before === undefined || after === undefined || before === after) return null;
  return `${target.text}: ${before ?? '(none)'} -> ${after ?? '(none)'}`;
}

// --- internal ---

/** The module's own frame knows best; otherwise the innermost frame that names it. */
function readGlobal(target: Target, state: State): string | null | undefined {
  const module = state.stack.find((frame) => frame.file === target.file && frame.kind === 'module');
  if (module?.known) return module.locals.get(target.text) ?? null;
  for (let i = state.stack.length - 1; i >= 0; i -= 1) {
    const frame = state.stack[i]!;
    const value = frame.file === target.file ? frame.globals.get(target.text) : undefined;
    if (value !== undefined) return value;
  }
  return undefined;
}
