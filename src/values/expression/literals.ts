/** @file The atoms of Python source: number and string literals, as the language reference spells them. */
import { formatComplex, formatFloat } from '../number.ts';
import type { Value } from '../types.ts';

/** Null where the text is no number (`01`, `1__0`). */
export function readNumber(source: string): Value | null {
  const text = source.toLowerCase();
  if (/^(0x(_?[0-9a-f])+|0o(_?[0-7])+|0b(_?[01])+|0(_?0)*|[1-9](_?[0-9])*)$/.test(text))
    return { type: 'int', value: BigInt(text.replaceAll('_', '')) };
  if (!/^(\d(_?\d)*\.?(\d(_?\d)*)?|\.\d(_?\d)*)(e[+-]?\d(_?\d)*)?j?$/.test(text)) return null;
  const plain = text.replaceAll('_', '');
  if (plain.endsWith('j')) return { type: 'complex', text: formatComplex(0, Number(plain.slice(0, -1))) };
  // Digits only, with a leading zero: Python refuses them.
  if (/^\d+$/.test(plain)) return null;
  return { type: 'float', value: Number(plain), text: formatFloat(Number(plain)) };
}

export interface StringToken {
  readonly bytes: boolean;
  readonly formatted: boolean;
  readonly raw: boolean;
  /** Where the text within the quotes begins and ends in the token. */
  readonly from: number;
  readonly to: number;
}

export function stringToken(source: string): StringToken | null {
  const found = /^([a-z]*)('''|"""|'|")/i.exec(source);
  const prefix = found?.[1]?.toLowerCase() ?? '';
  const quote = found?.[2];
  if (quote === undefined || !/^(|u|r|b|br|rb|f|fr|rf)$/.test(prefix)) return null;
  const from = prefix.length + quote.length;
  const to = source.length - quote.length;
  if (to < from || !source.endsWith(quote)) return null;
  return {
    bytes: prefix.includes('b'),
    formatted: prefix.includes('f'),
    raw: prefix.includes('r'),
    from,
    to,
  };
}

/** Null where the token is no valid string or bytes. */
export function readString(source: string): Value | null {
  const token = stringToken(source);
  if (token === null || token.formatted) return null;
  const text = unescapeText(source.slice(token.from, token.to), token.raw, token.bytes);
  if (text === null || !token.bytes) return text === null ? null : { type: 'str', value: text };
  return { type: 'bytes', value: Uint8Array.from(text, (character) => character.charCodeAt(0)) };
}

const NAMED: Readonly<Record<string, string>> = {
  '\n': '',
  '\\': '\\',
  "'": "'",
  '"': '"',
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};
const HEX: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 };

/** The text that a literal's inside means; null for a broken escape. `\N{...}` needs the name table: null. */
export function unescapeText(inside: string, raw: boolean, bytes: boolean): string | null {
  const text = inside.replace(/\r\n?/g, '\n');
  if (bytes && /[^\x00-\x7f]/.test(text)) return null;
  if (raw || !text.includes('\\')) return text;
  let broken = false;
  const out = text.replace(
    /\\(?:([0-7]{1,3})|x([0-9a-fA-F]{0,2})|u([0-9a-fA-F]{0,4})|U([0-9a-fA-F]{0,8})|([\s\S]))/g,
    (whole: string, octal?: string, x?: string, u?: string, U?: string, other?: string) => {
      if (octal !== undefined) {
        const code = Number.parseInt(octal, 8);
        return String.fromCharCode(bytes ? code & 0xff : code);
      }
      if (other !== undefined) {
        if (other === 'N' && !bytes) broken = true;
        return NAMED[other] ?? whole;
      }
      if (bytes && x === undefined) return whole;
      const digits = x ?? u ?? U ?? '';
      const code = Number.parseInt(digits || '0', 16);
      if (digits.length !== HEX[whole[1] as string] || code > 0x10ffff) broken = true;
      return broken ? '' : String.fromCodePoint(code);
    },
  );
  return broken ? null : out;
}
