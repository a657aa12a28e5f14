/**
 * @file More inputs for real programs: the literals of a call's arguments changed a little, by their type, so that other
 * paths are taken. Syntax alone; which of them are worth keeping is decided when they have run.
 */
import type { SyntaxNode } from '@lezer/common';
import { parser } from '@lezer/python';
import type { Random } from '../common/random.ts';
import type { Trace } from '../trace/types.ts';
import { charValue, intValue, quote, word } from './generate/values.ts';

/** A longer argument list is left alone: its runs are long too. */
const LONGEST = 400;

/** Calls like the given one, with one to three of their literals changed; at most `count`, all distinct. */
export function mutatedCalls(call: string, count: number, random: Random): string[] {
  if (call.length > LONGEST) return [];
  const places = literalsOf(call);
  if (!places.length) return [];
  const made = new Set<string>();
  for (let n = 0; made.size < count && n < count * 4; n++) {
    const chosen = random.sample(
      places,
      random.weighted([
        [5, 1],
        [3, 2],
        [2, 3],
      ]),
    );
    const text = [...chosen]
      .sort((a, b) => b.from - a.from)
      // An outer literal takes its inner ones with it.
      .filter((a) => !chosen.some((b) => b !== a && b.from <= a.from && a.to <= b.to))
      .reduce(
        (out, { node, from, to }) =>
          out.slice(0, from) + changed(node, call.slice(from, to), random) + out.slice(to),
        call,
      );
    if (text !== call) made.add(text);
  }
  return [...made];
}

/** What makes a run worth keeping beside another: the lines it took, in order, and how it ended. */
export function pathOf(trace: Trace): string {
  const lines: number[] = [];
  for (const { e, l } of trace.events) if (e !== 'call') lines.push(l);
  const { status, exception = '' } = trace.end;
  return `${status} ${exception.split('(')[0]} ${lines.join(' ')}`;
}

// --- internal ---

interface Place {
  readonly node: SyntaxNode;
  readonly from: number;
  readonly to: number;
}

const KINDS = new Set([
  'Number',
  'String',
  'Boolean',
  'ArrayExpression',
  'UnaryExpression',
  'TupleExpression',
  'DictionaryExpression',
]);

/** Literals inside the outermost argument list. */
function literalsOf(call: string): Place[] {
  const top = parser.parse(call).topNode.firstChild?.firstChild;
  const args = top?.name === 'CallExpression' ? top.getChild('ArgList') : null;
  const out: Place[] = [];
  const visit = (node: SyntaxNode): void => {
    const { name, from, to } = node;
    const negative = name === 'UnaryExpression';
    if (KINDS.has(name) && (!negative || node.lastChild?.name === 'Number')) out.push({ node, from, to });
    if (negative) return;
    for (let child = node.firstChild; child; child = child.nextSibling) visit(child);
  };
  if (args) visit(args);
  return out;
}

function changed(node: SyntaxNode, text: string, r: Random): string {
  switch (node.name) {
    case 'Boolean':
      return text === 'True' ? 'False' : 'True';
    case 'String':
      return string(text, r);
    case 'Number':
    case 'UnaryExpression':
      return number(text, r);
    case 'DictionaryExpression':
      return items(text, entriesOf(node), r, '{', '}');
    case 'TupleExpression':
      // Its length is mostly what it is.
      return r.chance(0.3)
        ? `(${r.shuffled(itemsOf(node)).join(', ')}${itemsOf(node).length === 1 ? ',' : ''})`
        : text;
    default:
      return items(text, itemsOf(node), r, '[', ']');
  }

  function itemsOf(of: SyntaxNode): string[] {
    const out: string[] = [];
    for (let child = of.firstChild; child; child = child.nextSibling)
      if (!/^[[\](){},]$/.test(child.name)) out.push(text.slice(child.from - of.from, child.to - of.from));
    return out;
  }

  function entriesOf(of: SyntaxNode): string[] {
    const parts: string[] = [];
    for (let child = of.firstChild; child; child = child.nextSibling) {
      if (child.name !== ':') continue;
      const [key, value] = [child.prevSibling!, child.nextSibling!];
      parts.push(text.slice(key.from - of.from, value.to - of.from));
    }
    return parts;
  }
}

function number(text: string, r: Random): string {
  if (/[.eEjJ_xXoObB]/.test(text))
    return r.pick(['0.0', '1.0', text.startsWith('-') ? text.slice(1) : `-${text}`, `${r.int(0, 99)}.5`]);
  const value = Number(text);
  if (!Number.isSafeInteger(value)) return '0';
  return String(
    r.weighted<() => number>([
      [4, () => value + r.pick([-2, -1, 1, 2])],
      [2, () => 0],
      [1, () => 1],
      [2, () => -value],
      [2, () => Math.trunc(value / 2)],
      // No larger than before: it may be how often a loop runs.
      [3, () => intValue(r) % (Math.abs(value) + 10)],
    ])() || 0,
  );
}

function string(text: string, r: Random): string {
  const match = /^(['"])(.*)\1$/s.exec(text);
  // Prefixes and escapes: what they mean would have to be read first.
  if (!match || match[2]!.includes('\\')) return text;
  const value = match[2]!;
  const at = r.int(0, Math.max(0, value.length - 1));
  return quote(
    r.weighted<() => string>([
      [3, () => value.slice(0, at) + charValue(r) + value.slice(at + 1)],
      [2, () => value.slice(0, at) + value.slice(at + 1)],
      [2, () => value.slice(0, at) + (value[at] ?? charValue(r)).repeat(2) + value.slice(at + 1)],
      [2, () => value.slice(0, at) + charValue(r) + value.slice(at)],
      [1, () => (value === value.toUpperCase() ? value.toLowerCase() : value.toUpperCase())],
      [1, () => [...value].reverse().join('')],
      [1, () => value.slice(0, at)],
      [1, () => word(r)],
      [1, () => ''],
    ])(),
  );
}

function items(text: string, parts: readonly string[], r: Random, open: string, close: string): string {
  if (!parts.length) return text;
  const at = r.int(0, parts.length - 1);
  const list = r.weighted<() => readonly string[]>([
    [3, () => parts.filter((_, i) => i !== at)],
    [2, () => r.shuffled(parts)],
    [2, () => [...parts.slice(0, at), parts[at]!, ...parts.slice(at)]],
    [1, () => []],
    [1, () => parts.slice(0, 1)],
    [1, () => [...parts].reverse()],
  ])();
  return `${open}${list.join(', ')}${close}`;
}
