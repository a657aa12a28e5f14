/** @file States made by hand, for tests of the language: frames with nothing but a place and locals. */
import type { Program } from '../source/types.ts';
import type { Frame, State } from '../state/types.ts';

export function frameAt(
  program: Program,
  scope: number,
  line: number,
  locals: Readonly<Record<string, string>>,
  id = 0,
): Frame {
  return {
    id,
    file: 0,
    scope,
    fn: program.scopes[scope]!.qualname,
    thread: 0,
    line,
    locals: new Map(Object.entries(locals)),
    known: true,
    returned: [],
    loops: [],
    globals: new Map(),
    aliases: [],
  };
}

/** The only frame of the stack is in scope 1, the program's first function. */
export const stateAt = (
  program: Program,
  line: number,
  locals: Readonly<Record<string, string>>,
  kind: State['kind'] = 'line',
): State => ({ kind, stack: [frameAt(program, 1, line, locals)] });
