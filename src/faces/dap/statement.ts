/** @file What a line typed in the debug console asks for: an assignment, an expression, or a statement nobody can run. */
import { readExpression } from '../../values/expression/read.ts';

export type Statement =
  | { readonly type: 'assign'; readonly target: string; readonly value: string }
  | { readonly type: 'expression' }
  | { readonly type: 'other' };

/** Nobody types more of them in one line; each is a parse. */
const MAX_SPLITS = 50;

/** Calls that change what they are called on: the change would be lost, for the value is computed beside the program. */
const CHANGES =
  /(?<![\p{L}\p{N}_.\])"'])[\p{L}_][\p{L}\p{N}_]*(?:\.[\p{L}_][\p{L}\p{N}_]*|\[[^\]]*\])*\.(?:append|appendleft|add|clear|discard|extend|extendleft|insert|pop|popitem|popleft|remove|reverse|rotate|setdefault|sort|update|write)\s*\(/u;

/**
 * Tries each `=` as the one of an assignment: what stands before it must be a target, and what follows an expression.
 * `x == 3` and `f(a=1)` are expressions, for no such split reads.
 */
export function readStatement(line: string): Statement {
  let left = MAX_SPLITS;
  for (let at = line.indexOf('='); at >= 0 && left-- > 0; at = line.indexOf('=', at + 1)) {
    const before = line.slice(0, at);
    const shift = /(<<|>>)$/.test(before);
    if (line[at + 1] === '=' || (/[=!<>:]$/.test(before) && !shift)) continue;
    const [, target = '', op = ''] = /^(.*?)\s*(\*\*|\/\/|<<|>>|[-+*/%&|^@])?$/s.exec(before) ?? [];
    const value = line.slice(at + 1).trim();
    if (!isTarget(target.trim()) || readExpression(value) === null) continue;
    if (CHANGES.test(value)) return { type: 'other' };
    return {
      type: 'assign',
      target: target.trim(),
      value: op === '' ? value : `${target.trim()} ${op} (${value})`,
    };
  }
  if (readExpression(line) === null) return { type: 'other' };
  return CHANGES.test(line) ? { type: 'other' } : { type: 'expression' };
}

function isTarget(text: string): boolean {
  if (/^[\p{L}_][\p{L}\p{N}_]*$/u.test(text)) return readExpression(text) !== null;
  if (!/^[\p{L}_][\p{L}\p{N}_]*\s*[.[]/u.test(text)) return false;
  const read = readExpression(text);
  return read?.type === 'index' || read?.type === 'attribute';
}
