/** @file Commands that move: forwards as in pdb, backwards as in gdb, and between positions of the session. */

import { NpdbError } from '../../../common/errors.ts';
import { continueTo, reverseContinue, stepTo, until } from '../../../debugger/control.ts';
import type { ActionType } from '../../../state/types.ts';
import type { Shell } from './shell.ts';
import { percent } from './show.ts';

/** Commands that are always one of the paper's actions. pdb's other words are kept to its rules in `src/debugger/control.ts`. */
const ACTIONS: Readonly<Record<string, Exclude<ActionType, 'breakpoint'>>> = {
  step: 'step_into',
  'reverse-step': 'inv_step_into',
  'reverse-next': 'inv_step_over',
  'reverse-finish': 'inv_step_call',
};

/** False where the command is not a motion. */
export async function move(shell: Shell, name: string, rest: string): Promise<boolean> {
  const { debug, points, signal } = shell;
  const action = ACTIONS[name];
  if (action) {
    const position = await debug.act({ type: action }, signal);
    await shell.stopped({ position, reason: 'step' });
    return true;
  }
  switch (name) {
    case 'next':
    case 'return':
      await shell.stopped(await stepTo(debug, name === 'next' ? 'step_over' : 'step_return', points, signal));
      return true;
    case 'continue':
      await shell.stopped(await continueTo(debug, points, signal));
      return true;
    case 'reverse-continue':
      await shell.stopped(await reverseContinue(debug, points, signal));
      return true;
    case 'until':
      await shell.stopped(await until(debug, points, rest === '' ? undefined : lineNumber(rest), signal));
      return true;
    case 'restart':
      await shell.stopped({ position: debug.goto(0), reason: 'step' });
      return true;
    case 'jump':
      jump(shell, lineNumber(rest));
      return true;
    case 'goto':
      await shell.stopped({ position: debug.goto(lineNumber(rest)), reason: 'step' });
      return true;
    case 'positions':
      listPositions(shell);
      return true;
    default:
      return false;
  }
}

/** A predicted state can be put on any line of its function: the model goes on from there. */
function jump(shell: Shell, line: number): void {
  const { debug } = shell;
  const state = shell.state();
  const frame = state.stack.at(-1)!;
  if (debug.engine !== 'neural') {
    throw new NpdbError('E_JUMP', 'A recorded run cannot go on from another line.', 'Use --engine neural.');
  }
  if (!debug.programs[frame.file]?.linesOf(frame.scope).includes(line)) {
    throw new NpdbError(
      'E_JUMP',
      `Jump failed: line ${line} is not in ${frame.fn}.`,
      'Choose a line of this function.',
    );
  }
  const { value: _, ...rest } = state;
  const top = { ...frame, line, returned: [], loops: frame.loops.filter((l) => l.line === line) };
  debug.place({ ...rest, kind: 'line', stack: [...state.stack.slice(0, -1), top] }, 'edited');
  shell.show();
}

function listPositions(shell: Shell): void {
  const { debug } = shell;
  for (let id = 0; ; id += 1) {
    let position: ReturnType<typeof debug.position>;
    try {
      position = debug.position(id);
    } catch (error) {
      if (error instanceof NpdbError && error.code === 'E_POSITION') return;
      throw error;
    }
    const { outcome, origin, confidence } = position;
    const state = outcome.type === 'state' ? outcome.state : null;
    const where = state
      ? `${state.kind} ${state.stack.at(-1)!.fn}:${state.stack.at(-1)!.line}`
      : outcome.type;
    const sure = confidence === undefined ? '' : `, ${percent(confidence)}`;
    shell.print(`${debug.current.id === id ? '->' : '  '} ${id}  ${where}  (${origin}${sure})`);
  }
}

export function lineNumber(text: string): number {
  if (/^\d+$/.test(text)) return Number(text);
  throw new NpdbError('E_ARGUMENT', `The argument is not a number: '${text}'.`, 'Give a number.');
}
