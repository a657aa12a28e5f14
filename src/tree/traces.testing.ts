/** @file Well-formed traces for tests: written by hand in a few letters, or grown from random numbers. */
import fc from 'fast-check';
import type { EventKind, Trace, TraceEnd, TraceEvent } from '../trace/types.ts';
import type { Move } from './types.ts';

const LETTERS: Readonly<Record<string, EventKind>> = {
  c: 'call',
  l: 'line',
  r: 'return',
  x: 'exception',
  y: 'yield',
  s: 'resume',
};

/**
 * `c0 l0:1 c1<0:5 r1:6 …`: kind's letter, frame, `<` parent of a call or resume, `@` thread, `:` line (1 if
 * left out).
 */
export function traceOf(text: string, end: Partial<TraceEnd> = {}): Trace {
  return traceFrom(
    text
      .trim()
      .split(/\s+/)
      .map((word) => {
        const match = /^([clrxys])(\d+)(?:<(\d+))?(?:@(\d+))?(?::(\d+))?$/.exec(word);
        if (!match) throw new Error(`no event: ${word}`);
        const [, letter, frame, parent, thread, line] = match;
        return {
          e: LETTERS[letter!]!,
          f: Number(frame),
          l: Number(line ?? 1),
          ...(parent && { p: Number(parent) }),
          ...(thread && { t: Number(thread) }),
          ...(letter === 'c' && { fn: `f${frame}` }),
          ...('rxy'.includes(letter!) && { v: `${letter}${frame}` }),
        };
      }),
    end,
  );
}

export function traceFrom(events: readonly TraceEvent[], end: Partial<TraceEnd> = {}): Trace {
  return {
    header: {
      e: 'header',
      version: 1,
      python: '3.11.7',
      implementation: 'cpython',
      hashSeed: '0',
      limits: { events: 1000, timeMs: 1000, memoryMb: 100, outputBytes: 1000 },
      values: { items: 100, chars: 300, depth: 8, leaves: 400 },
      files: [{ name: 'main.py', text: '' }],
    },
    events,
    end: { e: 'end', status: 'normal', events: events.length, ...end },
  };
}

interface Running {
  readonly f: number;
  readonly generator: boolean;
  line: number;
}

/**
 * Grows a trace: one root, calls, generators suspended and resumed by whoever runs, exceptions that are
 * handled or unwind frames. Each choice takes one of `numbers`; when they run out the trace is `cut`, or all
 * frames return.
 */
export function grow(numbers: readonly number[], cut: boolean): Trace {
  const events: TraceEvent[] = [];
  const stack: Running[] = [];
  const asleep: Running[] = [];
  let frames = 0;
  let unwinding = false;
  const call = (generator: boolean) => {
    const parent = stack[stack.length - 1];
    const frame: Running = { f: frames++, generator, line: 1 + (frames % 3) * 10 };
    events.push({
      e: 'call',
      f: frame.f,
      l: frame.line,
      fn: `f${frames % 3}`,
      ...(parent && { p: parent.f }),
      ...(generator && { k: 'generator' }),
    });
    stack.push(frame);
  };
  const leave = (e: 'return' | 'exception' | 'yield') => {
    const frame = stack[stack.length - 1]!;
    events.push({ e, f: frame.f, l: frame.line, v: `${e}${events.length}` });
    if (e === 'yield') asleep.push(frame);
    if (e !== 'exception') stack.pop();
    unwinding = e === 'exception';
  };
  const line = (n: number) => {
    const frame = stack[stack.length - 1]!;
    frame.line = Math.floor(frame.line / 10) * 10 + 2 + (n % 5);
    events.push({ e: 'line', f: frame.f, l: frame.line });
    unwinding = false;
  };

  call(false);
  for (const n of numbers) {
    if (stack.length === 0) break;
    const top = stack[stack.length - 1]!;
    const what = n % 16;
    if (unwinding) {
      // The exception leaves the frame, or a handler's line is next.
      if (what < (stack.length > 1 ? 8 : 2)) {
        stack.pop();
        if (stack.length > 0) leave('exception');
      } else line(n >> 4);
    } else if (what >= 10 && what < 12 && asleep.length > 0) {
      const [frame] = asleep.splice((n >> 4) % asleep.length, 1);
      events.push({ e: 'resume', f: frame!.f, l: frame!.line, p: top.f });
      stack.push(frame!);
    } else if (what < 6 || what === 10 || (what > 12 && stack.length === 1)) line(n >> 4);
    else if (what < 10) call(what >= 8);
    else if (what === 12) leave('exception');
    else leave(top.generator && what > 13 ? 'yield' : 'return');
  }
  if (cut) return traceFrom(events, { status: 'cut', reason: 'events' });
  while (stack.length > 0) {
    if (unwinding) stack.pop();
    if (stack.length > 0) leave(unwinding ? 'exception' : 'return');
  }
  return traceFrom(events, unwinding ? { status: 'error', exception: 'E()' } : {});
}

/** Random traces of up to about 60 events; shrink to short ones. */
export const anyTrace: fc.Arbitrary<Trace> = fc
  .tuple(fc.array(fc.nat(255), { maxLength: 60, size: 'max' }), fc.boolean())
  .map(([numbers, cut]) => grow(numbers, cut));

/** Two traces as two threads of one: the second one's frames are numbered on, the order is by `turns`. */
export interface Interleaved {
  readonly trace: Trace;
  readonly parts: readonly Trace[];
  /** By thread, the index in `trace` of each of its events. */
  readonly indices: readonly (readonly number[])[];
}

export const anyThreads: fc.Arbitrary<Interleaved> = fc
  .tuple(anyTrace, anyTrace, fc.array(fc.boolean(), { minLength: 1, maxLength: 40 }))
  .map(([first, second, turns]) => {
    const shift = 1 + Math.max(...first.events.map((event) => event.f));
    const moved = second.events.map((event) => ({
      ...event,
      f: event.f + shift,
      ...(event.p !== undefined && { p: event.p + shift }),
      ...(event.e === 'call' && { t: 1 }),
    }));
    const queues = [[...first.events], [...moved]];
    const indices: number[][] = [[], []];
    const events: TraceEvent[] = [];
    while (queues[0]!.length + queues[1]!.length > 0) {
      const wish = events.length === 0 || turns[events.length % turns.length] ? 0 : 1;
      const thread = queues[wish]!.length > 0 ? wish : 1 - wish;
      indices[thread]!.push(events.length);
      events.push(queues[thread]!.shift()!);
    }
    const parts = [first, traceFrom(moved, first.end)];
    return { trace: traceFrom(events, first.end), parts, indices };
  });

/** `5`, `5c` for a line's first backward visit, `entry`, `exit normal`. */
export function show(move: Move): string {
  if (move.type === 'place') return `${move.place.at}${move.place.call ? 'c' : ''}`;
  return move.type === 'exit' ? `exit ${move.exit}` : 'entry';
}
