/**
 * @file Traces as lines: a trace is written one record a line, and a stream of lines may hold many traces
 * one after the other. Checks what a single line cannot tell: order, frames, the count in the end.
 */
import { NpdbError } from '../common/errors.ts';
import { broken, parseRecord, type TraceRecord } from './schema.ts';
import type { Trace, TraceEnd, TraceEvent, TraceHeader } from './types.ts';

/** The text of a trace: compact JSON, every line ended. */
export function traceText(trace: Trace): string {
  const records: TraceRecord[] = [trace.header, ...trace.events, trace.end];
  return `${records.map((record) => JSON.stringify(record)).join('\n')}\n`;
}

/** Builds traces from records in order. */
export class TraceAssembler {
  #header: TraceHeader | null = null;
  #events: TraceEvent[] = [];
  #count = 0;
  #frames = new Frames();
  readonly #keep: boolean;

  /** `keep` false: events are checked and counted, and the trace has none. */
  constructor(keep = true) {
    this.#keep = keep;
  }

  /** True between a header and its end. */
  get inside(): boolean {
    return this.#header !== null;
  }

  get header(): TraceHeader | null {
    return this.#header;
  }

  get events(): readonly TraceEvent[] {
    return this.#events;
  }

  /** Events so far, kept or not. */
  get count(): number {
    return this.#count;
  }

  /** The trace that this record completes, else null. Throws `E_TRACE_BROKEN`. */
  push(record: TraceRecord, line: number): Trace | null {
    if (record.e === 'header') {
      if (this.#header) throw broken(line, 'begins a trace before the one before has ended');
      this.#header = record;
      return null;
    }
    if (!this.#header) throw broken(line, 'belongs to no trace: a header must come first');
    if (record.e === 'file') {
      const files = [...this.#header.files, { name: record.name, text: record.text }];
      this.#header = { ...this.#header, files };
      return null;
    }
    if (record.e !== 'end') {
      this.#checkFrame(record, line);
      this.#count++;
      if (this.#keep) this.#events.push(record);
      return null;
    }
    if (record.events !== this.#count) {
      throw broken(line, `says ${record.events} events where there are ${this.#count}`);
    }
    return this.finish(record);
  }

  /** Ends the trace with an end that did not come from the stream. */
  finish(end: TraceEnd): Trace {
    const trace = { header: this.#header!, events: this.#events, end };
    this.#header = null;
    this.#events = [];
    this.#count = 0;
    this.#frames = new Frames();
    return trace;
  }

  #checkFrame(event: TraceEvent, line: number): void {
    if (event.e === 'call') {
      if (this.#frames.has(event.f)) throw broken(line, `calls frame ${event.f} a second time`);
      if (event.fn === undefined) throw broken(line, 'is a call without a function name');
      if ((event.s ?? 0) >= this.#header!.files.length)
        throw broken(line, `names file ${event.s}, which the header lacks`);
      this.#frames.add(event.f);
    } else if (!this.#frames.has(event.f)) {
      throw broken(line, `is in frame ${event.f}, which was never called`);
    }
    if (event.p !== undefined && !this.#frames.has(event.p)) {
      throw broken(line, `has the parent frame ${event.p}, which was never called`);
    }
  }
}

/** Frame numbers met. Mostly they are given in order, and then only their count is kept. */
class Frames {
  #below = 0;
  readonly #others = new Set<number>();

  has(f: number): boolean {
    return f < this.#below || this.#others.has(f);
  }

  add(f: number): void {
    if (f !== this.#below) this.#others.add(f);
    else
      do this.#below++;
      while (this.#others.delete(this.#below));
  }
}

/** All traces of a stream of lines, in order. Lines count from 1. */
export function* parseTraces(lines: Iterable<string>): Generator<Trace> {
  const assembler = new TraceAssembler();
  let number = 0;
  for (const line of lines) {
    number++;
    if (line === '') continue;
    const trace = assembler.push(parseRecord(line, number), number);
    if (trace) yield trace;
  }
  if (assembler.inside) throw broken(number, 'is the last one, and the trace has no end');
}

/** The one trace of a text. */
export function parseTrace(text: string): Trace {
  const [trace, more] = [...parseTraces(text.split('\n'))];
  if (!trace) throw broken(1, 'is missing: the trace is empty');
  if (more) {
    throw new NpdbError(
      'E_TRACE_BROKEN',
      'the text holds more than one trace.',
      'Read it as a set of traces.',
      3,
    );
  }
  return trace;
}
