/** @file A value back to its canonical text: the inverse of `parse.ts`, and the renderer's table in TypeScript. */
import { quoteBytes, quoteString } from './quote.ts';
import type { Value } from './types.ts';

/** The canonical text; exactly what was parsed, if it was canonical. */
export function formatValue(value: Value): string {
  switch (value.type) {
    case 'none':
      return 'None';
    case 'ellipsis':
      return 'Ellipsis';
    case 'notimplemented':
      return 'NotImplemented';
    case 'utc':
      return 'datetime.timezone.utc';
    case 'bool':
      return value.value ? 'True' : 'False';
    case 'int':
      return value.value.toString();
    case 'float':
    case 'complex':
      return value.text;
    case 'str':
      return quoteString(value.value) + cutText(value.cut);
    case 'bytes':
      return quoteBytes(value.value) + cutText(value.cut);
    case 'alias':
      return `*${value.anchor}`;
    case 'cut':
      return `${anchorText(value.anchor)}...`;
    case 'opaque':
      return `${anchorText(value.anchor)}<${value.text}>`;
    default:
      return anchorText(value.anchor) + formatContainer(value);
  }
}

type Container = Extract<Value, { type: 'list' | 'tuple' | 'set' | 'dict' | 'call' }>;

function formatContainer(value: Container): string {
  const parts: string[] = [];
  if (value.type === 'dict') {
    for (const [key, item] of value.entries) parts.push(`${formatValue(key)}: ${formatValue(item)}`);
  } else if (value.type === 'call') {
    for (const arg of value.args) parts.push(formatValue(arg));
    if (value.argsCut !== undefined) parts.push(cutText(value.argsCut));
    for (const [name, field] of value.fields) parts.push(`${name}=${formatValue(field)}`);
  } else {
    for (const item of value.items) parts.push(formatValue(item));
  }
  if (value.cut !== undefined) parts.push(cutText(value.cut));
  const inner = parts.join(', ');
  switch (value.type) {
    case 'list':
      return `[${inner}]`;
    case 'tuple':
      return value.items.length === 1 && value.cut === undefined ? `(${inner},)` : `(${inner})`;
    case 'set':
      return inner === '' ? 'set()' : `{${inner}}`;
    case 'dict':
      return `{${inner}}`;
    case 'call':
      return `${value.name}(${inner})`;
  }
}

function cutText(cut: number | undefined): string {
  return cut === undefined ? '' : `...+${cut}`;
}

function anchorText(anchor: number | undefined): string {
  return anchor === undefined ? '' : `&${anchor} `;
}
