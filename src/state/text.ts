/** @file A literal's value as the renderer writes it (`docs/trace.md`). */
import { formatValue } from '../values/format.ts';
import type { Value } from '../values/types.ts';

export function canonicalText(value: Value): string {
  return formatValue(value);
}
