/**
 * @file A literal's value as a trace would show it: cut by the renderer's default limits (`docs/trace.md`), in
 * the order in which `src/python/tracer.py` spends its budget of leaves.
 */
import { formatValue } from '../values/format.ts';
import type { Value } from '../values/types.ts';

/** Integers of more digits than Python's own limit for `str` are told by their size. */
const DIGITS = 640;
const LIMITS = { items: 100, chars: 300, depth: 8, leaves: 400 };
const CUT: Value = { type: 'cut' };

export function canonicalText(value: Value): string {
  return formatValue(cutValue(value, { left: LIMITS.leaves }, 1));
}

/** `budget.left`: values that may still be shown; the outermost has depth 1. */
function cutValue(value: Value, budget: { left: number }, depth: number): Value {
  budget.left--;
  return cutInside(value, budget, depth);
}

function cutInside(value: Value, budget: { left: number }, depth: number): Value {
  switch (value.type) {
    case 'int': {
      const digits = value.value.toString().replace('-', '').length;
      return digits > DIGITS ? { type: 'opaque', text: `int ${digits} digits` } : value;
    }
    case 'str': {
      const characters = [...value.value];
      if (characters.length <= LIMITS.chars) return value;
      const shown = characters.slice(0, LIMITS.chars).join('');
      return { ...value, value: shown, cut: characters.length - LIMITS.chars };
    }
    case 'bytes': {
      const { length } = value.value;
      if (length <= LIMITS.chars) return value;
      return { ...value, value: value.value.slice(0, LIMITS.chars), cut: length - LIMITS.chars };
    }
    case 'list':
    case 'tuple':
    case 'set': {
      const items = cutItems(value.items, budget, depth, (item) => cutValue(item, budget, depth + 1));
      return items ? { ...value, ...items } : CUT;
    }
    case 'dict': {
      const entries = cutItems(value.entries, budget, depth, ([key, item]): readonly [Value, Value] => [
        cutValue(key, budget, depth + 1),
        cutValue(item, budget, depth + 1),
      ]);
      return entries ? { ...value, entries: entries.items, ...(entries.cut && { cut: entries.cut }) } : CUT;
    }
    case 'call': {
      // `frozenset({...})` is one value, not two.
      const args = value.args.map((arg) => cutInside(arg, budget, depth));
      return args.some((arg) => arg.type === 'cut') ? CUT : { ...value, args };
    }
    default:
      return value;
  }
}

/** Null where nothing of a container is shown. */
function cutItems<T>(
  items: readonly T[],
  budget: { readonly left: number },
  depth: number,
  cut: (item: T) => T,
): { readonly items: readonly T[]; readonly cut?: number } | null {
  if (items.length === 0) return { items };
  if (depth > LIMITS.depth || budget.left <= 0) return null;
  const shown: T[] = [];
  for (const item of items) {
    if (shown.length >= LIMITS.items || budget.left <= 0)
      return { items: shown, cut: items.length - shown.length };
    shown.push(cut(item));
  }
  return { items: shown };
}
