import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseTrace, parseTraces, traceText } from './stream.ts';
import { TRACE_VERSION, type Trace, type TraceEvent } from './types.ts';

const header = {
  e: 'header',
  version: TRACE_VERSION,
  python: '3.11.7',
  implementation: 'cpython',
  hashSeed: '0',
  limits: { events: 100, timeMs: 1000, memoryMb: 256, outputBytes: 0 },
  values: { items: 100, chars: 300, depth: 8, leaves: 400 },
  files: [
    { name: 'main.py', text: 'def f(x):\n    return x\n' },
    { name: '<call>', text: 'f(1)' },
  ],
  id: 'one#0',
  call: 'f(1)',
} as const;

const events: readonly TraceEvent[] = [
  { e: 'call', f: 0, l: 1, fn: '<module>', k: 'module' },
  { e: 'line', f: 0, l: 1 },
  { e: 'return', f: 0, l: 1, v: 'None', set: { f: '<function f>' } },
  { e: 'call', f: 1, l: 1, s: 1, fn: '<call>' },
  { e: 'line', f: 1, l: 1 },
  { e: 'call', f: 2, l: 1, p: 1, fn: 'f', set: { x: '1' } },
];
const trace: Trace = { header, events, end: { e: 'end', status: 'cut', reason: 'events', events: 6 } };

/** The trace's lines with line `number` replaced. */
function withLine(number: number, change: (record: Record<string, unknown>) => unknown): string {
  const lines = traceText(trace).split('\n');
  const changed = change(JSON.parse(lines[number - 1]!));
  lines[number - 1] = typeof changed === 'string' ? changed : JSON.stringify(changed);
  return lines.join('\n');
}

describe('a stream of traces', () => {
  it('comes back as it was written, several in a row too', () => {
    expect(parseTrace(traceText(trace))).toEqual(trace);
    const two = traceText(trace) + traceText(trace);
    expect([...parseTraces(two.split('\n'))]).toEqual([trace, trace]);
  });

  it('keeps any text in any value, line separators and lone surrogates included', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }), (name, value) => {
        const event: TraceEvent = {
          e: 'line',
          f: 0,
          l: 1,
          set: { [`n${name}`]: value },
          o: `${value}\u2028\r`,
        };
        const own = { ...trace, events: [events[0]!, event], end: { ...trace.end, events: 2 } };
        expect(parseTrace(traceText(own))).toEqual(own);
      }),
    );
  });

  it.each([
    ['text that is not JSON', 3, () => '{"e":"line",'],
    ['an unknown event', 3, (r: object) => ({ ...r, e: 'jump' })],
    ['an unknown key', 3, (r: object) => ({ ...r, line: 3 })],
    ['a line 0', 3, (r: object) => ({ ...r, l: 0 })],
    ['a value that is no text', 4, (r: object) => ({ ...r, set: { f: 1 } })],
    ['a frame that was never called', 3, (r: object) => ({ ...r, f: 9 })],
    ['a frame called twice', 5, (r: object) => ({ ...r, f: 0 })],
    ['a parent that was never called', 7, (r: object) => ({ ...r, p: 9 })],
    ['a file the header lacks', 5, (r: object) => ({ ...r, s: 2 })],
    ['a wrong count', 8, (r: object) => ({ ...r, events: 5 })],
    ['a second header', 3, () => header],
    ['a list', 3, () => [1]],
  ] as const)('names the line of %s', (_, number, change) => {
    expect(() => parseTrace(withLine(number, change))).toThrow(
      expect.objectContaining({
        code: 'E_TRACE_BROKEN',
        exit: 3,
        message: expect.stringMatching(new RegExp(`line ${number} of`)),
      }),
    );
  });

  it('refuses a trace that stops before its end, or has none', () => {
    const lines = traceText(trace).split('\n');
    expect(() => parseTrace(lines.slice(0, 5).join('\n'))).toThrow(/line 5 .*no end/);
    expect(() => parseTrace('')).toThrow(/empty/);
    expect(() => parseTrace(lines.slice(1).join('\n'))).toThrow(/line 1 .*header/);
  });

  it('refuses another version by its own code, whatever else has changed in it', () => {
    const other = withLine(1, () => ({ e: 'header', version: TRACE_VERSION + 1, shape: 'unknown' }));
    expect(() => parseTrace(other)).toThrow(expect.objectContaining({ code: 'E_TRACE_VERSION' }));
  });
});
