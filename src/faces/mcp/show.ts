/** @file Positions as replies: where, the source around it, what changed, how sure. Pure; knows no protocol. */
import type { Stop } from '../../debugger/control.ts';
import type { Position } from '../../debugger/types.ts';
import type { Program } from '../../source/types.ts';
import type { Frame, Locals, Outcome, State, Difference as StateDifference } from '../../state/types.ts';
import { parseValue } from '../../values/parse.ts';
import { toRepr } from '../../values/repr.ts';
import type { Changed, Context, Difference, Location, SessionState, StopReason, StopReply } from './types.ts';

/** Lines shown on each side of the current one. */
const AROUND = 3;

export interface Sources {
  readonly programs: readonly Program[];
  readonly names: readonly string[];
}

/** A value as Python's repr, where the text allows it. */
export function plain(text: string): string {
  try {
    return toRepr(parseValue(text));
  } catch {
    return text;
  }
}

export const stateOf = ({ outcome }: Position): State | null =>
  outcome.type === 'state' ? outcome.state : null;

export function locationOf(frame: Frame, depth: number, { names }: Sources): Location {
  return {
    file: names[frame.file] ?? `<file ${frame.file}>`,
    line: frame.line,
    column: 1,
    function: frame.fn,
    depth,
  };
}

export function contextOf(program: Program | undefined, line: number, around = AROUND): Context {
  const lines = program?.lines ?? [];
  const first = Math.max(1, line - around);
  const surrounding = lines
    .slice(first - 1, line + around)
    .map((content, i) => ({ line: first + i, content: content.trimEnd() }));
  return { lineContent: lines[line - 1]?.trimEnd() ?? '', surrounding };
}

/** What the current frame's names are now and were when it last was seen; all of them for a new frame. */
export function changedBetween(before: State | null, after: State): Changed[] {
  const frame = after.stack.at(-1)!;
  const old = before?.stack.find((other) => other.id === frame.id && other.fn === frame.fn);
  return [
    ...changes(old?.locals ?? new Map(), frame.locals),
    ...(old ? changes(old.globals, frame.globals).map((c) => ({ ...c, global: true as const })) : []),
  ];
}

function changes(before: Locals, after: Locals): Changed[] {
  const list: Changed[] = [];
  for (const [name, value] of after) {
    const was = before.get(name);
    if (was === value) continue;
    list.push({ name, value: plain(value), ...(was === undefined ? {} : { was: plain(was) }) });
  }
  for (const [name, was] of before) if (!after.has(name)) list.push({ name, was: plain(was) });
  return list;
}

export function differencesOf(list: readonly StateDifference[]): Difference[] {
  return list.map((d) => ({
    what: d.part === 'local' ? `variable ${d.name ?? '?'}` : d.part,
    predicted: d.predicted === undefined ? '(none)' : plain(d.predicted),
    real: d.real === undefined ? '(none)' : plain(d.real),
  }));
}

export function sessionState(position: Position): SessionState {
  return position.outcome.type === 'state' ? 'paused' : 'stopped';
}

/** `predicted, 84 %`; `real` */
export function sureness({ origin, confidence }: Position): string {
  return confidence === undefined ? origin : `${origin}, ${(100 * confidence).toFixed(0)} %`;
}

export interface StopInfo {
  readonly sessionId: string;
  readonly sources: Sources;
  readonly before: Position | null;
  readonly reason?: StopReason;
  readonly note?: string;
  readonly breakpointId?: string;
}

/** The one answer of a motion. */
export function stopReply(stop: Stop, info: StopInfo): StopReply {
  const { position } = stop;
  const { outcome } = position;
  const note = [stop.note, info.note].filter(Boolean).join(' ');
  const common = {
    success: true as const,
    sessionId: info.sessionId,
    state: sessionState(position),
    reason: reasonOf(stop, info.reason),
    position: position.id,
    origin: position.origin,
    ...(position.confidence === undefined ? {} : { confidence: round(position.confidence) }),
    ...(position.strategy ? { strategy: position.strategy } : {}),
    ...(info.breakpointId ? { breakpointId: info.breakpointId } : {}),
    ...(position.ambiguous?.length ? { ambiguousLines: position.ambiguous } : {}),
    ...(position.real === undefined || position.real === null
      ? {}
      : { differences: differencesOf(position.differences ?? []) }),
    ...(note ? { note } : {}),
  };
  if (outcome.type !== 'state') {
    const exception = outcome.type === 'exit' ? outcome.exception : undefined;
    const out = outcome.type === 'exit' ? outcome.out : undefined;
    return {
      ...common,
      message: `STOP ${common.reason}: ${endText(outcome)} (${sureness(position)})`,
      ...(exception === undefined ? {} : { exception: plain(exception) }),
      ...(out ? { output: out } : {}),
    };
  }
  return { ...common, ...stateFields(outcome.state, stop, common.reason, info) };
}

function stateFields(state: State, { position }: Stop, reason: StopReason, info: StopInfo) {
  const top = state.stack.at(-1)!;
  const location = locationOf(top, state.stack.length - 1, info.sources);
  const value = state.value === undefined ? undefined : plain(state.value);
  const given = state.kind === 'return' || state.kind === 'yield' ? (value ?? 'None') : undefined;
  const what =
    given !== undefined
      ? ` -> ${short(given)}`
      : state.kind === 'exception'
        ? ` ! ${short(value ?? '')}`
        : '';
  const text = `STOP ${reason}: ${state.kind} at ${location.file}:${location.line} in ${location.function}${what} (${sureness(position)})`;
  const output = [state.out, state.err].filter(Boolean).join('');
  return {
    message: text,
    event: state.kind,
    location,
    context: contextOf(info.sources.programs[top.file], top.line),
    changed: changedBetween(info.before && stateOf(info.before), state),
    ...(given === undefined ? {} : { returnValue: given }),
    ...(state.kind === 'exception' && value !== undefined ? { exception: value } : {}),
    ...(output ? { output } : {}),
  };
}

function reasonOf(stop: Stop, given?: StopReason): StopReason {
  if (stop.reason === 'end') return 'end';
  if (given) return given;
  if (stop.reason === 'breakpoint') return 'breakpoint';
  return stateOf(stop.position)?.kind === 'exception' ? 'exception' : 'step';
}

export function endText(outcome: Exclude<Outcome, { type: 'state' }>): string {
  if (outcome.type === 'entry') return 'before the entry of the program; step forward to return';
  if (outcome.exit === 'normal') return 'the program finished; step back to return into it';
  if (outcome.exit === 'never') return 'the program never ends from here';
  return 'the program ended with an uncaught exception; step back to look at it';
}

const short = (text: string): string => (text.length <= 120 ? text : `${text.slice(0, 119)}…`);

export const round = (p: number): number => Number(p.toPrecision(4));
