/** @file A log point's message: `{expression}` is replaced by its value; `{{` and `}}` are braces. */
import { NpdbError } from '../../common/errors.ts';
import { parseValue } from '../../values/parse.ts';
import { toRepr } from '../../values/repr.ts';
import type { Debugger } from '../types.ts';

/** What cannot be evaluated is shown as its error, in braces: a log point never fails. */
export async function logText(debug: Debugger, message: string): Promise<string> {
  const parts: string[] = [];
  let predicted = false;
  for (const part of split(message)) {
    if (part.type === 'text') {
      parts.push(part.text);
      continue;
    }
    const result = await debug.evaluate(part.text);
    if (result.type === 'value') {
      parts.push(shown(result.value));
      predicted ||= result.predicted;
    } else parts.push(`{${result.type === 'error' ? result.error : `unknown: ${result.why}`}}`);
  }
  const { confidence } = debug.current;
  const sure = confidence === undefined ? '' : ` ${(100 * confidence).toFixed(0)} %`;
  return `${parts.join('')}${predicted ? `  # predicted${sure}` : ''}`;
}

/** Texts and expressions in turn; an expression may hold braces itself, also in strings. */
export function split(message: string): { readonly type: 'text' | 'expression'; readonly text: string }[] {
  const parts: { type: 'text' | 'expression'; text: string }[] = [];
  let text = '';
  for (let i = 0; i < message.length; i += 1) {
    const c = message[i]!;
    if ((c === '{' || c === '}') && message[i + 1] === c) {
      text += c;
      i += 1;
    } else if (c === '{') {
      const end = closing(message, i);
      if (end < 0) {
        text += message.slice(i);
        break;
      }
      if (text !== '') parts.push({ type: 'text', text });
      text = '';
      parts.push({ type: 'expression', text: message.slice(i + 1, end).trim() });
      i = end;
    } else text += c;
  }
  if (text !== '') parts.push({ type: 'text', text });
  return parts;
}

// --- internal ---

function closing(message: string, open: number): number {
  let depth = 0;
  let quote = '';
  for (let i = open; i < message.length; i += 1) {
    const c = message[i]!;
    if (quote !== '') {
      if (c === '\\') i += 1;
      else if (c === quote) quote = '';
    } else if (c === '"' || c === "'") quote = c;
    else if (c === '{') depth += 1;
    else if (c === '}' && --depth === 0) return i;
  }
  return -1;
}

/** A string without its quotes, as in an f-string; all else as its repr. */
function shown(text: string): string {
  try {
    const value = parseValue(text);
    return value.type === 'str' && value.cut === undefined ? value.value : toRepr(value);
  } catch (error) {
    // A model's text may be no value.
    if (error instanceof NpdbError) return text;
    throw error;
  }
}
