/**
 * @file What the sandbox read out of the interpreter (`read.mjs`), made into a result. The lines come from our own
 * JavaScript: a program whose value is read has no way to write one.
 */
import type { CutReason, TraceEnd, TraceHeader } from '../trace/types.ts';
import { formatValue, parseValue, render } from '../values/index.ts';
import { isPlain, parseEncoded } from './encoded.ts';
import type { FullRequest } from './limits.ts';
import type { RunRequest, RunResult } from './types.ts';

/** Whether a value of this request can be read: a call in one file, nothing else asked for. */
export function isReadable(request: RunRequest): boolean {
  const { call, file, modules, project, record, edits, probes } = request;
  if (record !== false || call === undefined || project || modules?.length) return false;
  if (edits?.length || probes?.length) return false;
  // C's strings end at a zero, and have no lone surrogates.
  return [call, file.text].every((text) => !/\0|\p{Surrogate}/u.test(text));
}

export class Reading {
  readonly #request: FullRequest;
  readonly overrun = false;
  #started = false;
  #broken: string | null = null;
  #end: TraceEnd | null = null;
  #witness: 'host' | 'program' = 'host';

  constructor(request: FullRequest) {
    this.#request = request;
  }

  get started(): boolean {
    return this.#started;
  }

  get broken(): string | null {
    return this.#broken;
  }

  push(line: string): boolean {
    this.#started = true;
    try {
      const record = JSON.parse(line) as ReadRecord;
      if (record.e === 'read') this.#end = { ...this.#endOf(record), ...outputOf(record) };
      else if (record.e !== 'begun') this.#broken = 'a line of another kind';
    } catch (error) {
      this.#broken = (error as Error).message;
    }
    return this.#end !== null || this.#broken !== null;
  }

  result(reason: CutReason, header: () => TraceHeader): RunResult {
    const end: TraceEnd = this.#end ?? { e: 'end', status: 'cut', reason, events: 0 };
    return { trace: { header: header(), events: [], end }, probes: [], witness: this.#witness };
  }

  #endOf(record: ReadRecord): TraceEnd {
    const end = { e: 'end', status: record.status, events: 0 } as const;
    const args = record.args ? parseEncoded(record.args) : null;
    const given = args?.type === 'tuple' ? args.items : null;
    switch (record.status) {
      case 'normal': {
        if (record.plain) return { ...end, value: this.#shown(record.plain) };
        this.#witness = 'program';
        // What is plain is read. A renderer that calls something else plain is not ours any more.
        if (typeof record.told !== 'string' || isPlain(parseValue(record.told))) return end;
        return { ...end, value: record.told };
      }
      case 'error':
        return { ...end, exception: this.#exception(record.name ?? 'Exception', record.args ?? null) };
      case 'exit': {
        const [code] = given ?? [];
        if (given && (code === undefined || code.type === 'none')) return { ...end, code: 0 };
        return { ...end, code: code?.type === 'int' ? Number(BigInt.asUintN(8, code.value)) : 1 };
      }
      case 'cut':
        return { ...end, reason: record.reason ?? 'killed' };
    }
  }

  #shown(encoded: unknown): string {
    return formatValue(render(parseEncoded(encoded), this.#request.values));
  }

  #exception(name: string, args: unknown): string {
    if (args === null) return `${name}(...)`;
    const shown = render(parseEncoded(args), this.#request.values);
    if (shown.type !== 'tuple') return `${name}(...)`;
    return formatValue({ type: 'call', name, args: shown.items, fields: [] });
  }
}

// --- internal ---

interface ReadRecord {
  readonly e: 'begun' | 'read';
  readonly status: TraceEnd['status'];
  readonly reason?: CutReason;
  readonly plain?: unknown;
  readonly told?: unknown;
  readonly name?: string;
  readonly args?: unknown;
  readonly o?: string;
  readonly err?: string;
}

function outputOf({ o, err }: ReadRecord): Pick<TraceEnd, 'o' | 'err'> {
  return { ...(o ? { o } : {}), ...(err ? { err } : {}) };
}
