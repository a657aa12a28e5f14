/**
 * @file A reply within its byte budget: an agent pays for every byte it reads. Long texts are cut first, then long
 * lists; what was cut is counted and the reply says how to get it whole. Knows JSON, no debugger.
 */
import type { Truncation } from './types.ts';

/** Bytes of a reply unless the client asks otherwise. */
export const DEFAULT_BYTES = 4_000;
/** For tools that were asked for one thing: it is not cut without need. */
export const WHOLE_BYTES = 65_536;
export const LEAST_BYTES = 1_000;
export const MOST_BYTES = 1_000_000;

const NOTICE =
  'Cut to fit: evaluate_expression gives one value whole, a larger `maxBytes` gives more, the resources give all.';

/** Characters of a text, items of a list: the first pair that fits is taken. */
const LEVELS = [
  [4_000, 200],
  [1_000, 60],
  [400, 30],
  [200, 20],
  [100, 12],
  [60, 8],
  [40, 5],
  [24, 3],
] as const;

/** Never cut: what identifies things, and the one line that says it all. */
const KEPT = new Set(['sessionId', 'message', 'code', 'hint', 'notice', 'state', 'uri']);

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

/** The reply itself where it fits; else a copy that does, with a `truncation`. */
export function fit<T extends object>(reply: T, maxBytes: number): T & { truncation?: Truncation } {
  if (bytesOf(reply) <= maxBytes) return reply;
  for (const [chars, items] of LEVELS) {
    const counts = { values: 0, items: 0 };
    const cut = shorten(reply, chars, items, counts) as T;
    const fitted = { ...cut, truncation: noticeOf(counts) };
    if (bytesOf(fitted) <= maxBytes) return fitted;
  }
  return essentials(reply, maxBytes);
}

// --- internal ---

const noticeOf = (counts: { values: number; items: number }): Truncation => ({
  valuesCut: counts.values,
  itemsOmitted: counts.items,
  notice: NOTICE,
});

function shorten(
  value: unknown,
  chars: number,
  items: number,
  counts: { values: number; items: number },
): unknown {
  if (typeof value === 'string') {
    if (value.length <= chars) return value;
    counts.values += 1;
    return cutText(value, chars);
  }
  if (Array.isArray(value)) {
    const kept = value.length <= items ? value : middle(value, items);
    counts.items += value.length - kept.length;
    return kept.map((item) => shorten(item, chars, items, counts));
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, of]) => [
      key,
      KEPT.has(key) && typeof of === 'string' ? of : shorten(of, chars, items, counts),
    ]),
  );
}

/** Source lines are kept around their middle, where the current one is; other lists from their start. */
function middle(list: readonly unknown[], items: number): readonly unknown[] {
  const source = list.every((item) => typeof item === 'object' && item !== null && 'content' in item);
  const from = source ? Math.floor((list.length - items) / 2) : 0;
  return list.slice(from, from + items);
}

/** Never half of a surrogate pair. */
function cutText(text: string, chars: number): string {
  const end = /[\uD800-\uDBFF]/.test(text[chars - 1]!) ? chars - 1 : chars;
  return `${text.slice(0, end)}…`;
}

/** Where even short texts do not fit: scalars, in order, as long as there is room. */
function essentials<T extends object>(reply: T, maxBytes: number): T & { truncation: Truncation } {
  const kept: Record<string, unknown> = {};
  let omitted = 0;
  const truncation = noticeOf({ values: 0, items: Object.keys(reply).length });
  for (const [key, value] of Object.entries(reply)) {
    const short = typeof value === 'string' && value.length > 200 ? cutText(value, 200) : value;
    const fits = typeof short !== 'object' && bytesOf({ ...kept, [key]: short, truncation }) <= maxBytes;
    if (fits) kept[key] = short;
    else omitted += 1;
  }
  return { ...(kept as T), truncation: noticeOf({ values: 0, items: omitted }) };
}
