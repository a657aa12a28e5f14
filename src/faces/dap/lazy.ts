/**
 * @file Values that cost a run or a search, shown as rows that fetch when they are opened (`presentationHint.lazy`):
 * a module's names that no state shows, what a predicted frame really holds.
 */
import type { DebugProtocol } from '@vscode/debugprotocol';
import { NpdbError } from '../../common/errors.ts';
import type { Adapter } from './adapter.ts';
import type { VariableRef } from './references.ts';
import { differenceText, placeOf } from './show.ts';
import type { FrameRef } from './types.ts';
import { readValue } from './values.ts';
import { bare, rootName, variable } from './variables.ts';

type Lazy = Extract<VariableRef, { type: 'lazy' }>;

/** The row that fetches what really happens. */
export const REAL = '(real run)';
const MAX_NAMES = 200;

/** Names of the module that this frame does not show: only a run can tell their values. */
export function lazyGlobals(adapter: Adapter, frame: FrameRef): DebugProtocol.Variable[] {
  const found = adapter.frameOf(frame);
  if (adapter.debug.engine !== 'recorded' || !adapter.isCurrent(frame) || found.kind === 'module') return [];
  const names = adapter.programs.all[found.file]?.scopes[0]?.names ?? [];
  return names
    .filter((name) => !found.globals.has(name) && !found.locals.has(name))
    .slice(0, MAX_NAMES)
    .map((name) => lazyRow(adapter, { type: 'lazy', frame, name }));
}

/** Beside a prediction: the same frame in a real run, on request. */
export function realRow(adapter: Adapter, frame: FrameRef): DebugProtocol.Variable[] {
  const { session } = adapter.needOpened();
  if (!session.compare || frame.thread.type === 'real' || frame.up > 0) return [];
  return [lazyRow(adapter, { type: 'lazy', frame, name: REAL })];
}

export async function openLazy(
  adapter: Adapter,
  ref: Lazy,
  signal: AbortSignal,
): Promise<DebugProtocol.Variable[]> {
  if (ref.name === REAL) return [await realResult(adapter)];
  const result = await adapter.debug.evaluate(ref.name, ref.frame.up);
  signal.throwIfAborted();
  if (result.type !== 'value')
    return [bare(ref.name, result.type === 'error' ? result.error : `unknown: ${result.why}`)];
  return [resultRow(adapter, ref.frame, ref.name, result.value, false)];
}

/** A row for what an expression gave. */
export function resultRow(
  adapter: Adapter,
  frame: FrameRef,
  expression: string,
  text: string,
  predicted: boolean,
): DebugProtocol.Variable {
  const edited = adapter.debug.current.origin === 'edited';
  const mark = predicted || edited ? adapter.mark(frame, rootName(expression)) : '';
  const value = readValue(text);
  if (!value) return bare(expression, `${text}${mark}`);
  const ref: VariableRef = { type: 'result', text, expression, frame, path: [], predicted };
  return variable(adapter, { name: expression, value, ref, mark, expression });
}

// --- internal ---

function lazyRow(adapter: Adapter, ref: Lazy): DebugProtocol.Variable {
  return {
    name: ref.name,
    value: '(open to run the program)',
    variablesReference: adapter.references.variablesId(ref),
    presentationHint: { kind: 'virtual', lazy: true, attributes: ['readOnly'] },
  };
}

/** One row, as lazy variables must give: where it really is; within it the real locals. */
async function realResult(adapter: Adapter): Promise<DebugProtocol.Variable> {
  const { session } = adapter.needOpened();
  if (!session.compare) throw new NpdbError('E_NO_RUNTIME', 'This state is real already.', '');
  const { real, differences } = await session.compare(adapter.debug.current);
  const verdict =
    differences.length === 0 ? 'the prediction agrees' : differences.map(differenceText).join('; ');
  if (real.type !== 'state') return bare(REAL, `${real.type}; ${verdict}`);
  const top = real.state.stack.at(-1)!;
  return {
    ...bare(REAL, `${placeOf(real.state)}; ${verdict}`),
    variablesReference: adapter.references.variablesId({ type: 'texts', rows: [...top.locals] }),
  };
}

export function candidateText(c: {
  readonly confidence: number;
  readonly checked?: boolean;
  readonly gives?: string;
}): string {
  const verdict = c.checked === undefined ? 'not checked' : c.checked ? 'checked' : `gives ${c.gives}`;
  return `${verdict}  # predicted, ${(100 * c.confidence).toFixed(0)} %`;
}
