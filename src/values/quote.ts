/** @file `repr` of str and bytes: the choice of quote and the escapes, as CPython's `unicode_repr`. */
import { isPrintable } from './unicode.ts';

const NAMED: Readonly<Record<number, string>> = { 9: '\\t', 10: '\\n', 13: '\\r', 92: '\\\\' };

/** Lone surrogates are allowed, as in Python; two that form a pair are one character here, two in Python. */
export function quoteString(value: string): string {
  const quote = value.includes("'") && !value.includes('"') ? '"' : "'";
  // Most strings need no escape at all.
  if (/^[ !#-&(-[\]-~]*$/.test(value)) return `'${value}'`;
  let out = quote;
  for (const character of value) {
    const code = character.codePointAt(0) as number;
    if (character === quote) out += `\\${quote}`;
    else if (NAMED[code] !== undefined) out += NAMED[code];
    else if (isPrintable(code)) out += character;
    else if (code <= 0xff) out += `\\x${hex(code, 2)}`;
    else if (code <= 0xffff) out += `\\u${hex(code, 4)}`;
    else out += `\\U${hex(code, 8)}`;
  }
  return out + quote;
}

export function quoteBytes(value: Uint8Array): string {
  const quote = value.includes(39) && !value.includes(34) ? '"' : "'";
  let out = `b${quote}`;
  for (const byte of value) {
    if (byte === quote.charCodeAt(0)) out += `\\${quote}`;
    else if (NAMED[byte] !== undefined) out += NAMED[byte];
    else if (byte >= 0x20 && byte < 0x7f) out += String.fromCharCode(byte);
    else out += `\\x${hex(byte, 2)}`;
  }
  return out + quote;
}

function hex(code: number, digits: number): string {
  return code.toString(16).padStart(digits, '0');
}
