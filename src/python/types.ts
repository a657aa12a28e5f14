/**
 * @file Running a program: the contract of the two runtimes. A runtime never throws for what a program
 * does: every run ends in a `Trace` whose `end` says how. It throws NpdbError only for its own set-up
 * (`E_PYTHON_MISSING`, `E_RUNTIME`) or a broken request.
 */
import type { Limits, SourceFile, Trace, TraceEvent, ValueLimits } from '../trace/types.ts';

export interface PlannedEdit {
  /** Index of the event (0 = the first) at whose state the local is set, before the line runs. */
  readonly at: number;
  readonly name: string;
  /** A Python expression, evaluated in the frame at `at`; the name stays local, nonlocal or global as it was. */
  readonly value: string;
  /** Frames up from the current one; 0 if absent. */
  readonly up?: number;
  /** The event at `at` is a `resume`, which else is written only when its frame has gone on. */
  readonly resumed?: boolean;
}

export interface Probe {
  /** Index of the event at whose state the expressions are evaluated. */
  readonly at: number;
  readonly expressions: readonly string[];
  readonly up?: number;
  /** Show each value as far as so many bytes of text go, whatever its items, characters and depth. */
  readonly bytes?: number;
}

export type ProbeResult =
  /** `cut`: the probe's `bytes` were not enough. */
  { readonly value: string; readonly type: string; readonly cut?: boolean } | { readonly error: string };

/**
 * Where a program of several files lies on this machine. It runs there, as `python FILE` or `python -m` would; code
 * of the files below `roots` is recorded, but for what is installed there (`site-packages`).
 */
export interface Project {
  /** The working folder. This and all other paths are absolute. */
  readonly folder: string;
  /** First on `sys.path`: the script's folder; with -m the working folder. */
  readonly path: string;
  readonly roots: readonly string[];
  /** The program's own path; absent for `-m`. */
  readonly script?: string;
}

export interface RunRequest {
  /** With `project` or `modules` its name is what the trace calls it; else that is `main.py`. */
  readonly file: SourceFile;
  /** CPython only: `E_PROJECT` elsewhere. */
  readonly project?: Project;
  /**
   * Without a `project`: local modules, named by their paths beside the program (`pkg/mod.py`). They are laid out in
   * the run's own folder, where the program can import them, and are recorded.
   */
  readonly modules?: readonly SourceFile[];
  /** An expression evaluated in the module's namespace after its body ran; absent: run as a script. */
  readonly call?: string;
  readonly id?: string;
  readonly limits?: Partial<Limits>;
  readonly values?: Partial<ValueLimits>;
  readonly edits?: readonly PlannedEdit[];
  readonly probes?: readonly Probe[];
  readonly stdin?: string;
  readonly argv?: readonly string[];
  /** Record the values of sub-expressions as well (`TraceEvent.w`); for training data of trusted programs. */
  readonly operations?: boolean;
  /** False: run without recording events (checks of candidate inputs); `end.value` still holds the call's value. */
  readonly record?: boolean;
}

export interface RunResult {
  readonly trace: Trace;
  /** One list per probe, one result per expression; a probe that was not reached gives an empty list. */
  readonly probes: readonly (readonly ProbeResult[])[];
  /**
   * Only where `record` is false. `host`: the end's value was read out of the interpreter from outside, so that
   * nothing the program does to its Python can forge it. `program`: the program's own interpreter says so.
   */
  readonly witness?: 'host' | 'program';
}

export interface RunOptions {
  /** Called for each event as it arrives. */
  readonly onEvent?: (event: TraceEvent) => void;
  /** False: events are handed to `onEvent` only, and the result's `trace.events` is empty; for runs of any length. */
  readonly keep?: boolean;
  readonly signal?: AbortSignal;
}

export interface PythonRuntime {
  /** `pyodide` or the interpreter's path. */
  readonly name: string;
  /** What stands between the program and this machine, in words, for the user. */
  readonly protection: string;
  /** True: a call's plain value is read by the host (`RunResult.witness`), so that nothing less need be believed. */
  readonly reads?: boolean;
  run(request: RunRequest, options?: RunOptions): Promise<RunResult>;
  /** Ends all child processes. */
  close(): Promise<void>;
}
