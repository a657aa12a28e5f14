/** @file Program sets: programs with concrete calls, one a line. */

export interface ProgramEntry {
  readonly id: string;
  /** The source of a module. */
  readonly code: string;
  /** Expressions, each evaluated in the namespace of a fresh run of the module. */
  readonly calls: readonly string[];
  /** `repr` of each call's value where the source states it; same length as `calls`. */
  readonly expected?: readonly (string | null)[];
}

/** One call of one program: the unit of tracing. `index` into `calls`; -1: the file as a script. */
export interface ProgramCall {
  readonly program: ProgramEntry;
  readonly index: number;
}

/** `mbpp/1#0`: a trace's id; the program's own id is what stands before the last `#`. */
export function callId(call: ProgramCall): string {
  return call.index < 0 ? call.program.id : `${call.program.id}#${call.index}`;
}
