/** @file Slices of strings, lists and tuples, in all forms. */
import type { Row } from './operation.ts';

const FORMS: readonly (readonly [name: string, text: string, operands?: string])[] = [
  ['n:', '$p:'],
  [':n', ':$p'],
  ['x:', '$1:', 'j'],
  [':x', ':$1', 'j'],
  ['x:x', '$1:$2', 'jj'],
  ['::-n', '::-1'],
  [':-n', ':-$p'],
  [':', ':'],
  ['n:n', '$p:$m'],
  ['n:x', '$p:$1', 'j'],
  ['n:-n', '$p:-$p'],
  ['-n:', '-$p:'],
  ['x::x', '$1::2', 'j'],
  ['::n', '::$m'],
  ['x:x:x', '$1:$2:2', 'jj'],
  ['n::n', '$p::2'],
  ['x::-n', '$1::-1', 'j'],
  ['::-n', '::-$m'],
  ['-n:-n', '-$m:-$p'],
  [':x', ':len($0) // 2'],
  ['x:', 'len($0) // 2:'],
  ['x:x', '$1:$1 + $p', 'j'],
  [':-n', ':-$1', 'N'],
];

export const SLICES: readonly Row[] = ['s', 's', 'L', 'W', 'T'].flatMap((type) =>
  FORMS.map(([name, text, operands = '']): Row => [`[${name}]`, type + operands, `$0[${text}]`, type]),
);
