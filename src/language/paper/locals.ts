/**
 * @file Locals as the paper writes them: a JSON object of value texts, `"..": ".."` for what did not change. Ours: `null`
 * for a name that ceased to exist (no value text is `null` without quotes).
 */
import { NpdbError } from '../../common/errors.ts';
import type { Locals } from '../../state/types.ts';
import { chars, text } from '../pieces.ts';
import type { PieceReader } from '../reader.ts';
import type { Piece } from '../types.ts';

/** Locals that a reader of the text knows; `known` false: there may be more. */
export interface Shown {
  readonly locals: Locals;
  readonly known: boolean;
}

export const REST = '..';

/**
 * In full where there is no `base` to differ from. `..` stands for the base's other locals, or, where the base or the
 * locals themselves are not all known, for whatever else there is.
 */
export function localsPieces(base: Shown | null, { locals, known }: Shown): Piece[] {
  const full = known && !base?.known;
  const past: Locals = full ? new Map() : (base?.locals ?? new Map());
  const pieces: Piece[] = [];
  // Cut where a small vocabulary has words for what is between names and values.
  const open = () => pieces.push(text(pieces.length > 0 ? ', ' : '{'), text('"'));
  if (!full) pieces.push(text(`{"${REST}": "${REST}"`));
  for (const [name, value] of locals) {
    if (past.get(name) === value) continue;
    open();
    pieces.push(text(inner(name)), text('": "'), chars(inner(value)), text('"'));
  }
  for (const name of past.keys()) {
    if (locals.has(name)) continue;
    open();
    pieces.push(text(inner(name)), text('": null'));
  }
  return [...(pieces.length > 0 ? pieces : [text('{')]), text('}')];
}

/** The text within the quotes of a JSON string. */
const inner = (value: string): string => JSON.stringify(value).slice(1, -1);

export function valuePieces(value: string): Piece[] {
  return [text('"'), chars(inner(value)), text('"')];
}

/** An object as written. */
export interface LocalsText {
  readonly rest: boolean;
  readonly set: ReadonlyMap<string, string>;
  readonly del: readonly string[];
}

/** Throws `E_MALFORMED`. */
export function readLocals(reader: PieceReader): LocalsText {
  const source = reader.text();
  const object = parseJson(source);
  if (typeof object !== 'object' || object === null || Array.isArray(object)) throw malformed(source);
  const set = new Map<string, string>();
  const del: string[] = [];
  let rest = false;
  for (const [name, value] of Object.entries(object)) {
    if (name === REST && value === REST) rest = true;
    else if (typeof value === 'string') set.set(name, value);
    else if (value === null) del.push(name);
    else throw malformed(source);
  }
  return { rest, set, del };
}

/** Throws `E_MALFORMED`. */
export function readValue(reader: PieceReader): string {
  const source = reader.text();
  const value = parseJson(source);
  if (typeof value !== 'string') throw malformed(source);
  return value;
}

function malformed(source: string): NpdbError {
  return new NpdbError(
    'E_MALFORMED',
    `The answer's ${JSON.stringify(source)} is not the JSON of value texts.`,
    'Decode under the language mask, or try again with another seed.',
    1,
  );
}

function parseJson(source: string): unknown {
  try {
    return JSON.parse(source);
  } catch {
    return undefined;
  }
}

/** What an object says, given what it differs from. */
export function applyLocals(base: Shown | null, { rest, set, del }: LocalsText): Shown {
  if (!rest) return { locals: set, known: true };
  const locals = new Map(base?.locals);
  for (const name of del) locals.delete(name);
  for (const [name, value] of set) locals.set(name, value);
  return { locals, known: base?.known ?? false };
}
