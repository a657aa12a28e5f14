/**
 * @file The canonical event stream: one JSON object a line, the same bytes for CPython 3.10-3.14 and
 * Pyodide. A trace is a header, events in order, and one end. `docs/trace.md` has the rules.
 *
 * Keys are short because a trace has millions of events; optional keys are left out when empty.
 */

/** Bumped whenever the stream's rules or the value text change: older traces, shards, weights are refused. */
export const TRACE_VERSION = 1;

export type EventKind = 'call' | 'line' | 'return' | 'exception' | 'yield' | 'resume';

export interface Limits {
  /** Canonical events. */
  readonly events: number;
  /** Wall-clock milliseconds. */
  readonly timeMs: number;
  /** Megabytes of address space (cpython) or of the runtime's heap (pyodide). */
  readonly memoryMb: number;
  /** Bytes of stdout and stderr kept. */
  readonly outputBytes: number;
}

/** How values are cut; part of the header because it decides the bytes. */
export interface ValueLimits {
  /** Items shown of each container. */
  readonly items: number;
  /** Characters shown of each string or bytes. */
  readonly chars: number;
  /** Nesting shown. */
  readonly depth: number;
  /** Leaves shown in one value, all containers together. */
  readonly leaves: number;
}

export interface SourceFile {
  /**
   * `main.py` for the program, `<call>` for the call expression; of a program of several files each one's path below
   * the project's folder, with slashes. Real paths never appear.
   */
  readonly name: string;
  readonly text: string;
}

export interface TraceHeader {
  readonly e: 'header';
  readonly version: number;
  /** `3.11.7` */
  readonly python: string;
  readonly implementation: 'cpython' | 'pyodide';
  readonly hashSeed: string;
  readonly limits: Limits;
  readonly values: ValueLimits;
  /**
   * File 0 is the program. File 1, if there is a call, is the call expression, one line. Then the local modules that
   * it ran, in the order in which they began.
   */
  readonly files: readonly SourceFile[];
  readonly id?: string;
  /** The call expression; absent when the file is run as a script. */
  readonly call?: string;
}

/**
 * Only while a run is streamed: a module began that the header could not know of. It adds to the header's files; a
 * trace that is complete has them all in its header.
 */
export interface TraceFile extends SourceFile {
  readonly e: 'file';
}

/** Text of each value, by name, in order of appearance. */
export type ValueMap = Readonly<Record<string, string>>;

export type FrameKind = 'module' | 'class' | 'lambda' | 'generator' | 'coroutine' | 'asyncgen';

export interface TraceEvent {
  readonly e: EventKind;
  /** Frame number, from 0 in order of first call; a resumed generator keeps its own. */
  readonly f: number;
  /** Line (the unit's first line); for `call` the `def` line. From 1. */
  readonly l: number;
  /** Index into the header's files, when not 0. Only on `call`; the frame keeps it. */
  readonly s?: number;
  /** Only on `call` and `resume`: the parent frame; absent for a root. */
  readonly p?: number;
  /** Only on `call`: qualified name, `<module>`, `<call>`, `f`, `Solution.f`, `f.<locals>.g`, `<lambda>`. */
  readonly fn?: string;
  /** Only on `call`, when not a plain function. */
  readonly k?: FrameKind;
  /** Only on `call`, when not the main thread: thread number from 1 in order of first event. */
  readonly t?: number;
  /** Locals that are new or whose text changed since this frame's last event (on `call`: all). */
  readonly set?: ValueMap;
  /** Locals that ceased to exist since this frame's last event. */
  readonly del?: readonly string[];
  /** Module-level data that this function's code names, new or changed as this frame sees it. */
  readonly g?: ValueMap;
  /** Groups of this frame's locals bound to one and the same mutable object, when the groups changed. */
  readonly a?: readonly (readonly string[])[];
  /** `return`, `yield`: the value. `exception`: `ValueError('x')`. */
  readonly v?: string;
  /** Text written to stdout since the event before this one. */
  readonly o?: string;
  /** The same for stderr. */
  readonly err?: string;
  /**
   * Only where asked for: the operations since the event before this one, in the order in which they were worked out. Label
   * (`x=` for a name's value, `+:`, `upper:`, `[]:` for an operation's), value, and 1 if within a comprehension.
   */
  readonly w?: readonly TraceOperation[];
}

export type TraceOperation =
  | readonly [label: string, value: string]
  | readonly [label: string, value: string, inside: 1];

/** Why a trace stops before its program does. */
export type CutReason = 'events' | 'time' | 'memory' | 'output' | 'recursion' | 'settrace' | 'killed';

export interface TraceEnd {
  readonly e: 'end';
  /**
   * `normal`: the program (and call) returned. `error`: uncaught exception, or the program could not
   * be imported. `exit`: SystemExit, `os._exit`. `cut`: a limit; what was recorded until then is kept.
   */
  readonly status: 'normal' | 'error' | 'exit' | 'cut';
  readonly reason?: CutReason;
  /** The uncaught exception, as in an `exception` event. */
  readonly exception?: string;
  /** The process' exit status after SystemExit. */
  readonly code?: number;
  /** The call's value. */
  readonly value?: string;
  /** Events recorded. */
  readonly events: number;
  /** Output after the last event. */
  readonly o?: string;
  readonly err?: string;
}

export interface Trace {
  readonly header: TraceHeader;
  readonly events: readonly TraceEvent[];
  readonly end: TraceEnd;
}
