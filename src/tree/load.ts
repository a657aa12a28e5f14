/**
 * @file A trace file straight into a tree, for traces too large to hold as objects: of each line only kind, frame and
 * line number are read, and where it begins, so that its values can be read when they are asked for. Plain files
 * of one trace. Node only.
 */
import { createReadStream } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { NpdbError } from '../common/errors.ts';
import { fileMissing } from '../common/lines.ts';
import { broken, parseRecord } from '../trace/schema.ts';
import type { TraceEnd, TraceEvent, TraceHeader } from '../trace/types.ts';
import { ArraysBuilder, CODES, EXCEPTION, LINE, NONE, RETURN, YIELD } from './arrays.ts';
import { treeOf } from './tree.ts';
import type { StateTree } from './types.ts';

export interface LoadedTree {
  readonly header: TraceHeader;
  readonly end: TraceEnd;
  readonly tree: StateTree;
  /** The event of a state, read from the file and checked. Throws `E_TRACE_BROKEN`. */
  event(at: number): Promise<TraceEvent>;
  close(): Promise<void>;
}

/** 47 bytes a state, and 8 a frame, stay in memory. Throws `E_FILE`, `E_TRACE_BROKEN`, `E_TRACE_VERSION`. */
export async function loadTree(path: string): Promise<LoadedTree> {
  let reader: Reader;
  try {
    const { size } = await stat(path);
    reader = new Reader(await eventsSaid(path, size), size);
    for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 }))
      reader.take(chunk as Buffer);
  } catch (error) {
    throw error instanceof NpdbError ? error : fileMissing(path, error);
  }
  const { header, end, builder, starts } = reader.finish();
  const tree = treeOf(builder.finish(end.status === 'cut'), end);
  const file = await open(path);
  return {
    header,
    end,
    tree,
    event: async (at) => parseRecord(await lineAt(file, starts[at]!), at + 1) as TraceEvent,
    close: () => file.close(),
  };
}

// --- internal ---

const [NEWLINE, QUOTE, COMMA, BRACE, ZERO] = [10, 34, 44, 125, 48];
/** `{"e":"` comes before the kind, which its first letters tell; `","f":` and `,"l":` lie between the numbers. */
const KIND_AT = 6;
/** No event is shorter: `{"e":"line","f":0,"l":1}`. */
const LEAST = 24;
/** Kinds without a parent, by their first letter, and how long their names are. `r` is `return` or `resume`. */
const PLAIN: ReadonlyMap<number, readonly [code: number, name: string]> = new Map([
  [108, [LINE, 'line']],
  [114, [RETURN, 'return']],
  [101, [EXCEPTION, 'exception']],
  [121, [YIELD, 'yield']],
]);

class Reader {
  readonly builder: ArraysBuilder;
  #starts: Uint32Array | Float64Array;
  #header: TraceHeader | null = null;
  #end: TraceEnd | null = null;
  #rest: Buffer = Buffer.alloc(0);
  /** Of the first byte of `#rest` in the file. */
  #offset = 0;
  #lines = 0;

  /** `events`: how many are expected in a file of `size` bytes. */
  constructor(events: number, size: number) {
    this.builder = new ArraysBuilder(events);
    this.#starts = new (size < 2 ** 32 ? Uint32Array : Float64Array)(Math.max(1, events));
  }

  take(chunk: Buffer): void {
    const data = this.#rest.length > 0 ? Buffer.concat([this.#rest, chunk]) : chunk;
    let from = 0;
    for (;;) {
      const to = data.indexOf(NEWLINE, from);
      if (to < 0) break;
      this.#line(data, from, to);
      from = to + 1;
    }
    this.#rest = data.subarray(from);
    this.#offset += from;
  }

  finish(): { header: TraceHeader; end: TraceEnd; builder: ArraysBuilder; starts: ArrayLike<number> } {
    if (!this.#header) throw broken(1, 'is missing: the trace is empty');
    if (!this.#end || this.#rest.length > 0)
      throw broken(this.#lines, 'is the last one, and the trace has no end');
    if (this.#end.events !== this.builder.size)
      throw broken(this.#lines, `says ${this.#end.events} events where there are ${this.builder.size}`);
    return { header: this.#header, end: this.#end, builder: this.builder, starts: this.#starts };
  }

  #line(data: Buffer, from: number, to: number): void {
    this.#lines++;
    if (to === from) return;
    if (this.#end) throw broken(this.#lines, 'comes after the end');
    if (this.#header && this.#skim(data, from, to)) return;
    const record = parseRecord(data.toString('utf8', from, to), this.#lines);
    if (record.e === 'header') {
      if (this.#header) throw broken(this.#lines, 'begins a trace before the one before has ended');
      this.#header = record;
    } else if (!this.#header) {
      throw broken(this.#lines, 'belongs to no trace: a header must come first');
    } else if (record.e === 'end') {
      this.#end = record;
    } else if (record.e === 'file') {
      const files = [...this.#header.files, { name: record.name, text: record.text }];
      this.#header = { ...this.#header, files };
    } else {
      const { e, f, l, s, p, t } = record;
      this.#note(from);
      this.builder.push(CODES.get(e)!, f, l, s ?? 0, p ?? NONE, t ?? NONE);
    }
  }

  /** Takes a line as the tracer writes it; false if it has to be read in full. */
  #skim(data: Buffer, from: number, to: number): boolean {
    let at = from + KIND_AT;
    const plain = PLAIN.get(data[at]!);
    if (!plain) return false;
    const [code, name] = plain;
    if (data[at + 1] !== name.charCodeAt(1) || data[at + 2] !== name.charCodeAt(2)) return false;
    at += name.length;
    // `","f":`
    if (data[at] !== QUOTE || data[at + 3] !== 102) return false;
    at += 6;
    let frame = 0;
    let digit = data[at]! - ZERO;
    for (; digit >= 0 && digit <= 9; digit = data[++at]! - ZERO) frame = frame * 10 + digit;
    // `,"l":`
    if (data[at] !== COMMA || data[at + 2] !== 108) return false;
    at += 5;
    let line = 0;
    digit = data[at]! - ZERO;
    for (; digit >= 0 && digit <= 9; digit = data[++at]! - ZERO) line = line * 10 + digit;
    if (line === 0 || (data[at] !== COMMA && data[at] !== BRACE) || data[to - 1] !== BRACE) return false;
    this.#note(from);
    this.builder.push(code, frame, line, 0, NONE, NONE);
    return true;
  }

  /** Where the next state's line begins. */
  #note(from: number): void {
    const at = this.builder.size;
    if (at === this.#starts.length) {
      const more = this.#starts instanceof Uint32Array ? new Uint32Array(at * 2) : new Float64Array(at * 2);
      more.set(this.#starts);
      this.#starts = more;
    }
    this.#starts[at] = this.#offset + from;
  }
}

/** How many events the last line says there are, as far as so many fit: room for that many, not a figure that is believed. */
async function eventsSaid(path: string, size: number): Promise<number> {
  const file = await open(path);
  try {
    const tail = Buffer.alloc(Math.min(size, 1 << 16));
    const { bytesRead } = await file.read(tail, 0, tail.length, size - tail.length);
    const said = /"e":"end"[^\n]*"events":(\d+)[^\n]*\n?$/.exec(tail.toString('latin1', 0, bytesRead))?.[1];
    return Math.min(Number(said ?? 1024), Math.ceil(size / LEAST));
  } finally {
    await file.close();
  }
}

async function lineAt(file: FileHandle, start: number): Promise<string> {
  const parts: Buffer[] = [];
  for (let position = start; ; ) {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4096), 0, 4096, position);
    const end = buffer.subarray(0, bytesRead).indexOf(NEWLINE);
    parts.push(buffer.subarray(0, end < 0 ? bytesRead : end));
    if (end >= 0 || bytesRead === 0) return Buffer.concat(parts).toString('utf8');
    position += bytesRead;
  }
}
