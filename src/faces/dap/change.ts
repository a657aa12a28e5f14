/** @file `setVariable` and `setExpression`: one name, or one part of its value, in any frame of the stack. */
import type { DebugProtocol } from '@vscode/debugprotocol';
import { z } from 'zod';
import { NpdbError } from '../../common/errors.ts';
import type { Debugger } from '../../debugger/types.ts';
import { readExpression } from '../../values/expression/read.ts';
import { formatValue } from '../../values/format.ts';
import { parseValue } from '../../values/parse.ts';
import type { Adapter } from './adapter.ts';
import { resultRow } from './lazy.ts';
import { expressionOf } from './parts.ts';
import type { PathStep } from './references.ts';
import { MAX_SOURCE } from './schemas.ts';
import { withoutMark } from './show.ts';
import type { FrameRef, Handlers } from './types.ts';
import { indexedParts, namedParts, readValue, replaced, textOf } from './values.ts';

const setVariable = z.looseObject({
  variablesReference: z.number().int(),
  name: z.string().max(MAX_SOURCE),
  value: z.string().max(MAX_SOURCE),
});
const setExpression = z.looseObject({
  expression: z.string().max(MAX_SOURCE),
  value: z.string().max(MAX_SOURCE),
  frameId: z.number().int().optional(),
});

export const change: Handlers = {
  async setVariable(adapter, given) {
    const { variablesReference, name, value } = setVariable.parse(given);
    const found = expressionOf(adapter, adapter.references.variables(variablesReference), name);
    if (!found) {
      throw new NpdbError('E_READ_ONLY', `${name} cannot be set.`, 'Set a variable of the program.');
    }
    return { body: await assign(adapter, found.frame, found.text, value) };
  },

  async setExpression(adapter, given) {
    const { expression, value, frameId } = setExpression.parse(given);
    return { body: await assign(adapter, adapter.frameFor(frameId), expression, value) };
  },
};

/** `target = value` in a frame. Throws `E_SET`, `E_READ_ONLY`, `E_EVALUATION`, `E_UNKNOWN`, `E_RUNNING`. */
export function assign(
  adapter: Adapter,
  frame: FrameRef,
  target: string,
  value: string,
): Promise<DebugProtocol.SetVariableResponse['body']> {
  adapter.still();
  if (!adapter.isCurrent(frame)) {
    throw new NpdbError('E_READ_ONLY', 'Only the stack the debugger stands on can be changed.', '');
  }
  return adapter.exclusive(async () => {
    const debug = adapter.still();
    const place = targetOf(target);
    const source = withoutMark(value);
    if (debug.engine === 'neural') await setPredicted(debug, place, source, frame.up);
    else await setReal(debug, place, source, frame.up);
    const shown = await debug.evaluate(target, frame.up);
    if (shown.type !== 'value') return { value: source };
    const row = resultRow(adapter, frame, target, shown.value, shown.predicted);
    const { value: text, type, variablesReference, namedVariables, indexedVariables } = row;
    return {
      value: text,
      ...(type === undefined ? {} : { type }),
      variablesReference,
      ...(namedVariables === undefined ? {} : { namedVariables }),
      ...(indexedVariables === undefined ? {} : { indexedVariables }),
    };
  });
}

// --- internal ---

interface Place {
  readonly name: string;
  /** Source of the object whose part is set; absent: the name itself. */
  readonly owner?: string;
  readonly last?: { readonly field: string } | { readonly index: string };
  readonly path: readonly ({ readonly field: string } | { readonly index: string })[];
}

/** `xs`, `xs[0]`, `p.a['k']`: a name, then subscripts and attributes. */
function targetOf(text: string): Place {
  const source = text.trim();
  const [name = ''] = /^[\p{L}_][\p{L}\p{N}_]*/u.exec(source) ?? [];
  const path: ({ field: string } | { index: string })[] = [];
  let owner = name;
  let rest = source.slice(name.length);
  while (name !== '' && rest !== '' && path.length < MAX_STEPS) {
    const [whole, field] = /^\s*\.\s*([\p{L}_][\p{L}\p{N}_]*)/u.exec(rest) ?? [];
    const end = whole === undefined ? closing(rest) : whole.length;
    if (end < 0) break;
    owner = source.slice(0, source.length - rest.length);
    path.push(field === undefined ? { index: rest.slice(rest.indexOf('[') + 1, end - 1).trim() } : { field });
    rest = rest.slice(end).trimStart();
  }
  const last = path.at(-1);
  if (name === '' || rest !== '') {
    throw new NpdbError('E_SET', `\`${source}\` cannot be set.`, 'Set a name, an item or an attribute.');
  }
  return last ? { name, owner, last, path } : { name, path };
}

/** Closing brackets that are tried as the one of a subscript; each is a parse. */
const MAX_BRACKETS = 50;
/** Subscripts and attributes of one target. */
const MAX_STEPS = 50;

/** The end of the bracket that the text begins with, such that what is inside is one expression; -1: none. */
function closing(text: string): number {
  if (!/^\s*\[/.test(text)) return -1;
  let left = MAX_BRACKETS;
  for (let end = text.indexOf(']') + 1; end > 0 && left-- > 0; end = text.indexOf(']', end) + 1) {
    if (readExpression(text.slice(text.indexOf('[') + 1, end - 1)) !== null) return end;
  }
  return -1;
}

/** The object itself is changed, as the program would, and the name bound to it again. */
function realSource(place: Place, value: string): string {
  const { name, owner, last } = place;
  if (!last) return value;
  const call =
    'field' in last
      ? `setattr(${owner}, ${JSON.stringify(last.field)}, ${value})`
      : `(${owner}).__setitem__(${last.index}, ${value})`;
  return `(${call}, ${name})[1]`;
}

/** Other names of the frame for the object that a name is bound to. */
function sharedNames(debug: Debugger, name: string, up: number): string[] {
  const { outcome } = debug.current;
  const frame = outcome.type === 'state' ? outcome.state.stack.at(-1 - up) : undefined;
  return frame?.aliases.find((group) => group.includes(name))?.filter((other) => other !== name) ?? [];
}

/** An object that was changed shows it under each of its names: binding them again to it makes the engine look. */
async function setReal(debug: Debugger, place: Place, source: string, up: number): Promise<void> {
  const others = place.last ? sharedNames(debug, place.name, up) : [];
  await debug.set({ name: place.name, value: realSource(place, source) }, up);
  for (const name of others) await debug.set({ name, value: place.name }, up);
}

/** The predicted value's text is changed; names bound to the same object change with it. */
async function setPredicted(debug: Debugger, place: Place, source: string, up: number): Promise<void> {
  const value = await valueText(debug, source, up);
  if (!place.last) {
    await debug.set({ name: place.name, value }, up);
    return;
  }
  const root = parseValue(await valueText(debug, place.name, up));
  const path: PathStep[] = [];
  for (const step of place.path) path.push(await stepOf(debug, formatValue(root), path, step, up));
  const made = replaced(root, path, parseValue(value));
  if (!made) {
    throw new NpdbError(
      'E_SET',
      `This part of ${place.name} cannot be set: it is shared or not shown in full.`,
      'Set the whole variable.',
    );
  }
  const names = [place.name, ...sharedNames(debug, place.name, up)];
  for (const name of names) await debug.set({ name, value: formatValue(made) }, up);
}

async function valueText(debug: Debugger, expression: string, up: number): Promise<string> {
  const result = await debug.evaluate(expression, up);
  if (result.type === 'value') return result.value;
  if (result.type === 'error') throw new NpdbError('E_EVALUATION', result.error, '');
  throw new NpdbError('E_UNKNOWN', `unknown: ${result.why}.`, '');
}

async function stepOf(
  debug: Debugger,
  root: string,
  before: readonly PathStep[],
  step: { readonly field: string } | { readonly index: string },
  up: number,
): Promise<PathStep> {
  let at = readValue(root);
  for (const known of before) {
    const parts: { step: PathStep; value: NonNullable<typeof at> }[] = at
      ? [...indexedParts(at), ...namedParts(at)]
      : [];
    at = parts.find((part) => JSON.stringify(part.step) === JSON.stringify(known))?.value ?? null;
  }
  const parts = at ? [...namedParts(at), ...indexedParts(at)] : [];
  if ('field' in step) {
    const found = parts.find((part) => 'field' in part.step && part.step.field === step.field);
    if (found) return found.step;
    throw new NpdbError('E_SET', `There is no attribute ${step.field} here.`, 'Set one that is shown.');
  }
  const key = await valueText(debug, step.index, up);
  if (at?.type === 'dict') {
    const entry = at.entries.findIndex(([k]) => textOf(k) === key);
    if (entry >= 0) return { entry, key: parts[entry]!.name };
  } else if (at?.type === 'list' && /^-?\d+$/.test(key)) {
    const index = Number(key) < 0 ? at.items.length + Number(key) : Number(key);
    if (index >= 0 && index < at.items.length) return { index };
  }
  throw new NpdbError('E_SET', `[${step.index}] is no item that can be set here.`, 'Set one that is shown.');
}
