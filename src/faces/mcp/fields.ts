/** @file What is inside a value's text: its type's name and its items or attributes, one level at a time. */
import { formatValue, parseValue } from '../../values/index.ts';
import type { Value } from '../../values/types.ts';

/** Name of the type as Python says it; `object` where the text does not tell. */
export function typeOf(text: string): string {
  const value = parsed(text);
  if (!value) return 'object';
  switch (value.type) {
    case 'none':
      return 'NoneType';
    case 'notimplemented':
      return 'NotImplementedType';
    case 'call':
      return value.name;
    case 'opaque': {
      const [, kind] = /^(function|class|module|method|built-in \S+)/.exec(value.text) ?? [];
      return kind === 'class' ? 'type' : (kind ?? 'object');
    }
    case 'alias':
    case 'cut':
    case 'utc':
      return 'object';
    default:
      return value.type;
  }
}

/** Names (`[0]`, `['key']`, `attribute`) and value texts; empty for plain values. */
export function readFields(text: string): [string, string][] {
  const value = parsed(text);
  if (!value) return [];
  switch (value.type) {
    case 'list':
    case 'tuple':
    case 'set':
      return value.items.map((item, i) => [value.type === 'set' ? `{${i}}` : `[${i}]`, formatValue(item)]);
    case 'dict':
      return value.entries.map(([key, of]) => [`[${formatValue(key)}]`, formatValue(of)]);
    case 'call':
      return [
        ...value.args.map((arg, i): [string, string] => [`(${i})`, formatValue(arg)]),
        ...value.fields.map(([name, of]): [string, string] => [name, formatValue(of)]),
      ];
    default:
      return [];
  }
}

function parsed(text: string): Value | null {
  try {
    return parseValue(text);
  } catch {
    return null;
  }
}
