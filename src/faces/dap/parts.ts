/** @file What a variables reference stands for just now: the names of a scope, the value at the end of a path. */
import { NpdbError } from '../../common/errors.ts';
import type { Value } from '../../values/types.ts';
import type { Adapter } from './adapter.ts';
import type { PathStep, ScopeName, VariableRef } from './references.ts';
import type { FrameRef } from './types.ts';
import { follow, indexedParts, namedParts, pathExpression, readValue } from './values.ts';

/** Names and value texts of a scope, in order. */
export function scopeRows(adapter: Adapter, frame: FrameRef, scope: ScopeName): Map<string, string> {
  const found = adapter.frameOf(frame);
  const state = adapter.stateOf(frame);
  switch (scope) {
    case 'locals':
      return new Map([...found.locals, ...returnRows(adapter, frame)]);
    case 'globals':
      return new Map(found.globals);
    case 'return':
      return new Map([[state.kind === 'yield' ? 'yield' : 'return', state.value ?? 'None']]);
    case 'exception': {
      const text = state.kind === 'exception' && frame.up === 0 ? state.value : found.pending;
      return new Map(text === undefined ? [] : [['exception', text]]);
    }
  }
}

/** debugpy's `(return) f` rows: what the calls of the line (or of the last step) gave. */
function returnRows(adapter: Adapter, frame: FrameRef): [string, string][] {
  if (!adapter.needOpened().launch.showReturnValue || frame.up !== 0) return [];
  const found = adapter.frameOf(frame);
  const { current } = adapter.debug;
  const own = found.returned.map((value, i) => [`(return) ${i + 1}`, value] as [string, string]);
  if (own.length > 0 || frame.thread.type === 'real' || current.outcome.type !== 'state') return own;
  const names = new Map<string, string>();
  for (const { fn, value } of adapter.stepReturns.rows.slice(-20)) names.set(`(return) ${fn}`, value);
  return [...names];
}

export const isReturnRow = (name: string): boolean => name.startsWith('(return)');

export interface Located {
  readonly frame: FrameRef;
  readonly value: Value;
  /** How Python would write it; null where it cannot. */
  readonly expression: string | null;
  readonly predicted: boolean;
}

/** The value a reference opens. Throws `E_REFERENCE` where it is gone. */
export function locate(adapter: Adapter, ref: Extract<VariableRef, { type: 'part' | 'result' }>): Located {
  const text = ref.type === 'result' ? ref.text : scopeRows(adapter, ref.frame, ref.scope).get(ref.name);
  const root = text === undefined ? null : readValue(text);
  const value = root && follow(root, ref.path);
  if (!root || !value) {
    throw new NpdbError('E_REFERENCE', 'This value is no longer there.', 'Ask for the variables again.');
  }
  const base = ref.type === 'result' ? ref.expression : isNamed(ref.scope, ref.name) ? ref.name : null;
  return {
    frame: ref.frame,
    value,
    expression: base === null ? null : pathExpression(base, root, ref.path),
    predicted: ref.type === 'result' ? ref.predicted : ref.frame.thread.type === 'shown',
  };
}

/** What a name within a reference is as an expression of its frame; null for what has none. */
export function expressionOf(
  adapter: Adapter,
  ref: VariableRef,
  name: string,
): {
  readonly frame: FrameRef;
  readonly scope: 'local' | 'global' | 'expression';
  readonly text: string;
} | null {
  if (ref.type === 'scope') {
    if (!isNamed(ref.scope, name) || !scopeRows(adapter, ref.frame, ref.scope).has(name)) return null;
    return { frame: ref.frame, scope: ref.scope === 'locals' ? 'local' : 'global', text: name };
  }
  if (ref.type !== 'part' && ref.type !== 'result') return null;
  const step = stepTo(adapter, ref, name);
  const child = step && locate(adapter, { ...ref, path: [...ref.path, step] });
  return child?.expression ? { frame: ref.frame, scope: 'expression', text: child.expression } : null;
}

/** The step to the part called `name`; null where there is none. */
export function stepTo(
  adapter: Adapter,
  ref: Extract<VariableRef, { type: 'part' | 'result' }>,
  name: string,
): PathStep | null {
  const { value } = locate(adapter, ref);
  return [...namedParts(value), ...indexedParts(value)].find((part) => part.name === name)?.step ?? null;
}

/** Rows that are variables of the program, not ours. */
export function isNamed(scope: ScopeName, name: string): boolean {
  return (scope === 'locals' || scope === 'globals') && !isReturnRow(name);
}
