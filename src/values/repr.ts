/** @file A value as plain Python prints it: labels expanded, an object inside itself as `[...]`. */
import { formatValue } from './format.ts';
import { mapParts, resolve } from './graph.ts';
import type { Value } from './types.ts';

/** Objects written at most; sharing can make a short text huge. */
const MAX_PARTS = 20_000;

/** Plain `repr` text; what is cut stays cut, and so is what goes beyond 20,000 parts. */
export function toRepr(value: Value): string {
  let left = MAX_PARTS;
  const open = new Set<Value>();
  const expand = (object: Value): Value => {
    left -= 1;
    if (left < 0) return { type: 'cut' };
    if (open.has(object)) return within(object);
    open.add(object);
    const copy = mapParts(object, expand);
    open.delete(object);
    return copy;
  };
  return formatValue(expand(resolve(value)));
}

/** How `repr` shows an object inside itself; a placeholder with the right brackets around a cut mark. */
function within(value: Value): Value {
  const cut: Value = { type: 'cut' };
  if (value.type === 'list' || value.type === 'set') return { type: value.type, items: [cut] };
  if (value.type === 'dict') return { type: 'set', items: [cut] };
  return value.type === 'call' ? { type: 'call', name: value.name, args: [cut], fields: [] } : cut;
}
