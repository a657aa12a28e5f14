/**
 * @file The walk to a position as a short text, so that an address can hold it: `o3i~x=3^0` is three steps over, one
 * into, and an edit. Steps of one kind are counted; what is written is what is replayed.
 */
import { NpdbError } from '../../../common/errors.ts';
import type { Action, Edit } from '../../../state/types.ts';

export type Leg =
  | { readonly type: 'act'; readonly action: Action }
  | { readonly type: 'set'; readonly edit: Edit; readonly up: number }
  /** To an event of the recording. */
  | { readonly type: 'travel'; readonly at: number };

const LETTERS = {
  i: 'step_into',
  o: 'step_over',
  u: 'step_return',
  c: 'continue',
  I: 'inv_step_into',
  O: 'inv_step_over',
  U: 'inv_step_call',
} as const;
type Letter = keyof typeof LETTERS;
const letterOf = new Map<string, string>(Object.entries(LETTERS).map(([letter, type]) => [type, letter]));
/** More steps than a page replays while someone waits. */
const MOST = 20_000;

export function writePath(legs: readonly Leg[]): string {
  let text = '';
  for (let i = 0; i < legs.length; ) {
    const leg = legs[i]!;
    const one = writeLeg(leg);
    let count = 1;
    while (leg.type === 'act' && i + count < legs.length && writeLeg(legs[i + count]!) === one) count += 1;
    text += leg.type === 'act' && leg.action.type !== 'breakpoint' && count > 1 ? `${one}${count}` : one;
    i += leg.type === 'act' && leg.action.type !== 'breakpoint' ? count : 1;
  }
  return text;
}

/** Throws `E_ADDRESS` where the text is no walk. */
export function readPath(text: string): Leg[] {
  const legs: Leg[] = [];
  const pattern = /([iouc]|[IOU])(\d*)|t(\d+)(?:\.(\d+))?|@(\d+)|~([^=~]+)=([^^~]*)\^(\d+)/y;
  for (let at = 0; at < text.length; at = pattern.lastIndex) {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (!found) throw broken(text);
    const [, letter, count, line, file, event, name, value, up] = found;
    if (letter !== undefined) {
      const action = { type: LETTERS[letter as Letter] } as Action;
      const times = count === '' || count === undefined ? 1 : Number(count);
      if (legs.length + times > MOST) throw broken(text);
      for (let i = 0; i < times; i += 1) legs.push({ type: 'act', action });
    } else if (line !== undefined) {
      const action = {
        type: 'breakpoint',
        line: Number(line),
        ...(file ? { file: Number(file) } : {}),
      } as const;
      legs.push({ type: 'act', action });
    } else if (event !== undefined) legs.push({ type: 'travel', at: Number(event) });
    else legs.push({ type: 'set', edit: { name: decoded(name!), value: decoded(value!) }, up: Number(up) });
  }
  return legs;
}

// --- internal ---

function writeLeg(leg: Leg): string {
  if (leg.type === 'travel') return `@${leg.at}`;
  if (leg.type === 'set') return `~${encoded(leg.edit.name)}=${encoded(leg.edit.value)}^${leg.up}`;
  const { action } = leg;
  if (action.type === 'breakpoint') return `t${action.line}${action.file ? `.${action.file}` : ''}`;
  return letterOf.get(action.type)!;
}

const encoded = (text: string): string =>
  encodeURIComponent(text).replace(/~/g, '%7E').replace(/\(/g, '%28').replace(/\)/g, '%29');

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw broken(text);
  }
}

function broken(text: string): NpdbError {
  return new NpdbError(
    'E_ADDRESS',
    `This address holds no walk: ${text.slice(0, 40)}.`,
    'Start from the entry.',
  );
}
