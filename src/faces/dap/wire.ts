/**
 * @file DAP's framing (specification: base protocol): `Content-Length: N`, an empty line, N bytes of JSON. Reads any
 * bytes without failing: what is no message is skipped and reported.
 */

/** Larger messages are skipped: no client has a reason to send one. */
export const MAX_MESSAGE = 64 * 1024 * 1024;
/** A header that is longer than this is none. */
const MAX_HEADER = 4096;

export interface WireEvents {
  readonly message: (message: unknown) => void;
  readonly problem: (what: string) => void;
  /**
   * The other side speaks HTTP: a web page may be trying to reach the server on this machine (its request looks like
   * a message of ours). Nothing more is read.
   */
  readonly foreign?: () => void;
}

export class WireReader {
  readonly #events: WireEvents;
  #chunks: Uint8Array[] = [];
  #length = 0;
  /** Bytes of the body to come; -1: within a header. */
  #body = -1;
  /** Bytes still to be thrown away. */
  #skip = 0;
  #closed = false;

  constructor(events: WireEvents) {
    this.#events = events;
  }

  feed(chunk: Uint8Array): void {
    if (this.#closed) return;
    this.#chunks.push(chunk);
    this.#length += chunk.length;
    while (this.#step());
  }

  #step(): boolean {
    if (this.#skip > 0) {
      const some = Math.min(this.#skip, this.#length);
      if (some === 0) return false;
      this.#take(some);
      this.#skip -= some;
      return true;
    }
    return this.#body >= 0 ? this.#readBody() : this.#readHeader();
  }

  #readHeader(): boolean {
    if (this.#length === 0) return false;
    const data = this.#joined();
    const text = latin(data.subarray(0, MAX_HEADER));
    if (/^[A-Z]+ \S+ HTTP\/\d/.test(text)) {
      this.#closed = true;
      this.#events.foreign?.();
      return false;
    }
    const end = /\r?\n\r?\n/.exec(text);
    if (!end) {
      if (this.#length < MAX_HEADER) return false;
      this.#events.problem('bytes that are no header were skipped');
      this.#take(this.#length);
      return true;
    }
    this.#take(end.index + end[0].length);
    const [, digits] = /content-length:[ \t]*(\d+)[ \t]*(?:\r?\n|$)/i.exec(text.slice(0, end.index)) ?? [];
    const size = Number(digits);
    if (digits === undefined) this.#events.problem('a header without Content-Length was skipped');
    else if (size > MAX_MESSAGE) {
      this.#events.problem(`a message of ${digits} bytes was skipped: more than ${MAX_MESSAGE}`);
      this.#skip = Math.min(size, Number.MAX_SAFE_INTEGER);
    } else this.#body = size;
    return true;
  }

  #readBody(): boolean {
    if (this.#length < this.#body) return false;
    const bytes = this.#take(this.#body);
    this.#body = -1;
    let message: unknown;
    try {
      message = JSON.parse(new TextDecoder().decode(bytes));
    } catch {
      this.#events.problem('a message that is no JSON was skipped');
      return true;
    }
    this.#events.message(message);
    return true;
  }

  #joined(): Uint8Array {
    if (this.#chunks.length === 1) return this.#chunks[0]!;
    const all = new Uint8Array(this.#length);
    let at = 0;
    for (const chunk of this.#chunks) {
      all.set(chunk, at);
      at += chunk.length;
    }
    this.#chunks = [all];
    return all;
  }

  #take(count: number): Uint8Array {
    const all = this.#joined();
    this.#length -= count;
    this.#chunks = this.#length > 0 ? [all.subarray(count)] : [];
    return all.subarray(0, count);
  }
}

export function frame(message: unknown): Uint8Array {
  const body = new TextEncoder().encode(JSON.stringify(message));
  const head = new TextEncoder().encode(`Content-Length: ${body.length}\r\n\r\n`);
  const all = new Uint8Array(head.length + body.length);
  all.set(head);
  all.set(body, head.length);
  return all;
}

// --- internal ---

const latin = (bytes: Uint8Array): string => String.fromCharCode(...bytes);
