/** @file A value's text as something an editor can open: its type, how many parts, which parts. Pure. */
import { NpdbError } from '../../common/errors.ts';
import { formatValue } from '../../values/format.ts';
import { label, resolve } from '../../values/graph.ts';
import { parseValue } from '../../values/parse.ts';
import { toRepr } from '../../values/repr.ts';
import type { Value } from '../../values/types.ts';
import type { PathStep } from './references.ts';

export interface Part {
  readonly name: string;
  readonly step: PathStep;
  readonly value: Value;
}

/** Null where the text is no value (a model may write such). */
export function readValue(text: string): Value | null {
  try {
    return resolve(parseValue(text));
  } catch (error) {
    if (error instanceof NpdbError) return null;
    throw error;
  }
}

/** The canonical text of a part, which may hold objects that are shared within it. */
export const textOf = (value: Value): string => formatValue(label(value));

/** The same as plain Python prints it. */
export const reprOf = (value: Value): string => toRepr(label(value));

/** `list`, `int`, `Point`: what `type(x).__name__` would say. */
export function typeName(value: Value): string {
  switch (value.type) {
    case 'none':
      return 'NoneType';
    case 'notimplemented':
      return 'NotImplementedType';
    case 'utc':
      return 'timezone';
    case 'call':
      return value.name.split('.').pop() ?? value.name;
    case 'opaque': {
      const [, word = 'object'] = /^([\w.]+)/.exec(value.text) ?? [];
      return word === 'class' ? 'type' : (word.split('.').pop() ?? word);
    }
    case 'alias':
    case 'cut':
      return '';
    default:
      return value.type;
  }
}

/** Parts by place. What is cut is counted: an engine with a run can still fetch it. */
export function indexedCount(value: Value): number {
  switch (value.type) {
    case 'list':
    case 'tuple':
    case 'set':
      return value.items.length + (value.cut ?? 0);
    case 'call':
      return value.args.length + (value.argsCut ?? 0);
    default:
      return 0;
  }
}

/** Parts by name: entries and fields. */
export function namedCount(value: Value): number {
  if (value.type === 'dict') return value.entries.length + (value.cut ?? 0);
  return value.type === 'call' ? value.fields.length : 0;
}

/** Parts that are not in the text. */
export function missing(value: Value): number {
  return 'cut' in value && value.type !== 'str' && value.type !== 'bytes' ? (value.cut ?? 0) : 0;
}

export function indexedParts(value: Value): Part[] {
  const items =
    value.type === 'list' || value.type === 'tuple' || value.type === 'set'
      ? value.items
      : value.type === 'call'
        ? value.args
        : [];
  return items.map((item, index) => ({ name: String(index), step: { index }, value: item }));
}

export function namedParts(value: Value): Part[] {
  if (value.type === 'dict') {
    return value.entries.map(([key, item], entry) => {
      const text = reprOf(key);
      return { name: text, step: { entry, key: text }, value: item };
    });
  }
  if (value.type !== 'call') return [];
  return value.fields.map(([field, item]) => ({ name: field, step: { field }, value: item }));
}

/** The part at the end of a path; null where there is none (any more). */
export function follow(value: Value, path: readonly PathStep[]): Value | null {
  let at: Value | undefined = value;
  for (const step of path) {
    if (at === undefined) return null;
    const parts: Part[] = 'index' in step ? indexedParts(at) : namedParts(at);
    at = parts.find((part) => same(part.step, step))?.value;
  }
  return at ?? null;
}

/** `[0]`, `['k']`, `.f`: how the part is written in Python; null where it cannot be (a set's item). */
export function accessor(value: Value, step: PathStep): string | null {
  if ('field' in step) return /^[\p{L}_][\p{L}\p{N}_]*$/u.test(step.field) ? `.${step.field}` : null;
  if ('entry' in step) return step.key.includes('...') || step.key.startsWith('<') ? null : `[${step.key}]`;
  return value.type === 'list' || value.type === 'tuple' ? `[${step.index}]` : null;
}

/** `base` and a path as one Python expression; null where a step cannot be written. */
export function pathExpression(base: string, root: Value, path: readonly PathStep[]): string | null {
  // A name with its subscripts and attributes needs no brackets.
  let text = /^[\p{L}_][\p{L}\p{N}_.]*(\[[^[\]]*\][\p{L}\p{N}_.]*)*$/u.test(base) ? base : `(${base})`;
  let at: Value | null = root;
  for (const step of path) {
    const access: string | null = at && accessor(at, step);
    if (access === null || !at) return null;
    text += access;
    at = follow(at, [step]);
  }
  return text;
}

/** The value with the part at the path replaced; null where the way there is shared, cut or gone. */
export function replaced(value: Value, path: readonly PathStep[], part: Value): Value | null {
  const [step, ...rest] = path;
  if (!step) return part;
  const inner = (old: Value | undefined): Value | null => (old ? replaced(old, rest, part) : null);
  if ('index' in step && (value.type === 'list' || value.type === 'tuple' || value.type === 'set')) {
    const made = inner(value.items[step.index]);
    return made && { ...value, items: value.items.with(step.index, made) };
  }
  if ('entry' in step && value.type === 'dict') {
    const entry = value.entries[step.entry];
    const made = entry && inner(entry[1]);
    return entry && made ? { ...value, entries: value.entries.with(step.entry, [entry[0], made]) } : null;
  }
  if ('field' in step && value.type === 'call') {
    const at = value.fields.findIndex(([name]) => name === step.field);
    const made = inner(value.fields[at]?.[1]);
    return made && { ...value, fields: value.fields.with(at, [step.field, made]) };
  }
  return null;
}

// --- internal ---

function same(a: PathStep, b: PathStep): boolean {
  if ('index' in a) return 'index' in b && a.index === b.index;
  if ('entry' in a) return 'entry' in b && a.entry === b.entry && a.key === b.key;
  return 'field' in b && a.field === b.field;
}
