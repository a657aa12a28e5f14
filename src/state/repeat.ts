/** @file Whether a program is back where it was: then it never ends. */
import type { Program } from '../source/types.ts';
import type { State } from './types.ts';

/**
 * A text that is equal for two states only if, by all that a state shows, the program is back where it was:
 * then it never ends. Null where hidden state (an iterator, a generator, an object that is not shown) may differ.
 */
export function repeatKey(state: State, programs: readonly Program[]): string | null {
  const parts: string[] = [state.kind];
  for (const frame of state.stack) {
    const locals = [...frame.locals].map(([name, value]) => `${name}=${value}`);
    const globals = [...frame.globals].map(([name, value]) => `${name}=${value}`);
    if (!frame.known || [...locals, ...globals].some((text) => /<|\.\.\./.test(text))) return null;
    parts.push(
      `${frame.file}:${frame.scope}:${frame.line}`,
      ...locals,
      '|',
      ...globals,
      frame.returned.join(','),
    );
    // A `for` loop's place in its sequence is not in the locals: its count is. A `while` loop has none.
    for (const loop of frame.loops) {
      const header = programs[frame.file]?.unit(frame.scope, loop.line)?.text ?? '';
      if (!/^\s*while\b/.test(header)) parts.push(`${loop.line}x${loop.count}`);
    }
  }
  return parts.join('\n');
}
