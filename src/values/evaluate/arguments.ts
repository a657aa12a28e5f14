/** @file The arguments of a builtin call, by position or name. */
import { asIndex, hidden, type Item, isBuiltin, typeName, whole } from './items.ts';
import { typeError, Unknown } from './run.ts';

export interface Arguments {
  readonly args: readonly Item[];
  readonly keywords: ReadonlyMap<string, Item>;
}

/**
 * The arguments in the order of `names`; `|` before the first that may only be named, `?` after the optional.
 * CPython's messages for a wrong number differ from function to function: Unknown.
 */
export function bind(
  { args, keywords }: Arguments,
  ...names: readonly string[]
): readonly (Item | undefined)[] {
  const bar = names.indexOf('|');
  const positional = bar < 0 ? names : names.slice(0, bar);
  const all = names.filter((name) => name !== '|');
  if (args.length > positional.length) throw new Unknown('the call has too many arguments');
  const bare = all.map((name) => name.replace('?', ''));
  for (const name of keywords.keys()) {
    if (!bare.includes(name)) throw new Unknown(`the argument ${name} is not known here`);
  }
  return all.map((name, i) => {
    const found = (i < positional.length ? args[i] : undefined) ?? keywords.get(name.replace('?', ''));
    if (found === undefined && !name.endsWith('?')) throw new Unknown(`the argument ${name} is missing`);
    return found?.type === 'none' && name.endsWith('?') ? undefined : found;
  });
}

export function textArgument(item: Item | undefined): string | undefined {
  if (item === undefined) return undefined;
  if (item.type === 'str') return whole(item).value;
  if (!isBuiltin(item)) throw hidden(item);
  throw new Unknown('an argument is no text');
}

export function countArgument(item: Item | undefined): number | undefined {
  if (item === undefined) return undefined;
  const index = asIndex(item);
  if (index === undefined) {
    if (!isBuiltin(item)) throw hidden(item);
    throw typeError(`'${typeName(item)}' object cannot be interpreted as an integer`);
  }
  return Number(index);
}
