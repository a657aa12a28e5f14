/** @file What the client is told when a motion ends: where, why, how sure; or that the program ended. */
import { NpdbError } from '../../common/errors.ts';
import type { Stop } from '../../debugger/control.ts';
import type { Cause } from '../../debugger/stops/index.ts';
import type { Position } from '../../debugger/types.ts';
import type { Adapter } from './adapter.ts';
import { asError } from './errors.ts';
import { differenceText, exceptionLine, originOf, placeOf, plain } from './show.ts';
import { threadIds } from './threads.ts';
import { verify } from './verify.ts';

const REASONS: Readonly<Record<Cause['type'], string>> = {
  line: 'breakpoint',
  function: 'function breakpoint',
  data: 'data breakpoint',
  exception: 'exception',
};

export async function arrived(
  adapter: Adapter,
  stop: Stop,
  reason: string,
  backwards: boolean,
): Promise<void> {
  if (adapter.phase !== 'open') return;
  const { debug } = adapter;
  if (stop.note) adapter.output('important', `${stop.note}\n`);
  const { position } = stop;
  if (!backwards && position.id !== adapter.visited) adapter.written(position);
  differences(adapter, position);
  if (isEnd(position)) {
    ended(adapter, position);
    return;
  }
  if (backwards && (position.outcome.type === 'entry' || position.id === 0)) {
    if (position.outcome.type === 'entry' && position.from !== undefined) debug.goto(position.from);
    stopped(adapter, 'entry', { text: 'Nothing lies before it.' });
    return;
  }
  const { cause } = adapter.rules;
  stopped(adapter, cause ? REASONS[cause.type] : reason, cause ? causeOf(cause) : {});
  await verify(adapter, position);
}

/** A motion that failed leaves the program where it is: the client must know that it stands still again. */
export function failed(adapter: Adapter, error: unknown, aborted: boolean): void {
  if (adapter.phase !== 'open') return;
  if (!aborted) {
    const known = asError(error);
    adapter.output('important', `${known.line()}\n`);
    stopped(adapter, 'pause', { text: known.message });
  } else stopped(adapter, 'pause');
}

/** The program stands still: said with the reason, and whose word the state is. */
export function stopped(
  adapter: Adapter,
  reason: string,
  more: { readonly text?: string; readonly hitBreakpointIds?: readonly number[] } = {},
): void {
  const { current } = adapter.debug;
  const origin = originOf(current);
  const place = current.outcome.type === 'state' ? ` at ${placeOf(current.outcome.state)}` : '';
  adapter.send('stopped', {
    reason,
    description: `Paused on ${reason}${place}${origin ? ` (${origin})` : ''}`,
    threadId: threadIds(adapter).current,
    allThreadsStopped: true,
    ...more,
  });
}

/** Both worlds ended; or the only one. */
export function isEnd(position: Position): boolean {
  const { outcome, real } = position;
  return outcome.type === 'exit' && (real === undefined || real === null || real.type !== 'state');
}

// --- internal ---

function causeOf(cause: Cause): { text?: string; hitBreakpointIds?: readonly number[] } {
  if (cause.type === 'exception') return { text: exceptionLine(cause.text) };
  return { hitBreakpointIds: cause.ids, ...(cause.type === 'data' ? { text: cause.text } : {}) };
}

function differences(adapter: Adapter, position: Position): void {
  const found = position.differences ?? [];
  if (position.unanswered) adapter.output('important', `${position.unanswered}\n`);
  if (found.length === 0) return;
  const lines = found.map((d) => `  ${differenceText(d)}\n`).join('');
  adapter.output('important', `The prediction parts from the real run:\n${lines}`);
}

function ended(adapter: Adapter, position: Position): void {
  const { outcome } = position;
  const { launch } = adapter.needOpened();
  const origin = originOf(position);
  const marked = origin ? `  # ${origin}` : '';
  if (adapter.returned !== null && launch.call !== undefined) {
    adapter.output('console', `${launch.call} returns ${plain(adapter.returned)}${marked}\n`);
  }
  const exit = outcome.type === 'exit' ? outcome : { exit: 'normal' as const };
  if (exit.exit === 'error') {
    const what =
      'exception' in exit && exit.exception ? exceptionLine(exit.exception) : 'an uncaught exception';
    adapter.output('stderr', `${what}${marked}\n`);
  } else if (exit.exit === 'never') {
    adapter.output('console', `The program never ends${marked}\n`);
  }
  if (launch.stopOnExit) {
    stopped(adapter, 'exit', { text: `The program ended (${exit.exit}); one can go back from here.` });
    return;
  }
  adapter.send('exited', { exitCode: exit.exit === 'normal' ? 0 : 1 });
  adapter.send('terminated');
}

/** Where nothing can be shown: before the entry. */
export const atEntry = (): NpdbError =>
  new NpdbError('E_ENDED', 'This is before the first state.', 'Step on.');
