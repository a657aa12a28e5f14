/** @file `set NAME = VALUE`: the state with one changed name. It moves nowhere and checks no types. */
import { NpdbError } from '../common/errors.ts';
import type { Edit, Frame, State } from './types.ts';

const NAME = /^[\p{ID_Start}_][\p{ID_Continue}]*$/u;

/**
 * The state after the edit in the frame `up` frames above the current one. A name that the frame sees only at
 * module level is changed there, as Python would; any other becomes or stays a local. The name leaves its
 * alias groups: it is bound to a new object.
 *
 * Throws `E_FRAME` (no such frame) and `E_NAME` (not a Python name).
 */
export function applyEdit(state: State, edit: Edit, up = 0): State {
  const index = state.stack.length - 1 - up;
  const frame = state.stack[index];
  if (!frame || up < 0) {
    throw new NpdbError(
      'E_FRAME',
      `There is no frame ${up} up: the stack has ${state.stack.length}.`,
      'Choose a frame of the stack.',
    );
  }
  if (!NAME.test(edit.name)) {
    throw new NpdbError('E_NAME', `\`${edit.name}\` is not a name.`, 'Set one variable: NAME = VALUE.');
  }
  const outer = !frame.locals.has(edit.name) && frame.globals.has(edit.name);
  const stack = state.stack.map((other, i) => {
    if (i === index) return edited(frame, edit, outer);
    return outer && seesGlobal(other, edit.name, frame.file)
      ? edited(other, edit, other.kind !== 'module')
      : other;
  });
  return { ...state, stack };
}

function seesGlobal(frame: Frame, name: string, file: number): boolean {
  return frame.file === file && (frame.kind === 'module' ? frame.locals : frame.globals).has(name);
}

function edited(frame: Frame, edit: Edit, global: boolean): Frame {
  const part = global ? 'globals' : 'locals';
  const aliases = global
    ? frame.aliases
    : frame.aliases
        .map((group) => group.filter((name) => name !== edit.name))
        .filter((group) => group.length > 1);
  return { ...frame, [part]: new Map(frame[part]).set(edit.name, edit.value), aliases };
}
