/**
 * @file The special tokens of `paper` (paper, section 3), in the order of their symbols and ids. Those of `yield` and
 * `resume` are ours: the paper has none.
 */
import type { ActionType, Exit, StateKind } from '../../state/types.ts';

const NAMES = [
  // First, because it ends an answer.
  'action_sep',
  'begin_of_text',
  'trace_context_start',
  'frame_sep',
  'src_sep',
  'arg_sep',
  'call_sep',
  'line_sep',
  'return_sep',
  'exception_sep',
  'yield_sep',
  'resume_sep',
  'inv_call_sep',
  'inv_line_sep',
  'inv_line_call_sep',
  'inv_return_sep',
  'inv_exception_sep',
  'inv_yield_sep',
  'inv_resume_sep',
  'step_into',
  'step_over',
  'step_return',
  'breakpoint',
  'continue',
  'inv_step_into',
  'inv_step_over',
  'inv_step_call',
  'exit_normal',
  'exit_error',
  'exit_never',
  'inv_exit_entry',
  'trace_end',
  'end_of_text',
] as const;

type Name = (typeof NAMES)[number];

// The type checker holds the list to the kinds, actions and exits of the state room.
type Forward = Exclude<StateKind, 'line_call'>;
type Needed = `${Forward}_sep` | `inv_${StateKind}_sep` | ActionType | `exit_${Exit}`;
const covered: Needed extends Name ? true : never = true;
void covered;

export const SPECIALS: readonly string[] = NAMES.map((name) => `<|${name}|>`);

const indexes = new Map(SPECIALS.map((name, index) => [name, index]));

export function mark(name: Name): string {
  return `<|${name}|>`;
}

/** The symbol (256 and up) in the answer's automaton. */
export function symbolOf(name: Name): number {
  return 256 + indexes.get(`<|${name}|>`)!;
}

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

/** A line met backwards before its callees has a token of its own, and is only met backwards. */
export function kindName(kind: StateKind, backward: boolean): Name {
  return backward || kind === 'line_call' ? `inv_${kind}_sep` : `${kind}_sep`;
}

const kinds = new Map(
  KINDS.flatMap((kind) =>
    [true, false].map((backward) => [mark(kindName(kind, backward)), { kind, backward }] as const),
  ),
);

/** What a frame's token says; `line_call` is always backward. */
export function kindOf(special: string): { readonly kind: StateKind; readonly backward: boolean } | null {
  const found = kinds.get(special);
  return found ? (found.kind === 'line_call' ? { ...found, backward: true } : found) : null;
}

/** Whether a frame of this kind shows locals, or a value. */
export function showsLocals(kind: StateKind): boolean {
  return kind === 'call' || kind === 'line' || kind === 'line_call' || kind === 'resume';
}

/** Only forward `line` frames put the locals before the source. */
export function localsFirst(kind: StateKind, backward: boolean): boolean {
  return kind === 'line' && !backward;
}
