/** @file Values for the ends of lines: names that a line of the stopped frame binds or reads, up to where it stands. */
import type { Adapter } from './adapter.ts';
import { originOf, plain } from './show.ts';
import type { FrameRef } from './types.ts';

export interface InlineValue {
  readonly line: number;
  readonly text: string;
}

const MAX_TEXT = 60;

export function inlineValues(adapter: Adapter, ref: FrameRef): InlineValue[] {
  const frame = adapter.frameOf(ref);
  const program = adapter.programs.all[frame.file];
  const scope = program?.scopes[frame.scope];
  if (!program || !scope) return [];
  const origin = ref.thread.type === 'real' ? 'real' : originOf(adapter.still().current);
  const lines = [...new Set([scope.line, ...program.linesOf(frame.scope)])];
  // A loop has been on the lines below, too; only where it stands shows values that the line sees.
  return lines
    .filter((line) => line <= frame.line)
    .flatMap((line) => {
      const text = program.unit(frame.scope, line)?.text ?? program.lines[line - 1] ?? '';
      const names = new Set(line === scope.line ? scope.params : namesIn(text));
      const shown = [...names].flatMap((name) => {
        const value = frame.locals.get(name);
        return value === undefined ? [] : [`${name} = ${short(plain(value))}`];
      });
      if (shown.length === 0) return [];
      return [{ line: adapter.line(line), text: `${shown.join(', ')}${origin ? `  (${origin})` : ''}` }];
    });
}

// --- internal ---

/** Identifiers outside of strings and comments; attributes and keyword arguments are no variables of the frame. */
function namesIn(text: string): string[] {
  const code = text.replace(/('''|""")[\s\S]*?\1|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|#[^\n]*/g, '""');
  return [...code.matchAll(/(?<![.\p{L}\p{N}_])[\p{L}_][\p{L}\p{N}_]*/gu)].map(([name]) => name);
}

const short = (text: string): string => (text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text);
