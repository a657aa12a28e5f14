/** @file From a position of any engine to what the page shows of it: two worlds side by side. */
import type { Position } from '../../../debugger/types.ts';
import type { Program } from '../../../source/types.ts';
import type { Difference, Frame, Outcome, State } from '../../../state/types.ts';
import type { FrameView, PositionView, Spot, Step, Variable } from './types.ts';

interface Worlds<T> {
  readonly predicted: T | null;
  readonly real: T | null;
}

/** The outcome of each world; a recorded position has only the real one. */
export function worldsOf(position: Position, recorded: boolean): Worlds<Outcome> {
  if (recorded) return { predicted: null, real: position.outcome };
  return { predicted: position.outcome, real: position.real ?? null };
}

/** `before`: the position it was reached from, to tell what changed. */
export function viewOf(
  position: Position,
  before: Position | null,
  recorded: boolean,
  program: Program,
): PositionView {
  const worlds = worldsOf(position, recorded);
  const { predicted, real } = worlds;
  const past = before && worldsOf(before, recorded);
  return {
    id: position.id,
    origin: position.origin,
    predicted: predicted && spotOf(predicted),
    real: real && spotOf(real),
    ...(position.confidence === undefined ? {} : { confidence: position.confidence }),
    ...(position.strategy === undefined ? {} : { strategy: position.strategy }),
    ...(position.unanswered === undefined ? {} : { unanswered: position.unanswered }),
    differences: (position.differences ?? []).map(differenceText),
    frames: framesOf(
      { predicted: stateOf(predicted), real: stateOf(real) },
      { predicted: stateOf(past?.predicted ?? null), real: stateOf(past?.real ?? null) },
      program,
    ),
  };
}

export function stepOf(position: Position): Step {
  const spot = spotOf(position.outcome);
  const { outcome } = position;
  return {
    id: position.id,
    line: spot.line,
    kind: spot.kind,
    fn: spot.fn,
    depth: outcome.type === 'state' ? outcome.state.stack.length - 1 : 0,
    ...(spot.value === undefined ? {} : { value: spot.value }),
    origin: position.origin,
    ...(position.confidence === undefined ? {} : { confidence: position.confidence }),
    differs: (position.differences?.length ?? 0) > 0,
  };
}

export function spotOf(outcome: Outcome): Spot {
  if (outcome.type === 'entry') return { type: 'entry', kind: 'entry', line: null, fn: '' };
  if (outcome.type === 'exit') {
    const value = outcome.exception;
    return {
      type: 'exit',
      kind: outcome.exit,
      line: null,
      fn: '',
      ...(value === undefined ? {} : { value }),
    };
  }
  const { state } = outcome;
  const top = state.stack.at(-1)!;
  return {
    type: 'state',
    kind: state.kind,
    line: lineOf(top),
    fn: top.fn,
    ...(state.value === undefined ? {} : { value: state.value }),
  };
}

const stateOf = (outcome: Outcome | null): State | null => (outcome?.type === 'state' ? outcome.state : null);
const lineOf = (frame: Frame): number | null => (frame.file === 0 ? frame.line : null);

/** Frames are paired from the entry up: that is where the two worlds began alike. */
function framesOf(now: Worlds<State>, past: Worlds<State>, program: Program): FrameView[] {
  const depth = Math.max(now.predicted?.stack.length ?? 0, now.real?.stack.length ?? 0);
  return Array.from({ length: depth }, (_, i) => {
    const predicted = now.predicted?.stack[i] ?? null;
    const real = now.real?.stack[i] ?? null;
    const same = predicted && real ? predicted.fn === real.fn && predicted.file === real.file : true;
    const frame = (predicted ?? real)!;
    const both = now.predicted !== null && now.real !== null;
    const realLine = predicted && real && lineOf(real) !== lineOf(predicted) ? lineOf(real) : null;
    const pending = frame.pending;
    const scope = frame.file === 0 ? program.scopes[frame.scope] : undefined;
    return {
      fn: same ? frame.fn : `${predicted!.fn} / ${real!.fn}`,
      line: lineOf(frame),
      ...(realLine === null ? {} : { realLine }),
      ...(both && !(predicted && real)
        ? { only: predicted ? ('predicted' as const) : ('real' as const) }
        : {}),
      differs: both && (!same || realLine !== null || !predicted || !real),
      ...(scope ? { from: scope.line, to: scope.endLine } : {}),
      known: frame.known,
      variables: variablesOf(
        { predicted, real: same ? real : null },
        { predicted: past.predicted?.stack[i] ?? null, real: past.real?.stack[i] ?? null },
        both && same && predicted !== null && real !== null,
      ),
      returned: frame.returned,
      ...(pending === undefined ? {} : { pending }),
    };
  }).reverse();
}

function variablesOf(now: Worlds<Frame>, past: Worlds<Frame>, both: boolean): Variable[] {
  const list: Variable[] = [];
  for (const scope of ['local', 'global'] as const) {
    const of = (frame: Frame | null) => (scope === 'local' ? frame?.locals : frame?.globals);
    const names = new Set([...(of(now.real)?.keys() ?? []), ...(of(now.predicted)?.keys() ?? [])]);
    for (const name of names) {
      const predicted = of(now.predicted)?.get(name);
      const real = of(now.real)?.get(name);
      const sameFrame = past.predicted?.id === now.predicted?.id && past.real?.id === now.real?.id;
      const old = sameFrame && (past.predicted || past.real);
      const known = (now.predicted?.known ?? true) && (now.real?.known ?? true);
      list.push({
        name,
        scope,
        ...(predicted === undefined ? {} : { predicted }),
        ...(real === undefined ? {} : { real }),
        differs: both && known && scope === 'local' && predicted !== real,
        changed: Boolean(
          old && (of(past.predicted)?.get(name) !== predicted || of(past.real)?.get(name) !== real),
        ),
      });
    }
  }
  return list;
}

function differenceText({ part, name, predicted, real }: Difference): string {
  const what = part === 'local' ? name : part;
  return `${what}: predicted ${predicted ?? 'nothing'}, really ${real ?? 'nothing'}`;
}
