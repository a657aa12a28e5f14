/**
 * @file Whether output is coloured: only on a terminal, whatever machine it runs on. (picocolors alone also
 * colours where the variable `CI` is set, so that output piped to a program would carry escapes.)
 */
import { createColors } from 'picocolors';

/** `NO_COLOR` (no-color.org) wins over `FORCE_COLOR`; else a terminal that is not `dumb` gets colours. */
export function colorsWanted(
  env: Readonly<Record<string, string | undefined>>,
  stream: { readonly isTTY?: boolean },
): boolean {
  if (env.NO_COLOR) return false;
  if (env.FORCE_COLOR) return env.FORCE_COLOR !== '0';
  return stream.isTTY === true && env.TERM !== 'dumb';
}

export const colors = createColors(colorsWanted(process.env, process.stdout));
