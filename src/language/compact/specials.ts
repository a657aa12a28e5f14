/** @file The special tokens of `compact`, in the order of their symbols and ids: structure first, then `<|L0|>`.. */
import type { ActionType, Exit, StateKind } from '../../state/types.ts';

/** Highest line number with a token of its own. */
export const MAX_LINE = 511;

const STRUCTURE = [
  'end',
  'pad',
  'src',
  'glob',
  'more',
  'asleep',
  'frame',
  'main',
  'unknown',
  ';',
  'alias',
  'loop',
  'exc',
  'ret',
  'at',
  'val',
  'up',
  'same',
  'del',
  'out',
  'err',
  'call',
  'line',
  'return',
  'exception',
  'yield',
  'resume',
  'line_call',
  'step_into',
  'step_over',
  'step_return',
  'continue',
  'breakpoint',
  'inv_step_into',
  'inv_step_over',
  'inv_step_call',
  'exit_normal',
  'exit_error',
  'exit_never',
  'inv_exit_entry',
  'work',
  'over',
] as const;

type Structure = (typeof STRUCTURE)[number];

// The type checker holds the lists above to the kinds, actions and exits of the state room.
type Covered = StateKind | ActionType | `exit_${Exit}` extends Structure ? true : never;
const covered: Covered = true;
void covered;

export const SPECIALS: readonly string[] = [
  ...STRUCTURE.map((name) => `<|${name}|>`),
  ...Array.from({ length: MAX_LINE + 1 }, (_, line) => `<|L${line}|>`),
];

/** Index in `SPECIALS` of `<|L0|>`. */
export const FIRST_LINE = STRUCTURE.length;

const indexes = new Map(SPECIALS.map((name, index) => [name, index]));

export const KINDS: readonly StateKind[] = [
  'call',
  'line',
  'return',
  'exception',
  'yield',
  'resume',
  'line_call',
];

export const EXITS: readonly Exit[] = ['normal', 'error', 'never'];

export function mark(name: Structure): string {
  return `<|${name}|>`;
}

/** The symbol (256 and up) of a structural special in the answer's automaton. */
export function symbolOf(name: Structure): number {
  return 256 + indexes.get(`<|${name}|>`)!;
}

export function symbolOfLine(line: number): number {
  return 256 + FIRST_LINE + line;
}

/** The line a special stands for, or null. */
export function lineOf(name: string): number | null {
  const index = indexes.get(name);
  return index !== undefined && index >= FIRST_LINE ? index - FIRST_LINE : null;
}
