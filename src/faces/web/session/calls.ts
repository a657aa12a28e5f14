/** @file The tree of calls: of a real run from its events, of a predicted walk from its states. */
import type { Position } from '../../../debugger/types.ts';
import type { Trace } from '../../../trace/types.ts';
import type { CallNode } from './types.ts';

interface Open {
  at: number;
  end: number;
  fn: string;
  line: number;
  args: string;
  result?: string;
  failed: boolean;
  children: Open[];
}

const argsText = (entries: Iterable<readonly [string, string]>): string =>
  [...entries].map(([name, text]) => `${name}=${text}`).join(', ');

/** The calls among events [first, end). */
export function callsOfRun({ events }: Trace, first: number, end: number): CallNode[] {
  const roots: Open[] = [];
  const byFrame = new Map<number, Open>();
  for (let at = first; at < end; at += 1) {
    const event = events[at]!;
    if (event.e === 'call') {
      const args = argsText(Object.entries(event.set ?? {}));
      const made: Open = {
        at,
        end: at,
        fn: event.fn ?? '',
        line: event.l,
        args,
        failed: false,
        children: [],
      };
      byFrame.set(event.f, made);
      (byFrame.get(event.p ?? -1)?.children ?? roots).push(made);
      continue;
    }
    const open = byFrame.get(event.f);
    if (open) finish(open, at, event.e, event.v);
  }
  return roots;
}

/** The calls along a walk of states, oldest first. */
export function callsOfWalk(walk: readonly Position[]): CallNode[] {
  const roots: Open[] = [];
  const byFrame = new Map<number, Open>();
  for (const { id, outcome } of walk) {
    if (outcome.type !== 'state') continue;
    const { stack, kind, value } = outcome.state;
    for (const [depth, frame] of stack.entries()) {
      const known = byFrame.get(frame.id);
      if (known) {
        known.end = id;
        continue;
      }
      // A walk that steps over its beginning meets a frame later than its call: what it holds then is no argument.
      const args = kind === 'call' && depth === stack.length - 1 ? argsText(frame.locals) : '';
      const line = frame.line;
      const made: Open = { at: id, end: id, fn: frame.fn, line, args, failed: false, children: [] };
      byFrame.set(frame.id, made);
      (byFrame.get(stack[depth - 1]?.id ?? -1)?.children ?? roots).push(made);
    }
    finish(byFrame.get(stack.at(-1)!.id)!, id, kind, value);
  }
  return roots;
}

// --- internal ---

function finish(open: Open, at: number, kind: string, value: string | undefined): void {
  open.end = at;
  // An exception that is handled is followed by another event of its frame, which takes it back.
  open.failed = kind === 'exception';
  delete open.result;
  if ((kind === 'return' || kind === 'exception') && value !== undefined) open.result = value;
}
