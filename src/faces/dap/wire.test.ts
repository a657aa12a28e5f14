import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { frame, MAX_MESSAGE, WireReader } from './wire.ts';

function read(...chunks: (string | Uint8Array)[]) {
  const seen: unknown[] = [];
  const problems: string[] = [];
  let foreign = false;
  const reader = new WireReader({
    message: (m) => seen.push(m),
    problem: (p) => problems.push(p),
    foreign: () => {
      foreign = true;
    },
  });
  for (const chunk of chunks)
    reader.feed(typeof chunk === 'string' ? new TextEncoder().encode(chunk) : chunk);
  return { seen, problems, foreign };
}

describe('framing', () => {
  it('gives back every message, however it is cut into pieces', () => {
    fc.assert(
      fc.property(
        fc.array(fc.jsonValue(), { maxLength: 5 }),
        fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 20 }),
        (messages, sizes) => {
          const whole = new Uint8Array(messages.flatMap((m) => [...frame(m)]));
          const chunks: Uint8Array[] = [];
          for (let at = 0, i = 0; at < whole.length; i += 1) {
            const size = sizes[i % sizes.length]!;
            chunks.push(whole.subarray(at, (at += size)));
          }
          const { seen, problems } = read(...chunks);
          expect(JSON.stringify(seen)).toBe(JSON.stringify(messages));
          expect(problems).toEqual([]);
        },
      ),
      { seed: 1, numRuns: 200 },
    );
  });

  it('reads on after any bytes, once a header comes', () => {
    const message = new TextDecoder().decode(frame({ a: 1 }));
    expect(read('Content-Length: x\r\n\r\n', message).seen).toEqual([{ a: 1 }]);
    expect(read('Content-Type: text\r\n\r\n', message)).toMatchObject({ seen: [{ a: 1 }], problems: [/./] });
    expect(read('Content-Length: 3\r\n\r\n{x}', message).seen).toEqual([{ a: 1 }]);
    expect(read('junk', message).seen).toEqual([{ a: 1 }]);
    expect(read('\0'.repeat(10_000), message).problems).toHaveLength(1);
    expect(read('content-length:7\n\n{"a":1}').seen).toEqual([{ a: 1 }]);
    expect(read('Content-Length: 0\r\n\r\n', message).seen).toEqual([{ a: 1 }]);
  });

  it('skips a message beyond the limit without keeping it', () => {
    const size = MAX_MESSAGE + 1;
    const half = new Uint8Array(size / 2);
    const { seen, problems } = read(
      `Content-Length: ${size}\r\n\r\n`,
      half,
      new Uint8Array(size - half.length),
      frame([2]),
    );
    expect(seen).toEqual([[2]]);
    expect(problems).toEqual([expect.stringContaining('was skipped')]);
  });

  it('reads nothing from a web page', () => {
    const body = JSON.stringify({ seq: 1, type: 'request', command: 'launch' });
    const request = `POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    expect(read(request)).toMatchObject({ seen: [], foreign: true });
    expect(read(request, frame({ a: 1 })).seen).toEqual([]);
  });
});
