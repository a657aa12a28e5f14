/** @file Where a session begins: the programs by file index and the entry state, from text alone. */
import { NpdbError } from '../common/errors.ts';
import { parseProgram } from '../source/index.ts';
import type { Program } from '../source/types.ts';
import { initialState } from '../state/index.ts';
import type { State } from '../state/types.ts';

export interface Start {
  /** File 0 the program; file 1, with a call, the call expression. */
  readonly programs: readonly Program[];
  readonly state: State;
  /** As the recorded engine names it (`src/debugger/entry.ts`). */
  readonly entry: 'function' | 'call' | 'script';
}

/** Throws `E_SYNTAX`, and what `initialState` throws. `name` is what messages call the file. */
export function start(text: string, call: string | undefined, name = 'main.py'): Start {
  const program = parseProgram(text, name);
  const bad = program.errors[0];
  if (bad !== undefined) {
    const source = program.lines[bad - 1]?.trim() ?? '';
    throw new NpdbError(
      'E_SYNTAX',
      `${name}, line ${bad}, is not valid Python: ${source}`,
      'Mend the line and try again.',
    );
  }
  if (call === undefined) return { programs: [program], state: moduleState(), entry: 'script' };
  return startCall(program, call);
}

/** The same for a call of a program that is parsed already and has no errors. */
export function startCall(program: Program, call: string): Start {
  const programs = [program, parseProgram(call.trim(), '<call>')];
  const state = initialState(program, call);
  return { programs, state, entry: state.stack.at(-1)!.file === 1 ? 'call' : 'function' };
}

/** The `call` state of the module itself: nothing is defined yet. */
function moduleState(): State {
  return {
    kind: 'call',
    stack: [
      {
        id: 0,
        file: 0,
        scope: 0,
        fn: '<module>',
        kind: 'module',
        thread: 0,
        line: 1,
        locals: new Map(),
        known: true,
        returned: [],
        loops: [],
        globals: new Map(),
        aliases: [],
      },
    ],
  };
}
