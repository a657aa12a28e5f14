/** @file `str(x)` and `repr(x)` of objects whose text is the language's own. */
import { parts } from '../graph.ts';
import { toRepr } from '../repr.ts';
import type { Value } from '../types.ts';
import { asValue, hidden, type Item, inner, isRange, whole } from './items.ts';
import { Unknown } from './run.ts';

const BUILTIN_CLASS =
  /^class '(int|str|float|bool|list|dict|tuple|set|frozenset|bytes|complex|NoneType|object|type|range|bytearray)'$/;
const MAX_DIGITS = 4300;

/** `repr(x)` */
export function valueText(value: Value): string {
  check(value, new Set(), { left: 50_000 });
  return toRepr(value);
}

/** `str(x)` */
export function displayText(item: Item): string {
  const value = asValue(item);
  if (value.type === 'str') return whole(value).value;
  return valueText(value);
}

/** Throws Unknown for a text that user code, a memory address, a hash order or a cut would decide. */
function check(value: Value, open: Set<Value>, budget: { left: number }): void {
  budget.left -= 1;
  if (budget.left < 0) throw new Unknown('its text is too long');
  if (open.has(value)) return;
  whole(value);
  switch (value.type) {
    case 'cut':
    case 'alias':
      throw hidden(value);
    case 'opaque':
      if (!BUILTIN_CLASS.test(value.text))
        throw new Unknown('its text has a memory address or a module name');
      return;
    case 'int':
      if (value.value.toString().length > MAX_DIGITS) throw new Unknown('the integer is too long for a text');
      return;
    case 'set':
      if (value.items.length > 1) throw new Unknown('the order of a set is not known');
      break;
    case 'call':
      if (
        !isRange(value) &&
        !(/^(deque|frozenset|dict_keys|dict_values|dict_items)$/.test(value.name) && inner(value))
      )
        throw hidden(value);
      break;
  }
  open.add(value);
  for (const part of parts(value)) check(part, open, budget);
  open.delete(value);
}
