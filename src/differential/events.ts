/** @file A canonical stream as short lines, for people and for fixtures: one event a line, then the end. */
import type { Trace, TraceEvent } from '../trace/types.ts';

/** `line f1 f:4 x=1 g.total=2 del y -> 3`: event, frame, function:line, names, value; last the run's end. */
export function eventLines({ events, end }: Trace): string[] {
  const names = new Map<number, string>();
  const lines = events.map((event) => {
    if (event.fn !== undefined) names.set(event.f, event.fn);
    return lineOf(event, names.get(event.f)!);
  });
  const why = end.exception ?? end.reason;
  return [
    ...lines,
    `end ${end.status}${why === undefined ? '' : ` ${why}`}${end.o ? ` o=${JSON.stringify(end.o)}` : ''}`,
  ];
}

function lineOf(event: TraceEvent, fn: string): string {
  const shown = (prefix: string, values: TraceEvent['set']) =>
    Object.entries(values ?? {}).map(([name, value]) => `${prefix}${name}=${value}`);
  return [
    `${event.e} f${event.f} ${fn}:${event.l}`,
    ...(event.p === undefined ? [] : [`<f${event.p}`]),
    ...(event.k === undefined ? [] : [`(${event.k})`]),
    ...(event.t === undefined ? [] : [`t${event.t}`]),
    ...shown('', event.set),
    ...shown('g.', event.g),
    ...(event.del ?? []).map((name) => `del ${name}`),
    ...(event.a ?? []).map((group) => `alias ${group.join('/')}`),
    ...(event.v === undefined ? [] : [`-> ${event.v}`]),
    ...(event.o === undefined ? [] : [`o=${JSON.stringify(event.o)}`]),
  ].join(' ');
}
