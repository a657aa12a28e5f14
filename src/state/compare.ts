/**
 * @file What differs between a predicted and a real state. Values are compared as texts: the renderer makes
 * one text for one value. Only the current frame's locals count: the callers' are as they last were.
 */
import { topOf } from './advance.ts';
import type { Difference, Locals, Outcome, State } from './types.ts';

/** Part by part, the most telling first; empty where the states agree. Locals that neither side knows are not compared. */
export function diffState(predicted: State, real: State): Difference[] {
  const [p, r] = [topOf(predicted), topOf(real)];
  const differences: Difference[] = [];
  const part = (name: Difference['part'], left: string | number, right: string | number) => {
    if (left !== right) differences.push({ part: name, predicted: String(left), real: String(right) });
  };
  part('event', predicted.kind, real.kind);
  part('function', p.fn, r.fn);
  part('line', p.line, r.line);
  part('depth', predicted.stack.length - 1, real.stack.length - 1);
  if (predicted.value !== real.value) {
    differences.push({
      part: 'value',
      ...(predicted.value !== undefined && { predicted: predicted.value }),
      ...(real.value !== undefined && { real: real.value }),
    });
  }
  if (p.known && r.known) differences.push(...diffLocals(p.locals, r.locals));
  else if (p.known !== r.known) {
    differences.push({ part: 'local', predicted: knowledge(p.known), real: knowledge(r.known) });
  }
  return differences;
}

/** Names in the real frame's order, then those that only the predicted one has. */
export function diffLocals(predicted: Locals, real: Locals): Difference[] {
  const differences: Difference[] = [];
  for (const name of new Set([...real.keys(), ...predicted.keys()])) {
    const [left, right] = [predicted.get(name), real.get(name)];
    if (left === right) continue;
    differences.push({
      part: 'local',
      name,
      ...(left !== undefined && { predicted: left }),
      ...(right !== undefined && { real: right }),
    });
  }
  return differences;
}

/** The same for ends of a walk: `exit` says how each side ended, or that it goes on. */
export function diffOutcome(predicted: Outcome, real: Outcome): Difference[] {
  if (predicted.type === 'state' && real.type === 'state') return diffState(predicted.state, real.state);
  if (sameEnd(predicted, real)) return [];
  return [{ part: 'exit', predicted: endOf(predicted), real: endOf(real) }];
}

/** Whole-state exact match: kind, function, line, depth, value, and the current frame's locals as a set. */
export function sameState(left: State, right: State): boolean {
  const [a, b] = [topOf(left), topOf(right)];
  return (
    left.kind === right.kind &&
    a.line === b.line &&
    a.file === b.file &&
    a.fn === b.fn &&
    left.stack.length === right.stack.length &&
    left.value === right.value &&
    a.known === b.known &&
    a.locals.size === b.locals.size &&
    [...a.locals].every(([name, text]) => b.locals.get(name) === text)
  );
}

export function sameOutcome(left: Outcome, right: Outcome): boolean {
  if (left.type === 'state' && right.type === 'state') return sameState(left.state, right.state);
  return sameEnd(left, right);
}

/** An exception is only compared where both sides name it: a model predicts that the program fails, not with what. */
function sameEnd(left: Outcome, right: Outcome): boolean {
  if (left.type === 'exit' && right.type === 'exit' && left.exit === right.exit) {
    return (
      left.exception === undefined || right.exception === undefined || left.exception === right.exception
    );
  }
  return left.type !== 'state' && left.type === right.type && endOf(left) === endOf(right);
}

function endOf(outcome: Outcome): string {
  if (outcome.type === 'exit') {
    return outcome.exception === undefined ? outcome.exit : `${outcome.exit}: ${outcome.exception}`;
  }
  return outcome.type;
}

const knowledge = (known: boolean): string => (known ? 'known locals' : 'unknown locals');
