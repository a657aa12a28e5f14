/**
 * @file Names byte by byte: constants (`True`, `nan`), class names before `(`, field names before `=`. A mode is
 * `<place><part>`: place `v` value, `a` call argument or field, `f` field only, `w` after a label (a call only);
 * part is the word so far while it may still be a constant, `*` for any other name, `.` after a dot,
 * `+` in a later segment, `<...` inside `<locals>`, `~...` inside a character, and which part it leads to.
 */
import { type CharacterClass, utf8Next, utf8Start } from './utf8.ts';

export type Place = 'v' | 'a' | 'f' | 'w';

export const CONSTANTS = [
  'None',
  'True',
  'False',
  'Ellipsis',
  'NotImplemented',
  'inf',
  'nan',
  'infj',
  'nanj',
  'datetime.timezone.utc',
];
const COMPLETE = new Set(CONSTANTS);
const PREFIXES = new Set([
  'b',
  ...CONSTANTS.flatMap((word) => Array.from(word, (_, i) => word.slice(0, i + 1))),
]);
const LOCALS = '<locals>.';

export function nameStart(place: Place, byte: number): string | undefined {
  return segment(place, '', byte);
}

/** The next mode within the name; `(` and `=` are for the caller (`mayCall`, `mayAssign`). */
export function nameNext(mode: string, byte: number): string | undefined {
  const place = mode[0] as Place;
  const part = mode.slice(1);
  if (part[0] === '~') {
    const more = utf8Next(part.slice(3), byte, part[1] as CharacterClass);
    return more === undefined ? undefined : `${place}${more === '' ? part[2] : part.slice(0, 3) + more}`;
  }
  if (part[0] === '<') {
    if (byte !== LOCALS.charCodeAt(part.length)) return undefined;
    return part.length + 1 === LOCALS.length ? `${place}.` : `${place}${LOCALS.slice(0, part.length + 1)}`;
  }
  if (part.endsWith('.') && byte === 60) return `${place}<`;
  if (byte === 46) {
    if (part.endsWith('.') || place === 'f') return undefined;
    // With a dot it is no field any more.
    return `${place === 'a' ? 'v' : place}${PREFIXES.has(`${part}.`) ? part : ''}.`;
  }
  return segment(place, part, byte);
}

export function isConstant(mode: string): boolean {
  return (mode[0] === 'v' || mode[0] === 'a') && COMPLETE.has(mode.slice(1));
}

export function mayCall(mode: string): boolean {
  return mode[0] !== 'f' && !/^.[<~]|\.$|^.(None|True|False)$/.test(mode);
}

export function mayAssign(mode: string): boolean {
  return (mode[0] === 'f' || mode[0] === 'a') && mode[1] !== '~';
}

/** `b` alone, before a quote, begins bytes. */
export function mayQuote(mode: string): boolean {
  return mode === 'vb' || mode === 'ab';
}

function segment(place: Place, part: string, byte: number): string | undefined {
  const begins = part === '' || part.endsWith('.');
  const later = part === '+' || part.includes('.');
  if (byte >= 0x80) {
    const type = begins ? 's' : 'n';
    const more = utf8Start(byte, type);
    return more === undefined ? undefined : `${place}~${type}${later ? '+' : '*'}${more}`;
  }
  const letter = String.fromCharCode(byte);
  if (!(begins ? /[A-Za-z_]/ : /\w/).test(letter)) return undefined;
  const word = part + letter;
  // Only in the places of values do constants differ from other names.
  return place !== 'f' && place !== 'w' && PREFIXES.has(word) ? place + word : `${place}${later ? '+' : '*'}`;
}
