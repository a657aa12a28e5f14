/**
 * @file One run on one child: the request goes in, lines come out, and a clock stands beside that the
 * program cannot stop. The tracer keeps its own limits and ends its stream itself where it can; this is
 * for when it cannot (a loop inside C, a crash, a full memory).
 */
import { constants } from 'node:os';
import { NpdbError } from '../common/errors.ts';
import type { CutReason, TraceHeader } from '../trace/types.ts';
import type { ChildExit, LineChild } from './child.ts';
import { Collector } from './collector.ts';
import { type FullRequest, requestLine } from './limits.ts';
import { Reading } from './reading.ts';
import type { RunOptions, RunResult } from './types.ts';

/** What the tracer may take beyond its own limit to end the stream itself. */
const GRACE_MS = 500;

export interface ConverseOptions extends RunOptions {
  /** Until the child's first line. */
  readonly startMs: number;
  readonly header: () => TraceHeader;
}

/** `clean`: the child ended the run itself and can take another one. */
export interface Conversation {
  readonly result: RunResult;
  readonly clean: boolean;
}

/** Throws `E_RUNTIME` if the child never began, the signal's reason if aborted. */
export async function converse(
  child: LineChild,
  request: FullRequest,
  options: ConverseOptions,
): Promise<Conversation> {
  const collector = request.read ? new Reading(request) : new Collector(request, options);
  let late = false;
  let timer: NodeJS.Timeout;
  let over: () => void = () => {};
  const clock = (ms: number): void => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      late = true;
      child.kill();
    }, ms);
  };
  const finished = new Promise<null>((resolve) => {
    over = () => resolve(null);
  });
  const abort = (): void => child.kill();
  options.signal?.throwIfAborted();
  options.signal?.addEventListener('abort', abort, { once: true });
  child.onLine = (text) => {
    const line = own(text, request.secret);
    if (line === null) return;
    if (!collector.started) clock(request.limits.timeMs * 1.1 + GRACE_MS);
    if (collector.push(line)) over();
  };
  clock(options.startMs);
  child.send(requestLine(request));
  let exit: ChildExit | null;
  try {
    exit = await Promise.race([finished, child.exited]);
  } finally {
    clearTimeout(timer!);
    options.signal?.removeEventListener('abort', abort);
    child.onLine = () => {};
  }
  options.signal?.throwIfAborted();
  if (exit && !collector.started) throw neverBegan(child, exit);
  if (collector.broken !== null) child.kill();
  const reason = late ? 'time' : collector.overrun ? 'events' : exit ? reasonOf(child, exit) : 'killed';
  return {
    result: collector.result(reason, options.header),
    clean: exit === null && collector.broken === null,
  };
}

// --- internal ---

/** The part of a line that is the tracer's; null if none is. */
function own(line: string, secret: string | undefined): string | null {
  if (secret === undefined) return line;
  const at = line.indexOf(secret);
  return at < 0 ? null : line.slice(at + secret.length);
}

function reasonOf(child: LineChild, exit: ChildExit): CutReason {
  const signal = exit.signal ?? signalIn(exit.code);
  if (signal === 'SIGXCPU') return 'time';
  // Not sent by us: the kernel's, when the machine's memory is full.
  if (signal === 'SIGKILL' && !child.killed) return 'memory';
  return /out of memory|MemoryError|memory allocation|Cannot enlarge memory/i.test(child.stderr)
    ? 'memory'
    : 'killed';
}

/** A wall ends as its program did, and hands on a signal as shells do: 128 and its number. */
function signalIn(code: number | null): NodeJS.Signals | null {
  const named = Object.entries(constants.signals).find(([, number]) => number + 128 === code);
  return named ? (named[0] as NodeJS.Signals) : null;
}

function neverBegan(child: LineChild, exit: ChildExit): NpdbError {
  const how = exit.signal ? `was stopped by ${exit.signal}` : `ended with status ${exit.code}`;
  const said = child.stderr.trim().split('\n').slice(-3).join(' | ');
  return new NpdbError(
    'E_RUNTIME',
    `the Python process ${how} before the program began${said ? `: ${said}` : ''}.`,
    'Raise the memory limit, or choose another interpreter with --python.',
    4,
  );
}
