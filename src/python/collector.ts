/**
 * @file What a child process says during one run, made into a result. The child ran a stranger's program, so
 * every line is checked, and what follows the first bad line is not believed. Knows no process.
 */
import { checkRecord, TraceAssembler, type TraceRecord } from '../trace/index.ts';
import type { CutReason, Trace, TraceEnd, TraceEvent, TraceHeader } from '../trace/types.ts';
import { TRACE_VERSION } from '../trace/types.ts';
import type { FullRequest } from './limits.ts';
import type { ProbeResult, RunOptions, RunResult } from './types.ts';

/** More than any run within its event limit writes; beyond it the host's memory is at stake, if events are kept. */
const MAX_BYTES = 1 << 30;

export class Collector {
  readonly #assembler: TraceAssembler;
  readonly #request: FullRequest;
  readonly #onEvent: RunOptions['onEvent'];
  readonly #keep: boolean;
  readonly #probes: ProbeResult[][];
  #lines = 0;
  #bytes = 0;
  #trace: Trace | null = null;
  #broken: string | null = null;
  #overrun = false;

  constructor(request: FullRequest, { onEvent, keep = true }: RunOptions = {}) {
    this.#request = request;
    this.#onEvent = onEvent;
    this.#keep = keep;
    this.#assembler = new TraceAssembler(keep);
    this.#probes = (request.probes ?? []).map(() => []);
  }

  /** The program has begun: what comes before is start-up. */
  get started(): boolean {
    return this.#lines > 0;
  }

  /** What was wrong with the first line that is not believed. */
  get broken(): string | null {
    return this.#broken;
  }

  /** It sent more events than it was allowed. */
  get overrun(): boolean {
    return this.#overrun;
  }

  /** Takes one line; true when the run is over (its end came, or nothing more is believed). */
  push(line: string): boolean {
    if (this.#trace || this.#broken !== null) return true;
    this.#lines++;
    this.#bytes += line.length;
    if (this.#keep && this.#bytes > MAX_BYTES) this.#broken = 'more than a gigabyte of events';
    else this.#take(line);
    return this.#trace !== null || this.#broken !== null;
  }

  /** The result; `reason` says why there is no end, if there is none. */
  result(reason: CutReason, header: () => TraceHeader): RunResult {
    return { trace: this.#trace ?? this.#cut(reason, header), probes: this.#probes };
  }

  #take(line: string): void {
    try {
      const json: unknown = JSON.parse(line);
      if (isProbe(json)) {
        if (json.i in this.#probes) this.#probes[json.i] = json.results;
        return;
      }
      const record = checkRecord(json, this.#lines);
      if (isEvent(record)) {
        if (this.#assembler.count >= this.#request.limits.events) {
          this.#overrun = true;
          this.#broken = 'more events than allowed';
          return;
        }
      }
      this.#trace = this.#assembler.push(record, this.#lines);
      if (isEvent(record)) this.#onEvent?.(record);
    } catch (error) {
      this.#broken = (error as Error).message;
    }
  }

  #cut(reason: CutReason, header: () => TraceHeader): Trace {
    if (!this.#assembler.inside) this.#assembler.push(header(), 0);
    const end: TraceEnd = { e: 'end', status: 'cut', reason, events: this.#assembler.count };
    return this.#assembler.finish(end);
  }
}

const isEvent = (record: TraceRecord): record is TraceEvent =>
  record.e !== 'header' && record.e !== 'file' && record.e !== 'end';

/** The header of a run that ended before the child could write one. */
export function emptyHeader(
  request: FullRequest,
  python: string,
  implementation: TraceHeader['implementation'],
): TraceHeader {
  const several = request.project !== undefined || request.modules !== undefined;
  const files = [request.file];
  if (request.call !== undefined) files.push({ name: '<call>', text: request.call });
  return {
    e: 'header',
    version: TRACE_VERSION,
    python,
    implementation,
    hashSeed: '0',
    limits: request.limits,
    values: request.values,
    files: [{ name: several ? request.file.name : 'main.py', text: request.file.text }, ...files.slice(1)],
    ...(request.id === undefined ? {} : { id: request.id }),
    ...(request.call === undefined ? {} : { call: request.call }),
  };
}

// --- internal ---

interface ProbeLine {
  readonly e: 'probe';
  readonly i: number;
  readonly results: ProbeResult[];
}

function isProbe(json: unknown): json is ProbeLine {
  if (typeof json !== 'object' || json === null || (json as ProbeLine).e !== 'probe') return false;
  const { i, results } = json as ProbeLine;
  if (Number.isInteger(i) && Array.isArray(results) && results.every(isProbeResult)) return true;
  throw new Error('a malformed probe');
}

function isProbeResult(result: unknown): result is ProbeResult {
  if (typeof result !== 'object' || result === null) return false;
  const { value, type, error } = result as Record<string, unknown>;
  return typeof error === 'string' || (typeof value === 'string' && typeof type === 'string');
}
